// A form made from an object schema: that of a tool's input, or of what a server
// asks for. It has fields for primitives, enumerations, arrays of these and nested
// objects. Everything else is entered as JSON, and the field says why. The server chose
// the schema, so that the number of elements has a bound, and beyond it is JSON too.
//
// A field is { element, read, draft, isEmpty }. read returns its value, undefined if
// it was left out, and throws after it has shown what is wrong. draft shows nothing
// and leaves out what is invalid.

import { clip, node } from "./dom.js";
import { inputFor, jsonInput } from "./inputs.js";
import { choicesOf, extras, normalize, unsupported, unsupportedKeyword, validationError } from "./schema.js";

const maxDepth = 4;
const maxFields = 300; // items of lists included
const maxChoices = 5000;
export const maxButtons = 50; // of a field
const maxItems = 100; // of a list, to start with
let lastID = 0;

// build returns the fields of an object schema, filled with values where there are
// some, otherwise with the defaults that the preview fills in. read returns what was
// entered, draft the valid part of it. With a reason the whole input is JSON.
export function build(raw, { values, defaults, reason } = {}) {
  const schema = normalize(raw, values, defaults);
  const box = document.createDocumentFragment();
  const budget = { fields: maxFields, choices: maxChoices };
  const keyword = unsupportedKeyword(schema);
  reason ||= keyword ? `The form does not support ${keyword}.` : tooManyProperties(schema, budget);
  if (reason) {
    const whole = valueField("Input", { ...schema, type: "object" }, false, reason);
    box.append(whole.element);
    return { box, read: () => whole.read() ?? {}, draft: () => whole.draft() ?? {} };
  }
  const fields = fieldsOf(schema, { budget, depth: 0 });
  box.append(...fields.map(([, f]) => f.element));
  return { box, read: () => readAll(fields), draft: () => readAll(fields, true) };
}

// focusFirstInvalid moves the focus to the first field with an error.
export function focusFirstInvalid(box) {
  const invalid = box.querySelector('[aria-invalid="true"]');
  (invalid?.matches("fieldset") ? invalid.querySelector("input, select, textarea, button") : invalid)?.focus();
}

function fieldsOf(schema, at) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties ?? {}).map(([name, raw]) => [name, fieldOf(name, normalize(raw, member(schema.initial, name), member(schema.fallback, name)), required.has(name), at)]);
}

const member = (value, name) => (typeof value === "object" && value !== null && Object.hasOwn(value, name) ? value[name] : undefined);

function tooManyProperties(schema, budget) {
  return Object.keys(schema.properties ?? {}).length > budget.fields ? `The form does not support more than ${maxFields} fields.` : undefined;
}

// readAll reads every field, so that each shows its error, and throws the first.
function readAll(fields, asDraft = false) {
  const values = [];
  let error;
  for (const [name, field] of fields) {
    try {
      const value = asDraft ? field.draft() : field.read();
      if (value !== undefined) values.push([name, value]);
    } catch (e) {
      error ??= e;
    }
  }
  if (error) throw error;
  return Object.fromEntries(values);
}

function fieldOf(name, schema, required, { budget, depth }) {
  budget.fields--;
  const asJSON = (reason) => valueField(name, schema, required, reason);
  const reason = unsupported(schema);
  if (reason) return asJSON(reason);
  const choices = choicesOf(schema);
  if (!choices && schema.type === "object") {
    if (depth >= maxDepth) return asJSON("The form does not support objects this deeply nested.");
    const many = tooManyProperties(schema, budget);
    return many ? asJSON(many) : objectField(name, schema, required, { budget, depth: depth + 1 });
  }
  const list = !choices && schema.type === "array";
  const shown = list ? choicesOf(normalize(schema.items)) : choices;
  const items = list && Array.isArray(schema.initial) ? schema.initial.length : 0;
  budget.choices -= (shown?.length ?? 0) * Math.max(items, 1);
  if (budget.choices < 0) return asJSON(`The form does not support more than ${maxChoices} choices.`);
  if (!list) return choices?.length <= maxButtons && choices.some((c) => c.description || c.picture) ? choiceField(name, schema, choices, required) : valueField(name, schema, required);
  if (shown?.length <= maxButtons) return multiChoiceField(name, schema, shown, required);
  budget.fields -= items;
  return items > maxItems || budget.fields < 0 ? asJSON(`The form does not support more than ${maxItems} items.`) : listField(name, schema, required);
}

