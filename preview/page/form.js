// A form made from an object schema: that of a tool's input, or of what a server
// asks for. What it has no field for is entered as JSON, field by field.
//
// A field is { element, read, draft, blank }: read returns its value, undefined for
// one that was left out, and throws after it has shown what is wrong; draft shows
// nothing, and leaves out what is wrong; blank tells whether it holds nothing.

import { node } from "./dom.js";
import { inputFor } from "./inputs.js";
import { choicesOf, complaint, simplify, typeOf, variantsOf } from "./schema.js";

const deepest = 4;
const mostFields = 300; // and then JSON, so that a wide and deep schema stays usable
let count = 0;

// build returns the fields of an object schema, with values where they are known;
// read returns what was entered, draft as much of it as makes sense.
export function build(schema, values) {
  const whole = typeof schema === "object" && schema !== null ? schema : {};
  const form = { whole, left: mostFields };
  const { schema: top, path } = simplify({ ...whole, initial: values }, whole);
  const fields = fieldsOf(top, { form, path, depth: 0 });
  const box = document.createDocumentFragment();
  box.append(...fields.map(([, f]) => f.element));
  return { box, read: () => readAll(fields), draft: () => readAll(fields, true) };
}

// toInvalid moves the focus to the first field that is wrong.
export function toInvalid(box) {
  const wrong = box.querySelector('[aria-invalid="true"]');
  (wrong?.matches("fieldset") ? wrong.querySelector("input, select, textarea, button") : wrong)?.focus();
}

function fieldsOf(schema, at) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const initial = schema.initial ?? schema.default;
  return Object.entries(schema.properties ?? {}).map(([name, raw]) => {
    const known = typeof initial === "object" && initial !== null && Object.hasOwn(initial, name);
    return [name, fieldOf(name, known ? { allOf: [raw], initial: initial[name] } : raw, required.has(name), at)];
  });
}

function readAll(fields, lenient = false) {
  const values = [];
  let first;
  for (const [name, field] of fields) {
    try {
      const value = lenient ? field.draft() : field.read();
      if (value !== undefined) values.push([name, value]);
    } catch (problem) {
      first ??= problem;
    }
  }
  if (first) throw first; // each wrong field has said so
  return Object.fromEntries(values);
}

function fieldOf(name, raw, required, { form, path, depth }) {
  form.left--;
  const { schema, path: here } = simplify(raw, form.whole, path);
  const within = { form, path: here, depth: depth + 1 };
  const may = !schema.recursive && depth < deepest && form.left > 0;
  const type = typeOf(schema);
  if (may && !choicesOf(schema)) {
    if (variantsOf(schema)) return variants(name, schema, required, within);
    if (type === "object" && schema.properties) return object(name, schema, required, within);
    if (type === "array" && schema.items && !schema.prefixItems) {
      const { schema: items } = simplify(schema.items, form.whole, here);
      const choices = choicesOf(items);
      return choices && choices.length <= 50 ? several(name, schema, choices, required) : list(name, schema, required, within);
    }
  }
  return single(name, schema, required);
}

// A field within a list or a variant is required, which goes without saying.
const needed = "needed";

// parts are the label, help and error of a field, and their wiring.
function parts(name, schema, required) {
  const id = `field-${++count}`;
  const title = typeof schema.title === "string" ? schema.title : name;
  const help = typeof schema.description === "string" && schema.description ? node("p", { className: "help", id: `${id}-help`, textContent: schema.description }) : undefined;
  const error = node("p", { className: "field-error", id: `${id}-error`, role: "alert" });
  const label = [node("bdi", { textContent: title })];
  if (title !== name) label.push(" ", node("code", { textContent: name }));
  if (required === true) label.push(node("span", { className: "required", textContent: " required" }));
  return { id, title, help, error, label, describedBy: help ? `${id}-help ${id}-error` : `${id}-error` };
}

// checked reads a value, and shows what is wrong with it at the control.
function checked(control, error, schema, required, value) {
  return () => {
    error.textContent = "";
    control.removeAttribute("aria-invalid");
    try {
      const got = value();
      if (got === undefined) {
        if (!required || schema.default !== undefined) return undefined;
        if (schema.nullable) return null;
        throw new Error("This is required.");
      }
      const wrong = complaint(got, schema);
      if (wrong) throw new Error(wrong);
      return got;
    } catch (problem) {
      if (error.textContent === "") {
        error.textContent = problem.message;
        control.setAttribute("aria-invalid", "true");
      }
      throw problem;
    }
  };
}

const orNothing = (value) => () => {
  try {
    return value();
  } catch {
    return undefined;
  }
};

const isBlank = (value) => () => {
  try {
    return value() === undefined;
  } catch {
    return false;
  }
};

function single(name, schema, required) {
  const p = parts(name, schema, required);
  const { control, value } = inputFor(schema);
  control.id = p.id;
  control.setAttribute("aria-describedby", p.describedBy);
  if (required) control.setAttribute("aria-required", "true");
  const label = node("label", { htmlFor: p.id }, ...p.label);
  const element = control.type === "checkbox"
    ? node("div", { className: "field check-field" }, control, label, p.help, p.error)
    : node("div", { className: "field" }, label, p.help, control, p.error);
  return { element, read: checked(control, p.error, schema, required, value), draft: orNothing(value), blank: isBlank(value) };
}

