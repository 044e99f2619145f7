// The view's policy and what it blocked.

import { $, node } from "./dom.js";

const maxItems = 200; // a view can cause or make up any number
const items = new Map();
let more = 0;

export function clearViolations() {
  items.clear();
  more = 0;
  $("violations").replaceChildren();
  $("violations-empty").hidden = false;
  $("count-policy").textContent = "";
}

export function showPolicy(event) {
  $("policy-text").replaceChildren(...event.csp.split("; ").map((d) => {
    const [name, ...sources] = d.split(" ");
    return node("li", {}, node("code", { textContent: name }), " ", node("span", { textContent: sources.join(" ") }));
  }));
}

// blockedBy says in one sentence what was blocked, and what would allow it.
export const blockedBy = (v) => `${v.directive} blocks ${v.blocked || "the view"}: ${advice(v).slice(0, 1).toLowerCase()}${advice(v).slice(1)}`;

// advice is what would allow it, or why the emulated host does not.
const advice = (v) => v.remedy || v.ignored;

// showViolation shows a violation. It returns the text for the record, undefined
// if the same violation is shown already.
export function showViolation(v) {
  $("violations-empty").hidden = true;
  const key = `${v.directive} ${v.blocked} ${v.line ?? ""}`;
  const known = items.get(key);
  if (known) {
    known.times++;
    known.label.textContent = `${known.times} times`;
    return undefined;
  }
  if (items.size >= maxItems) {
    if (more++ === 0) $("violations").append(node("li", { className: "error more" }));
    $("violations").lastElementChild.textContent = `… and ${more} more`;
    return undefined;
  }
  const label = node("span", { className: "times muted" });
  const where = v.line ? `line ${v.line}, column ${v.column ?? 0}` : "";
  $("violations").append(node("li", { className: v.level },
    node("p", { className: "card-head" }, node("strong", { textContent: v.directive }), " blocked ", node("code", { textContent: v.blocked || "the view" }), label),
    where && node("p", { className: "muted", textContent: where }),
    v.sample && node("pre", { textContent: v.sample }),
    node("p", { className: "remedy", textContent: advice(v) })));
  items.set(key, { times: 1, label, problem: v.level === "error" });
  const problems = [...items.values()].filter((i) => i.problem).length;
  $("count-policy").textContent = problems ? String(problems) : "";
  return `Policy: ${v.directive} blocked ${v.blocked || "the view"}. ${advice(v)}`;
}
