// Opens the host page in Chromium and runs cases in it, side by side. It reads
// lines of JSON, { id, bridge, query }, and prints a line for each as soon as its
// case has ended: { id, result | failure, problems }.
//
//   node driver.mjs CHROMIUM URL
//
// All cases share one tab: the browser draws nothing in a tab that another one
// covers, and then no size of a view would change.
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
const page = await context.newPage();
const running = new Set(); // the problems of each case that runs
page.on("pageerror", (e) => {
  for (const problems of running) problems.push(String(e));
});
await page.goto(process.argv[3]);

async function run({ id, bridge, query }) {
  const problems = [];
  running.add(problems);
  let answer;
  try {
    answer = { result: await page.evaluate(([bridge, query]) => window.run[bridge](query), [bridge, query]) };
  } catch (e) {
    answer = { failure: String(e) };
  }
  running.delete(problems);
  process.stdout.write(JSON.stringify({ id, ...answer, problems }) + "\n");
}

const all = [];
for await (const line of createInterface({ input: process.stdin })) all.push(run(JSON.parse(line)));
await Promise.all(all);
await browser.close();
