// The list of tools.

import { $, node } from "./dom.js";

// opensView reports whether a model's call of the tool opens a view. A tool that
// only views call may name one too.
export const opensView = (tool) => tool.resourceUri && tool.forModel;

export function showTools(tools, current, choose) {
  const words = $("tools-filter").value.toLowerCase();
  const shown = tools.filter((t) => `${t.name} ${t.title ?? ""} ${t.description ?? ""}`.toLowerCase().includes(words));
  $("tools-count").textContent = tools.length ? (shown.length < tools.length ? `${shown.length} of ${tools.length}` : String(tools.length)) : "";
  $("tools").replaceChildren(...shown.map((tool) => {
    const button = node("button", { type: "button", className: "tool", dataset: { tool: tool.name } },
      node("bdi", { className: "tool-name", textContent: tool.title || tool.name }),
      tool.title && tool.title !== tool.name ? node("code", { textContent: tool.name }) : undefined,
      node("span", { className: "badges" }, ...badges(tool)));
    button.addEventListener("click", () => choose(tool));
    return node("li", {}, button);
  }));
  mark(current);
  if (tools.length > 0 && shown.length === 0) $("tools").append(node("li", { className: "empty-note", textContent: "No tool matches." }));
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
