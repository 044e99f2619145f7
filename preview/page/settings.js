// The settings above the view: its host context, its policy and the client.

import { $ } from "./dom.js";
import { styles } from "./theme.js";
import * as views from "./views.js";

export const query = new URLSearchParams(location.search);

const root = document.documentElement;
// The page shows the view alone, for a screenshot. It then calls the tool at once,
// so it requires this run's token: a page of another site can open this address,
// but does not know the token.
export const bare = query.has("bare") && query.get("bare") === root.dataset.token;
const modes = ["inline", "fullscreen", "pip"];
export const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => ($("theme").value === "system" ? (dark.matches ? "dark" : "light") : $("theme").value);

export const applyTheme = () => (root.dataset.theme = theme());

export const size = () => (bare ? "bare" : $("size").value);

// context returns the host context of the shown view, or without one of the next.
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
  $("locale").value = locale();
  if ($("locale").value) c.locale = $("locale").value;
  return c;
}

// locale is a tag that Intl takes, or "" for none. A browser without a locale says "C",
// on which Intl throws in the view.
function locale() {
  if (!$("locale").value) return "";
  try {
    return Intl.getCanonicalLocales($("locale").value)[0] ?? "en";
  } catch {
    return "en";
  }
}

// offerModes enables the display modes that a view declared. Without a declaration
// or a view it enables all.
export function offerModes(declared) {
  for (const option of $("mode").options) option.disabled = Array.isArray(declared) && !declared.includes(option.value);
}

$("theme").value = ["light", "dark"].includes(query.get("theme")) ? query.get("theme") : "system";
if (query.get("policy") === "loose") $("policy").value = "loose";
$("locale").value = query.get("locale") ?? navigator.language;
$("locale").value = locale();
if (bare) root.classList.add("bare");
applyTheme();
