// A form made from an input schema. What it has no field for is entered as
// JSON, field by field.

let count = 0;

const typeOf = (schema) => {
  const type = Array.isArray(schema?.type) ? schema.type.find((t) => t !== "null") : schema?.type;
  if (type) return type;
  if (schema?.properties) return "object";
  return undefined;
};

const element = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};

// resolve follows a reference within the schema.
function resolve(schema, whole, depth = 0) {
  if (typeof schema?.$ref !== "string" || !schema.$ref.startsWith("#/") || depth > 10) return schema ?? {};
  let at = whole;
  for (const step of schema.$ref.slice(2).split("/")) at = at?.[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  return { ...resolve(at, whole, depth + 1), ...schema, $ref: undefined };
}

// build returns the fields of an object schema and a function that reads them.
export function build(schema, whole = schema, depth = 0) {
  const box = document.createDocumentFragment();
  const required = new Set(schema?.required ?? []);
  const readers = [];
  for (const [name, raw] of Object.entries(schema?.properties ?? {})) {
    const property = resolve(raw, whole);
    const field = fieldOf(name, property, whole, required.has(name), depth);
    box.append(field.node);
    readers.push([name, field.read]);
  }
  return {
    box,
    // read returns the values of the fields that were filled in.
    read() {
      const values = {};
      for (const [name, read] of readers) {
        const value = read();
        if (value !== undefined) values[name] = value;
      }
      return values;
    },
  };
}

function fieldOf(name, schema, whole, required, depth) {
  const id = `field-${++count}`;
  const help = schema.description ? element("p", { className: "help", id: `${id}-help`, textContent: schema.description }) : "";
  const error = element("p", { className: "field-error", id: `${id}-error` });
  error.setAttribute("role", "alert");
  const title = element("span", { textContent: schema.title ?? name });
  const label = element("label", { htmlFor: id }, title);
  if (schema.title && schema.title !== name) label.append(" ", element("code", { textContent: name }));
  if (required) label.append(element("span", { className: "required", textContent: " required" }));

  const type = typeOf(schema);
  if (type === "object" && schema.properties && depth < 3) {
    const inner = build(schema, whole, depth + 1);
    const node = element("fieldset", {}, element("legend", { textContent: schema.title ?? name }), help, inner.box);
    return {
      node,
      read() {
        const value = inner.read();
        return Object.keys(value).length > 0 || required ? value : undefined;
      },
    };
  }
  const input = inputOf(schema, type);
  input.id = id;
  if (help) input.setAttribute("aria-describedby", `${id}-help ${id}-error`);
  else input.setAttribute("aria-describedby", `${id}-error`);
  const node = input.type === "checkbox"
    ? element("div", { className: "field check-field" }, input, label, help, error)
    : element("div", { className: "field" }, label, help, input, error);
  return {
    node,
    read() {
      error.textContent = "";
      input.removeAttribute("aria-invalid");
      try {
        const value = valueOf(input, schema, type);
        if (value === undefined && required && schema.default === undefined) throw new Error("This argument is required.");
        return value;
      } catch (problem) {
        error.textContent = problem.message;
        input.setAttribute("aria-invalid", "true");
        input.focus();
        throw problem;
      }
    },
  };
}

const choicesOf = (schema) => {
  if (Array.isArray(schema.enum)) return schema.enum;
  if ("const" in schema) return [schema.const];
  const any = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(any) && any.length > 0 && any.every((s) => "const" in s)) return any.map((s) => s.const);
  return undefined;
};

function inputOf(schema, type) {
  const choices = choicesOf(schema);
  if (choices) {
    const select = element("select", {}, element("option", { value: "", textContent: "–" }));
    choices.forEach((choice, i) => select.append(element("option", { value: String(i), textContent: typeof choice === "string" ? choice : JSON.stringify(choice) })));
    const chosen = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(schema.default));
    select.value = chosen >= 0 ? String(chosen) : "";
    return select;
  }
  if (type === "boolean") return element("input", { type: "checkbox", checked: schema.default === true });
  if (type === "number" || type === "integer") {
    const input = element("input", { type: "text", inputMode: type === "integer" ? "numeric" : "decimal", autocomplete: "off" });
    if (schema.default !== undefined) input.value = String(schema.default);
    return input;
  }
  if (type === "string") {
    const long = typeof schema.default === "string" && (schema.default.length > 60 || schema.default.includes("\n"));
    const input = long ? element("textarea", { rows: 5, spellcheck: false }) : element("input", { type: "text", autocomplete: "off" });
    if (schema.default !== undefined) input.value = String(schema.default);
    return input;
  }
  const input = element("textarea", { rows: 3, spellcheck: false, className: "json", placeholder: type === "array" ? "JSON, such as [1, 2]" : "JSON" });
  if (schema.default !== undefined) input.value = JSON.stringify(schema.default, null, 2);
  return input;
}

// valueOf returns the value of a field, undefined for one that was left empty.
function valueOf(input, schema, type) {
  const choices = choicesOf(schema);
  if (choices) return input.value === "" ? undefined : choices[Number(input.value)];
  if (type === "boolean") return input.checked || schema.default !== undefined ? input.checked : undefined;
  const text = input.value;
  if (type === "string") return text === "" && schema.default === undefined ? undefined : text;
  if (text.trim() === "") return undefined;
  if (type === "number" || type === "integer") {
    const value = Number(text);
    if (!Number.isFinite(value)) throw new Error("Enter a number.");
    if (type === "integer" && !Number.isInteger(value)) throw new Error("Enter a whole number.");
    return value;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("Enter JSON: text needs quotation marks.");
  }
}
