import { actionCard, appResult, showAppTools } from "./actions.js";
import { $, node } from "./dom.js";
import { build } from "./form.js";
import { select } from "./inspector.js";
import * as log from "./log.js";
import { showResult } from "./result.js";
import { command, listen } from "./stream.js";
import { styles } from "./theme.js";
import * as views from "./views.js";

const asked = new URLSearchParams(location.search);
const bare = asked.has("bare"); // the view alone, for a picture
const root = document.documentElement;
if (bare) root.classList.add("bare");

const state = { tools: [], tool: undefined, form: undefined, json: false, call: undefined, view: undefined, calls: 0, results: new Map() };

function announce(text) {
  $("announce").textContent = text;
}

function banner(text) {
  $("banner").hidden = !text;
  $("banner").textContent = text ?? "";
}

/* What the view is told about its host. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => ($("theme").value === "system" ? (dark.matches ? "dark" : "light") : $("theme").value);

function applyTheme() {
  root.dataset.theme = theme();
}

function context() {
  const view = state.view;
  const size = bare ? "bare" : $("size").value;
  let containerDimensions = bare ? { width: innerWidth, height: innerHeight } : { width: Math.floor($("frames").clientWidth), maxHeight: 1200 };
  if (view) containerDimensions = views.show(view, $("mode").value, size);
  const c = {
    theme: theme(),
    styles: styles(theme()),
    displayMode: $("mode").value,
    availableDisplayModes: ["inline", "fullscreen", "pip"],
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

function tellContext() {
  applyTheme();
  if (state.view) command("context", { view: state.view.id, context: context() });
}

/* Tools and the form. */

// opensView tells the tools that open a view from those that a view calls.
const opensView = (tool) => tool.resourceUri && tool.visibleToModel;

function showTools() {
  const words = $("tools-filter").value.toLowerCase();
  const shown = state.tools.filter((t) => `${t.name} ${t.title ?? ""} ${t.description ?? ""}`.toLowerCase().includes(words));
  $("tools-count").textContent = state.tools.length ? String(state.tools.length) : "";
  $("tools").replaceChildren(...shown.map((tool) => {
    const button = node("button", { type: "button", className: "tool", dataset: { tool: tool.name } },
      node("span", { className: "tool-name", textContent: tool.title ?? tool.name }),
      tool.title && tool.title !== tool.name ? node("code", { textContent: tool.name }) : undefined,
      node("span", { className: "badges" }, ...badges(tool)));
    if (tool === state.tool) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => choose(tool));
    return node("li", {}, button);
  }));
  if (state.tools.length > 0 && shown.length === 0) $("tools").append(node("li", { className: "empty-note", textContent: "No tool matches." }));
}

function badges(tool) {
  const list = [];
  if (tool.problem) list.push(node("span", { className: "badge error", textContent: "metadata" }));
  if (tool.resourceUri) list.push(node("span", { className: "badge view", textContent: "view" }));
  if (!tool.visibleToModel && tool.callableByApp) list.push(node("span", { className: "badge", textContent: "app only" }));
  if (tool.visibleToModel && !tool.callableByApp) list.push(node("span", { className: "badge", textContent: "model only" }));
  if (!tool.visibleToModel && !tool.callableByApp) list.push(node("span", { className: "badge error", textContent: "nobody" }));
  return list;
}

function choose(tool) {
  state.tool = tool;
  for (const b of document.querySelectorAll("button.tool")) {
    if (b.dataset.tool === tool.name) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  }
  $("tool-title").textContent = tool.title ?? tool.name;
  $("tool-badges").replaceChildren(...badges(tool));
  $("tool-description").textContent = tool.problem ? `This tool is treated as one without a view: ${tool.problem}` : (tool.description ?? "");
  $("tool-description").classList.toggle("problem", Boolean(tool.problem));
  state.form = build(tool.inputSchema ?? {});
  $("fields").replaceChildren(state.form.box);
  if (!$("fields").childElementCount) $("fields").append(node("p", { className: "muted", textContent: "This tool takes no arguments." }));
  $("json").value = "{}";
  setJSON(false);
  $("form").hidden = false;
}

