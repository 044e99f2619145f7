// The calls of tools: the chosen tool, its call, and the views that show it.

import * as address from "./address.js";
import * as args from "./arguments.js";
import { clock } from "./clock.js";
import * as consoleTab from "./console.js";
import { contentOf } from "./content.js";
import { $, clip, node } from "./dom.js";
import * as failure from "./failure.js";
import * as past from "./history.js";
import { select } from "./inspector.js";
import * as log from "./log.js";
import { clearViolations } from "./policy.js";
import { showResult } from "./result.js";
import { host, hostID } from "./hosts.js";
import { bare, context, offerModes, remember, sideBySide } from "./settings.js";
import * as stage from "./stage.js";
import { command } from "./stream.js";
import { badges, mark } from "./tools.js";
import * as views from "./views.js";

export const pageName = address.query.get("name") ?? "";

// state is what the page shows: the chosen tool, the last call, the view that it
// opens, the one that it has opened, the entrypoint of that call, and the view that has a
// twin.
export const state = { tools: [], tool: undefined, call: undefined, entry: undefined, opening: undefined, view: undefined, twin: undefined, calls: 0 };

// choose shows a tool and its form, filled with values if there are any.
export function choose(tool, values) {
  state.tool = tool;
  mark(tool);
  describe(tool);
  args.reset(tool, values);
  if (!bare) address.keep({ tool: tool.name });
  address.keepArguments(values ?? args.draft());
}

export function describe(tool) {
  $("tool-title").textContent = clip(tool.title || tool.name, 200);
  $("tool-badges").replaceChildren(...badges(tool));
  $("tool-description").textContent = tool.problem ? `The preview treats this tool as one without a view: ${tool.problem}` : clip(tool.description ?? "", 10000);
  $("tool-description").classList.toggle("problem", Boolean(tool.problem));
  if ($("tool-description").scrollHeight > $("tool-description").clientHeight) $("tool-description").tabIndex = 0; // so that keys can scroll it
  else $("tool-description").removeAttribute("tabindex");
}

// callFrom calls a tool from an entrypoint, undefined for a call as by the model. A file
// is read now, so that its content is not kept with the call.
export async function callFrom(tool, given, entry) {
  let data;
  if (entry?.file) {
    try {
      data = await contentOf(entry.file);
    } catch (error) {
      state.entry = undefined;
      showNone(error.message, true);
      return;
    }
  }
  call(tool, given, entry, data);
}

// showNone closes the view, and shows why nothing can be shown.
export function showNone(text, problem) {
  state.view = state.opening = undefined;
  views.closeAll();
  $("reload").hidden = true;
  $("mode").value = "inline";
  offerModes();
  stage.title("");
  stage.say(text, problem);
}

// call calls a tool, and opens its view if it has one. entry is the entrypoint from which
// the user opens it, in fullscreen, undefined for a call as by the model; data is the
// content of its file.
export function call(tool, given, entry, data) {
  const id = String(++state.calls);
  const title = tool.title || tool.name;
  state.call = id;
  state.entry = entry;
  if (entry) {
    offerModes(); // without what the view before declared
    $("mode").value = "fullscreen";
  }
  busy(true);
  stage.offer();
  address.keep({ tool: tool.name });
  remember();
  if (!entry) {
    address.keepArguments(given);
    address.called(given);
  }
  const made = past.begin({ id, tool: tool.name, title, args: given, entry, client: $("client").value });
  past.mark(id);
  log.separate(made);
  resultOf(made);
  $("result").replaceChildren(node("p", { className: "empty-note", textContent: "Waiting for the result…" }));
  clearViolations();
  consoleTab.separate(title);
  failure.clear();
  views.closeAll();
  state.view = state.opening = undefined;
  $("reload").hidden = true;
  const textOnly = !entry && ($("client").value === "text-only" || host()?.noApps);
  if (textOnly || !tool.resourceUri) {
    stage.title("");
    stage.say(textOnly ? `${host()?.noApps ? "This host shows no apps: it" : "A client without views"} gets only the text. See the Result tab.` : "This tool has no view. See the Result tab.");
    command("call", { call: id, tool: tool.name, args: given, text: textOnly ? "text-only" : "ui", context: context(), host: hostID() });
    select("result");
    return;
  }
  stage.title(title);
  stage.say("Opening the view…");
  command("open", { call: id, page: pageName, tool: tool.name, args: given, context: context(), policy: $("policy").value, console: !bare, host: hostID(), entry: entry && { type: entry.type, path: entry.path, data } }, data?.length);
}

export function busy(on) {
  $("busy").textContent = on ? "Running…" : "";
  $("cancel").hidden = !on;
}

// resultOf names the call whose result is shown.
export function resultOf(call) {
  const parts = [call.title, past.durationOf(call), clock(call.time).slice(0, 8)];
  $("result-of").textContent = parts.filter(Boolean).join(" · ");
}

// again makes an earlier call again, if the server still has the tool.
function again(made) {
  const tool = state.tools.find((t) => t.name === made.tool);
  if (!tool) return gone(made);
  choose(tool, made.args);
  callFrom(tool, made.args, made.entry);
}

function gone(made) {
  stage.say(`The server no longer has the tool “${made.title}”.`, true);
}

// repeatLast repeats the last call; offerLast offers it on a key.
export function repeatLast() {
  const made = past.last();
  if (made) again(made);
}

export function offerLast() {
  const made = past.last();
  if (made) stage.offer(made.title, () => again(made));
}

past.listen({
  show(made) {
    past.mark(made.id);
    resultOf(made);
    if (made.event?.dropped) $("result").replaceChildren(node("p", { className: "empty-note", textContent: `The result of ${made.event.dropped.toLocaleString()} characters is not kept. Repeat the call to see it.` }));
    else if (made.event) showResult(made.event);
    else $("result").replaceChildren(node("p", { className: "empty-note", textContent: "Waiting for the result…" }));
    log.showOnly(made);
    select("result");
  },
  repeat: again,
  edit(made) {
    const tool = state.tools.find((t) => t.name === made.tool);
    if (!tool) return gone(made);
    choose(tool, made.args);
    $("form").querySelector("#fields input, #fields select, #fields textarea, #call")?.focus();
  },
});

// showTwin opens or closes the second view of light and dark, side by side. It gets the
// recorded input and result: the tool is not called for it.
export function showTwin() {
  $("frames").dataset.both = sideBySide() ? "yes" : "no";
  if (!state.view) return;
  const twins = views.shown().filter((v) => v.twin);
  if (!sideBySide()) for (const twin of twins) views.close(twin.id);
  else if (twins.length === 0 && state.twin !== state.view.id) {
    state.twin = state.view.id;
    command("twin", { view: state.view.id, context: context(undefined, "dark") });
  }
  if (!sideBySide()) state.twin = undefined;
}
