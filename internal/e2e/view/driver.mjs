// Reads lines of JSON, { url, query }: opens the page once in one Chromium, and
// prints what its window.run(query) gives, as a line for each line.
import { chromium } from "playwright-core";
import { createInterface } from "node:readline";

const browser = await chromium.launch({
  executablePath: process.argv[2],
  timeout: 120_000,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
context.setDefaultTimeout(120_000);
const pages = new Map(); // by URL
let problems = [];

async function open(url) {
  if (pages.has(url)) return pages.get(url);
  const page = await context.newPage();
  page.on("pageerror", (e) => problems.push(String(e)));
  await page.goto(url);
  pages.set(url, page);
  return page;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { url, query } = JSON.parse(line);
  let answer;
  problems = [];
  try {
    const page = await open(url);
    await page.bringToFront();
    answer = { result: await page.evaluate((q) => window.run(q), query) };
  } catch (e) {
    answer = { failure: String(e) };
  }
  process.stdout.write(JSON.stringify({ ...answer, problems }) + "\n");
}
await browser.close();
