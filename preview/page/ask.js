// Questions to the person at the page: what a server asks (elicitation), and
// what a view asks a model (sampling), which a preview does not have. One is
// shown at a time.

import { $, json, node, text } from "./dom.js";
import { build, focusFirstInvalid } from "./form.js";
import { blockOf } from "./result.js";
import { command } from "./stream.js";

const waiting = new Map();
const repeats = new Map(); // answers that go for all further requests of a view
let shown;
let unattended = false;

// unattend makes the page answer by itself, as where it is drawn for a picture.
export const unattend = () => (unattended = true);

export function ask(event) {
  if (event.kind === "sampling" && (unattended || repeats.has(event.view))) {
    return answer(event, { action: "accept", text: repeats.get(event.view) ?? event.canned });
  }
  if (unattended) return answer(event, { action: "cancel" });
  waiting.set(event.ask, event);
  next();
}

const answer = (event, given) => command("answer", { ask: event.ask, answer: given });

// asked takes the end of a question, here or on another page, and returns the
// question if it was this page's.
export function asked(event) {
  waiting.delete(event.ask);
  if (shown?.event.ask === event.ask) {
    shown = undefined;
    $("ask").close();
  }
  next();
}

// again shows why an answer was not taken.
export function again(event) {
  if (shown?.event.ask === event.ask) $("ask-error").textContent = event.text;
}

function next() {
  if (shown || waiting.size === 0) return;
  const event = waiting.values().next().value;
  shown = event.kind === "sampling" ? sampling(event) : event.url ? link(event) : form(event);
  $("ask-error").textContent = "";
  $("ask-body").replaceChildren(...shown.body);
  $("ask-title").textContent = shown.title;
  $("ask-accept").textContent = shown.accept;
  $("ask").showModal();
  $("ask-body").scrollTop = 0;
  ($("ask-body").querySelector("input, select, textarea") ?? $("ask-accept")).focus();
}

function form(event) {
  const fields = build(requiredFirst(event.schema ?? {}));
  return {
    event, title: "The server asks", accept: "Accept",
    body: [message(event), node("div", { className: "fields" }, fields.box)],
    answer: () => ({ content: fields.read() }),
  };
}

// requiredFirst stands in for the order that the server gave: on its way here it
// was lost for the properties, not for the list of the required ones.
function requiredFirst(schema) {
  const entries = Object.entries(schema.properties ?? {});
  const order = Array.isArray(schema.required) ? schema.required : [];
  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return { ...schema, properties: Object.fromEntries(entries.sort(([a], [b]) => rank(a) - rank(b))) };
}

// The whole address is shown, and nothing is opened before it was accepted (MCP,
// Elicitation, URL mode).
function link(event) {
  return {
    event, title: "The server asks you to open a link", accept: "Open the link",
    body: [message(event), node("p", {}, "The site: ", node("strong", { textContent: event.host })), node("p", {}, node("code", { textContent: event.url }))],
    answer() {
      node("a", { href: event.url, target: "_blank", rel: "noopener noreferrer" }).click();
      return {};
    },
  };
}

const message = (event) => node("p", { className: "ask-message", dir: "auto", textContent: event.message });

function sampling(event) {
  const reply = node("textarea", { id: "ask-reply", rows: 4, value: event.canned });
  const repeat = node("input", { type: "checkbox" });
  const p = event.params ?? {};
  const { messages, systemPrompt, ...rest } = p;
  const prompt = (Array.isArray(messages) ? messages : []).map((m) => node("div", {}, node("h3", { textContent: String(m?.role === "assistant" ? "assistant" : "user") }), ...[m?.content].flat().map(blockOf)));
  return {
    event, title: "The view asks a model", accept: "Answer",
    body: [
      node("p", { className: "muted", textContent: "A preview has no model: you answer in its place." }),
      ...(typeof systemPrompt === "string" ? [node("h3", { textContent: "System prompt" }), text(systemPrompt)] : []),
      ...prompt,
      node("details", {}, node("summary", { textContent: "Other parameters" }), json(rest)),
      node("div", { className: "field" }, node("label", { htmlFor: "ask-reply", textContent: "The model's answer" }), reply),
      node("label", { className: "check" }, repeat, "Give this answer to this view's further requests, too"),
    ],
    answer() {
      if (repeat.checked) repeats.set(event.view, reply.value);
      return { text: reply.value };
    },
  };
}

$("ask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!shown) return;
  $("ask-error").textContent = "";
  let given;
  try {
    given = shown.answer();
  } catch {
    return focusFirstInvalid($("ask-body")); // the field says what is wrong
  }
  answer(shown.event, { action: "accept", ...given });
});
$("ask-decline").addEventListener("click", () => shown && answer(shown.event, { action: "decline" }));
const cancel = () => shown && answer(shown.event, { action: "cancel" });
$("ask-cancel").addEventListener("click", cancel);
$("ask").addEventListener("cancel", (event) => {
  event.preventDefault(); // it closes when the preview has taken the answer
  cancel();
});
