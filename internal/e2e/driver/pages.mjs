// Documents in a browser, without a host: opens pages one after the other and
// tells what they report.
// Input: { chromium, urls, click }. A page sets window.report; click is a
// selector to click on before, where it is there.
// Output: for each page { report, text, violations, errors, requests }.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { main, patience } from "./lib.mjs";

main(async ({ chromium: executablePath, urls, click }) => {
  const profile = await mkdtemp(join(tmpdir(), "mcpapps-e2e-"));
  let context;
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath, headless: true, timeout: patience,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    context.setDefaultTimeout(patience);
    const results = [];
    for (const url of urls) results.push(await open(context, url, click));
    return results;
  } finally {
    await context?.close();
    await rm(profile, { recursive: true, force: true });
  }
});

async function open(context, url, click) {
  const page = await context.newPage();
  const errors = [], requests = [];
  page.on("pageerror", (err) => errors.push(String(err)));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("request", (r) => r.url() !== url && !r.url().startsWith("data:") && requests.push(r.url()));
  await page.addInitScript(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", (e) => window.violations.push(`${e.effectiveDirective} ${e.blockedURI}`));
  });
  await page.goto(url);
  if (click) await page.locator(click).click();
  await page.waitForFunction(() => window.report, null, { timeout: patience }).catch(() => {});
  const seen = await page.evaluate(() => ({ report: window.report ?? null, text: document.body.innerText, violations: window.violations }));
  await page.close();
  return { ...seen, errors, requests };
}
