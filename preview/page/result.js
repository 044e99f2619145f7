// The result of the call, part by part, and who gets each part.

import { $, json, node, text } from "./dom.js";

export function showResult(event) {
  if (event.error) {
    $("result").replaceChildren(node("div", { className: "notice error" }, node("strong", { textContent: "The call failed" }), node("p", { textContent: event.error })));
    return;
  }
  const r = event.result;
  if (typeof r !== "object" || r === null) {
    $("result").replaceChildren(node("div", { className: "notice error", textContent: "The result is not an object." }), json(r));
    return;
  }
  const parts = [];
  if (r.isError) parts.push(node("div", { className: "notice error", textContent: "The tool reports an error (isError)." }));
  parts.push(node("h3", { textContent: "What the model reads" }));
  const content = Array.isArray(r.content) ? r.content : [];
  if (content.length === 0) parts.push(node("div", { className: "notice warning", textContent: "content is empty. Clients without views and many models see nothing." }));
  parts.push(...blocks(content));
  if (r.structuredContent !== undefined) {
    parts.push(node("h3", { textContent: "structuredContent" }), node("p", { className: "muted", textContent: "For the view. Some hosts also give it to the model." }), json(r.structuredContent));
  }
  if (r._meta !== undefined) parts.push(node("h3", { textContent: "_meta" }), node("p", { className: "muted", textContent: "Only for the view." }), json(r._meta));
  if (event.characters) parts.push(node("p", { className: "muted", textContent: `${event.characters.toLocaleString()} characters in total${event.characters > 150000 ? ", more than some hosts accept (150,000)" : ""}.` }));
  $("result").replaceChildren(...parts);
}

// blocks shows the first blocks of a content array.
export function blocks(content) {
  const max = 100;
  const list = content.slice(0, max).map(blockOf);
  if (content.length > max) list.push(node("p", { className: "muted", textContent: `… and ${content.length - max} more blocks` }));
  return list;
}

function blockOf(block) {
  if (block?.type === "text" && typeof block.text === "string") return text(block.text);
  if (block?.type === "image" && /^image\/[\w.+-]+$/i.test(block.mimeType)) return node("img", { className: "block", alt: "Image in the result", src: `data:${block.mimeType};base64,${block.data}` });
  return json(block);
}
