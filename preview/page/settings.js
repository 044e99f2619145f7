// The settings above the view: its host context, its policy and the client.

import { keep, query } from "./address.js";
import { $ } from "./dom.js";
import { host, showHost } from "./hosts.js";
import { styles } from "./theme.js";
import * as views from "./views.js";

const root = document.documentElement;
// The page shows the view alone, for a screenshot. It then calls the tool at once,
// so it requires this run's token: a page of another site can open this address,
// but does not know the token.
export const bare = query.has("bare") && query.get("bare") === root.dataset.token;
const modes = ["inline", "fullscreen", "pip"];
export const dark = matchMedia("(prefers-color-scheme: dark)");
const systemTheme = () => (dark.matches ? "dark" : "light");

// sideBySide reports whether the view is shown in light and in dark.
export const sideBySide = () => !bare && $("theme").value === "both" && $("mode").value === "inline";

// The page itself is light or dark as the view, and as the system where both are shown.
const pageTheme = () => (["light", "dark"].includes($("theme").value) ? $("theme").value : systemTheme());

export const applyTheme = () => (root.dataset.theme = pageTheme());

// themeOf returns the theme of a view. The second one of two has the other one.
export function themeOf(view) {
  if ($("theme").value !== "both") return pageTheme();
  return view?.twin ? "dark" : "light";
}

// A free size is what the user made of the frame; without a height the view chooses it.
let free = { width: side(query.get("width")), height: side(query.get("height")) };

function side(value) {
  const n = Math.round(Number(value));
  return n >= 80 && n <= 4000 ? n : undefined;
}

export function size() {
  if (bare) return "bare";
  if ($("size").value === "host") return host()?.size ? { host: host().size } : "fit";
  return $("size").value === "free" ? free : $("size").value;
}

// freely sets a free size, of one side or of both.
export function freely(sides) {
  free = { ...(typeof size() === "object" ? free : {}), ...sides };
  const option = $("size").querySelector("[value=free]");
  option.hidden = false;
  option.textContent = [free.width ?? "Free", free.height].filter(Boolean).join(" × ");
  $("size").value = "free";
  remember();
}

export function fit() {
  $("size").value = host()?.size ? "host" : "fit";
  remember();
}

const insets = {
  none: { top: 0, right: 0, bottom: 0, left: 0 },
  phone: { top: 47, right: 0, bottom: 34, left: 0 },
  landscape: { top: 0, right: 47, bottom: 21, left: 47 },
};
export const safeArea = () => insets[$("safe").value];

function capabilities() {
  const { value } = $("touch");
  if (value !== "auto") return { touch: value === "touch", hover: value === "mouse" };
  return { touch: matchMedia("(pointer: coarse)").matches, hover: matchMedia("(hover: hover)").matches };
}

// context returns the host context of a shown view, or without one of the next.
export function context(view, theme = themeOf(view)) {
  let containerDimensions = bare ? host()?.size ?? { width: innerWidth, height: innerHeight } : { width: Math.floor($("frames").clientWidth), maxHeight: 1200 };
  if (view && !(bare && host()?.size)) containerDimensions = views.show(view, $("mode").value, size());
  const c = {
    theme,
    styles: styles(theme),
    displayMode: $("mode").value,
    availableDisplayModes: modes,
    containerDimensions,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: "mcpapps-preview",
    platform: "web",
    deviceCapabilities: capabilities(),
    safeAreaInsets: safeArea(),
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

// offerModes enables the display modes that the host has and a view declared. Without a
// declaration or a view it enables all of the host.
export function offerModes(declared) {
  for (const option of $("mode").options) option.disabled = [host()?.modes, declared].some((list) => Array.isArray(list) && !list.includes(option.value));
}

// applyHost makes the settings those of the chosen host. With first, the address keeps
// its size.
export function applyHost(first = false) {
  const { size: given, partial, modes: has } = host() ?? {};
  const option = $("size").querySelector("[value=host]");
  option.hidden = !given;
  option.textContent = given ? `Host, ${sideOf(given.width, given.maxWidth)} × ${sideOf(given.height, given.maxHeight)}` : "Host";
  if (given && !(first && query.has("size"))) $("size").value = "host";
  else if ($("size").value === "host") $("size").value = "fit";
  $("input").disabled = typeof partial === "boolean";
  if (has && !has.includes($("mode").value)) $("mode").value = has[0] ?? "inline";
  offerModes();
  showHost();
  remember();
}

const sideOf = (fixed, most) => (fixed ? String(fixed) : most ? `≤ ${most}` : "any");

// The settings with a value of its own each in the address, and their defaults.
const defaults = { host: "preview", theme: "system", size: "fit", mode: "inline", policy: "strict", client: "ui", safe: "none", touch: "auto", input: "whole" };

// remember puts what differs from the defaults into the address.
export function remember() {
  const values = {};
  const usual = { ...defaults, host: $("host").dataset.first ?? "preview", size: host()?.size ? "host" : "fit" };
  for (const [id, value] of Object.entries(usual)) values[id] = $(id).value === value ? undefined : $(id).value;
  const isFree = $("size").value === "free";
  keep({ ...values, width: isFree ? free.width : undefined, height: isFree ? free.height : undefined, locale: $("locale").value === ownLocale ? undefined : $("locale").value });
  const more = ["safe", "touch", "input"].filter((id) => $(id).value !== defaults[id]).length;
  $("count-more").textContent = more ? String(more) : "";
}

for (const [id, value] of Object.entries(defaults)) {
  if (id === "host") continue; // its options come later
  const given = query.get(id);
  $(id).value = given !== null && [...$(id).options].some((o) => o.value === given) ? given : value;
}
if (bare) {
  $("mode").value = "inline";
  $("client").value = "ui";
}
$("locale").value = navigator.language;
const ownLocale = ($("locale").value = locale());
if (query.get("size") === "free") freely(free);
$("locale").value = query.get("locale") ?? ownLocale;
$("locale").value = locale();
if (bare) root.classList.add("bare");
remember();
applyTheme();
