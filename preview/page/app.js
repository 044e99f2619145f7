import { actionCard, appResult, showAppTools } from "./actions.js";
import * as args from "./arguments.js";
import * as asking from "./ask.js";
import { $, clip, node } from "./dom.js";
import { select } from "./inspector.js";
import * as log from "./log.js";
import { clearViolations, showPolicy, showViolation } from "./policy.js";
import { showResult } from "./result.js";
import { showFindings, showOutput, showServer } from "./server.js";
import { applyTheme, bare, context, dark, offerModes, query, size } from "./settings.js";
import { command, listen } from "./stream.js";
import { badges, mark, opensView, showTools } from "./tools.js";
import * as views from "./views.js";

if (bare) asking.answerAutomatically();

const root = document.documentElement;
const pageName = query.get("name") ?? "";
const state = { tools: [], tool: undefined, call: undefined, opening: undefined, view: undefined, calls: 0, down: "" };

function announce(text) {
  $("announce").textContent = text;
}

function banner(text) {
  $("banner").hidden = !text;
  $("banner").textContent = clip(text ?? "", 2000);
}

function sendContext() {
  applyTheme();
  if (state.view) command("context", { view: state.view.id, context: context(state.view) });
}

/* Tools and their calls. */

const listTools = () => showTools(state.tools, state.tool, choose);

function choose(tool) {
  state.tool = tool;
  mark(tool);
  describe(tool);
  args.reset(tool);
}

function describe(tool) {
  $("tool-title").textContent = clip(tool.title || tool.name, 200);
  $("tool-badges").replaceChildren(...badges(tool));
  $("tool-description").textContent = tool.problem ? `The preview treats this tool as one without a view: ${tool.problem}` : clip(tool.description ?? "", 10000);
  $("tool-description").classList.toggle("problem", Boolean(tool.problem));
  if ($("tool-description").scrollHeight > $("tool-description").clientHeight) $("tool-description").tabIndex = 0; // so that keys can scroll it
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
    stage($("client").value === "text-only" ? "A client without views gets only the text. See the Result tab." : "This tool has no view. See the Result tab.");
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
  hint("");
  $("stage-empty").hidden = !text;
  $("stage-empty").classList.toggle("problem", problem);
  $("stage-empty").firstElementChild.textContent = clip(text ?? "", 2000);
}

// hint says below the view what the view has not sent.
function hint(text) {
  $("hint").hidden = !text;
  $("hint").textContent = text;
}

/* Events of the preview. */