function setJSON(on) {
  if (on && !state.json) {
    try {
      $("json").value = JSON.stringify(state.form.read(), null, 2);
    } catch {
      return; // the field says what is wrong
    }
  }
  state.json = on;
  $("as-json").setAttribute("aria-pressed", String(on));
  $("as-form").setAttribute("aria-pressed", String(!on));
  $("json-field").hidden = !on;
  $("fields").hidden = on;
}

function argumentsOf() {
  if (!state.json) return state.form.read();
  $("json-error").textContent = "";
  try {
    const args = JSON.parse($("json").value || "{}");
    if (typeof args !== "object" || args === null || Array.isArray(args)) throw new Error("Arguments are a JSON object.");
    return args;
  } catch (problem) {
    $("json-error").textContent = problem.message;
    $("json").focus();
    throw problem;
  }
}

function callTool(args) {
  const call = String(++state.calls);
  state.call = call;
  const tool = state.tool;
  busy(true);
  $("result").replaceChildren(node("p", { className: "empty-note", textContent: "Waiting for the result…" }));
  $("violations").replaceChildren();
  $("violations-empty").hidden = false;
  $("count-policy").textContent = "";
  views.closeAll();
  state.view = state.opening = undefined;
  if ($("client").value === "text-only" || !tool.resourceUri) {
    stage($("client").value === "text-only" ? "A client without views gets the text alone: see Result." : "This tool has no view: see Result.");
    command("call", { call, tool: tool.name, args, text: $("client").value });
    select("result");
    return;
  }
  $("mode").value = bare ? "inline" : $("mode").value;
  stage("Opening the view…");
  command("open", { call, tool: tool.name, args, context: context(), policy: $("policy").value });
}

function busy(on) {
  $("busy").textContent = on ? "Running…" : "";
  $("cancel").hidden = !on || !state.view;
}

function stage(text, problem = false) {
  $("stage-empty").hidden = !text;
  $("stage-empty").classList.toggle("problem", problem);
  $("stage-empty").firstElementChild.textContent = text ?? "";
}

/* Events of the preview. */

