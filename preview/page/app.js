import { actionCard, appResult, showAppTools } from "./actions.js";
import * as args from "./arguments.js";
import * as asking from "./ask.js";
import { $, node } from "./dom.js";
import { select } from "./inspector.js";
import * as log from "./log.js";
import { clearViolations, showPolicy, showViolation } from "./policy.js";
import { showResult } from "./result.js";
import { showFindings, showOutput, showServer } from "./server.js";
import { applyTheme, asked, bare, context, dark, offerModes, size } from "./settings.js";
import { command, listen } from "./stream.js";
import { badges, mark, opensView, showTools } from "./tools.js";
import * as views from "./views.js";

if (bare) asking.unattend();

const root = document.documentElement;
const pageName = asked.get("name") ?? "";
const state = { tools: [], tool: undefined, call: undefined, opening: undefined, view: undefined, calls: 0, down: "" };

function announce(text) {
  $("announce").textContent = text;
}

function banner(text) {
  $("banner").hidden = !text;
  $("banner").textContent = text ?? "";
}

function tellContext() {
  applyTheme();
  if (state.view) command("context", { view: state.view.id, context: context(state.view) });
}

/* Tools and their calls. */

const listTools = () => showTools(state.tools, state.tool, choose);

function choose(tool) {
  state.tool = tool;
  mark(tool);
  describe(tool);
  args.renew(tool.inputSchema);
}

function describe(tool) {
  $("tool-title").textContent = tool.title || tool.name;
  $("tool-badges").replaceChildren(...badges(tool));
  $("tool-description").textContent = tool.problem ? `This tool is treated as one without a view: ${tool.problem}` : (tool.description ?? "");
  $("tool-description").classList.toggle("problem", Boolean(tool.problem));
  if ($("tool-description").scrollHeight > $("tool-description").clientHeight) $("tool-description").tabIndex = 0; // to scroll it by the keys
  else $("tool-description").removeAttribute("tabindex");
}

function callTool(given) {
  banner(state.down);
  const call = String(++state.calls);
  state.call = call;
  const tool = state.tool;
  busy(true);
  $("result").replaceChildren(node("p", { className: "empty-note", textContent: "Waiting for the result…" }));
  clearViolations();
  views.closeAll();
  state.view = state.opening = undefined;
  if ($("client").value === "text-only" || !tool.resourceUri) {
    stage($("client").value === "text-only" ? "A client without views gets the text alone: see Result." : "This tool has no view: see Result.");
    command("call", { call, tool: tool.name, args: given, text: $("client").value });
    select("result");
    return;
  }
  $("mode").value = bare ? "inline" : $("mode").value;
  stage("Opening the view…");
  command("open", { call, page: pageName, tool: tool.name, args: given, context: context(), policy: $("policy").value });
}

function busy(on) {
  $("busy").textContent = on ? "Running…" : "";
  $("cancel").hidden = !on;
}

function stage(text, problem = false) {
  $("stage-empty").hidden = !text;
  $("stage-empty").classList.toggle("problem", problem);
  $("stage-empty").firstElementChild.textContent = text ?? "";
}

/* Events of the preview. */

