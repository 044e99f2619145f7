// The arguments of the call: a form, or JSON.

import { $, node } from "./dom.js";
import { build, focusFirstInvalid } from "./form.js";

let schema;
let form;
let json = false;

// show makes the form of a tool, with values where they are known.
export function show(inputSchema, values) {
  schema = inputSchema ?? {};
  form = build(schema, values);
  $("fields").replaceChildren(form.box);
  if (!$("fields").childElementCount) $("fields").append(node("p", { className: "muted", textContent: "This tool takes no arguments." }));
  $("form").hidden = false;
}

// renew makes the form anew for the next tool.
export function renew(inputSchema) {
  show(inputSchema);
  display(false);
}

// change follows a schema that the server changed, and keeps what was entered.
export function change(inputSchema) {
  if (JSON.stringify(inputSchema ?? {}) !== JSON.stringify(schema)) show(inputSchema, form?.draft());
}

// read returns the arguments, or undefined after it has shown what is wrong.
export function read() {
  if (json) return parsed();
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
    if (typeof args !== "object" || args === null || Array.isArray(args)) throw new Error("Arguments are a JSON object.");
    return args;
  } catch (problem) {
    $("json-error").textContent = problem.message;
    $("json").focus();
    return undefined;
  }
}

function display(on) {
  json = on;
  $("as-json").setAttribute("aria-pressed", String(on));
  $("as-form").setAttribute("aria-pressed", String(!on));
  $("json-field").hidden = !on;
  $("fields").hidden = on;
  $("json-error").textContent = "";
}

$("as-json").addEventListener("click", () => {
  if (json) return;
  $("json").value = JSON.stringify(form.draft(), null, 2);
  display(true);
});
$("as-form").addEventListener("click", () => {
  if (!json) return;
  const args = parsed();
  if (!args) return;
  show(schema, args);
  display(false);
});