const handlers = {
  server(event) {
    $("server").textContent = event.info ? `${event.info.title ?? event.info.name} ${event.info.version ?? ""} · ${event.target}` : event.target;
    $("dot").dataset.state = event.error ? "down" : "up";
    banner(event.error ? `The server is not connected: ${event.error}. It is started again with the next call, or with “Restart server”.` : "");
    if (event.error && bare) fail(event.error);
    facts($("server-info"), {
      Target: event.target,
      Server: event.info ? `${event.info.name} ${event.info.version ?? ""}` : undefined,
      "MCP version": event.protocolVersion,
      "Declares MCP Apps": event.info ? (event.declaresUI ? "yes" : "no; hosts do not need it") : undefined,
      Instructions: event.instructions || undefined,
    });
  },
  tools(event) {
    if (event.error) {
      banner(`The tools can't be listed: ${event.error}`);
      if (bare) fail(event.error);
      return;
    }
    state.tools = event.tools;
    const name = state.tool?.name ?? asked.get("tool");
    const wanted = state.tools.find((t) => t.name === name);
    const before = state.tool;
    showTools();
    if (bare) {
      if (!before) openBare(wanted);
      return;
    }
    if (!before || !wanted) {
      const first = wanted ?? state.tools.find(opensView) ?? state.tools[0];
      if (first) choose(first);
    } else {
      state.tool = wanted;
      showTools();
    }
  },
  findings(event) {
    const list = event.findings ?? [];
    $("findings").replaceChildren(node("h3", { textContent: "Findings" }),
      event.error ? node("p", { className: "problem", textContent: event.error }) : "",
      list.length ? node("ul", { className: "cards" }, ...list.map((f) => node("li", { className: f.level },
        node("strong", { textContent: f.place }), node("p", { textContent: f.message }), f.remedy ? node("p", { className: "remedy", textContent: f.remedy }) : ""))) : node("p", { className: "empty-note", textContent: "Nothing to report." }));
    $("count-server").textContent = list.length ? String(list.length) : "";
  },
  opening(event) {
    if (event.call === state.call) state.opening = event.view;
  },
  view(event) {
    if (event.view !== state.opening) return command("close", { view: event.view });
    stage("");
    state.view = views.open(event, { title: state.tool.title ?? state.tool.name, mode: $("mode").value });
    decorate(state.view);
    views.show(state.view, $("mode").value, bare ? "bare" : $("size").value);
    $("policy-text").replaceChildren(...event.csp.split("; ").map((d) => {
      const [name, ...sources] = d.split(" ");
      return node("li", {}, node("code", { textContent: name }), " ", node("span", { textContent: sources.join(" ") }));
    }));
    busy($("busy").textContent !== "");
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
    if (event.view === state.view?.id) {
      announce("The view is ready.");
      root.dataset.ready = "yes";
      tellContext();
    }
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
    const v = event.violation;
    $("violations-empty").hidden = true;
    const key = `${v.directive} ${v.blocked} ${v.line ?? ""}`;
    let item = [...$("violations").children].find((c) => c.dataset.key === key);
    if (item) {
      item.dataset.times = String(Number(item.dataset.times) + 1);
      item.querySelector(".times").textContent = `${item.dataset.times} times`;
      return;
    }
    const where = v.line ? `line ${v.line}, column ${v.column ?? 0}` : "";
    item = node("li", { className: v.level, dataset: { key, times: "1" } },
      node("p", { className: "card-head" }, node("strong", { textContent: v.directive }), " stopped ", node("code", { textContent: v.blocked || "the view" }), node("span", { className: "times muted" })),
      where ? node("p", { className: "muted", textContent: where }) : "",
      v.sample ? node("pre", { textContent: v.sample }) : "",
      node("p", { className: "remedy", textContent: v.remedy }));
    $("violations").append(item);
    const problems = [...$("violations").children].filter((c) => c.classList.contains("error")).length;
    $("count-policy").textContent = problems ? String(problems) : "";
    log.add({ view: event.view, dir: "note", time: Date.now(), level: v.level, text: `Policy: ${v.directive} stopped ${v.blocked}. ${v.remedy}` });
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
  stderr(event) {
    const out = $("stderr");
    out.append(`${event.text}\n`);
    if (out.textContent.length > 200000) out.textContent = out.textContent.slice(-100000);
    out.scrollTop = out.scrollHeight;
  },
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
  if (state.view) views.show(state.view, mode, $("size").value);
  if (mode !== "inline") state.view?.box.querySelector("button")?.focus();
}

// userMode is a change that the user made: the view is told.
function userMode(mode) {
  setMode(mode);
  if (!state.view) return;
  command("mode", { view: state.view.id, mode });
  tellContext();
}

function facts(list, pairs) {
  list.replaceChildren(...Object.entries(pairs).filter(([, v]) => v !== undefined).flatMap(([k, v]) => [node("dt", { textContent: k }), node("dd", { textContent: v })]));
}

/* The view alone, for a picture. */

function fail(text) {
  root.dataset.failed = text;
}

function openBare(tool) {
  tool ??= asked.has("tool") ? undefined : state.tools.find(opensView);
  if (!tool) return fail(asked.has("tool") ? `the server has no tool "${asked.get("tool")}"` : "no tool of the server has a view");
  if (!tool.resourceUri) return fail(`the tool "${tool.name}" has no view${tool.problem ? `: ${tool.problem}` : ""}`);
  state.tool = tool;
  callTool(JSON.parse(asked.get("args") || "{}"));
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  let args;
  try {
    args = argumentsOf();
  } catch {
    return;
  }
  callTool(args);
});
$("as-form").addEventListener("click", () => setJSON(false));
$("as-json").addEventListener("click", () => setJSON(true));
$("cancel").addEventListener("click", () => state.view && command("cancel", { view: state.view.id }));
$("restart").addEventListener("click", () => command("restart"));
$("tools-filter").addEventListener("input", showTools);
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
addEventListener("stray-message", (event) => log.add({ dir: "note", time: Date.now(), level: "warning", text: `Ignored a message of another frame (${event.detail}).` }));
// What one view sends while another is shown would confuse both.
addEventListener("pagehide", () => views.closeAll());

$("theme").value = ["light", "dark"].includes(asked.get("theme")) ? asked.get("theme") : "system";
if (asked.get("policy") === "loose") $("policy").value = "loose";
$("locale").value = asked.get("locale") ?? navigator.language;
applyTheme();

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
