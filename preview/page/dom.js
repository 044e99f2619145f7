export const $ = (id) => document.getElementById(id);

// node creates an element. Strings become text, never markup.
export function node(tag, props = {}, ...children) {
  const { dataset, ...rest } = props;
  const made = Object.assign(document.createElement(tag), rest);
  Object.assign(made.dataset, dataset);
  made.append(...children.filter((c) => c !== undefined && c !== ""));
  return made;
}

// text shows what a server or a view wrote, cut if it is too long to read.
export const text = (value) => node("pre", { className: "block", tabIndex: 0, textContent: clip(value) });
export const json = (value) => text(JSON.stringify(value, null, 2) ?? "undefined");
const clip = (text) => (text.length > 50000 ? `${text.slice(0, 50000)}\n… ${text.length} characters` : text);
