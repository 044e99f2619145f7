// The inputs of single values. Each has a control, and a value() that returns
// undefined for one that was left empty and throws on one that is wrong.

import { node } from "./dom.js";
import { choicesOf, typeOf } from "./schema.js";

// initial is what was entered before, or the default.
const initial = (schema) => (schema.initial === undefined ? schema.default : schema.initial);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function inputFor(schema) {
  const choices = choicesOf(schema);
  if (choices) return selectOf(choices, schema);
  switch (typeOf(schema)) {
    case "boolean":
      return checkbox(schema);
    case "number":
    case "integer":
      return numeric(schema, typeOf(schema));
    case "string":
      return textual(schema);
    default:
      return json(schema);
  }
}

function selectOf(choices, schema) {
  const control = node("select", {}, node("option", { value: "", textContent: "–" }));
  choices.forEach((c, i) => control.append(node("option", { value: String(i), textContent: c.title })));
  const chosen = choices.findIndex((c) => same(c.value, initial(schema)));
  control.value = chosen >= 0 ? String(chosen) : "const" in schema ? "0" : "";
  return { control, value: () => (control.value === "" ? undefined : choices[Number(control.value)].value) };
}

function checkbox(schema) {
  const control = node("input", { type: "checkbox", checked: initial(schema) === true });
  return { control, value: () => (control.checked || schema.default !== undefined ? control.checked : undefined) };
}

function numeric(schema, type) {
  const control = node("input", { type: "text", inputMode: type === "integer" ? "numeric" : "decimal", autocomplete: "off", placeholder: example(schema) });
  if (["number", "string"].includes(typeof initial(schema))) control.value = String(initial(schema));
  return {
    control,
    value() {
      const text = control.value.trim();
      if (text === "") return undefined;
      const value = Number(text);
      if (!Number.isFinite(value)) throw new Error("Enter a number.");
      if (type === "integer" && !Number.isInteger(value)) throw new Error("Enter a whole number.");
      if (type === "integer" && !Number.isSafeInteger(value)) throw new Error("This number is too large for JavaScript to keep exactly.");
      return value;
    },
  };
}

const types = { date: "date", email: "email", uri: "url", url: "url" };

function textual(schema) {
  const first = typeof initial(schema) === "string" ? initial(schema) : "";
  const long = first.length > 60 || first.includes("\n") || schema.maxLength > 500;
  const control = long
    ? node("textarea", { rows: 5, spellcheck: false })
    : node("input", { type: types[schema.format] ?? "text", autocomplete: "off", spellcheck: false });
  control.placeholder = example(schema) || (schema.format === "date-time" ? "2026-01-26T12:00:00Z" : "");
  control.value = first;
  return { control, value: () => (control.value === "" && typeof schema.default !== "string" ? undefined : control.value) };
}

// json takes what no other input does.
function json(schema) {
  const shape = { array: "JSON, such as [1, 2]", object: 'JSON, such as {"key": "value"}' };
  const control = node("textarea", { rows: 3, spellcheck: false, className: "json", placeholder: shape[typeOf(schema)] ?? "JSON" });
  if (initial(schema) !== undefined) control.value = JSON.stringify(initial(schema), null, 2);
  return {
    control,
    value() {
      if (control.value.trim() === "") return undefined;
      try {
        return JSON.parse(control.value);
      } catch {
        throw new Error("Enter JSON: text needs quotation marks.");
      }
    },
  };
}

function example(schema) {
  const first = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return first === undefined ? "" : typeof first === "string" ? first : JSON.stringify(first);
}
