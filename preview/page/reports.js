// What the script that the preview adds to a view's document reports: its console, and
// what its scripts throw. A view can forge any of it, at any rate.

import { budget } from "./budget.js";
import { clip } from "./dom.js";
import { command } from "./stream.js";

const perSecond = 100;
const maxBatch = 100;
const maxText = 10000; // characters
const maxStack = 20000;
const waiting = new Map(); // entries by view
let timer;

const string = (value, max) => (typeof value === "string" ? clip(value, max) : "");
const number = (value) => (Number.isSafeInteger(value) && value > 0 ? value : 0);

// add passes the entries of a view to the preview, which knows the author's files.
export function add(view, entries) {
  if (!Array.isArray(entries)) return;
  view.reports ??= budget(perSecond);
  for (const entry of entries.slice(0, maxBatch)) {
    view.reports((more) => {
      if (!waiting.has(view.id)) waiting.set(view.id, []);
      waiting.get(view.id).push(more
        ? { time: Date.now(), level: "warning", kind: "console", text: `More than ${perSecond} entries in a second. Further ones are not shown.` }
        : {
            time: number(entry?.time) || Date.now(), level: string(entry?.level, 20), kind: string(entry?.kind, 20), text: string(entry?.text, maxText),
            source: string(entry?.source, 2000), line: number(entry?.line), column: number(entry?.column), stack: string(entry?.stack, maxStack), url: string(entry?.url, 2000),
          });
    });
  }
  timer ??= setTimeout(send, 30);
}

function send() {
  timer = undefined;
  for (const [view, entries] of waiting) command("console", { view, entries }, 1000 * entries.length);
  waiting.clear();
}
