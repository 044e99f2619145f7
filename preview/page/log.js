// The record of messages in both directions, searchable, each with its time.

import { clock } from "./clock.js";
import { clip } from "./dom.js";
import { follow } from "./follow.js";
import { callOf } from "./history.js";
import { pretty } from "./pretty.js";

const maxEntries = 2000;
const maxKept = 20 << 20; // characters of all entries
const maxText = 100000; // of one
const list = document.getElementById("log");
const search = document.getElementById("search");
const onlyProblems = document.getElementById("only-problems");
const onlyCall = document.getElementById("only-call");
const empty = document.getElementById("log-empty");
const counter = document.getElementById("count-messages");
const arrows = { "from-view": ["view", "host"], "to-view": ["host", "view"], note: ["note", ""] };
const toEnd = follow(list);
let total = 0;
let kept = 0;
const sizes = new WeakMap(); // of the texts of entries

const methods = new Map(); // of the unanswered requests with what they name, by direction and id

// add adds an entry to the record. The list is updated a few times per second with
// all entries that came meanwhile: during a flood, measuring it for each entry
// would take longer than the flood.
let pending = [];
let timer;

export function add(entry) {
  total++;
  pending.push({ ...entry, call: callOf(entry.view), ...summary(entry) });
  if (pending.length >= 2 * maxEntries) pending = pending.slice(-maxEntries);
  if (!timer) timer = setTimeout(flush, 60);
}

// separate begins the record of another call.
export function separate(call) {
  pending.push({ separates: true, call: call.id, title: call.title, time: call.time });
  if (!timer) timer = setTimeout(flush, 60);
}

function flush() {
  const items = pending.slice(-maxEntries).map(line);
  pending = [];
  timer = undefined;
  if (items.length === 0) return;
  counter.textContent = total ? String(total) : "";
  empty.hidden = true;
  for (const item of items) item.hidden = !matches(item);
  list.append(...items);
  for (const item of items) kept += sizes.get(item) ?? 0;
  while (list.childElementCount > maxEntries || (kept > maxKept && list.childElementCount > 1)) {
    kept -= sizes.get(list.firstElementChild) ?? 0;
    list.firstElementChild.remove();
  }
  toEnd();
}

// summary describes a message in a few words.
function summary(entry) {
  const m = entry.msg;
  if (!m) return { title: clip(entry.text ?? pretty(m, 300), 2000), kind: "note" };
  if (typeof m.method === "string") {
    const p = m.params;
    const known = { title: short(m.method), detail: short(p?.name, p?.uri, p?.url, p?.mode) };
    if (m.id !== undefined) {
      methods.set(keyOf(entry, entry.dir), known);
      if (methods.size > maxEntries) methods.delete(methods.keys().next().value);
    }
    return { ...known, kind: m.id === undefined ? "notification" : "request" };
  }
  const key = keyOf(entry, entry.dir === "to-view" ? "from-view" : "to-view");
  const { title, detail } = methods.get(key) ?? { title: "answer", detail: "" };
  methods.delete(key);
  return m.error
    ? { title, detail: [detail, short(m.error.message)].filter(Boolean).join(": "), kind: "error" }
    : { title, detail, kind: m.result?.isError ? "error" : "answer" };
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
  if (entry.separates) {
    const item = document.createElement("li");
    item.className = "call-line";
    item.dataset.call = entry.call;
    item.dataset.text = entry.title.toLowerCase();
    item.append(cell("title", entry.title), cell("time", clock(entry.time)));
    return item;
  }
  const { title, detail, kind } = entry;
  const item = document.createElement("li");
  const level = entry.level ?? (kind === "error" ? "error" : "info");
  item.className = `entry ${entry.dir} ${level}`;
  if (entry.call) item.dataset.call = entry.call;
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
  if (only && item.dataset.call !== only) return false;
  if (item.className === "call-line") return true;
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((w) => item.dataset.text.includes(w)) && !(onlyProblems.checked && item.dataset.problem !== "true");
}

function filter() {
  for (const item of list.children) item.hidden = !matches(item);
}

// showOnly shows the messages of one call, or with undefined all.
let only;
export function showOnly(call) {
  only = call?.id;
  onlyCall.hidden = !call;
  onlyCall.textContent = call ? `${call.title}, ${clock(call.time).slice(0, 8)} ×` : "";
  onlyCall.setAttribute("aria-label", call ? `Only the call of ${call.title}: show all` : "");
  filter();
}

onlyCall.addEventListener("click", () => {
  showOnly();
  search.focus();
});
search.addEventListener("input", filter);
onlyProblems.addEventListener("change", filter);
document.getElementById("clear").addEventListener("click", () => {
  list.replaceChildren();
  showOnly();
  pending = [];
  total = kept = 0;
  counter.textContent = "";
  empty.hidden = false;
});
