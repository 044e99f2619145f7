// The record of messages in both directions, searchable, each with its time.

import { clock } from "./clock.js";
import { clip } from "./dom.js";
import { pretty } from "./pretty.js";

const maxEntries = 2000;
const maxKept = 20 << 20; // characters of all entries
const maxText = 100000; // of one
const list = document.getElementById("log");
const search = document.getElementById("search");
const onlyProblems = document.getElementById("only-problems");
const empty = document.getElementById("log-empty");
const counter = document.getElementById("count-messages");
const arrows = { "from-view": ["view", "host"], "to-view": ["host", "view"], note: ["note", ""] };
let total = 0;
let kept = 0;
const sizes = new WeakMap(); // of the texts of entries

const methods = new Map(); // of the unanswered requests, by direction and id

// add adds an entry to the record. The list is updated a few times per second with
// all entries that came meanwhile: during a flood, measuring it for each entry
// would take longer than the flood.
let pending = [];
let timer;

export function add(entry) {
  total++;
  pending.push({ ...entry, ...summary(entry) });
  if (pending.length >= 2 * maxEntries) pending = pending.slice(-maxEntries);
  if (!timer) timer = setTimeout(flush, 60);
}

function flush() {
  const items = pending.slice(-maxEntries).map(line);
  pending = [];
  timer = undefined;
  if (items.length === 0) return;
  counter.textContent = String(total);
  empty.hidden = true;
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  for (const item of items) item.hidden = !matches(item);
  list.append(...items);
  for (const item of items) kept += sizes.get(item) ?? 0;
  while (list.childElementCount > maxEntries || (kept > maxKept && list.childElementCount > 1)) {
    kept -= sizes.get(list.firstElementChild) ?? 0;
    list.firstElementChild.remove();
  }
  if (atEnd) list.scrollTop = list.scrollHeight;
}

// summary describes a message in a few words.
function summary(entry) {
  const m = entry.msg;
  if (!m) return { title: clip(entry.text ?? pretty(m, 300), 2000), kind: "note" };
  if (typeof m.method === "string") {
    if (m.id !== undefined) {
      methods.set(keyOf(entry, entry.dir), short(m.method));
      if (methods.size > maxEntries) methods.delete(methods.keys().next().value);
    }
    const p = m.params;
    return { title: short(m.method), detail: short(p?.name, p?.uri, p?.url, p?.mode), kind: m.id === undefined ? "notification" : "request" };
  }
  const key = keyOf(entry, entry.dir === "to-view" ? "from-view" : "to-view");
  const method = methods.get(key) ?? "answer";
  methods.delete(key);
  return m.error
    ? { title: method, detail: short(m.error.message), kind: "error" }
    : { title: method, detail: "", kind: m.result?.isError ? "error" : "answer" };
}

const keyOf = (entry, dir) => `${entry.view} ${dir} ${pretty(entry.msg.id, 300)}`;

// short returns the first string among values, which a view or server may have
// made up, and cuts it.
function short(...values) {
  const text = values.find((v) => typeof v === "string") ?? "";
  return clip(text, 300);
}

// line returns the element of an entry with its summary.
function line(entry) {
  const { title, detail, kind } = entry;
  const item = document.createElement("li");
  const level = entry.level ?? (kind === "error" ? "error" : "info");
  item.className = `entry ${entry.dir} ${level}`;
  item.dataset.problem = String(level !== "info");
  const time = clock(entry.time);
  const [from, to] = arrows[entry.dir];
  const head = document.createElement(entry.msg ? "summary" : "div");
  head.className = "entry-head";
  head.append(
    cell("time", time),
    cell(`way ${entry.dir}`, to ? `${from} → ${to}` : level === "info" ? "note" : level),
    titleCell(title),
    cell("detail", detail ?? ""),
    cell("kind", entry.msg && kind !== "notification" ? kind : ""),
  );
  if (!entry.msg) {
    item.append(head);
    item.dataset.text = `${title} ${from}`.toLowerCase();
    return item;
  }
  // Not the message itself, which may be much larger.
  const text = pretty(entry.msg, maxText);
  sizes.set(item, text.length);
  item.dataset.text = `${title} ${from} ${text.slice(0, 20000)}`.toLowerCase();
  const details = document.createElement("details");
  details.append(head);
  // The body is built when it is opened, so that thousands of messages stay cheap.
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) {
      const pre = document.createElement("pre");
      pre.tabIndex = 0;
      pre.textContent = text;
      details.append(pre);
    }
  });
  item.append(details);
  return item;
}

// titleCell is a title that may wrap after its slashes.
function titleCell(text) {
  const span = cell("title", "");
  for (const [i, part] of text.split("/").entries()) {
    if (i > 0) span.append("/", document.createElement("wbr"));
    span.append(part);
  }
  return span;
}

function cell(className, text) {
  const span = document.createElement("span");
  span.className = className;
  span.textContent = text;
  return span;
}

function matches(item) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((w) => item.dataset.text.includes(w)) && !(onlyProblems.checked && item.dataset.problem !== "true");
}

function filter() {
  for (const item of list.children) item.hidden = !matches(item);
}

search.addEventListener("input", filter);
onlyProblems.addEventListener("change", filter);
document.getElementById("clear").addEventListener("click", () => {
  list.replaceChildren();
  pending = [];
  total = kept = 0;
  counter.textContent = "";
  empty.hidden = false;
});
