// The inputs of single values. Each has a control and a value(), which returns
// undefined if the input is empty and throws if it is invalid.

import { clip, node } from "./dom.js";
import { print } from "./pretty.js";
import { choicesOf, extras } from "./schema.js";

let lastList = 0;

// inputFor returns the input of a primitive or an enumeration. beside is what has to stand in
// the document with it.
export function inputFor(schema) {
  const choices = choicesOf(schema);
  if (choices) return selectInput(choices, schema);
  switch (schema.type) {
    case "boolean":
      return booleanInput(schema);
    case "number":
    case "integer":
      return numberInput(schema);
    default:
      return stringInput(schema);
  }
}

function selectInput(choices, schema) {
  const control = node("select", {}, node("option", { value: "", textContent: "–" }));
  choices.forEach((c, i) => control.append(node("option", { value: String(i), textContent: clip(c.title, 200) })));
  const initial = JSON.stringify(schema.initial);
  const chosen = choices.findIndex((c) => JSON.stringify(c.value) === initial);
  control.value = chosen >= 0 ? String(chosen) : "const" in schema ? "0" : "";
  return { control, value: () => (control.value === "" ? undefined : choices[Number(control.value)].value) };
}

function booleanInput(schema) {
  const control = node("input", { type: "checkbox", checked: schema.initial === true });
  return { control, value: () => (control.checked || schema.fallback !== undefined ? control.checked : undefined) };
}

function numberInput(schema) {
  const integer = schema.type === "integer";
  const control = node("input", { type: "text", inputMode: integer ? "numeric" : "decimal", autocomplete: "off", placeholder: example(schema) });
  if (["number", "string"].includes(typeof schema.initial)) control.value = String(schema.initial);
  return {
    control,
    value() {
      const text = control.value.trim();
      if (text === "") return undefined;
      const value = Number(text);
      if (!Number.isFinite(value)) throw new Error("Enter a number.");
      if (integer && !Number.isInteger(value)) throw new Error("Enter a whole number.");
      if (integer && !Number.isSafeInteger(value)) throw new Error("JavaScript can't represent this number exactly. Enter a smaller one.");
      return value;
    },
  };
}

const inputTypes = { date: "date", email: "email", uri: "url", url: "url" };

function stringInput(schema) {
  const initial = typeof schema.initial === "string" ? schema.initial : "";
  const suggestions = schema[extras]?.suggestions;
  const long = !suggestions && (initial.length > 60 || initial.includes("\n") || (typeof schema.maxLength === "number" && schema.maxLength > 500));
  const control = long
    ? node("textarea", { rows: 5, spellcheck: false })
    : node("input", { type: inputTypes[schema.format] ?? "text", autocomplete: "off", spellcheck: false });
  control.placeholder = example(schema) || (schema.format === "date-time" ? "2026-01-26T12:00:00Z" : "");
  control.value = initial;
  const list = suggestions && node("datalist", { id: `suggestions-${++lastList}` }, ...suggestions.map((s) => node("option", { value: s.value, label: clip(s.title, 200) })));
  if (list) control.setAttribute("list", list.id);
  return { control, beside: list, value: () => (control.value === "" && typeof schema.fallback !== "string" ? undefined : control.value) };
}

// jsonInput takes any value.
export function jsonInput(schema) {
  const examples = { array: 'JSON, such as [1, {"key": "value"}]', object: 'JSON, such as {"key": "value"}' };
  const control = node("textarea", { rows: 3, spellcheck: false, className: "json", placeholder: examples[schema.type] ?? "JSON" });
  if (schema.initial !== undefined) control.value = editable(schema.initial);
  return {
    control,
    value() {
      if (control.value.trim() === "") return undefined;
      try {
        return JSON.parse(control.value);
      } catch {
        throw new Error("Enter valid JSON. Text needs quotation marks.");
      }
    },
  };
}

// editable is the JSON of a value, indented unless it is deeply nested.
export function editable(value) {
  const short = JSON.stringify(value);
  const { text, whole } = print(value, 4 * short.length + 100);
  return whole ? text : short;
}

function example(schema) {
  const first = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return first === undefined ? "" : clip(typeof first === "string" ? first : JSON.stringify(first), 200);
}
