// The Console tab: what views write to their console, what their scripts throw, and
// what the preview says of a view that does not start.

import { clock } from "./clock.js";
import { copy } from "./copy.js";
import { $, clip, node } from "./dom.js";
import { follow } from "./follow.js";

const maxEntries = 1000;
const maxText = 10000; // characters of an entry's text, and of its stack
const maxStack = 50; // frames
const levels = ["error", "warning", "info", "debug"];
const names = { error: "Errors", warning: "Warnings", info: "Info", debug: "Debug" };
const shown = new Set(["error", "warning", "info"]); // reference views log each message as debug
const counts = { error: 0, warning: 0, info: 0, debug: 0 };
const recent = { error: 0, warning: 0 }; // of the last call or document
const buttons = {};
const toEnd = follow($("console"));
let entries = [];
let pending = []; // entries without an element yet
let timer;

for (const level of levels) {
  const count = node("span", { className: "count" });
  const button = node("button", { type: "button", className: `level ${level}`, dataset: { level } }, names[level], " ", count);
  button.addEventListener("click", () => {
    if (!shown.delete(level)) shown.add(level);
    filter();
  });
  buttons[level] = { button, count };
  $("console-levels").append(button);
}

// position is where something happened, as a short text.
export function position(at) {
  if (!at) return "";
  const name = String(at.source ?? "document");
  return clip(at.line ? `${name}:${at.line}${at.column ? `:${at.column}` : ""}` : name, 200);
}

const titleOf = (at) => (at && at.mapped === false ? "In the document as the server sent it" : "");

// add adds an entry. Like in a browser's console, one that repeats the entry before is
// counted there.
export function add(event) {
  const level = levels.includes(event.level) ? event.level : "info";
  const entry = {
    time: event.time, level, kind: String(event.kind ?? "console"), text: clip(String(event.text ?? ""), maxText), at: event.position,
    stack: (Array.isArray(event.stack) ? event.stack : []).slice(0, maxStack).map((s) => clip(String(s), 500)), url: event.url ? clip(String(event.url), 2000) : "", times: 1,
  };
  counts[level]++;
  if (level in recent) recent[level]++;
  const last = separated ? undefined : entries.at(-1);
  separated = false;
  if (last && keyOf(last) === keyOf(entry)) {
    last.times++;
    last.dirty = true;
  } else {
    entries.push(entry);
    pending.push(entry);
  }
  if (entries.length >= 2 * maxEntries) entries = entries.slice(-maxEntries);
  timer ??= setTimeout(flush, 60);
}

// separate begins the entries of another call, or of a changed document.
let separated = false;
export function separate(title) {
  separated = true;
  recent.error = recent.warning = 0;
  pending.push({ separates: true, title: clip(title, 200), time: Date.now() });
  timer ??= setTimeout(flush, 60);
}

export const keyOf = (e) => JSON.stringify([e.level, e.kind, e.text, position(e.at ?? e.position), e.url ?? ""]);

// flush shows what came meanwhile: during a flood, an element for each would cost
// more than the flood.
function flush() {
  timer = undefined;
  entries = entries.slice(-maxEntries);
  const list = $("console");
  list.append(...pending.slice(-maxEntries).map(line));
  pending = [];
  while (list.childElementCount > maxEntries) list.firstElementChild.remove();
  for (const entry of entries.filter((e) => e.dirty)) {
    entry.dirty = false;
    if (entry.label) entry.label.textContent = String(entry.times);
  }
  filter();
  toEnd();
}

function filter() {
  for (const item of $("console").children) item.hidden = Boolean(item.dataset.level) && !shown.has(item.dataset.level);
  for (const level of levels) {
    buttons[level].count.textContent = counts[level] ? String(counts[level]) : "";
    buttons[level].button.setAttribute("aria-pressed", String(shown.has(level)));
  }
  const problems = recent.error || recent.warning;
  $("count-console").textContent = problems ? String(problems) : "";
  $("count-console").dataset.level = recent.error ? "error" : "warning";
  const any = entries.some((e) => shown.has(e.level));
  $("console-empty").hidden = any;
  const hidden = entries.length;
  $("console-empty").textContent = hidden ? `${hidden} ${hidden === 1 ? "entry is" : "entries are"} hidden by their level.` : "What the view writes to its console appears here, and what its scripts throw.";
}

const kinds = { exception: "uncaught", rejection: "rejected promise", load: "not loaded", connect: "no connection", blank: "nothing to see" };

function line(entry) {
  if (entry.separates) return node("li", { className: "call-line" }, node("span", { className: "title", textContent: entry.title }), node("span", { className: "time", textContent: clock(entry.time) }));
  const where = position(entry.at);
  entry.label = node("span", { className: "times", textContent: entry.times > 1 ? String(entry.times) : "" });
  const head = [
    node("span", { className: "time", textContent: clock(entry.time) }),
    node("span", { className: "text" }, entry.label, kinds[entry.kind] ? node("span", { className: "kind", textContent: `${kinds[entry.kind]} ` }) : undefined, entry.text || "(empty)"),
    node("code", { className: "where", textContent: where, title: titleOf(entry.at) }),
  ];
  const more = [...entry.stack, ...(entry.url && !entry.text.includes(entry.url) ? [entry.url] : [])];
  const item = node("li", { className: `entry ${entry.level}`, dataset: { level: entry.level, kind: entry.kind } });
  if (more.length === 0) {
    item.append(node("div", { className: "entry-head" }, ...head));
    return item;
  }
  const details = node("details", {}, node("summary", { className: "entry-head" }, ...head));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(node("pre", { tabIndex: 0, textContent: more.join("\n") }));
  });
  item.append(details);
  return item;
}

// textOf is the console as text, those levels that are shown.
function textOf() {
  return entries.filter((e) => shown.has(e.level)).map((e) => {
    const times = e.times > 1 ? ` (${e.times} times)` : "";
    return [`${clock(e.time)} ${e.level}${times}: ${e.text}${e.at ? ` at ${position(e.at)}` : ""}`, ...e.stack.map((s) => `    ${s}`)].join("\n");
  }).join("\n");
}

export function clear() {
  entries = [];
  pending = [];
  for (const level of levels) counts[level] = 0;
  recent.error = recent.warning = 0;
  $("console").replaceChildren();
  filter();
}

$("console-copy").addEventListener("click", () => copy(textOf(), $("console-copy")));
$("console-clear").addEventListener("click", clear);
filter();
