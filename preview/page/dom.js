import { pretty } from "./pretty.js";

export const $ = (id) => document.getElementById(id);

// node creates an element. Strings become text, never markup.
export function node(tag, props = {}, ...children) {
  const { dataset, ...rest } = props;
  const made = Object.assign(document.createElement(tag), rest);
  Object.assign(made.dataset, dataset);
  made.append(...children.filter((c) => c !== undefined && c !== "" && c !== false));
  return made;
}

// A block shows what a server or a view wrote, cut if it is too long to read.
const maxBlock = 50000; // characters
const block = (textContent) => node("pre", { className: "block", tabIndex: 0, textContent });
export const text = (value) => block(value.length > maxBlock ? `${value.slice(0, maxBlock)}\n… ${value.length} characters` : value);
export const json = (value) => block(pretty(value, maxBlock));

// clip cuts a text that stands on one line or in a paragraph.
export const clip = (value, max) => (value.length > max ? `${value.slice(0, max)}…` : value);
