// The inspector's tabs, with the keys that tabs have.

import { $ } from "./dom.js";

const panels = ["messages", "policy", "result", "actions", "server"];

export function select(name, focus = false) {
  for (const p of panels) {
    const on = p === name;
    $(`tab-${p}`).setAttribute("aria-selected", String(on));
    $(`tab-${p}`).tabIndex = on ? 0 : -1;
    $(`panel-${p}`).hidden = !on;
  }
  if (focus) $(`tab-${name}`).focus();
}

for (const [i, p] of panels.entries()) {
  $(`tab-${p}`).addEventListener("click", () => select(p));
  $(`tab-${p}`).addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? panels.length - 1 : step && (i + step + panels.length) % panels.length;
    if (to === undefined) return;
    event.preventDefault();
    select(panels[to], true);
  });
}
