import { actionCard, appResult, showAppTools } from "./actions.js";
import * as address from "./address.js";
import * as args from "./arguments.js";
import * as asking from "./ask.js";
import * as bareView from "./bare.js";
import { busy, call, choose, describe, offerLast, repeatLast, resultOf, showTwin, state } from "./calls.js";
import * as consoleTab from "./console.js";
import { chooseMode, dress, resized, sendContext, setMode } from "./display.js";
import { $, clip } from "./dom.js";
import { addLink, reopen, showEntrypoints } from "./entrypoints.js";
import * as failure from "./failure.js";
import * as past from "./history.js";
import { host, showFacts, showHosts } from "./hosts.js";
import { select } from "./inspector.js";
import * as log from "./log.js";
import * as overlay from "./overlay.js";
import { partials } from "./partial.js";
import { showPolicy, showViolation } from "./policy.js";
import { showResult } from "./result.js";
import { showFindings, showOutput, showServer } from "./server.js";
import { applyHost, bare, dark, offerModes, remember, size } from "./settings.js";
import * as stage from "./stage.js";
import { command, listen } from "./stream.js";
import { opensView, showTools } from "./tools.js";
import * as views from "./views.js";

if (bare) asking.answerAutomatically();

const root = document.documentElement;
let down = "";
let restarting; // what to say of the view if the server does not start again

function announce(text) {
  $("announce").textContent = text;
}

function banner(text) {
  $("banner").hidden = !text;
  $("banner").textContent = clip(text ?? "", 2000);
}

/* Events of the preview. */

const listEntrypoints = () => showEntrypoints(state.tools);
const listTools = () => showTools(state.tools, state.tool, (tool) => choose(tool));

// begin shows the tool of the address when the tools come for the first time. A page
// that was reloaded repeats its call, or offers it.
function begin(wanted) {
  const tool = wanted ?? state.tools.find(opensView) ?? state.tools[0];
  if (!tool) return;
  const repeated = tool === wanted ? address.repeated() : undefined;
  const given = repeated?.args ?? (tool === wanted ? address.givenArguments() : undefined);
  choose(tool, given);
  if (!repeated) return;
  if (tool.unasked) return call(tool, given);
  stage.say("The page was reloaded. This tool does not say that it only reads, so that its call is not repeated by itself.");
  stage.offer(tool.title || tool.name, () => call(tool, given));
}

const restarted = "The server was restarted. Press r to call the tool again; a tool with ReadOnlyHint is called again by itself.";