// An item of a list is required, but not marked as such: it could only be removed.
const requiredItem = "required item";

// parts returns the label, help and error of a field, and the ids that connect
// them with its control.
function parts(name, schema, required, reason) {
  const id = `field-${++lastID}`;
  const title = clip(typeof schema.title === "string" ? schema.title : name, 200);
  const help = [];
  if (typeof schema.description === "string" && schema.description) help.push(node("p", { className: "help", id: `${id}-help`, textContent: clip(schema.description, 2000) }));
  if (typeof schema.pattern === "string" && schema.type === "string") help.push(node("p", { className: "help", id: `${id}-pattern` }, "Pattern: ", node("code", { textContent: clip(schema.pattern, 200) })));
  if (reason) help.push(node("p", { className: "help reason", id: `${id}-reason`, textContent: `Enter JSON. ${reason}` }));
  const error = node("p", { className: "field-error", id: `${id}-error`, role: "alert" });
  const label = [node("bdi", { textContent: title })];
  if (title !== name) label.push(" ", node("code", { textContent: clip(name, 200) }));
  if (required === true) label.push(node("span", { className: "required", textContent: " required" }));
  return { id, title, help, error, label, describedBy: [...help, error].map((e) => e.id).join(" ") };
}

// validated returns a function that reads a value and shows what is wrong with it
// at the control.
function validated(control, error, schema, required, value) {
  return () => {
    error.textContent = "";
    control.removeAttribute("aria-invalid");
    try {
      const got = value();
      if (got === undefined) {
        if (!required || schema.fallback !== undefined) return undefined;
        if (schema.nullable) return null;
        throw new Error("This is required.");
      }
      const invalid = validationError(got, schema);
      if (invalid) throw new Error(invalid);
      return got;
    } catch (e) {
      error.textContent = e.message;
      control.setAttribute("aria-invalid", "true");
      throw e;
    }
  };
}

// valueField has one input. With a reason that is one for JSON.
function valueField(name, schema, required, reason) {
  const p = parts(name, schema, required, reason);
  const { control, beside, value } = reason ? jsonInput(schema) : inputFor(schema);
  control.id = p.id;
  control.setAttribute("aria-describedby", p.describedBy);
  if (required) control.setAttribute("aria-required", "true");
  const label = node("label", { htmlFor: p.id }, ...p.label);
  const element = control.type === "checkbox"
    ? node("div", { className: "field check-field" }, control, label, ...p.help, p.error)
    : node("div", { className: "field" }, label, ...p.help, control, beside, p.error);
  const valueUnlessInvalid = (otherwise) => {
    try {
      return value();
    } catch {
      return otherwise;
    }
  };
  return {
    element,
    read: validated(control, p.error, schema, required, value),
    draft: () => valueUnlessInvalid(undefined),
    isEmpty: () => valueUnlessInvalid("invalid") === undefined,
  };
}

function fieldset(p, ...children) {
  const element = node("fieldset", {}, node("legend", {}, ...p.label), ...p.help, ...children, p.error);
  element.setAttribute("aria-describedby", p.describedBy);
  return element;
}

// objectField is left out if it is optional and empty, whatever its own fields
// require.
function objectField(name, schema, required, within) {
  const fields = fieldsOf(schema, within);
  const isEmpty = () => fields.every(([, f]) => f.isEmpty());
  return {
    element: fieldset(parts(name, schema, required), ...fields.map(([, f]) => f.element)),
    read: () => (isEmpty() && !required ? undefined : readAll(fields)),
    draft: () => (isEmpty() ? undefined : readAll(fields, true)),
    isEmpty,
  };
}

