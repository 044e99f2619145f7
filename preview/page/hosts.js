// The hosts that the preview can emulate, and what is known of the chosen one.

import { query } from "./address.js";
import { $, clip, node } from "./dom.js";
import { command } from "./stream.js";

const own = "preview";
let forms = false; // the server is told that the client shows OpenAI's forms
let told = ""; // the client name that the server is told, "" for the preview's own
let hosts = new Map();

// host returns the host that is emulated, undefined for the preview's own.
export const host = () => hosts.get($("host").value);

// hostID is what the preview knows the host by, "" for its own.
export const hostID = () => host()?.id ?? "";

// showHosts fills the menu. The address chooses before the preview does.
export function showHosts(event) {
  told = event.told;
  forms = event.forms;
  hosts = new Map(event.hosts.map((h) => [h.id, h]));
  const chosen = hosts.has($("host").value) ? $("host").value : undefined; // the stream came again
  const option = (h) => node("option", { value: h.id, textContent: clip(h.name, 100) });
  const list = (label, all) => (all.length ? node("optgroup", { label }, ...all.map(option)) : undefined);
  $("host").replaceChildren(...[
    node("option", { value: own, textContent: "Preview" }),
    list("Show apps", event.hosts.filter((h) => !h.noApps)),
    list("Show text only", event.hosts.filter((h) => h.noApps)),
  ].filter(Boolean));
  const asked = query.get("host");
  const first = hosts.has(asked) || asked === own ? asked : event.chosen || own;
  $("host").dataset.first = event.chosen || own;
  $("host").value = chosen ?? first;
  showHost();
}

const groups = [
  ["emulated", "Emulated", "The view meets this here as in the host."],
  ["unknown", "Unknown", "No source describes it. The preview does what it does without a host."],
  ["not-shown", "Not shown", "This page cannot show it: another browser engine, an origin that lasts, lists and documents that are kept, and what the model reads."],
];

const of = (h, shown) => h.facts.filter((f) => f.shown === shown);

// showFacts takes what the preview says of a host.
export function showFacts(event) {
  const h = hosts.get(event.host.id);
  if (!h) return;
  h.facts = event.host.facts;
  if (h === host()) showHost();
}

// showHost says what of the chosen host is emulated.
export function showHost() {
  const h = host();
  $("host-note").hidden = !h;
  $("host-empty").hidden = Boolean(h);
  if (!h?.facts) {
    if (h) command("host", { host: h.id }); // which answers with its facts
    return $("host-facts").replaceChildren();
  }
  const [emulated, unknown, hidden] = groups.map(([shown]) => of(h, shown).length);
  $("host-text").textContent = h.noApps ? "Shows no apps: its user gets the text of the result" : `${emulated} facts emulated, ${unknown} unknown, ${hidden} not shown`;
  $("host-facts").replaceChildren(
    node("h2", { textContent: clip(h.name, 200) }),
    node("p", { className: "muted", textContent: "From dated sources. Nobody who maintains the preview could run this host, and hosts differ between accounts and platforms." }),
    node("p", { className: "muted", textContent: `The server is told ${told ? `the client name “${clip(told, 200)}”` : "the name of the preview's own client"}${forms ? ", and that it shows OpenAI's forms" : ""}: the menu does not change it, and “-as” of “mcpapps preview” chooses it.` }),
    ...(h.source ? [node("p", { className: "muted", textContent: `Source, unless a fact names another: ${h.source}.` })] : []),
    ...(h.notes ?? []).map((text) => node("p", { className: "notice", textContent: clip(text, 2000) })),
    ...groups.map(([shown, title, text]) => group(h, shown, title, text)));
}

function group(h, shown, title, text) {
  const facts = of(h, shown);
  if (facts.length === 0) return "";
  const known = shown !== "unknown";
  return node("details", { className: "host-group", open: shown === "emulated" },
    node("summary", {}, `${title} `, node("span", { className: "count", textContent: String(facts.length) })),
    node("p", { className: "muted", textContent: text }),
    known ? node("dl", { className: "host-list" }, ...facts.flatMap((f) => entry(f, h.source))) : node("ul", { className: "host-unknown" }, ...facts.map((f) => node("li", { textContent: f.title }))));
}

// entry shows the claims about a fact, with their sources: one that is common to all
// facts shows on hover, unless claims have to be told apart.
function entry(fact, common) {
  const [first, ...others] = fact.claims;
  const claims = [first, ...others].map((c, i) => node("dd", { className: i > 0 ? "other" : "", title: c.source },
    node("span", { className: "host-value", textContent: c.value }),
    c.when && node("span", { textContent: ` for ${c.when}` }),
    c.note && node("span", { className: "muted", textContent: ` (${clip(c.note, 500)})` }),
    (c.source !== common || others.length > 0) && node("span", { className: "host-source", textContent: c.source }),
    c.old && node("span", { className: "badge warn", title: "The source is older than 180 days", textContent: "old" })));
  return [node("dt", {}, fact.title, fact.dispute ? node("span", { className: "badge", title: "The sources disagree. The first one is emulated.", textContent: "disputed" }) : ""), ...claims];
}
