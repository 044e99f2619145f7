// Opens the host page in Chromium and runs cases in it, side by side. A request
// is { bridge, query }, the result is what window.run[bridge](query) resolves to.
//
//   node driver.mjs CHROMIUM URL
//
// All cases share one tab: the browser draws nothing in a tab that another one
// covers, and then no size of a view would change.
import { launch, patience } from "../driver/browser.mjs";
import { serve } from "../driver/lines.mjs";

const [, , executablePath, url] = process.argv;
const browser = await launch(executablePath);
const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
context.setDefaultTimeout(patience);
const page = await context.newPage();
const running = new Set(); // for each running case, the function that makes it fail
page.on("pageerror", (err) => {
  for (const fail of running) fail(err);
});
await page.goto(url);

await serve(async ({ bridge, query }) => {
  let fail;
  const uncaught = new Promise((_, reject) => running.add((fail = reject)));
  try {
    return await Promise.race([page.evaluate(([bridge, query]) => window.run[bridge](query), [bridge, query]), uncaught]);
  } finally {
    running.delete(fail);
  }
});
await browser.close();
