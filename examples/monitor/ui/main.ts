// The view of the monitor. It follows the server's samples and draws them as charts.
import {
  App, applyDocumentTheme, applyHostFonts, applyHostStyleVariables,
  type CallToolResult, type McpUiHostContext, type ServerToolResult, type ServerTools,
} from "mcp-app";
import { resultData, subscribe, viewState, type Subscription, type ViewState } from "mcp-app/data";
import { Chart, type Sample } from "./chart";
import { specs } from "./charts";
import { span } from "./format";

type Process = ServerTools["show_monitor"]["structuredContent"]["process"];
/** ShowData of the server. */
type ShowData = { process: Process; samples: Sample[]; state: string };
/** Live of the server. */
type Live = { started: number; samples: Sample[] };

const $ = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const pause = $<HTMLButtonElement>("pause");
const refresh = $<HTMLButtonElement>("refresh");

const state = {
  seconds: 120, // how far the charts look back
  samples: [] as Sample[], // oldest first
  complete: false, // samples has those from before the view was opened
  process: null as Process | null,
  cursor: null as number | null, // the time under the pointer, in Unix milliseconds
  opened: false, // the tool's result has arrived, or will not
  failed: false, // the tool's result is an error
  paused: false,
  stale: false, // the host does not carry out the calls
  denied: false, // the host does not let views call tools
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
  if (state.stale) return "Stale";
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

function addWindow({ process, samples }: ShowData): void {
  state.complete = true;
  add(process, samples);
}

const textOf = (result: CallToolResult) => (result.content ?? []).map((c) => (c.type === "text" ? c.text : "")).join(" ").trim();

let fetching = false;

/** Adds the newest samples. If some before them are missing, it fetches the window. */
async function update({ started, samples }: Live): Promise<void> {
  const last = state.samples.at(-1)?.seq ?? 0;
  if (state.complete && state.process?.started === started && samples[0].seq <= last + 1) return add(state.process, samples);
  if (fetching) return;
  fetching = true;
  try {
    const result = await app.callServerTool({ name: "show_monitor_data", arguments: { seconds: state.seconds } });
    if (result.isError) throw new Error(textOf(result));
    const { data } = JSON.parse(textOf(result)) as { data: ShowData };
    addWindow(data);
  } catch (err) {
    notice(`The older samples are missing: ${(err as Error).message}`);
  }
  fetching = false;
}

const failure = (error: Error) => notice(`The host did not carry out sample_metrics: ${error.message.replace(/\.$/, "")}. Refresh tries again.`);

let live: Subscription | undefined;

/** Follows the samples while the charts are visible, unless the view is paused. */
function follow(): void {
  if (live || !state.opened || state.paused || state.denied || state.closed) return;
  live = subscribe<Live>(app, {
    tool: "sample_metrics",
    element: $("charts"),
    onvalue: update,
    onstate: ({ state: now, error }) => {
      if (error?.missing) return deny();
      state.stale = !!error;
      if (error) failure(error);
      else if (now === "live") notice("");
      render();
    },
  });
}

/** Takes one sample. */
function sample(): void {
  const once = subscribe<Live>(app, {
    tool: "sample_metrics",
    onvalue: (value) => {
      once.stop();
      notice("");
      update(value);
    },
    onstate: ({ error }) => {
      if (!error) return;
      once.stop();
      if (error.missing) deny();
      else failure(error);
    },
  });
}

function unfollow(): void {
  live?.stop();
  live = undefined;
  state.stale = false;
}

/** Leaves what there is, in a host in which views can't call tools. */
function deny(): void {
  state.denied = true;
  unfollow();
  notice("This host does not let views call tools, so the figures are from the call that opened this view.");
  render();
}

// User input

/** Whether the view is paused. The server keeps it, for a view that is opened again. */
let choice: ViewState<{ paused?: boolean }> | undefined;

function setPaused(paused: boolean): void {
  state.paused = paused;
  if (paused) unfollow();
  else follow();
  render();
}

pause.onclick = () => {
  setPaused(!state.paused);
  choice?.set({ paused: state.paused });
};
refresh.onclick = () => (live ? live.refresh() : sample());
for (const chart of charts) {
  chart.onpick = (time) => {
    state.cursor = time;
    render();
  };
}

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
  // What there is to show in a host that lets views call no tools.
  const { isError, structuredContent: out } = params as ServerToolResult<"show_monitor">;
  if (!isError && out && !state.process) add(out.process, [out.latest]);
};
resultData<ShowData>(app, async ({ data, missing, error, retry, text }) => {
  state.failed = !!error && !retry;
  if (error) notice(error.message);
  if (state.failed) return render();
  if (data) addWindow(data);
  else if (missing && !state.process) $("process").textContent = text;
  if (missing === "host") return deny();
  if (data && !choice) {
    choice = viewState<{ paused?: boolean }>(app, data.state, { onchange: ({ paused }) => setPaused(!!paused) });
    await choice.load().catch(() => {}); // an error does not keep the view from being live
  }
  state.opened = true;
  setPaused(state.paused);
}, { tool: "show_monitor_data" });
app.onteardown = async () => {
  state.closed = true;
  unfollow();
  render();
  await choice?.flush().catch(() => {});
  return {};
};

async function connect(): Promise<void> {
  try {
    await app.connect();
  } catch (err) {
    return notice(`The host refused this view: ${(err as Error).message}.`);
  }
  applyContext(app.getHostContext() ?? {});
  render();
}

render();
if (parent === window) {
  notice("This page is the view of an MCP App. It shows the process when a host opens it.");
} else {
  connect();
}
