// What a form needs to know about a JSON schema: references followed, unions
// with null and single choices folded in.

const mergeable = (a, b) => {
  const merged = { ...a, ...b };
  if (a.properties && b.properties) merged.properties = { ...a.properties, ...b.properties };
  if (Array.isArray(a.required) && Array.isArray(b.required)) merged.required = [...a.required, ...b.required];
  return merged;
};

const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);

// simplify returns the schema as its fields need it. path holds the references
// that led here, so that one which leads back to itself is known.
export function simplify(raw, whole, path = []) {
  if (!isObject(raw)) return { schema: {}, path }; // true, or what is none
  let schema = raw;
  let nullable = false;
  for (let steps = 0; steps < 20; steps++) {
    if (typeof schema.$ref === "string") {
      const { $ref, ...rest } = schema;
      const at = lookUp($ref, whole);
      if (!isObject(at) || path.includes($ref)) return { schema: { ...rest, recursive: true }, path };
      path = [...path, $ref];
      schema = mergeable(at, rest);
    } else if (Array.isArray(schema.allOf)) {
      const { allOf, ...rest } = schema;
      schema = allOf.reduce((all, one) => mergeable(all, simplify(one, whole, path).schema), rest);
    } else if (variantsOf(schema)) {
      const all = variantsOf(schema);
      const { anyOf, oneOf, ...rest } = schema;
      const some = all.filter((s) => s?.type !== "null" && s?.const !== null);
      nullable ||= some.length < all.length;
      if (some.length !== 1 || !isObject(some[0])) return { schema: { ...rest, anyOf: some, nullable }, path };
      schema = mergeable(some[0], rest);
    } else {
      break;
    }
  }
  const types = [schema.type ?? []].flat();
  nullable ||= schema.nullable === true || types.includes("null");
  const some = types.filter((t) => t !== "null");
  if (some.length > 1 && !schema.enum && !("const" in schema)) {
    const { type, ...rest } = schema;
    const around = { nullable, anyOf: [] };
    for (const key of ["title", "description", "default", "initial"]) {
      if (key in rest) around[key] = rest[key];
      delete rest[key];
    }
    around.anyOf = some.map((one) => ({ ...rest, type: one }));
    return { schema: around, path };
  }
  return { schema: { ...schema, nullable }, path };
}

function lookUp(ref, whole) {
  if (ref === "#") return whole;
  if (!ref.startsWith("#/")) return undefined;
  let at = whole;
  for (const step of ref.slice(2).split("/")) {
    let name;
    try {
      name = decodeURIComponent(step);
    } catch {
      name = step;
    }
    at = at?.[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return at;
}

export const variantsOf = (schema) => [schema.anyOf, schema.oneOf].find((v) => Array.isArray(v) && v.length > 0);

// typeOf names the one type that a field can take; none where there are several.
export function typeOf(schema) {
  const types = [schema.type ?? []].flat().filter((t) => t !== "null");
  if (types.length === 1) return types[0];
  if (types.length === 0 && isObject(schema.properties)) return "object";
  if (types.length === 0 && isObject(schema.items)) return "array";
  return undefined;
}

// choicesOf returns the values of an enumeration, each with its title.
export function choicesOf(schema) {
  const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : [];
    return schema.enum.map((value, i) => ({ value, title: String(names[i] ?? text(value)) }));
  }
  if ("const" in schema) return [{ value: schema.const, title: text(schema.const) }];
  const all = variantsOf(schema);
  if (all?.every((s) => isObject(s) && "const" in s)) return all.map((s) => ({ value: s.const, title: String(s.title ?? text(s.const)) }));
  return undefined;
}

// complaint says what is wrong with a value, in a sentence, or nothing.
export function complaint(value, schema) {
  const number = (n) => typeof n === "number";
  if (typeof value === "string") {
    const length = [...value].length;
    if (number(schema.minLength) && length < schema.minLength) return `Enter at least ${schema.minLength} characters.`;
    if (number(schema.maxLength) && length > schema.maxLength) return `Enter at most ${schema.maxLength} characters; these are ${length}.`;
    if (schema.format === "email" && !/^[^\s@]+@[^\s@]+$/.test(value)) return "Enter an email address, such as ada@example.com.";
    if ((schema.format === "uri" || schema.format === "url") && !URL.canParse(value)) return "Enter a URL, such as https://example.com/.";
    if (schema.format === "date-time" && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(value) && !Number.isNaN(Date.parse(value)))) return "Enter a date and time, such as 2026-01-26T12:00:00Z.";
    if (typeof schema.pattern === "string" && !matches(schema.pattern, value)) return `Enter text that matches ${schema.pattern}`;
  }
  if (number(value)) {
    if (number(schema.minimum) && value < schema.minimum) return `Enter ${schema.minimum} or more.`;
    if (number(schema.maximum) && value > schema.maximum) return `Enter ${schema.maximum} or less.`;
    if (number(schema.exclusiveMinimum) && value <= schema.exclusiveMinimum) return `Enter more than ${schema.exclusiveMinimum}.`;
    if (number(schema.exclusiveMaximum) && value >= schema.exclusiveMaximum) return `Enter less than ${schema.exclusiveMaximum}.`;
  }
  if (Array.isArray(value)) {
    if (number(schema.minItems) && value.length < schema.minItems) return `Give at least ${schema.minItems}.`;
    if (number(schema.maxItems) && value.length > schema.maxItems) return `Give at most ${schema.maxItems}.`;
  }
  return undefined;
}

function matches(pattern, value) {
  if (pattern.length > 200 || value.length > 1000) return true; // some patterns take for ever
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true; // no pattern of this language
  }
}