const handlers = {
  hosts(event) {
    showHosts(event);
    applyHost(true);
    listEntrypoints();
  },
  host: showFacts,
  server(event) {
    showServer(event);
    down = event.error ? `The server is not connected: ${event.error}. The next call or “Restart server” starts it again.` : "";
    banner(down);
    if (!event.error) overlay.connected();
    else if (restarting) {
      stage.say(restarting);
      restarting = undefined;
    }
    if (event.error && bare && !state.call) bareView.failAndReport(event.error); // otherwise the call says so
  },
  tools(event) {
    if (event.error) {
      banner(`The preview can't list the tools: ${event.error}`);
      if (bare) bareView.failAndReport(event.error);
      return;
    }
    state.tools = event.tools;
    const name = state.tool?.name ?? address.query.get("tool");
    const wanted = state.tools.find((t) => t.name === name);
    const before = state.tool;
    listTools();
    listEntrypoints();
    if (bare) {
      if (!before) bareView.open(wanted);
      return;
    }
    if (!before) begin(wanted);
    else if (!wanted) state.tools[0] && choose(state.tools.find(opensView) ?? state.tools[0]);
    else {
      state.tool = wanted;
      describe(wanted);
      args.update(wanted);
      listTools();
    }
  },
  findings: showFindings,
  opening(event) {
    past.opened(event.call, event.view);
    if (event.call === state.call) state.opening = event.view;
  },
  view(event) {
    if (event.twin ? event.twin !== state.view?.id || state.twin !== state.view.id : event.view !== state.opening) return command("close", { view: event.view });
    const view = views.open(event, { title: state.tool.title || state.tool.name, mode: $("mode").value });
    dress(view);
    if (event.twin) {
      past.opened(state.call, event.view);
      sendContext(); // both have half of the width
      return;
    }
    addLink(view);
    stage.say("");
    state.view = view;
    views.show(view, $("mode").value, size());
    showPolicy(event);
    sendContext();
    $("reload").hidden = false;
    if (!bare) $("stage").scrollIntoView({ block: "nearest" });
  },
  failed(event) {
    if (event.view === state.opening) {
      state.opening = undefined;
      stage.say(event.text, true);
      announce(event.text);
      if (bare) bareView.fail(event.text);
    }
  },
  ready(event) {
    failure.recovered();
    if (event.view !== state.view?.id) return;
    announce("The view is ready.");
    root.dataset.ready = "yes";
    // A view must not be in a mode that it did not declare (MCP Apps, Display Modes).
    offerModes(event.modes);
    if ($("mode").selectedOptions[0].disabled) setMode("inline");
    sendContext();
  },
  entry(event) {
    if (event.dir === "to-view" && event.msg) return views.inTurn(event.view, () => record(event), streams(event));
    record(event);
  },
  console(event) {
    consoleTab.add(event);
    if (!bare && event.view && views.shown().some((v) => v.id === event.view)) failure.failed(event);
  },
  size(event) {
    views.resize(event.view, event);
    root.dataset.sized = String(event.height);
  },
  mode(event) {
    if (event.view === state.view?.id) setMode(event.mode);
  },
  reload(event) {
    failure.clear();
    views.reload(event.view);
    if (event.view !== state.view?.id) return;
    stage.updated(event.reason);
    consoleTab.separate(`Updated: ${event.reason ?? "the view"}`);
    if (event.csp) showPolicy(event);
  },
  build: overlay.build,
  crash: overlay.crash,
  restarted(event) {
    if (event.repeat === "called") repeatLast();
    else offerLast();
    if (restarting && event.repeat !== "called") stage.say(restarted);
    restarting = undefined;
  },
  closed(event) {
    views.closed(event.view);
    if (event.view === state.view?.id) {
      stage.measured();
      $("reload").hidden = true;
    }
    if (event.view === state.twin) state.twin = undefined;
    if (state.opening === event.view) {
      state.view = state.opening = undefined;
      const text = `The view was closed: ${event.text}. Call the tool to open it again.`;
      if (!event.restart || down) stage.say(text);
      else if (stage.offers()) stage.say(restarted);
      else {
        restarting = text;
        stage.say("Restarting the server…");
      }
      if ($("mode").value !== "inline") $("mode").value = "inline";
      offerModes();
      showTwin();
      for (const twin of views.shown()) views.close(twin.id);
    }
  },
  result(event) {
    if (event.call?.startsWith("app ")) {
      appResult(event);
      return;
    }
    past.end(event);
    if (event.call !== state.call) return;
    busy(false);
    showResult(event);
    resultOf(past.get(event.call));
    root.dataset.result = event.error ? "error" : "ok";
    if (bare && event.error && !state.view) bareView.fail(event.error);
    if (event.error && !event.view) {
      stage.say(`The call failed: ${event.error}`, true);
      select("result");
    }
    announce(event.error ? `The call failed: ${event.error}` : "The result has arrived.");
  },
  violation(event) {
    if (!bare && views.shown().some((v) => v.id === event.view)) failure.violated(event);
    const text = showViolation(event.violation);
    if (text) record({ view: event.view, dir: "note", time: Date.now(), level: event.violation.level, text });
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

// record delivers a message to its view, and adds it to the record.
function record(event) {
  if (event.dir === "to-view" && event.msg) views.deliver(event.view, event.msg);
  log.add(event);
  past.message(event);
}

// streams returns the partial inputs that the view gets before this message, as from a
// host that shows the view while a model writes the arguments.
function streams(event) {
  if (typeof host()?.partial === "boolean" || $("input").value !== "partial" || event.msg.method !== "ui/notifications/tool-input") return [];
  return partials(event.msg.params?.arguments).map((given) => () => record({ ...event, time: Date.now(), msg: { jsonrpc: "2.0", method: "ui/notifications/tool-input-partial", params: { arguments: given } } }));
}

/* What the user does. */

let typing;
$("form").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const given = args.draft();
    if (given) address.keepArguments(given);
  }, 200);
});
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  const given = args.read();
  if (!given) return;
  banner(down);
  call(state.tool, given);
});
$("cancel").addEventListener("click", () => command("cancel", { call: state.call }));
for (const id of ["restart", "crash-restart"]) $(id).addEventListener("click", () => command("restart"));
$("tools-filter").addEventListener("input", listTools);
for (const id of ["theme", "size", "locale", "safe", "touch", "input"]) $(id).addEventListener("change", sendContext);
$("mode").addEventListener("change", () => chooseMode($("mode").value));
$("reload").addEventListener("click", () => {
  for (const view of views.shown()) command("reload", { view: view.id });
});
$("host-note").addEventListener("click", () => select("host", true));
for (const id of ["host", "policy", "client"]) {
  $(id).addEventListener("change", () => {
    if (id === "host") {
      applyHost();
      listEntrypoints();
    }
    remember();
    if (!reopen() && state.tool && state.call) $("form").requestSubmit();
  });
}
dark.addEventListener("change", sendContext);
addEventListener("resize", resized);
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

/* What tests call. */

export * as arguments from "./arguments.js";
export * as console from "./console.js";
export * as failure from "./failure.js";
export * as form from "./form.js";
export * as history from "./history.js";
export * as life from "./life.js";
export * as log from "./log.js";
export * as overlay from "./overlay.js";
export * as partial from "./partial.js";
export * as result from "./result.js";
export * as server from "./server.js";
export * as settings from "./settings.js";
export * as stage from "./stage.js";
export * as views from "./views.js";
