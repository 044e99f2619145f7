// The message on the bar of the view about its first failure. It covers a strip, never
// the view, and moves nothing.

import { keyOf, position } from "./console.js";
import { $, clip } from "./dom.js";
import { select } from "./inspector.js";

const maxSeen = 200;
const seen = new Set(); // failures that were shown or counted
let count = 0;

// A view that did not connect or is blank may still do so: these two are taken back.
const provisional = new Set(["connect", "blank"]);
let kind = "";

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
    $("failure-text").textContent = clip(String(event.text ?? ""), 500);
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
  close();
}

function close() {
  kind = "";
  count = 0;
  $("failure").hidden = true;
}

$("failure-show").addEventListener("click", () => select("console", true));
$("failure-close").addEventListener("click", () => {
  close();
  $("stage").focus({ preventScroll: true });
});
