// The entrypoints that a server declares to ChatGPT: places from which a user opens a
// tool's view without the model.

import { callFrom, choose, showNone, state } from "./calls.js";
import { $, clip, node } from "./dom.js";
import * as past from "./history.js";
import { host } from "./hosts.js";
import { command } from "./stream.js";

const paths = new Map(); // what is entered as deep link, by tool
let shown; // what the list was made of

// showEntrypoints lists the entrypoints of the tools, if the emulated host has some.
export function showEntrypoints(tools) {
  const has = host()?.entrypoints ?? [];
  const listed = has.length ? tools.filter((t) => t.entrypoints || t.entryProblems) : [];
  const names = new Set(tools.map((t) => t.name));
  const targets = listed.flatMap((t) => t.entrypoints ?? []).map((e) => e.shortcut && names.has(e.shortcut.tool));
  const key = JSON.stringify([host()?.id, targets, listed.map((t) => [t.name, t.title, t.entrypoints, t.entryProblems])]);
  if (key === shown) return; // the user may be entering something
  shown = key;
  $("entrypoints").hidden = listed.length === 0;
  $("entrypoint-list").replaceChildren(...listed.map((tool) => node("li", { dataset: { tool: tool.name } },
    node("strong", { dir: "auto", textContent: titleOf(tool) }),
    ...(tool.entrypoints ?? []).flatMap((e) => [line(tool, e, has.includes(e.type)), e.shortcut && has.includes(e.type) && shortcutLine(tool, e.shortcut, names)]),
    ...(tool.entryProblems ?? []).map((text) => node("p", { className: "problem", textContent: clip(text, 2000) })))));
}

const titleOf = (tool) => clip(tool.title || tool.name, 200);

function line(tool, { type, extensions }, offered) {
  const box = node("div", { className: "entrypoint", dataset: { type } });
  const button = (text) => {
    const made = node("button", { type: "button", textContent: text, disabled: !offered });
    made.setAttribute("aria-label", `${text} ${titleOf(tool)} (${type})`);
    return made;
  };
  const about = [node("span", { className: "badge", textContent: type }), extensions && node("span", { className: "muted", textContent: clip(extensions.join(" "), 200) })];
  if (!offered) {
    box.append(button("Open"), ...about.filter(Boolean), node("span", { className: "muted", textContent: "not in this host" }));
  } else if (type === "file") {
    const input = node("input", { type: "file", accept: (extensions ?? []).join(","), hidden: true });
    const pick = button("Choose a file…");
    pick.addEventListener("click", () => input.click());
    input.addEventListener("change", () => openFile(tool, input));
    box.append(pick, ...about.filter(Boolean), input);
  } else {
    const start = button("Open");
    box.append(start, about[0]);
    const path = type === "global" ? linkField(tool) : undefined;
    const open = () => (!path || path.reportValidity()) && openFrom(tool, {}, { type, path: path?.value });
    start.addEventListener("click", open);
    path?.addEventListener("keydown", (event) => event.key === "Enter" && !follows(tool) && open());
    if (path) box.append(path);
  }
  return box;
}

// shortcutLine has the quick action of a global entrypoint, which calls another tool.
function shortcutLine(tool, { title, tool: name, arguments: args, problem }, names) {
  const missing = names.has(name) ? problem : `the server has no tool “${clip(name, 200)}”`;
  const start = node("button", { type: "button", textContent: title, dir: "auto", disabled: Boolean(missing) });
  start.setAttribute("aria-label", `${title}, quick action of ${titleOf(tool)}`);
  start.addEventListener("click", () => {
    const target = state.tools.find((t) => t.name === name);
    if (target) openFrom(target, args ?? {}, { type: "global" });
  });
  return node("div", { className: "shortcut" }, start, node("span", { className: "badge", textContent: "quick action" }), missing && node("span", { className: "muted", textContent: missing }));
}

function openFrom(tool, args, entry) {
  choose(tool, args);
  callFrom(tool, args, entry);
}

// reopen opens the view from its entrypoint again, as after another host was chosen. It
// returns false if the view was not opened from one.
export function reopen() {
  if (!state.entry) return false;
  if (host()?.entrypoints?.includes(state.entry.type)) {
    callFrom(state.tool, past.last().args, state.entry);
    return true;
  }
  showNone(`The view was opened from an entrypoint of the type “${state.entry.type}”, which this host does not have.`);
  return true;
}

function openFile(tool, input) {
  const [file] = input.files;
  if (!file) return;
  input.value = ""; // so that the same file can be chosen again
  openFrom(tool, { file: { name: file.name, resourceUri: `host-resource://${crypto.randomUUID()}` } }, { type: "file", file });
}

// follows reports whether the shown view was opened from the tool's global entrypoint.
const follows = (tool) => state.view && state.entry?.type === "global" && state.tool?.name === tool.name;

// linkField is where the user enters the deep link, also while the view is open. All
// fields of a tool have the same value.
function linkField(tool) {
  const field = node("input", { placeholder: "/path", autocomplete: "off", spellcheck: false, value: paths.get(tool.name) ?? "", pattern: "/[^#]*", title: "The deep link that the view gets: a path that begins with / and has no #", dataset: { link: tool.name } });
  field.setAttribute("aria-label", `Deep link to ${titleOf(tool)}`);
  field.addEventListener("change", () => {
    if (!field.reportValidity()) return;
    paths.set(tool.name, field.value);
    for (const other of document.querySelectorAll("input[data-link]")) if (other.dataset.link === tool.name) other.value = field.value;
    if (follows(tool)) command("link", { view: state.view.id, text: field.value });
  });
  return field;
}

// addLink adds the deep link to the bar of a view that was opened with one.
export function addLink(view) {
  const bar = view.box.querySelector(".frame-bar");
  if (bar && state.entry?.type === "global") bar.lastChild.before(linkField(state.tool));
}
