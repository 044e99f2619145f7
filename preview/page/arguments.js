// The arguments of the call: a form, or JSON.

import { $, node } from "./dom.js";
import { build, focusFirstInvalid } from "./form.js";

let schema;
let form;
let asJSON = false;

// show builds the form of a tool, filled with values if they are given.
export function show(inputSchema, values) {
  schema = inputSchema ?? {};
  form = build(schema, values);
  $("fields").replaceChildren(form.box);
  if (!$("fields").childElementCount) $("fields").append(node("p", { className: "muted", textContent: "This tool takes no arguments." }));
  $("form").hidden = false;
}

// reset shows an empty form for another tool.
export function reset(inputSchema) {
  show(inputSchema);
  display(false);
}

// update rebuilds the form if the server has changed the schema. It keeps what was
// entered.
export function update(inputSchema) {
  if (JSON.stringify(inputSchema ?? {}) !== JSON.stringify(schema)) show(inputSchema, form?.draft());
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
  $("json").value = JSON.stringify(form.draft(), null, 2);
  display(true);
});
$("as-form").addEventListener("click", () => {
  if (!asJSON) return;
  const args = parsed();
  if (!args) return;
  show(schema, args);
  display(false);
});
