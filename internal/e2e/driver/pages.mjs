// Documents in a browser, without a host: opens pages and returns their reports.
// Input: { urls, click }. A page sets window.report. click, if given, is the
// selector of an element to click on first.
// Output: for each page { report, text, violations, errors, requests }.
import { patience } from "./browser.mjs";

export default async function ({ newContext, urls, click }) {
  const context = await newContext();
  try {
    return await Promise.all(urls.map((url) => open(context, url, click)));
  } finally {
    await context.close();
  }
}

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
