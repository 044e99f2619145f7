// The calls of this page, each with its input, duration, result and the messages of
// its view. A call can be repeated, edited and copied.

import { clock } from "./clock.js";
import { copy } from "./copy.js";
import { $, clip, node } from "./dom.js";

const maxCalls = 50;
const maxResult = 1 << 20; // characters of a result that is kept
const maxResults = 16 << 20; // of all
const maxMessages = 300; // of a call
const maxMessage = 20000; // characters
const calls = new Map(); // by id, oldest first
const callOfView = new Map();
let kept = 0;
let handlers;

// listen sets what happens when the user chooses a call: show(call), repeat(call) and
// edit(call).
export const listen = (given) => (handlers = given);

export const get = (id) => calls.get(id);
export const last = () => [...calls.values()].at(-1);

// callOf returns the id of the call whose view this is.
export const callOf = (view) => callOfView.get(view);

// begin records a call that starts now.
export function begin({ id, tool, title, args, entry, client }) {
  const call = { id, tool, title: clip(title, 200), args, entry, client, time: Date.now(), started: performance.now(), messages: [], size: 0 };
  calls.set(id, call);
  call.item = node("li", { className: "past", dataset: { call: id } });
  $("history").prepend(call.item);
  while (calls.size > maxCalls) forget(calls.values().next().value);
  show(call);
  return call;
}

function forget(call) {
  calls.delete(call.id);
  kept -= call.size;
  call.item.remove();
  for (const [view, id] of callOfView) if (id === call.id) callOfView.delete(view);
}

export const opened = (id, view) => calls.has(id) && callOfView.set(view, id);

// end records the result of a call, an event of the preview.
export function end(event) {
  const call = calls.get(event.call);
  if (!call || call.event) return;
  call.duration = Math.round(performance.now() - call.started);
  const size = event.characters ?? 0;
  call.event = size > maxResult ? { ...event, result: undefined, dropped: size } : event;
  if (size <= maxResult) {
    call.size = size;
    kept += size;
  }
  for (const other of calls.values()) {
    if (kept <= maxResults || other === call) break;
    if (!other.size) continue;
    kept -= other.size;
    other.event = { ...other.event, result: undefined, dropped: other.size };
    other.size = 0;
  }
  show(call);
}

// message keeps a message or a note of a view with its call.
export function message(event) {
  const call = calls.get(callOfView.get(event.view));
  if (!call || call.messages.length >= maxMessages) return;
  const { time, dir, msg, text, level } = event;
  call.messages.push({ time, dir, level, text, msg: msg && JSON.stringify(msg).length > maxMessage ? { method: msg.method, shortened: true } : msg });
}

const states = { running: "Running", failed: "Failed", error: "Tool error", ok: "Done" };

function stateOf(call) {
  if (!call.event) return "running";
  if (call.event.error) return "failed";
  return call.event.result?.isError ? "error" : "ok";
}

export const durationOf = (call) => (call.duration === undefined ? "" : call.duration < 10000 ? `${call.duration} ms` : `${(call.duration / 1000).toFixed(1)} s`);

function show(call) {
  const state = stateOf(call);
  const head = node("button", { type: "button", className: "past-head", title: "Show its result and its messages" },
    node("span", { className: "state", dataset: { state }, title: states[state], ariaLabel: states[state], role: "img" }),
    node("bdi", { className: "past-tool", textContent: call.title }),
    node("span", { className: "muted past-time", textContent: [durationOf(call), clock(call.time).slice(0, 8)].filter(Boolean).join(" · ") }),
    node("code", { className: "past-args", textContent: clip(JSON.stringify(call.args), 120) }));
  head.addEventListener("click", () => handlers.show(call));
  const action = (textContent, run) => {
    const button = node("button", { type: "button", className: "quiet", textContent });
    button.setAttribute("aria-label", `${textContent} the call of ${call.title} at ${clock(call.time).slice(0, 8)}`);
    button.addEventListener("click", () => run(button));
    return button;
  };
  const focused = call.item.contains(document.activeElement) ? [...call.item.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  call.item.replaceChildren(head, node("div", { className: "past-actions" },
    action("Repeat", () => handlers.repeat(call)), action("Edit", () => handlers.edit(call)), action("Copy", (button) => copy(JSON.stringify(record(call), null, 2), button))));
  if (focused >= 0) call.item.querySelectorAll("button")[focused]?.focus();
  $("history-empty").hidden = calls.size > 0;
  $("count-history").textContent = String(calls.size);
}

// record is what is copied of a call.
function record(call) {
  const { event } = call;
  return {
    tool: call.tool, arguments: call.args, time: new Date(call.time).toISOString(), durationMilliseconds: call.duration,
    client: call.client === "text-only" ? call.client : undefined,
    result: event?.result, error: event?.error, resultLeftOut: event?.dropped ? `${event.dropped} characters` : undefined,
    messages: call.messages.map((m) => ({ ...m, time: new Date(m.time).toISOString() })),
  };
}

// mark marks the call that is shown.
export function mark(id) {
  for (const call of calls.values()) {
    if (call.id === id) call.item.setAttribute("aria-current", "true");
    else call.item.removeAttribute("aria-current");
  }
}
