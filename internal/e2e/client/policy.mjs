// Opens pages in Chromium, with a proxy that stands for the whole network. A
// request is { url }; the result is that of the page's window.probes.
//
//   node policy.mjs CHROMIUM PROXY
import { launch, patience } from "../driver/browser.mjs";
import { serve } from "../driver/lines.mjs";

const [, , executablePath, proxy] = process.argv;
const browser = await launch(
  executablePath,
  `--proxy-server=${proxy}`, "--proxy-bypass-list=<-loopback>",
  "--ignore-certificate-errors",
  "--disable-features=HttpsUpgrades,LocalNetworkAccessChecks",
);
const context = await browser.newContext({ ignoreHTTPSErrors: true });
context.setDefaultTimeout(patience);

const free = []; // tabs: a document in one that has shown another needs no new process
await serve(async ({ url }) => {
  const page = free.pop() ?? (await context.newPage());
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => window.probes); // a text would be evaluated at each look, which the page may forbid
  const result = await page.evaluate("window.probes");
  free.push(page);
  return result;
});
await browser.close();
