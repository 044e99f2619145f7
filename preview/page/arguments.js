// The arguments of the call: a form, or JSON.

import { $, node } from "./dom.js";
import { build, focusFirstInvalid } from "./form.js";
import { editable } from "./inputs.js";

let shown; // the tool
let form;
let asJSON = false;

// show builds the form of a tool, filled with values if they are given.
export function show(tool, values) {
  shown = tool;
  form = build(tool.inputSchema ?? {}, { values, defaults: tool.defaults, reason: tool.schemaProblem });
  $("fields").replaceChildren(form.box);
  if (!$("fields").childElementCount) $("fields").append(node("p", { className: "muted", textContent: "This tool takes no arguments." }));
  $("form").hidden = false;
}

// reset shows the form of another tool, empty or filled with values.
export function reset(tool, values) {
  show(tool, values);
  display(false);
}

// draft returns what is entered so far, without what is invalid.
export function draft() {
  if (!asJSON) return form?.draft() ?? {};
  try {
    return JSON.parse($("json").value || "{}");
  } catch {
    return undefined;
  }
}

// update rebuilds the form if the server has changed the schema. It keeps what was
// entered.
export function update(tool) {
  const key = (t) => JSON.stringify([t?.inputSchema, t?.defaults, t?.schemaProblem]);
  if (key(tool) !== key(shown)) show(tool, form?.draft());
}

// read returns the arguments, or undefined after it has shown what is wrong.
export function read() {
  if (asJSON) return parsed();
  try {
    return form.read();
  } catch {
    focusFirstInvalid($("fields"));
    return undefined;
  }
}

function parsed() {
  $("json-error").textContent = "";
  try {
    const args = JSON.parse($("json").value || "{}");
    if (typeof args !== "object" || args === null || Array.isArray(args)) throw new Error("Enter a JSON object.");
    return args;
  } catch (problem) {
    $("json-error").textContent = problem.message;
    $("json").focus();
    return undefined;
  }
}

function display(on) {
  asJSON = on;
  $("as-json").setAttribute("aria-pressed", String(on));
  $("as-form").setAttribute("aria-pressed", String(!on));
  $("json-field").hidden = !on;
  $("fields").hidden = on;
  $("json-error").textContent = "";
}

$("as-json").addEventListener("click", () => {
  if (asJSON) return;
  $("json").value = editable(form.draft());
  display(true);
});
$("as-form").addEventListener("click", () => {
  if (!asJSON) return;
  const args = parsed();
  if (!args) return;
  show(shown, args);
  display(false);
});
