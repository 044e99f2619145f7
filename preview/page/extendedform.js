// The forms of OpenAI's extension: what their fields have beyond MCP's, for a form made from
// a schema. The preview draws only those of which it found no mistake.

import { maxButtons } from "./form.js";
import { extras } from "./schema.js";

const maxSuggestions = 100; // of a field, of which a list may have many

// extended returns the schema with that in extras: choices or suggestions, each with a value
// and a title, whether other values are allowed (open) and whether all choices are chosen at
// first (implicit).
export function extended(schema) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, extendedField(field)]);
  return { ...schema, properties: Object.fromEntries(fields) };
}

function extendedField(field) {
  const input = field["x-openai-input"];
  const values = field.items ?? field;
  if (!input) {
    const more = { choices: (values.oneOf ?? values.anyOf)?.map(option), suggestions: values["x-openai-suggestions"]?.slice(0, maxSuggestions).map(option) };
    return field.items ? { ...field, items: { ...values, [extras]: more } } : { ...field, [extras]: more };
  }
  const implicit = input.selection === "implicit";
  const open = implicit || input.userOptions !== undefined;
  const options = input.options.map(resource);
  // Without checkboxes, the options are suggestions where other values are allowed.
  const more = open && !(field.items && options.length <= maxButtons) ? { suggestions: options.slice(0, maxSuggestions) } : { choices: options };
  return field.items ? { ...field, items: { ...values, [extras]: more }, [extras]: { open, implicit } } : { ...field, [extras]: more };
}

const option = (o) => ({ value: o.const, title: o.title, description: o.description, picture: picture(o["x-openai-thumbnail"] ?? o["x-openai-preview"]) });
const resource = (r) => ({ value: r.uri, title: r.title || r.name, description: r.description, picture: picture(r._meta?.["openai/thumbnail"]) });

// picture returns the source of an icon that the page's policy allows.
const picture = (icon) => (typeof icon?.src === "string" && /^data:image\/[\w.+-]+;base64,/.test(icon.src) ? icon.src : undefined);
