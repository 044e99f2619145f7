// The stage: the text where there is no view, the bar above the view, and the call that
// one key repeats.

import { $, clip } from "./dom.js";

// say shows a text in place of the view, or with "" nothing.
export function say(text, problem = false) {
  $("stage-empty").hidden = !text;
  $("stage-empty").classList.toggle("problem", problem);
  $("stage-empty").firstElementChild.textContent = clip(text ?? "", 2000);
}

export function title(text) {
  $("view-title").textContent = clip(text, 200);
  $("view-size").textContent = "";
}

// measured shows the size of the view's frame.
export const measured = (width, height) => ($("view-size").textContent = width ? `${Math.round(width)} × ${Math.round(height)}` : "");

// updated says for a moment what has changed in the view.
let fading;
export function updated(text) {
  $("updated").textContent = `Updated: ${clip(String(text ?? "the view"), 200)}`;
  $("updated").dataset.on = "yes";
  clearTimeout(fading);
  fading = setTimeout(() => {
    $("updated").textContent = "";
    delete $("updated").dataset.on;
  }, 4000);
}

// offer offers to repeat a call by the key r or a click.
let offered;
export function offer(name, repeat) {
  offered = repeat;
  $("repeat").hidden = !repeat;
  if (repeat) $("repeat").firstElementChild.textContent = `Repeat ${clip(name, 100)}`;
}

export const offers = () => Boolean(offered);

function take() {
  const repeat = offered;
  offer();
  repeat?.();
}

$("repeat").addEventListener("click", take);

// Not while the user types, or is asked something.
const typing = (target) => target.isContentEditable || target.closest?.("input, textarea, select, [contenteditable]");

addEventListener("keydown", (event) => {
  if (event.key !== "r" || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !offered) return;
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  take();
});
