// The settings above the view: what it is told about its host.

import { $ } from "./dom.js";
import { styles } from "./theme.js";
import * as views from "./views.js";

export const asked = new URLSearchParams(location.search);

const root = document.documentElement;
// The view alone, for a picture: the tool is called at once, so an address that
// another page made up does not do.
export const bare = asked.has("bare") && asked.get("bare") === root.dataset.token;
const modes = ["inline", "fullscreen", "pip"];
export const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => ($("theme").value === "system" ? (dark.matches ? "dark" : "light") : $("theme").value);

export const applyTheme = () => (root.dataset.theme = theme());

export const size = () => (bare ? "bare" : $("size").value);

// context is the host context, for the view that is shown or the next one.
export function context(view) {
  let containerDimensions = bare ? { width: innerWidth, height: innerHeight } : { width: Math.floor($("frames").clientWidth), maxHeight: 1200 };
  if (view) containerDimensions = views.show(view, $("mode").value, size());
  const c = {
    theme: theme(),
    styles: styles(theme()),
    displayMode: $("mode").value,
    availableDisplayModes: modes,
    containerDimensions,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: "mcpapps-preview",
    platform: "web",
    deviceCapabilities: { touch: matchMedia("(pointer: coarse)").matches, hover: matchMedia("(hover: hover)").matches },
    safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
  };
  if ($("locale").value) c.locale = $("locale").value;
  return c;
}

// offerModes leaves the display modes that a view declared; all where it did not
// say, or where there is none.
export function offerModes(declared) {
  for (const option of $("mode").options) option.disabled = Array.isArray(declared) && !declared.includes(option.value);
}

$("theme").value = ["light", "dark"].includes(asked.get("theme")) ? asked.get("theme") : "system";
if (asked.get("policy") === "loose") $("policy").value = "loose";
$("locale").value = asked.get("locale") ?? navigator.language;
if (bare) root.classList.add("bare");
applyTheme();
