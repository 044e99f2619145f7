// How the shown views are displayed: their size and mode, and what the settings tell
// them.

import { showTwin, state } from "./calls.js";
import { $, node } from "./dom.js";
import { addHandles } from "./resize.js";
import { applyTheme, bare, context, fit, freely, remember, safeArea, size, themeOf } from "./settings.js";
import * as stage from "./stage.js";
import { command } from "./stream.js";
import * as views from "./views.js";

// sendContext applies the settings, and tells the views.
export function sendContext() {
  applyTheme();
  remember();
  showTwin();
  for (const view of views.shown()) {
    command("context", { view: view.id, context: context(view) });
    view.box.dataset.theme = themeOf(view);
  }
  for (const [edge, n] of Object.entries(safeArea())) $("frames").style.setProperty(`--safe-${edge}`, `${n}px`);
  $("frames").dataset.safe = String(Object.values(safeArea()).some(Boolean));
}

// dress adds what is around a view's frame: the bar that leads from fullscreen and pip
// back to inline, and the handles that resize it.
export function dress(view) {
  view.box.dataset.theme = themeOf(view);
  if (bare) return;
  const leave = node("button", { type: "button", className: "quiet", textContent: "Back to inline" });
  leave.addEventListener("click", () => chooseMode("inline"));
  view.box.prepend(node("div", { className: "frame-bar" }, node("span", { textContent: view.frame.title }), leave));
  view.box.append(node("div", { className: "safe-area", ariaHidden: "true" }));
  addHandles(view.box, {
    resized(sides) {
      freely(sides);
      resized();
    },
    reset() {
      fit();
      resized();
    },
  });
  if (view.twin) return;
  new ResizeObserver(() => view === state.view && stage.measured(view.box.clientWidth, view.box.clientHeight)).observe(view.box);
}

// resized applies a size at once, and tells the views once it has settled.
let resizing;
export function resized() {
  for (const view of views.shown()) views.show(view, $("mode").value, size());
  clearTimeout(resizing);
  resizing = setTimeout(sendContext, 150);
}

export function setMode(mode) {
  $("mode").value = mode;
  showTwin();
  if (state.view) views.show(state.view, mode, size());
  if (mode !== "inline") state.view?.box.querySelector("button")?.focus();
}

// chooseMode sets the mode that the user chose, and tells the view.
export function chooseMode(mode) {
  setMode(mode);
  if (state.view) command("mode", { view: state.view.id, mode });
  sendContext();
}