function group(p, ...children) {
  const element = node("fieldset", {}, node("legend", {}, ...p.label), p.help, ...children, p.error);
  element.setAttribute("aria-describedby", p.describedBy);
  return element;
}

// object leaves itself out where it may and holds nothing, whatever its fields
// require.
function object(name, schema, required, within) {
  const fields = fieldsOf(schema, within);
  const blank = () => fields.every(([, f]) => f.blank());
  return {
    element: group(parts(name, schema, required), ...fields.map(([, f]) => f.element)),
    read: () => (blank() && !required ? undefined : readAll(fields)),
    draft: () => (blank() ? undefined : readAll(fields, true)),
    blank,
  };
}

// several is a choice of more than one.
function several(name, schema, choices, required) {
  const p = parts(name, schema, required);
  const initial = schema.initial ?? schema.default;
  const chosen = Array.isArray(initial) ? initial.map((v) => JSON.stringify(v)) : [];
  const boxes = choices.map((c) => node("input", { type: "checkbox", checked: chosen.includes(JSON.stringify(c.value)) }));
  const element = group(p, node("div", { className: "choices" }, ...choices.map((c, i) => node("label", { className: "check" }, boxes[i], node("bdi", { textContent: c.title })))));
  const value = () => {
    const all = choices.filter((_, i) => boxes[i].checked).map((c) => c.value);
    return all.length > 0 || schema.default !== undefined || required ? all : undefined;
  };
  return { element, read: checked(element, p.error, schema, required, value), draft: value, blank: () => !boxes.some((b) => b.checked) };
}

// list has a field for each item.
function list(name, schema, required, within) {
  const p = parts(name, schema, required);
  const rows = node("div", { className: "rows" });
  const items = [];
  const add = (initial, focus) => {
    const raw = initial === undefined ? schema.items : { allOf: [schema.items], initial };
    const field = fieldOf(`${p.title} ${items.length + 1}`, raw, needed, within);
    const remove = node("button", { type: "button", className: "quiet", textContent: "Remove", ariaLabel: `Remove an item of ${p.title}` });
    const row = node("div", { className: "row" }, field.element, remove);
    items.push(field);
    rows.append(row);
    remove.addEventListener("click", () => {
      items.splice(items.indexOf(field), 1);
      row.remove();
      more.focus();
    });
    if (focus) row.querySelector("input, select, textarea, button")?.focus();
  };
  const more = node("button", { type: "button", textContent: "Add an item", ariaLabel: `Add an item to ${p.title}` });
  more.addEventListener("click", () => add(undefined, true));
  const initial = schema.initial ?? schema.default;
  for (const item of Array.isArray(initial) ? initial.slice(0, 100) : []) add(item);
  const element = group(p, rows, more);
  const value = () => {
    const all = readAll(items.map((f, i) => [String(i), f]));
    return items.length > 0 || schema.default !== undefined || required ? items.map((_, i) => all[i] ?? null) : undefined;
  };
  const read = checked(element, p.error, schema, required, value);
  return {
    element,
    read() {
      value(); // the items say what is wrong with them
      return read();
    },
    draft: () => (items.length > 0 || initial !== undefined ? items.map((f) => f.draft() ?? null) : undefined),
    blank: () => items.length === 0,
  };
}

// fits tells, roughly, whether a value is of a schema.
function fits(schema, value) {
  const type = typeOf(schema);
  if (type === "object") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    return Object.entries(schema.properties ?? {}).every(([name, s]) => !(s && typeof s === "object" && "const" in s) || !Object.hasOwn(value, name) || s.const === value[name]);
  }
  if (type === "array") return Array.isArray(value);
  return type === undefined || typeof value === (type === "integer" ? "number" : type);
}

// variants has fields for the one of several schemas that is chosen.
function variants(name, schema, required, within) {
  const must = required && schema.default === undefined;
  const p = parts(name, schema, must);
  const all = variantsOf(schema).map((raw) => simplify(raw, within.form.whole, within.path).schema);
  const names = all.map((s, i) => {
    const mark = Object.values(s.properties ?? {}).find((v) => v && typeof v === "object" && "const" in v)?.const;
    return String(s.title ?? mark ?? typeOf(s) ?? `Variant ${i + 1}`);
  });
  const select = node("select", { id: p.id }, must ? undefined : node("option", { value: "", textContent: "–" }),
    ...names.map((text, i) => node("option", { value: String(i), textContent: names.indexOf(text) === i ? text : `${text} (${i + 1})` })));
  select.setAttribute("aria-label", `Kind of ${p.title}`);
  if (schema.initial !== undefined) select.value = String(Math.max(0, all.findIndex((s) => fits(s, schema.initial))));
  const box = node("div", { className: "variant" });
  let field;
  const show = () => {
    const i = Number(select.value);
    field = select.value === "" ? undefined : fieldOf(names[i], { ...all[i], title: names[i], initial: schema.initial }, needed, within);
    box.replaceChildren(...(field ? [field.element] : []));
  };
  select.addEventListener("change", show);
  show();
  return {
    element: group(p, select, box),
    read: () => field?.read(),
    draft: () => field?.draft(),
    blank: () => !field || field.blank(),
  };
}
