// The example monitor in the reference host. Input: { chromium, artifacts, url,
// name }, and for the first part alone, once for each in one browser,
// runs: [{ name, versionNegotiation }]. The report is then a list.
import { hostVariables, main, sleep, withHost } from "./lib.mjs";

const shown = {
  state: "#state", process: "#process", sample: "#sample", window: "#window", notice: "#notice",
  heap: "#heap .now", goroutines: "#goroutines .now", pauses: "#pauses .now", latency: "#latency .now",
};

/** The length of what is drawn in each chart: the paths of its series. */
const drawn = (view) => view.frame.evaluate(() => Object.fromEntries(
  [...document.querySelectorAll("section")].map((s) => [s.id, [...s.querySelectorAll("path.line, path.bars")].reduce((n, p) => n + p.getTotalLength(), 0)])));

/**
 * How many tools/call the view makes within ms. By default longer than a live
 * view, which asks a second after the last answer, goes without one.
 */
async function callsWithin(view, ms = 1300) {
  const before = (await view.call("calls")).length;
  await sleep(ms);
  return (await view.call("calls")).length - before;
}

main((input) => withHost(input, async (host) => {
  if (!input.runs) return whole(host, input.name);
  const reports = [];
  for (const { name, versionNegotiation } of input.runs) {
    const { report, view } = await opening(host, name, versionNegotiation);
    await view.call("close");
    reports.push({ ...report, errors: host.errors.splice(0) });
  }
  return reports;
}));

/** Opens the view; what holds however the server is run. */
async function opening(host, name, versionNegotiation) {
  const server = await host.connect({ versionNegotiation });
  const report = { protocolVersion: server.protocolVersion, capabilities: server.capabilities, modelTools: server.modelTools };

  const view = await host.open({ tool: "show_monitor", arguments: { seconds: 60 }, width: 1000, hostContext: { theme: "light" } });
  await view.waitForText("#state", "Live");
  await view.frame.waitForFunction(() => document.querySelector("#heap path.line").getTotalLength() > 20); // a line, no longer a point
  report.initial = await view.texts(shown);
  report.drawn = await drawn(view);
  report.methods = (await view.call("log")).map((m) => [m.from, m.method ?? "response"]);

  // Refresh, with the polling stopped, so that what changes is its doing.
  await view.locator("#pause").click();
  await view.waitForText("#state", "Paused");
  await view.answered();
  report.paused = await view.texts(shown);
  report.callsWhilePaused = await callsWithin(view);
  const calls = (await view.call("calls")).length;
  await view.locator("#refresh").click();
  await view.frame.waitForFunction((old) => document.querySelector("#sample").innerText !== old, report.paused.sample);
  report.refreshed = await view.texts(shown);
  report.refreshCalls = (await view.call("calls")).slice(calls);
  report.picture = await view.picture(`${name}-light-1000`);
  report.chartPicture = await view.picture(`${name}-chart`, "#heap svg");
  return { report, view };
}

async function whole(host, name) {
  const { report, view } = await opening(host, name);

  // A message that is not the host's changes nothing.
  await view.call("forge", { jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: "forged" } });
  await sleep(200);
  report.noticeAfterForgery = (await view.texts(shown)).notice;

  // Size: the frame fits, wide and narrow, and nothing goes on reporting.
  await view.locator("#pause").click();
  report.wide = await view.settle();
  const sizes = (await view.call("sizes")).length;
  report.callsWhileLive = await callsWithin(view, 2000);
  report.sizesWhileIdle = (await view.call("sizes")).length - sizes;
  await view.call("resize", 320);
  report.narrow = await view.settle();
  await view.picture(`${name}-light-320`);

  // Theme and style variables, when the host changes them.
  const background = () => view.frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
  report.backgrounds = { light: await background() };
  await view.call("setContext", { theme: "dark" });
  await sleep(200);
  report.backgrounds.dark = await background();
  await view.picture(`${name}-dark-320`);
  await view.call("resize", 1000);
  await view.settle();
  await view.picture(`${name}-dark-1000`);
  await view.call("setContext", { theme: "dark", styles: { variables: hostVariables } });
  await sleep(200);
  report.backgrounds.host = await background();
  await view.picture(`${name}-host-dark-1000`);
  await view.call("setContext", { theme: "light", styles: { variables: hostVariables } });
  await sleep(200);
  await view.picture(`${name}-host-light-1000`);

  // Out of sight, the view asks for nothing; back in sight, it goes on.
  await view.call("show", false);
  await sleep(500); // until the browser has told the view
  await view.answered();
  report.callsWhileHidden = await callsWithin(view);
  const hidden = (await view.call("calls")).length;
  await view.call("show", true);
  await view.until(async () => (await view.call("calls")).length > hidden);

  // A host that begins to refuse calls, and lets them again.
  await view.call("deny", "not allowed by policy");
  await view.waitForText("#notice", "not allowed by policy");
  report.denied = await view.texts(shown);
  report.callsWhileDenied = await callsWithin(view);
  await view.picture(`${name}-denied`);
  await view.call("deny", null);
  await view.locator("#pause").click();
  await view.waitForText("#state", "Live");
  await view.frame.waitForFunction(() => document.querySelector("#notice").innerText === "");
  report.allowedAgain = await view.texts(shown);

  report.ping = await view.call("ping");
  report.teardown = await view.call("teardown");
  report.closed = await view.texts(shown);

  // Other hosts, and meanwhile that the view asks for nothing any more.
  await Promise.all([
    (async () => { report.callsAfterTeardown = await callsWithin(view); })(),
    noTools(host, report, name),
    noStructuredContent(host, report),
    noStructuredContentNorTools(host, report),
    failingCall(host, report),
    refusingHost(host, report),
  ]);
  return { ...report, errors: host.errors };
}

/** A host that lets views call no tools at all. */
async function noTools(host, report, name) {
  const view = await host.open({ tool: "show_monitor", width: 720, hostCapabilities: { openLinks: {} }, hostContext: { theme: "light" } });
  await view.waitForText("#state", "Snapshot");
  report.snapshot = await view.texts(shown);
  report.snapshotCalls = await callsWithin(view);
  await view.settle();
  await view.picture(`${name}-snapshot`);
}

/** A host that keeps structuredContent from the view. */
async function noStructuredContent(host, report) {
  const view = await host.open({ tool: "show_monitor", omit: ["structuredContent"] });
  await view.waitForText("#heap .now", "B");
  report.textOnly = await view.texts(shown);
}

async function noStructuredContentNorTools(host, report) {
  const view = await host.open({ tool: "show_monitor", omit: ["structuredContent"], hostCapabilities: {} });
  await view.waitForText("#state", "Snapshot");
  await view.waitForText("#process", "heap");
  report.textSnapshot = await view.texts(shown);
}

async function failingCall(host, report) {
  const view = await host.open({ tool: "show_monitor", arguments: { seconds: 1 } });
  await view.waitForText("#state", "Failed");
  report.failed = await view.texts(shown);
}

async function refusingHost(host, report) {
  const view = await host.open({ tool: "show_monitor", refuse: "this host knows no such version" });
  await view.waitForText("#notice", "refused");
  await sleep(200);
  report.refused = await view.texts(shown);
  report.refusedMethods = (await view.call("log")).filter((m) => m.from === "view").map((m) => m.method);
}
