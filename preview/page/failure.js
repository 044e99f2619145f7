// The message on the bar of the view about its first failure. It covers a strip, never
// the view, and moves nothing.

import { keyOf, position } from "./console.js";
import { $, clip } from "./dom.js";
import { select } from "./inspector.js";
import { blockedBy } from "./policy.js";

const maxSeen = 200;
const seen = new Set(); // failures that were shown or counted
let count = 0;

// A view that did not connect or is blank may still do so: these two are taken back.
const provisional = new Set(["connect", "blank"]);
let kind = "";

// What the policy has blocked, by its place and by its address. It explains what fails
// there, and is reported before or after that.
const blocked = new Map();
const placeOf = (at) => at?.line && `${at.source}:${at.line}${at.mapped ? "" : `:${at.column}`}`; // a document may be one line
let first; // the failure that is shown
const explanation = () => first && (blocked.get(placeOf(first.position)) ?? blocked.get(first.url));

function say() {
  if (!first) return;
  $("failure-text").textContent = [explanation(), clip(String(first.text ?? ""), 500)].filter(Boolean).join(" · ");
  $("failure-show").title = explanation() ? "Show the policy" : "Show the console";
}

// violated keeps what the policy has blocked, to name it before the failure that follows
// from it. What a view handles stands on the Policy tab alone.
export function violated({ violation, position }) {
  if (violation.level !== "error") return;
  for (const key of [placeOf(position), violation.blocked]) {
    if (key && !blocked.has(key) && blocked.size < maxSeen) blocked.set(key, clip(blockedBy(violation), 500));
  }
  say();
}

// failed shows the failure of an entry of the console. Closed by the user, it comes
// back for a failure that is new.
export function failed(event) {
  const warns = provisional.has(event.kind);
  if (event.level !== "error" && !warns) return;
  const key = keyOf(event);
  const known = seen.has(key);
  if (!known && seen.size < maxSeen) seen.add(key);
  count++;
  if ($("failure").hidden || (provisional.has(kind) && !warns)) {
    if (known && $("failure").hidden) return; // closed by the user
    kind = event.kind;
    if (count > 1 && $("failure").hidden) count = 1;
    $("failure").dataset.level = event.level === "error" ? "error" : "warning";
    first = event;
    say();
    $("failure-where").textContent = position(event.position) || clip(String(event.url ?? ""), 500); // what did not load has an address alone
    $("failure").hidden = false;
  }
  $("failure-count").textContent = count > 1 ? String(count) : "";
  $("failure-count").title = count > 1 ? `${count} failures` : "";
}

// recovered takes back that the view did not connect, or is blank.
export function recovered() {
  if (provisional.has(kind) && count <= 1) clear();
}

// clear removes the message, for another call or document.
export function clear() {
  seen.clear();
  blocked.clear();
  close();
}

function close() {
  kind = "";
  first = undefined;
  count = 0;
  $("failure").hidden = true;
}

$("failure-show").addEventListener("click", () => select(explanation() ? "policy" : "console", true));
$("failure-close").addEventListener("click", () => {
  close();
  $("stage").focus({ preventScroll: true });
});
