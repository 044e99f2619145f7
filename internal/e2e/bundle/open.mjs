// Opens pages in a browser, one after the other, and tells what they report.
// Input: { chromium, urls }. Each page sets window.report, or never does; the
// report of a page is { report, violations, errors, requests }.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

const input = JSON.parse(await text(process.stdin));
const profile = await mkdtemp(join(tmpdir(), "mcpapps-e2e-"));
let context;
try {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: input.chromium, headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const results = [];
  for (const url of input.urls) {
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
    await page.waitForFunction(() => window.report, null, { timeout: 5000 }).catch(() => {});
    const report = await page.evaluate(() => window.report ?? null);
    results.push({ report, violations: await page.evaluate(() => window.violations), errors, requests });
    await page.close();
  }
  process.stdout.write(JSON.stringify(results));
} catch (err) {
  console.error(err);
  process.exitCode = 1;
} finally {
  await context?.close();
  await rm(profile, { recursive: true, force: true });
}
