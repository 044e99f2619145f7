// What a form needs to know about a JSON schema.

// extras is where a schema has what JSON Schema has no keyword for, see extendedform.js. No
// schema of a server has it.
export const extras = Symbol("extras");

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const maxChoices = 500;
const primitives = ["string", "number", "integer", "boolean"];

// normalize returns the schema as its field needs it: type is its one type or
// undefined, nullable tells whether it allows null as well, initial is the value to
// start with, and fallback what the preview sends if the field is left out. It ignores
// the schema's own default, which may be invalid: the preview knows which are not.
export function normalize(raw, value, fallback) {
  let schema = isObject(raw) ? raw : {};
  let nullable = schema.nullable === true;
  const union = alternativesOf(schema);
  if (union?.length === 2) {
    // What several generators write for a field that allows null.
    const other = union.find((s) => s?.type !== "null");
    if (isObject(other) && union.some((s) => s?.type === "null")) {
      const { anyOf, oneOf, ...own } = schema;
      schema = { ...other, ...own };
      nullable = true;
    }
  }
  const types = [schema.type ?? []].flat().filter((t) => typeof t === "string"); // an object may throw where it becomes a string
  nullable ||= types.includes("null");
  const others = types.filter((t) => t !== "null");
  let type = others.length === 1 ? others[0] : undefined;
  if (others.length === 0 && isObject(schema.properties)) type = "object";
  if (others.length === 0 && isObject(schema.items)) type = "array";
  const format = typeof schema.format === "string" ? schema.format : undefined;
  return { ...schema, type, format, nullable, mixed: others.length > 1, initial: value === undefined ? fallback : value, fallback };
}

const alternativesOf = (schema) => [schema.anyOf, schema.oneOf].find((v) => Array.isArray(v) && v.length > 0);

// choicesOf returns the values of an enumeration with their titles, undefined for
// other schemas. MCP writes titles as oneOf or anyOf of { const, title }.
export function choicesOf(schema) {
  if (schema[extras]?.choices) return schema[extras].choices;
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value, i) => ({ value, title: typeof names[i] === "string" ? names[i] : text(value) }));
  }
  if ("const" in schema) return [{ value: schema.const, title: text(schema.const) }];
  const all = alternativesOf(schema);
  if (all?.every((s) => isObject(s) && "const" in s)) return all.map((s) => ({ value: s.const, title: typeof s.title === "string" ? s.title : text(s.const) }));
  return undefined;
}

// unsupportedKeyword returns the keyword that keeps a form from showing a schema,
// undefined if there is none.
export function unsupportedKeyword(schema) {
  return ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"].find((keyword) => keyword in schema);
}

// unsupported says in a sentence why a form has no field for a normalized schema,
// and returns undefined if it has one.
export function unsupported(schema) {
  const choices = choicesOf(schema);
  if (choices?.length > maxChoices) return `The form does not support more than ${maxChoices} choices.`;
  if (choices) return undefined;
  const keyword = unsupportedKeyword(schema);
  if (keyword) return `The form does not support ${keyword}.`;
  if (primitives.includes(schema.type)) return undefined;
  if (schema.type === "object") return isObject(schema.properties) ? undefined : "The schema does not list the properties of this object.";
  if (schema.type === "array") {
    if (!isObject(schema.items) || schema.prefixItems) return "The schema does not give one type for all items.";
    const items = normalize(schema.items);
    const single = choicesOf(items)?.length <= maxChoices || (primitives.includes(items.type) && !unsupportedKeyword(items) && !choicesOf(items));
    return single ? undefined : "The form supports only arrays of single values.";
  }
  return schema.mixed ? "The schema allows several types." : "The schema does not name a known type.";
}

// validationError says in a sentence why a value does not match its schema, and
// returns undefined if it does. It knows the keywords that a person is likely to
// miss; the server checks all of them. It leaves out pattern, which the field shows: a
// server can choose one that takes exponential time here.
export function validationError(value, schema) {
  const number = (n) => typeof n === "number";
  const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  if (schema.type === "object" && !isObject(value) && value !== null) return 'Enter a JSON object, such as {"key": "value"}.';
  if (typeof value === "string") {
    const length = [...value].length;
    if (number(schema.minLength) && length < schema.minLength) return `Enter at least ${count(schema.minLength, "character")}.`;
    if (number(schema.maxLength) && length > schema.maxLength) return `Enter at most ${count(schema.maxLength, "character")}, not ${length}.`;
    if (schema.format === "email" && !/^[^\s@]+@[^\s@]+$/.test(value)) return "Enter an email address, such as ada@example.com.";
    if ((schema.format === "uri" || schema.format === "url") && !URL.canParse(value)) return "Enter a URL, such as https://example.com/.";
    if (schema.format === "date-time" && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(value) && !Number.isNaN(Date.parse(value)))) return "Enter a date and time, such as 2026-01-26T12:00:00Z.";
  }
  if (number(value)) {
    if (number(schema.minimum) && value < schema.minimum) return `Enter ${schema.minimum} or more.`;
    if (number(schema.maximum) && value > schema.maximum) return `Enter ${schema.maximum} or less.`;
    if (number(schema.exclusiveMinimum) && value <= schema.exclusiveMinimum) return `Enter more than ${schema.exclusiveMinimum}.`;
    if (number(schema.exclusiveMaximum) && value >= schema.exclusiveMaximum) return `Enter less than ${schema.exclusiveMaximum}.`;
  }
  if (Array.isArray(value)) {
    if (number(schema.minItems) && value.length < schema.minItems) return `Enter at least ${count(schema.minItems, "item")}.`;
    if (number(schema.maxItems) && value.length > schema.maxItems) return `Enter at most ${count(schema.maxItems, "item")}.`;
  }
  return undefined;
}
