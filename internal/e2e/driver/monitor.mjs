// The example monitor in the reference host. Input: { url, name, pictures }, the last for
// pictures that only people look at; or { url, runs:
// [{ name, versionNegotiation }] }, for which only the first part is done, once for
// each run, and the report is a list.
import { sleep, withHost } from "./lib.mjs";

const shown = {
  state: "#state", process: "#process", sample: "#sample", window: "#window", notice: "#notice",
  heap: "#heap .now", goroutines: "#goroutines .now", pauses: "#pauses .now", latency: "#latency .now",
};

/** The length of the lines in each chart, in pixels. */
const drawn = (view) => view.frame.evaluate(() => Object.fromEntries(
  [...document.querySelectorAll("section")].map((s) => [s.id, [...s.querySelectorAll("path.line, path.bars")].reduce((n, p) => n + p.getTotalLength(), 0)])));

/**
 * The number of tools/call requests of the view within 1.3 s. A live view sends
 * one a second after the last answer.
 */
async function callsWithin(view) {
  const before = (await view.call("calls")).length;
  await sleep(1300);
  return (await view.call("calls")).length - before;
}

export default (input) => withHost(input, async (host) => {
  if (!input.runs) return whole(host, input);
  const reports = [];
  for (const { name, versionNegotiation } of input.runs) {
    const { report, view } = await opening(host, name, versionNegotiation);
    await view.call("close");
    reports.push({ ...report, errors: host.errors.splice(0) });
  }
  return reports;
});

/** Opens the view: the part that is the same with and without sessions. */
async function opening(host, name, versionNegotiation) {
  const server = await host.connect({ versionNegotiation });
  const report = { protocolVersion: server.protocolVersion, capabilities: server.capabilities, modelTools: server.modelTools };

  const view = await host.open({ tool: "show_monitor", arguments: { seconds: 60 }, width: 1000, hostContext: { theme: "light" } });
  await view.waitForText("#state", "Live");
  await view.frame.waitForFunction(() => document.querySelector("#heap path.line").getTotalLength() > 20); // a line, no longer a point
  report.initial = await view.texts(shown);
  report.drawn = await drawn(view);
  report.methods = (await view.call("log")).map((m) => [m.from, m.method ?? "response"]);

  // Refresh while the polling is paused, so that only Refresh changes the figures.
  await view.locator("#pause").click();
  await view.waitForText("#state", "Paused");
  await view.answered();
  report.paused = await view.texts(shown);
  report.callsWhilePaused = await callsWithin(view);
  const calls = (await view.call("calls")).length;
  const refresh = async (from) => {
    await view.locator("#refresh").click();
    await view.frame.waitForFunction((old) => document.querySelector("#sample").innerText !== old, from.sample);
    return view.texts(shown);
  };
  report.refreshed = await refresh(report.paused);
  report.refreshCalls = (await view.call("calls")).slice(calls);
  // An idle server may have the same figures again.
  const figures = ({ heap, goroutines, latency }) => [heap, goroutines, latency].join();
  for (let i = 0; i < 5 && figures(report.refreshed) === figures(report.paused); i++) {
    await sleep(1100); // the server takes at most one sample a second
    report.refreshed = await refresh(report.refreshed);
  }
  report.picture = await view.picture(`${name}-light-1000`);
  report.chartPicture = await view.picture(`${name}-chart`, "#heap svg");
  return { report, view };
}

async function whole(host, { name, pictures }) {
  const { report, view } = await opening(host, name);

  // The view ignores a message that is not from the host.
  await view.call("forge", { jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: "forged" } });
  await view.frames(5);
  report.noticeAfterForgery = (await view.texts(shown)).notice;

  // Size: the frame fits, wide and narrow, and an idle view reports no sizes.
  await view.locator("#pause").click();
  report.wide = await view.settle();
  const sizes = (await view.call("sizes")).length;
  await callsWithin(view);
  report.sizesWhileIdle = (await view.call("sizes")).length - sizes;
  await view.call("resize", 320);
  report.narrow = await view.settle();
  if (pictures) await view.picture(`${name}-light-320`);

  // A hidden view calls no tools, and continues when it is visible again. The
  // browser decides how soon the view learns of either.
  await view.call("show", false);
  for (let i = 0; i < 10 && (report.callsWhileHidden = await callsWithin(view)) > 0; i++);
  const hidden = (await view.call("calls")).length;
  await view.call("show", true);
  await view.until(async () => (await view.call("calls")).length > hidden);

  report.ping = await view.call("ping");
  report.teardown = await view.call("teardown");
  report.closed = await view.texts(shown);

  // Other hosts. Meanwhile the closed view calls no tools.
  await Promise.all([
    (async () => { report.callsAfterTeardown = await callsWithin(view); })(),
    noTools(host, report, pictures && `${name}-snapshot`),
    textAlone(host, report),
    refusingHost(host, report),
  ]);
  return { ...report, errors: host.errors };
}

/** A host without the capability serverTools. */
async function noTools(host, report, picture) {
  const view = await host.open({ tool: "show_monitor", width: 720, hostCapabilities: { openLinks: {} }, hostContext: { theme: "light" } });
  await view.waitForText("#state", "Snapshot");
  report.snapshot = await view.texts(shown);
  report.snapshotCalls = await callsWithin(view);
  if (!picture) return;
  await view.settle();
  await view.picture(picture);
}

/** A host that removes all but the text of results, and lets views call no tools. */
async function textAlone(host, report) {
  const view = await host.open({ tool: "show_monitor", omit: ["structuredContent", "_meta"], hostCapabilities: {} });
  await view.waitForText("#state", "Snapshot");
  await view.waitForText("#process", "heap");
  report.textSnapshot = await view.texts(shown);
}

async function refusingHost(host, report) {
  const view = await host.open({ tool: "show_monitor", refuse: "this host knows no such version" });
  await view.waitForText("#notice", "refused");
  await sleep(200);
  report.refused = await view.texts(shown);
  report.refusedMethods = (await view.call("log")).filter((m) => m.from === "view").map((m) => m.method);
}