const handlers = {
  server(event) {
    showServer(event);
    state.down = event.error ? `The server is not connected: ${event.error}. The next call or “Restart server” starts it again.` : "";
    banner(state.down);
    if (event.error && bare && !state.call) failAndReport(event.error); // otherwise the call says so
  },
  tools(event) {
    if (event.error) {
      banner(`The preview can't list the tools: ${event.error}`);
      if (bare) failAndReport(event.error);
      return;
    }
    state.tools = event.tools;
    const name = state.tool?.name ?? query.get("tool");
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
      args.update(wanted);
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
    addFrameBar(state.view);
    views.show(state.view, $("mode").value, size());
    showPolicy(event);
    if (!bare) $("stage").scrollIntoView({ block: "nearest" });
  },
  failed(event) {
    if (event.view === state.opening) {
      state.opening = undefined;
      stage(event.text, true);
      announce(event.text);
      if (bare) fail(event.text);
    }
  },
  ready(event) {
    if (event.view !== state.view?.id) return;
    announce("The view is ready.");
    root.dataset.ready = "yes";
    // A view must not be in a mode that it did not declare (MCP Apps, Display Modes).
    offerModes(event.modes);
    if ($("mode").selectedOptions[0].disabled) setMode("inline");
    sendContext();
  },
  entry(event) {
    if (event.dir === "to-view" && event.msg) views.deliver(event.view, event.msg);
    log.add(event);
  },
  hint(event) {
    if (event.text) log.add({ view: event.view, dir: "note", time: event.time, level: "warning", text: event.text });
    if (event.view === state.view?.id) hint(event.text);
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
    if (state.opening === event.view) {
      state.view = state.opening = undefined;
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
    announce(event.error ? `The call failed: ${event.error}` : "The result has arrived.");
  },
  violation(event) {
    const text = showViolation(event.violation);
    if (text) log.add({ view: event.view, dir: "note", time: Date.now(), level: event.violation.level, text });
  },
  ask: asking.ask,
  "ask-again": asking.rejected,
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

// addFrameBar adds the bar that leads from fullscreen and pip back to inline.
function addFrameBar(view) {
  const leave = node("button", { type: "button", className: "quiet", textContent: "Back to inline" });
  leave.addEventListener("click", () => chooseMode("inline"));
  view.box.prepend(node("div", { className: "frame-bar" }, node("span", { textContent: view.frame.title }), leave));
}

function setMode(mode) {
  $("mode").value = mode;
  if (state.view) views.show(state.view, mode, size());
  if (mode !== "inline") state.view?.box.querySelector("button")?.focus();
}

// chooseMode sets the mode that the user chose, and tells the view.
function chooseMode(mode) {
  setMode(mode);
  if (!state.view) return;
  command("mode", { view: state.view.id, mode });
  sendContext();
}

/* The view alone, for a screenshot. */

function fail(text) {
  root.dataset.failed = text;
}

// failAndReport fails for a reason that the preview does not know yet.
function failAndReport(text) {
  fail(text);
  command("failed", { page: pageName, text });
}

function openBare(tool) {
  tool ??= query.has("tool") ? undefined : state.tools.find(opensView);
  if (!tool) return failAndReport(query.has("tool") ? `the server has no tool "${query.get("tool")}"` : "no tool of this server opens a view");
  if (!tool.resourceUri) return failAndReport(`the tool "${tool.name}" has no view${tool.problem ? `: ${tool.problem}` : ""}`);
  state.tool = tool;
  callTool(JSON.parse(query.get("args") || "{}"));
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const given = args.read();
  if (given) callTool(given);
});
$("cancel").addEventListener("click", () => command("cancel", { call: state.call }));
$("restart").addEventListener("click", () => command("restart"));
$("tools-filter").addEventListener("input", listTools);
for (const id of ["theme", "size", "locale"]) $(id).addEventListener("change", sendContext);
$("mode").addEventListener("change", () => chooseMode($("mode").value));
for (const id of ["policy", "client"]) {
  $(id).addEventListener("change", () => state.tool && state.call && $("form").requestSubmit());
}
dark.addEventListener("change", sendContext);
let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(sendContext, 150);
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && $("mode").value !== "inline") chooseMode("inline");
});
addEventListener("command-failed", (event) => banner(`A command to the preview failed: ${event.detail}`));
addEventListener("flood", (event) => log.add({ view: event.detail, dir: "note", time: Date.now(), level: "error", text: "The view posts messages faster than the preview handles them. Some are dropped." }));
addEventListener("stray-message", (event) => log.add({ dir: "note", time: Date.now(), level: "warning", text: `Ignored a message from another frame (${event.detail.origin}).${event.detail.more ? " Further ones in this second are not shown." : ""}` }));
// A page that is left closes its views. Otherwise the preview would close them only
// after it has waited for the page's stream to come back.
addEventListener("pagehide", () => views.closeAll());

let disconnected = false;
function handle(event) {
  try {
    handlers[event.type]?.(event);
  } catch (error) {
    // Only what a server or a view made up should do that.
    banner(`The page can't show an event of the kind “${event.type}”: ${error.message}`);
    console.error(error);
  }
}

listen(handle, (connection) => {
  if (connection === "open") {
    if (disconnected) banner("");
    disconnected = false;
  } else {
    disconnected = true;
    banner(connection === "closed" ? "The preview does not answer: it was stopped or restarted. Reload this page." : "The connection to the preview is lost. Reconnecting…");
  }
});
