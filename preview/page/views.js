// The views' frames, and the messages between them and the preview.

import { budget } from "./budget.js";
import * as life from "./life.js";
import * as reports from "./reports.js";
import { command, overloaded } from "./stream.js";

const views = new Map();
const frames = document.getElementById("frames");
const reserved = "ui/notifications/sandbox-";
const firstHeight = 320;
const maxHeight = 1200;

export const shown = () => [...views.values()].filter((v) => !v.box.classList.contains("closing"));

// open shows a view's proxy in a frame. The frame's origin is the view's own. Its
// sandbox and allow attributes are those of the view's frame inside the proxy,
// since the inner frame can't have what the outer one lacks. It replaces the views
// before, unless it is the twin of one.
export function open(event, { title, mode }) {
  const twin = event.twin ? views.get(event.twin) : undefined;
  if (!twin) closeAll();
  const frame = document.createElement("iframe");
  frame.title = `View of ${title}`;
  frame.setAttribute("sandbox", event.sandbox);
  frame.allow = event.allow;
  frame.referrerPolicy = "no-referrer";
  const box = document.createElement("div");
  box.className = "frame";
  box.dataset.border = event.border === false ? "none" : "yes";
  box.append(frame);
  const view = { id: event.view, origin: event.origin, src: event.src, frame, box, height: twin?.height ?? firstHeight, mode, loads: 0, navigations: 1, flood: 0, notes: budget(20), departures: budget(5), twin: Boolean(twin) };
  views.set(event.view, view);
  if (!twin) frames.dataset.current = event.view;
  frames.append(box);
  frame.addEventListener("load", () => {
    if (++view.loads > view.navigations) notice(view, "proxy-left");
  });
  frame.src = event.src;
  return view;
}

// reload shows a view's changed document. The bridge repeats input and result.
export function reload(id) {
  const view = views.get(id);
  if (!view) return;
  view.navigations++;
  view.life = undefined;
  view.reloading = true;
  view.wanted = undefined;
  holdHeight(view);
  view.frame.src = view.src;
}

export function closeAll() {
  for (const id of [...views.keys()]) close(id);
}

export function close(id) {
  command("close", { view: id });
  // The frame stays until the view has answered ui/resource-teardown, or the
  // time for that is over.
  views.get(id)?.box.classList.add("closing");
}

export function closed(id) {
  const view = views.get(id);
  if (!view) return;
  view.box.remove();
  views.delete(id);
  if (frames.dataset.current === id) delete frames.dataset.current;
}

// inTurn runs send, which delivers a message to a view, after the messages before it.
// first has steps that are taken before, one at a time, as with streamed input.
const stepTime = 120; // milliseconds

export function inTurn(id, send, first = []) {
  const view = views.get(id);
  if (!view || (first.length === 0 && !view.steps) || view.streamed && !view.steps) return send();
  if (first.length > 0) view.streamed = true; // not again when the document loads again
  view.steps = [...(view.steps ?? []), ...first, send];
  if (!view.stepping) step(view);
}

function step(view) {
  const next = view.steps?.shift();
  next?.();
  if (!view.steps?.length) {
    view.steps = view.stepping = undefined;
    return;
  }
  view.stepping = setTimeout(() => step(view), stepTime);
}

// deliver sends a message to the view. With the exact origin as the target, no
// other page that the frame may show can receive it.
export function deliver(id, message) {
  const view = views.get(id);
  if (view?.held && ["ui/notifications/tool-result", "ui/notifications/tool-cancelled"].includes(message.method)) holdHeight(view, settleTime);
  view?.frame.contentWindow?.postMessage(message, view.origin);
}

// notice reports what only this page can see of a view's frame. That the view or its proxy
// went away has a budget of its own: the view decides how often all else happens.
function notice(view, kind, text) {
  const pass = kind === "view-left" || kind === "proxy-left" ? view.departures : view.notes;
  pass((more) => command("notice", { view: view.id, notice: { kind, text, more } }));
}

const strays = budget(5);
const nameOf = (method) => (typeof method === "string" ? method.slice(0, 100) : "a message");

