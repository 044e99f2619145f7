// Opens pages in Chromium, one URL a line on stdin, through a proxy that is the
// whole network, and writes the URL and what window.probes resolves to, one line
// each, in the order in which they end.
//
//   node policy.mjs CHROMIUM PROXY
import readline from "node:readline";
import { chromium } from "playwright-core";

const [, , executablePath, proxy] = process.argv;
const browser = await chromium.launch({
  executablePath, timeout: 120000,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    `--proxy-server=${proxy}`, "--proxy-bypass-list=<-loopback>",
    "--ignore-certificate-errors",
    "--disable-features=HttpsUpgrades,LocalNetworkAccessChecks",
  ],
});
try {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const open = async (url) => {
    const page = await context.newPage();
    try {
      await page.goto(url, { waitUntil: "commit", timeout: 120000 });
      await page.waitForFunction("window.probes", null, { timeout: 120000 });
      return await page.evaluate("window.probes");
    } catch (e) {
      return { error: String(e) };
    } finally {
      await page.close();
    }
  };
  const pages = [];
  for await (const url of readline.createInterface({ input: process.stdin })) {
    pages.push(open(url).then((answer) => console.log(JSON.stringify({ url, ...answer }))));
  }
  await Promise.all(pages);
} finally {
  await browser.close();
}
