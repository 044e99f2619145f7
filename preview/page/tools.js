// The list of tools.

import { $, clip, node } from "./dom.js";

// opensView reports whether a model's call of the tool opens a view. A tool that
// only views call may name one too.
export const opensView = (tool) => tool.resourceUri && tool.forModel;

// maxShown is how many tools the list shows. The filter finds the others.
const maxShown = 200;

export function showTools(tools, current, choose) {
  const words = $("tools-filter").value.toLowerCase();
  const shown = tools.filter((t) => textOf(t).includes(words));
  $("tools-count").textContent = tools.length ? (shown.length < tools.length ? `${shown.length} of ${tools.length}` : String(tools.length)) : "";
  $("tools").replaceChildren(...shown.slice(0, maxShown).map((tool) => {
    const button = node("button", { type: "button", className: "tool", dataset: { tool: tool.name } },
      nameNode("bdi", "tool-name", tool.title || tool.name),
      tool.title && tool.title !== tool.name ? nameNode("code", "", tool.name) : undefined,
      node("span", { className: "badges" }, ...badges(tool)));
    button.addEventListener("click", () => choose(tool));
    return node("li", {}, button);
  }));
  mark(current);
  if (shown.length > maxShown) $("tools").append(node("li", { className: "empty-note", textContent: `… and ${shown.length - maxShown} more. Filter the list to see them.` }));
  if (tools.length > 0 && shown.length === 0) $("tools").append(node("li", { className: "empty-note", textContent: "No tool matches." }));
}

// textOf is what the filter searches.
function textOf(tool) {
  if (!texts.has(tool)) texts.set(tool, `${tool.name} ${tool.title ?? ""} ${clip(tool.description ?? "", 2000)}`.toLowerCase());
  return texts.get(tool);
}
const texts = new WeakMap();

// nameNode is a name that may wrap between its words.
function nameNode(tag, className, name) {
  const parts = clip(name, 200).split(/(?<=[-_./:])|(?<=[a-z])(?=[A-Z])/);
  return node(tag, { className }, ...parts.flatMap((part, i) => (i > 0 ? [node("wbr"), part] : [part])));
}

export function mark(tool) {
  for (const b of document.querySelectorAll("button.tool")) {
    if (b.dataset.tool === tool?.name) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  }
}

export function badges(tool) {
  const list = [];
  if (tool.problem) list.push(node("span", { className: "badge error", textContent: "metadata" }));
  if (tool.resourceUri) list.push(node("span", { className: "badge view", textContent: "view" }));
  if (!tool.forModel && tool.forApps) list.push(node("span", { className: "badge", textContent: "app only" }));
  if (tool.forModel && !tool.forApps) list.push(node("span", { className: "badge", textContent: "model only" }));
  if (!tool.forModel && !tool.forApps) list.push(node("span", { className: "badge error", textContent: "nobody" }));
  return list;
}