const handlers = {
  server(event) {
    showServer(event);
    state.down = event.error ? `The server is not connected: ${event.error}. It is started again with the next call, or with “Restart server”.` : "";
    banner(state.down);
    if (event.error && bare) refuse(event.error);
  },
  tools(event) {
    if (event.error) {
      banner(`The tools can't be listed: ${event.error}`);
      if (bare) refuse(event.error);
      return;
    }
    state.tools = event.tools;
    const name = state.tool?.name ?? asked.get("tool");
    const wanted = state.tools.find((t) => t.name === name);
    const before = state.tool;
    listTools();
    if (bare) {
      if (!before) openBare(wanted);
      return;
    }
    if (!before || !wanted) {
      const first = wanted ?? state.tools.find(opensView) ?? state.tools[0];
      if (first) choose(first);
    } else {
      state.tool = wanted;
      describe(wanted);
      args.change(wanted.inputSchema);
      listTools();
    }
  },
  findings: showFindings,
  opening(event) {
    if (event.call === state.call) state.opening = event.view;
  },
  view(event) {
    if (event.view !== state.opening) return command("close", { view: event.view });
    stage("");
    state.view = views.open(event, { title: state.tool.title || state.tool.name, mode: $("mode").value });
    decorate(state.view);
    views.show(state.view, $("mode").value, size());
    showPolicy(event);
    if (!bare) $("stage").scrollIntoView({ block: "nearest" });
  },
  failed(event) {
    if (event.view === state.opening) {
      stage(event.text, true);
      announce(event.text);
      if (bare) fail(event.text);
    }
  },
  ready(event) {
    if (event.view !== state.view?.id) return;
    announce("The view is ready.");
    root.dataset.ready = "yes";
    // A view is in no mode that it did not declare (MCP Apps, Display Modes).
    offerModes(event.modes);
    if ($("mode").selectedOptions[0].disabled) setMode("inline");
    tellContext();
  },
  entry(event) {
    if (event.dir === "to-view" && event.msg) views.deliver(event.view, event.msg);
    log.add(event);
  },
  size(event) {
    views.resize(event.view, event);
    root.dataset.sized = String(event.height);
  },
  mode(event) {
    if (event.view === state.view?.id) setMode(event.mode);
  },
  closed(event) {
    views.closed(event.view);
    if (state.view?.id === event.view) {
      state.view = undefined;
      stage(`The view was closed: ${event.text}. Call the tool to open it again.`);
      if ($("mode").value !== "inline") $("mode").value = "inline";
      offerModes();
    }
  },
  result(event) {
    if (event.call?.startsWith("app ")) {
      appResult(event);
      return;
    }
    if (event.call !== state.call) return;
    busy(false);
    showResult(event);
    root.dataset.result = event.error ? "error" : "ok";
    if (bare && event.error && !state.view) fail(event.error);
    if (event.error && !event.view) {
      stage(`The call failed: ${event.error}`, true);
      select("result");
    }
    announce(event.error ? `The call failed: ${event.error}` : "The result is there.");
  },
  violation(event) {
    const text = showViolation(event.violation);
    if (text) log.add({ view: event.view, dir: "note", time: Date.now(), level: event.violation.level, text });
  },
  ask: asking.ask,
  "ask-again": asking.again,
  asked(event) {
    asking.asked(event);
    handlers.action({ ...event, type: "action" });
  },
  action(event) {
    $("actions-empty").hidden = true;
    $("actions").prepend(actionCard(event));
    $("count-actions").textContent = String($("actions").childElementCount);
    while ($("actions").childElementCount > 200) $("actions").lastElementChild.remove();
  },
  "app-tools"(event) {
    showAppTools(event);
  },
  stderr: showOutput,
  error(event) {
    banner(event.text);
  },
};

// decorate adds the bar with which fullscreen and pip are left.
function decorate(view) {
  const leave = node("button", { type: "button", className: "quiet", textContent: "Back to inline" });
  leave.addEventListener("click", () => userMode("inline"));
  view.box.prepend(node("div", { className: "frame-bar" }, node("span", { textContent: view.frame.title }), leave));
}

function setMode(mode) {
  $("mode").value = mode;
  if (state.view) views.show(state.view, mode, size());
  if (mode !== "inline") state.view?.box.querySelector("button")?.focus();
}

// userMode is a change that the user made: the view is told.
function userMode(mode) {
  setMode(mode);
  if (!state.view) return;
  command("mode", { view: state.view.id, mode });
  tellContext();
}

/* The view alone, for a picture. */

function fail(text) {
  root.dataset.failed = text;
}

// refuse fails for a reason that the preview does not know of.
function refuse(text) {
  fail(text);
  command("failed", { page: pageName, text });
}

function openBare(tool) {
  tool ??= asked.has("tool") ? undefined : state.tools.find(opensView);
  if (!tool) return refuse(asked.has("tool") ? `the server has no tool "${asked.get("tool")}"` : "no tool of the server has a view");
  if (!tool.resourceUri) return refuse(`the tool "${tool.name}" has no view${tool.problem ? `: ${tool.problem}` : ""}`);
  state.tool = tool;
  callTool(JSON.parse(asked.get("args") || "{}"));
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = args.read();
  if (given) callTool(given);
});
$("cancel").addEventListener("click", () => command("cancel", { call: state.call }));
$("restart").addEventListener("click", () => command("restart"));
$("tools-filter").addEventListener("input", listTools);
for (const id of ["theme", "size", "locale"]) $(id).addEventListener("change", tellContext);
$("mode").addEventListener("change", () => userMode($("mode").value));
for (const id of ["policy", "client"]) {
  $(id).addEventListener("change", () => state.tool && state.call && $("form").requestSubmit());
}
dark.addEventListener("change", tellContext);
let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(tellContext, 150);
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && $("mode").value !== "inline") userMode("inline");
});
addEventListener("command-failed", (event) => banner(`The preview did not take a command: ${event.detail}`));
addEventListener("flood", (event) => log.add({ view: event.detail, dir: "note", time: Date.now(), level: "error", text: "The view posts faster than its messages are taken: some are dropped." }));
addEventListener("stray-message", (event) => log.add({ dir: "note", time: Date.now(), level: "warning", text: `Ignored a message of another frame (${event.detail.origin}).${event.detail.more ? " What follows in this second is not shown." : ""}` }));
// What one view sends while another is shown would confuse both.
addEventListener("pagehide", () => views.closeAll());

let cut = false;
listen((event) => handlers[event.type]?.(event), (connection) => {
  if (connection === "open") {
    if (cut) banner("");
    cut = false;
  } else {
    cut = true;
    banner(connection === "closed" ? "The preview does not answer: it was stopped or started anew. Load this page again." : "The connection to the preview is lost; trying again…");
  }
});