// choiceLabel is a choice with its button. Pictures are data URIs, since the page loads
// nothing from other sites.
const choiceLabel = (c, button) => node("label", { className: c.description || c.picture ? "check choice" : "check" }, button,
  c.picture && node("img", { src: c.picture, alt: "" }),
  node("span", {}, node("bdi", { textContent: clip(c.title, 200) }), c.description && node("span", { className: "muted", textContent: clip(c.description, 500) })));

// choiceField is one of a few choices that show more than a title.
function choiceField(name, schema, choices, required) {
  const p = parts(name, schema, required);
  const initial = JSON.stringify(schema.initial);
  const none = { title: "No choice" };
  const buttons = new Map((required ? choices : [none, ...choices]).map((c) => [c, node("input", { type: "radio", name: p.id, checked: c === none ? initial === undefined : JSON.stringify(c.value) === initial })]));
  const element = fieldset(p, node("div", { className: "choices" }, ...[...buttons].map(([c, button]) => choiceLabel(c, button))));
  const value = () => choices.find((c) => buttons.get(c).checked)?.value;
  return { element, read: validated(element, p.error, schema, required, value), draft: value, isEmpty: () => value() === undefined };
}

// multiChoiceField is an array of choices, with a checkbox for each, and of other URIs if it
// may have some.
function multiChoiceField(name, schema, choices, required) {
  const { open, implicit } = schema[extras] ?? {};
  const p = parts(name, schema, required);
  const chosen = new Set(Array.isArray(schema.initial) ? schema.initial.map((v) => JSON.stringify(v)) : []);
  const boxes = choices.map((c) => node("input", { type: "checkbox", checked: implicit || chosen.has(JSON.stringify(c.value)) }));
  const others = open && node("textarea", { rows: 2, spellcheck: false, placeholder: "Other URIs, one in each line", ariaLabel: `Other URIs of ${p.title}` });
  const element = fieldset(p, node("div", { className: "choices" }, ...choices.map((c, i) => choiceLabel(c, boxes[i]))), others);
  const entered = () => [...choices.filter((_, i) => boxes[i].checked).map((c) => c.value), ...(others?.value.split("\n").map((line) => line.trim()).filter(Boolean) ?? [])];
  const value = () => {
    const all = entered();
    return all.length > 0 || schema.fallback !== undefined || required || implicit ? all : undefined;
  };
  return { element, read: validated(element, p.error, schema, required, value), draft: value, isEmpty: () => entered().length === 0 };
}

// listField is an array of single values, with a field for each item.
function listField(name, schema, required) {
  const p = parts(name, schema, required);
  const rows = node("div", { className: "rows" });
  const items = [];
  const add = (value, focus) => {
    const field = valueField(`${p.title} ${items.length + 1}`, normalize(schema.items, value), requiredItem);
    const remove = node("button", { type: "button", className: "quiet", textContent: "Remove", ariaLabel: `Remove an item of ${p.title}` });
    const row = node("div", { className: "row" }, field.element, remove);
    items.push(field);
    rows.append(row);
    remove.addEventListener("click", () => {
      items.splice(items.indexOf(field), 1);
      row.remove();
      more.focus();
    });
    if (focus) row.querySelector("input, select, textarea")?.focus();
  };
  const more = node("button", { type: "button", textContent: "Add an item", ariaLabel: `Add an item to ${p.title}` });
  more.addEventListener("click", () => add(undefined, true));
  for (const item of Array.isArray(schema.initial) ? schema.initial : []) add(item);
  const element = fieldset(p, rows, more);
  const value = () => {
    const all = readAll(items.map((f, i) => [String(i), f]));
    return items.length > 0 || schema.fallback !== undefined || required ? items.map((_, i) => all[i] ?? null) : undefined;
  };
  const read = validated(element, p.error, schema, required, value);
  return {
    element,
    read() {
      value(); // throws if an item is invalid, whose own field shows the error
      return read();
    },
    draft: () => (items.length > 0 || schema.initial !== undefined ? items.map((f) => f.draft() ?? null) : undefined),
    isEmpty: () => items.length === 0,
  };
}