// A view and its proxy can post anything at any rate.
addEventListener("message", (event) => {
  const view = [...views.values()].find((v) => v.frame.contentWindow === event.source);
  if (!view && event.data?.mcpapps === "console") {
    const of = [...views.values()].find((v) => v.origin === event.origin);
    if (of) return reports.add(of, event.data.entries);
  }
  if (!view || event.origin !== view.origin) {
    if (event.origin !== location.origin) strays((more) => dispatchEvent(new CustomEvent("stray-message", { detail: { origin: event.origin, more } })));
    return;
  }
  const message = event.data;
  const method = typeof message?.method === "string" ? message.method : "";
  if (method === `${reserved}alive`) {
    const seconds = life.alive(view);
    if (seconds) command("notice", { view: view.id, notice: { kind: "back", seconds } });
    return;
  }
  if (method === `${reserved}view-lost`) return notice(view, "view-left"); // from the proxy
  // Messages that the preview can't keep up with would accumulate, so they are
  // dropped.
  if (overloaded()) {
    if (view.flood++ === 0) dispatchEvent(new CustomEvent("flood", { detail: view.id }));
    return;
  }
  view.flood = 0;
  if (method === `${reserved}forged`) return notice(view, "forged", nameOf(message.params?.method));
  if (method === `${reserved}proxy-ready`) {
    life.begin(view);
    if (view.reloading) {
      // The bridge has given the document once, and /view has the changed one.
      view.reloading = false;
      return deliver(view.id, { jsonrpc: "2.0", method: `${reserved}resource-ready`, params: {} });
    } // otherwise the bridge gets it too
  }
  let size;
  try {
    size = JSON.stringify(message)?.length;
  } catch {
    size = undefined;
  }
  if (size === undefined) return notice(view, "not-json");
  if (size > 16 << 20) return notice(view, "too-large", String(size));
  command("message", { view: view.id, msg: message }, size);
});

// Frames that are being closed or show another page are not asked.
const watched = () => [...views.values()].filter((v) => v.loads <= v.navigations && !v.box.classList.contains("closing"));

life.watch(watched, {
  ask: (view) => deliver(view.id, { jsonrpc: "2.0", method: `${reserved}ask-alive`, params: {} }),
  silent: (view, seconds) => command("notice", { view: view.id, notice: { kind: "silent", seconds } }),
  died: (view) => command("notice", { view: view.id, notice: { kind: "died" } }),
});

// resize applies the size that the view asked for, within the host's limits.
export function resize(id, { height }) {
  const view = views.get(id);
  if (!view || !height) return;
  const wanted = Math.min(height, view.most ?? maxHeight);
  view.wanted = wanted;
  if (view.held && wanted < view.height) return; // the document is not complete yet
  apply(view, wanted);
}

function apply(view, height) {
  view.height = height;
  if (view.mode === "inline" && view.fixed !== true) view.box.style.height = `${height}px`;
}

// A document that loads again is low until it has its result. Until then its frame
// does not shrink, so that what stands below does not jump.
const holdTime = 3000; // if no result comes
const settleTime = 300; // for the view to draw the result

function holdHeight(view, time = holdTime) {
  clearTimeout(view.held);
  view.held = setTimeout(() => {
    view.held = undefined;
    if (view.wanted) apply(view, view.wanted);
  }, time);
}

// show applies a display mode and a size: a width, "fit" for what there is, "fixed",
// { width, height } as the user dragged it, or { host } with the dimensions that an
// emulated host gives. It returns the containerDimensions for
// the host context.
export function show(view, mode, size) {
  view.mode = mode;
  const { width, height } = typeof size === "object" ? size : {};
  view.fixed = size === "fixed" || Boolean(height);
  view.box.dataset.mode = mode;
  const style = view.box.style;
  style.width = style.height = "";
  if (size === "bare") {
    view.fixed = true;
    style.height = `${innerHeight}px`;
    return { width: innerWidth, height: innerHeight };
  }
  if (mode === "fullscreen") {
    return { width: innerWidth, height: innerHeight - 44 };
  }
  if (mode === "pip") {
    return { width: 360, height: 270 };
  }
  view.most = undefined;
  if (size.host) {
    const given = size.host;
    if (given.width) style.width = `${given.width}px`;
    if (given.maxWidth) style.width = `min(100%, ${given.maxWidth}px)`;
    view.fixed = Boolean(given.height);
    view.most = given.maxHeight;
    style.height = `${given.height ?? Math.min(view.height, given.maxHeight ?? maxHeight)}px`;
    return given;
  }
  if (size === "fixed") {
    style.width = "640px";
    style.height = "480px";
    return { width: 640, height: 480 };
  }
  const given = typeof size === "object" ? width : size === "fit" ? undefined : Number(size);
  if (given) style.width = `${given}px`;
  style.height = `${height ?? view.height}px`;
  const now = Math.floor(view.box.clientWidth || frames.clientWidth);
  return height ? { width: now, height } : { width: now, maxHeight };
}
