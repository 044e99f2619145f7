// The tabs of the page, with the keys that tabs have.

import { $ } from "./dom.js";

const sides = ["tools", "history"];
const panels = ["messages", "console", "policy", "result", "actions", "server", "host"];

function choose(group, name, focus) {
  for (const p of group) {
    const on = p === name;
    $(`tab-${p}`).setAttribute("aria-selected", String(on));
    $(`tab-${p}`).tabIndex = on ? 0 : -1;
    $(`panel-${p}`).hidden = !on;
  }
  if (focus) $(`tab-${name}`).focus();
}

// select shows a tab of the inspector.
export const select = (name, focus = false) => choose(panels, name, focus);

for (const group of [sides, panels]) {
  for (const [i, p] of group.entries()) {
    $(`tab-${p}`).addEventListener("click", () => choose(group, p));
    $(`tab-${p}`).addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const to = event.key === "Home" ? 0 : event.key === "End" ? group.length - 1 : step && (i + step + group.length) % group.length;
      if (to === undefined) return;
      event.preventDefault();
      choose(group, group[to], true);
    });
  }
}
