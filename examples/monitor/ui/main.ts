// The view of the monitor. It calls the server's tools through the host and draws
// the samples as charts.
import {
  App, applyDocumentTheme, applyHostFonts, applyHostStyleVariables,
  type CallToolResult, type McpUiHostContext, type ServerToolResult, type ServerTools,
} from "mcp-app";
import { Chart, type Sample } from "./chart";
import { specs } from "./charts";
import { span } from "./format";

type Process = ServerTools["show_monitor"]["structuredContent"]["process"];

const $ = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const pause = $<HTMLButtonElement>("pause");
const refresh = $<HTMLButtonElement>("refresh");

const state = {
  seconds: 120, // how far the charts look back
  samples: [] as Sample[], // oldest first
  complete: false, // samples includes those from before the view was opened
  process: null as Process | null,
  cursor: null as number | null, // the time under the pointer, in Unix milliseconds
  opened: false, // the tool's result has arrived
  failed: false, // the tool's result is an error
  paused: false,
  denied: false, // the host does not let views call tools
  visible: true, // the view is on screen
  polling: false,
  closed: false,
};

const charts = specs.map((spec) => new Chart(spec, $("charts")));
const app = new App({ name: "monitor", version: "1.0.0" });

// Rendering

function label(): string {
  if (state.closed) return "Closed";
  if (state.failed) return "Failed";
  if (state.denied) return "Snapshot";
  if (state.paused) return "Paused";
  return state.opened ? "Live" : "Connecting";
}

function render(): void {
  const { samples, process, cursor } = state;
  const live = label() === "Live";
  document.body.classList.toggle("live", live);
  $("state").textContent = label();
  pause.innerHTML = state.paused
    ? '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 3v10l8-5z"/></svg>Resume'
    : '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5.5 3v10M10.5 3v10"/></svg>Pause';
  pause.disabled = refresh.disabled = state.denied || state.closed || !state.opened;
  $("window").textContent = `Last ${span(state.seconds)}${live ? ", each second" : ""}`;
  if (!process || !samples.length) return;

  const nearest = (time: number) => samples.reduce((a, b) => (Math.abs(b.time - time) < Math.abs(a.time - time) ? b : a));
  const picked = cursor === null ? null : nearest(cursor);
  const shown = picked ?? samples.at(-1)!;
  const age = span((shown.time - process.started) / 1000);
  $("process").textContent = `pid\u00a0${process.pid} · ${process.goVersion} · GOMAXPROCS\u00a0${process.gomaxprocs} · up\u00a0${age}`;
  $("sample").textContent = `Sample ${shown.seq} at ${new Date(shown.time).toLocaleTimeString()}`;
  for (const chart of charts) chart.render(samples, picked, state.seconds);
}

function notice(text: string): void {
  $("notice").textContent = text;
}

/** Stops the polling and shows the reason. */
function stop(reason: string): void {
  state.paused = true;
  notice(`${reason.replace(/\.$/, "")}. Resume or Refresh tries again.`);
  render();
}

// Samples

function add(process: Process, fresh: Sample[]): void {
  // With another start time this is another process, which numbers its samples from 1 again.
  if (state.process?.started !== process.started) state.samples = [];
  state.process = process;
  const bySeq = new Map([...state.samples, ...fresh].map((s) => [s.seq, s]));
  const sorted = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const oldest = (sorted.at(-1)?.time ?? 0) - state.seconds * 1000;
  state.samples = sorted.filter((s) => s.time >= oldest);
  render();
}

const textOf = (result: CallToolResult) => (result.content ?? []).map((c) => (c.type === "text" ? c.text : "")).join(" ").trim();

/** The structured result. Some hosts omit structuredContent; the SDK sends the same JSON as text. */
function structured<T>(result: CallToolResult & { structuredContent?: T }): T | undefined {
  if (result.structuredContent) return result.structuredContent;
  try {
    return JSON.parse(textOf(result));
  } catch {
    return undefined;
  }
}

async function sample(): Promise<void> {
  const since = state.complete ? state.samples.at(-1)?.seq ?? 0 : 0;
  try {
    const result = await app.callServerTool(
      { name: "sample_metrics", arguments: { since, seconds: state.seconds } },
      { timeout: 30_000 },
    );
    const data = result.isError ? undefined : structured(result);
    if (!data) return stop(`sample_metrics failed: ${textOf(result) || "the result is empty"}`);
    notice("");
    state.complete = true;
    add(data.process, data.samples ?? []);
  } catch (err) {
    stop(`The host did not carry out sample_metrics: ${(err as Error).message}`);
  }
}

/**
 * Takes samples as long as the view is visible: one call at a time, each a second
 * after the previous one.
 */
async function poll(): Promise<void> {
  if (state.polling) return;
  state.polling = true;
  while (state.opened && state.visible && !state.paused && !state.denied && !state.closed) {
    await sample();
    await new Promise((done) => setTimeout(done, 1000));
  }
  state.polling = false;
}

// User input

pause.onclick = () => {
  state.paused = !state.paused;
  render();
  poll();
};
refresh.onclick = () => sample();
for (const chart of charts) {
  chart.onpick = (time) => {
    state.cursor = time;
    render();
  };
}

let onScreen = true;
function updateVisibility(): void {
  state.visible = onScreen && !document.hidden;
  poll();
}
document.addEventListener("visibilitychange", updateVisibility);
new IntersectionObserver(([entry]) => {
  onScreen = entry.isIntersecting;
  updateVisibility();
}).observe($("charts"));
// Redraws the charts when their width changes.
new ResizeObserver(() => requestAnimationFrame(render)).observe($("charts"));

// Host events

function applyContext({ theme, styles }: McpUiHostContext): void {
  if (theme) applyDocumentTheme(theme);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
}

app.onhostcontextchanged = applyContext;
app.ontoolinput = ({ arguments: input }) => {
  if (typeof input?.seconds === "number") state.seconds = input.seconds;
  render();
};
app.ontoolresult = (params) => {
  const result = params as ServerToolResult<"show_monitor">;
  if (result.isError) {
    state.failed = true;
    notice(textOf(result) || "The tool failed.");
    return render();
  }
  state.opened = true;
  const data = structured(result);
  if (data) add(data.process, [data.latest]);
  else if (state.denied) $("process").textContent = textOf(result);
  render();
  poll();
};
app.ontoolcancelled = ({ reason }) => notice(`The call was cancelled${reason ? `: ${reason}` : ""}.`);
app.onteardown = () => {
  state.closed = true;
  render();
  return {};
};

async function connect(): Promise<void> {
  try {
    await app.connect();
  } catch (err) {
    return notice(`The host refused this view: ${(err as Error).message}.`);
  }
  applyContext(app.getHostContext() ?? {});
  if (!app.getHostCapabilities()?.serverTools) {
    state.denied = true;
    notice("This host does not let views call tools, so the figures are from the call that opened this view.");
  }
  render();
}

render();
if (parent === window) {
  notice("This page is the view of an MCP App. It shows the process when a host opens it.");
} else {
  connect();
}
