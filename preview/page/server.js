// The server: what it says about itself, the findings about its apps, and what its
// process writes in addition to its messages.

import { $, node } from "./dom.js";

export function showServer(event) {
  const { info } = event;
  // The server chose these names. Each is in a bdi element, so that right-to-left
  // text in one does not reorder the others.
  const names = info ? [node("bdi", { textContent: `${info.title || info.name} ${info.version ?? ""}`.trim() }), " · "] : [];
  $("server").replaceChildren(...names, node("bdi", { textContent: event.target }), ...(event.turn ? [` (${event.turn})`] : []));
  $("dot").dataset.state = event.error ? "down" : "up";
  facts($("server-info"), {
    Target: event.target,
    Server: info ? `${info.name} ${info.version ?? ""}` : undefined,
    "MCP version": event.protocolVersion,
    "Declares MCP Apps": info ? (event.declaresUI ? "yes" : "no (hosts do not require it)") : undefined,
    Instructions: event.instructions || undefined,
  });
}

function facts(list, pairs) {
  list.replaceChildren(...Object.entries(pairs).filter(([, v]) => v !== undefined).flatMap(([k, v]) => [node("dt", { textContent: k }), node("dd", { textContent: v })]));
}

export function showFindings(event) {
  const list = event.findings ?? [];
  const cards = [...groupByText(list).values()].map((all) => node("li", { className: all[0].level }, ...places(all),
    node("p", { textContent: all[0].message }), all[0].remedy && node("p", { className: "remedy", textContent: all[0].remedy })));
  $("findings").replaceChildren(node("h3", { textContent: "Findings" }),
    ...(event.error ? [node("p", { className: "problem", textContent: event.error })] : []),
    list.length ? node("ul", { className: "cards" }, ...cards) : node("p", { className: "empty-note", textContent: "Nothing to report." }));
  const problems = list.filter((f) => f.level !== "info").length;
  $("count-server").textContent = problems ? String(problems) : "";
}

// groupByText groups the findings that differ only in their place.
function groupByText(list) {
  const groups = new Map();
  for (const f of list) {
    const key = JSON.stringify([f.level, f.message, f.remedy]);
    groups.set(key, [...(groups.get(key) ?? []), f]);
  }
  return groups;
}

function places(all) {
  const name = (f) => node("strong", { textContent: f.place });
  if (all.length <= 3) return all.map(name);
  return [name(all[0]), node("details", {}, node("summary", { textContent: `and ${all.length - 1} more places` }), ...all.slice(1).map((f) => node("div", {}, name(f))))];
}

export function showOutput(event) {
  const out = $("stderr");
  const atEnd = out.scrollHeight - out.scrollTop - out.clientHeight < 40;
  out.append(`${event.text}\n`);
  if (out.textContent.length > 200000) out.textContent = out.textContent.slice(-100000);
  if (atEnd) out.scrollTop = out.scrollHeight;
}
