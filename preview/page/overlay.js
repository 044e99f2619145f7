// What covers or replaces the view: a build that failed, and a server that crashed.

import { $, clip, node } from "./dom.js";

const maxText = 50000;
const maxLines = 200;

// build shows the errors of a build until one succeeds.
export function build(event) {
  $("overlay").hidden = !event.failed;
  if (!event.failed) return;
  const place = [event.file, event.line, event.column].filter(Boolean).join(":");
  $("overlay-where").textContent = clip(place, 500);
  const excerpt = (Array.isArray(event.excerpt) ? event.excerpt : []).slice(0, 20);
  const first = event.line && event.excerptLine ? event.line - event.excerptLine + 1 : undefined;
  $("overlay-excerpt").replaceChildren(...excerpt.map((text, i) => {
    const marked = i + 1 === event.excerptLine;
    const item = node("li", { className: marked ? "marked" : "" }, node("span", { className: "number", textContent: first === undefined ? "" : String(first + i) }), node("code", { textContent: clip(String(text), 500) || " " }));
    if (marked) item.setAttribute("aria-current", "true");
    return item;
  }));
  $("overlay-excerpt").hidden = excerpt.length === 0;
  $("overlay-text").textContent = clip(String(event.text ?? ""), maxText);
}

// crash shows in place of the view why the server's process ended, and the last lines
// that it wrote, below the panic that ended it.
export function crash(event) {
  $("crash-title").textContent = clip(String(event.text ?? ""), 1000);
  $("crash-fault").textContent = clip(String(event.fault ?? ""), 1000);
  const lines = (Array.isArray(event.lines) ? event.lines : []).slice(-maxLines).map((l) => clip(String(l), 2000));
  $("crash-lines").textContent = lines.join("\n") || "It wrote nothing to standard error.";
  $("crash").hidden = false;
  // A trace begins with the panic; what other programs write ends with the reason.
  $("crash-lines").scrollTop = event.fault ? 0 : $("crash-lines").scrollHeight;
}

// connected removes what crash shows.
export const connected = () => ($("crash").hidden = true);
