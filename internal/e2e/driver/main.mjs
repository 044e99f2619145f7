// Runs the scripts of this folder, side by side in one browser.
//
//   node main.mjs CHROMIUM
//
// A request has the name of a script and its input. A script is a module whose
// default export, called with the input, resolves to the report. In the input it
// finds newContext(options), for the browser, which starts when it is needed.
import { launch, patience } from "./browser.mjs";
import { serve } from "./lines.mjs";

let browser;

async function newContext(options) {
  browser ??= launch(process.argv[2]);
  const context = await (await browser).newContext(options);
  context.setDefaultTimeout(patience);
  return context;
}

await serve(async ({ script, ...input }) => {
  const { default: run } = await import(`./${script}`);
  return run({ ...input, newContext });
});
await (await browser)?.close();
