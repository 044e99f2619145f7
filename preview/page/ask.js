// Questions to the user: what a server asks (elicitation), and what a view asks a
// model (sampling), since a preview has no model. One question is shown at a time.

import { $, clip, json, node, text } from "./dom.js";
import { extended } from "./extendedform.js";
import { build, focusFirstInvalid } from "./form.js";
import { blocks } from "./result.js";
import { command } from "./stream.js";

const waiting = new Map();
const repeatedAnswers = new Map(); // to all further sampling requests of a view
let shown;
let automatic = false;

// answerAutomatically makes the page answer without its user, for screenshots.
export const answerAutomatically = () => (automatic = true);

export function ask(event) {
  if (event.kind === "sampling" && (automatic || repeatedAnswers.has(event.view))) {
    return answer(event, { action: "accept", text: repeatedAnswers.get(event.view) ?? event.canned });
  }
  if (automatic) return answer(event, { action: "cancel" });
  waiting.set(event.ask, event);
  next();
}

const answer = (event, given) => command("answer", { ask: event.ask, answer: given });

// asked removes a question that was answered, on this page or on another one.
export function asked(event) {
  waiting.delete(event.ask);
  if (shown?.event.ask === event.ask) {
    shown = undefined;
    $("ask").close();
  }
  next();
}

// rejected shows why the preview rejected an answer. The question stays open.
export function rejected(event) {
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
  const { inputSchema, defaults, schemaProblem, extended: isExtended } = event.form;
  const schema = requiredFirst(inputSchema ?? {});
  const fields = build(isExtended ? extended(schema) : schema, { defaults, reason: schemaProblem });
  return {
    event, title: "The server asks", accept: "Accept",
    body: [message(event), node("div", { className: "fields" }, fields.box)],
    answer: () => ({ content: fields.read() }),
  };
}

// requiredFirst restores a part of the server's order: on the way here the
// properties lost theirs, but the list of required ones kept it.
function requiredFirst(schema) {
  const entries = Object.entries(schema.properties ?? {});
  const order = Array.isArray(schema.required) ? schema.required : [];
  const ranks = new Map(order.map((name, i) => [name, i]));
  const rank = ([name]) => ranks.get(name) ?? order.length;
  return { ...schema, properties: Object.fromEntries(entries.sort((a, b) => rank(a) - rank(b))) };
}

// The whole URL is shown, and it is not opened before the user accepts (MCP,
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

const message = (event) => node("p", { className: "ask-message", dir: "auto", textContent: clip(event.message, 5000) });

function sampling(event) {
  const reply = node("textarea", { id: "ask-reply", rows: 4, value: event.canned });
  const repeat = node("input", { type: "checkbox" });
  const p = event.params ?? {};
  const { messages, systemPrompt, ...rest } = p;
  const prompt = (Array.isArray(messages) ? messages.slice(0, 100) : []).map((m) => node("div", {}, node("h3", { textContent: String(m?.role === "assistant" ? "assistant" : "user") }), ...blocks([m?.content].flat())));
  return {
    event, title: "The view asks a model", accept: "Answer",
    body: [
      node("p", { className: "muted", textContent: "A preview has no model. You answer in its place." }),
      ...(typeof systemPrompt === "string" ? [node("h3", { textContent: "System prompt" }), text(systemPrompt)] : []),
      ...prompt,
      node("details", {}, node("summary", { textContent: "Other parameters" }), json(rest)),
      node("div", { className: "field" }, node("label", { htmlFor: "ask-reply", textContent: "The model's answer" }), reply),
      node("label", { className: "check" }, repeat, "Use this answer for all further requests of this view"),
    ],
    answer() {
      if (repeat.checked) repeatedAnswers.set(event.view, reply.value);
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
    return focusFirstInvalid($("ask-body")); // the field shows the error
  }
  answer(shown.event, { action: "accept", ...given });
});
$("ask-decline").addEventListener("click", () => shown && answer(shown.event, { action: "decline" }));
const cancel = () => shown && answer(shown.event, { action: "cancel" });
$("ask-cancel").addEventListener("click", cancel);
$("ask").addEventListener("cancel", (event) => {
  event.preventDefault(); // the dialog closes when the preview has accepted the answer
  cancel();
});
