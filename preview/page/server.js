// The server: what it says about itself, the findings about its apps, and what its
// process writes in addition to its messages.

import { clock } from "./clock.js";
import { $, clip, node } from "./dom.js";
import { follow } from "./follow.js";

export function showServer(event) {
  const { info } = event;
  // The server chose these names. Each is in a bdi element, so that right-to-left
  // text in one does not reorder the others.
  const names = info ? [node("bdi", { textContent: clip(`${info.title || info.name} ${info.version ?? ""}`.trim(), 200) }), " · "] : [];
  $("server").replaceChildren(...names, node("bdi", { textContent: event.target }), ...(event.turn ? [` (${event.turn})`] : []));
  $("dot").dataset.state = event.error ? "down" : "up";
  facts($("server-info"), {
    Target: event.target,
    Server: info ? clip(`${info.name} ${info.version ?? ""}`, 200) : undefined,
    "MCP version": event.protocolVersion,
    "Declares MCP Apps": info ? (event.declaresUI ? "yes" : "no, as a server with apps should") : undefined,
    Instructions: event.instructions ? clip(event.instructions, 10000) : undefined,
  });
}

function facts(list, pairs) {
  list.replaceChildren(...Object.entries(pairs).filter(([, v]) => v !== undefined).flatMap(([k, v]) => [node("dt", { textContent: k }), node("dd", { textContent: v })]));
}

const maxFindings = 200; // cards, and places of one

export function showFindings(event) {
  const list = event.findings ?? [];
  const groups = [...groupByText(list).values()];
  const cards = groups.slice(0, maxFindings).map((all) => node("li", { className: all[0].level }, ...places(all),
    node("p", { textContent: all[0].message }), all[0].remedy && node("p", { className: "remedy", textContent: all[0].remedy })));
  $("findings").replaceChildren(node("h3", { textContent: "Findings" }),
    ...(event.error ? [node("p", { className: "problem", textContent: event.error })] : []),
    ...(groups.length > maxFindings ? [node("p", { className: "muted", textContent: `The first ${maxFindings} of ${groups.length}. “mcpapps check” reports all.` })] : []),
    list.length ? node("ul", { className: "cards" }, ...cards) : node("p", { className: "empty-note", textContent: "Nothing to report." }));
  const problems = list.filter((f) => f.level !== "info").length;
  $("count-server").textContent = problems ? String(problems) : "";
}

// groupByText groups the findings that differ only in their place.
function groupByText(list) {
  const groups = new Map();
  for (const f of list) {
    const key = JSON.stringify([f.level, f.message, f.remedy]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(f);
  }
  return groups;
}

function places(all) {
  const name = (f) => node("strong", { textContent: f.place });
  if (all.length <= 3) return all.map(name);
  return [name(all[0]), node("details", {}, node("summary", { textContent: `and ${all.length - 1} more places` }), ...all.slice(1, maxFindings).map((f) => node("div", {}, name(f))))];
}

// showOutput adds a line. The page shows all that came meanwhile a few times per second,
// since each time it has to lay out the whole text.
let lines = [];
const toEnd = follow($("stderr"));

export function showOutput(event) {
  if (lines.push(event.again ? `— started again at ${clock(event.time).slice(0, 8)} —` : event.text) === 1) setTimeout(flushOutput, 100);
}

function flushOutput() {
  const out = $("stderr");
  out.append(`${lines.join("\n")}\n`);
  lines = [];
  if (out.textContent.length > 200000) out.textContent = out.textContent.slice(-100000);
  toEnd();
}
