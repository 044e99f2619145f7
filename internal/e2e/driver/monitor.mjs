// The example monitor in the reference host. Input: { chromium, artifacts, url,
// name, versionNegotiation, brief }.
import { hostVariables, main, sleep, withHost } from "./lib.mjs";

const shown = {
  state: "#state", process: "#process", sample: "#sample", window: "#window", notice: "#notice",
  heap: "#heap .now", goroutines: "#goroutines .now", pauses: "#pauses .now", latency: "#latency .now",
};

/** The length of what is drawn in each chart: the paths of its series. */
const drawn = (view) => view.frame.evaluate(() => Object.fromEntries(
  [...document.querySelectorAll("section")].map((s) => [s.id, [...s.querySelectorAll("path.line, path.bars")].reduce((n, p) => n + p.getTotalLength(), 0)])));

/** How many tools/call the view makes within ms. */
async function callsWithin(view, ms) {
  const before = (await view.call("calls")).length;
  await sleep(ms);
  return (await view.call("calls")).length - before;
}

main((input) => withHost(input, async (host) => {
  const { name } = input;
  const server = await host.connect({ versionNegotiation: input.versionNegotiation });
  const report = { protocolVersion: server.protocolVersion, capabilities: server.capabilities, modelTools: server.modelTools };

  const view = await host.open({ tool: "show_monitor", arguments: { seconds: 60 }, width: 1000, hostContext: { theme: "light" } });
  await view.waitForText("#state", "Live");
  await sleep(1500); // time for a line to be a line
  report.initial = await view.texts(shown);
  report.drawn = await drawn(view);
  report.methods = (await view.call("log")).map((m) => [m.from, m.method ?? "response"]);

  // Refresh, with the polling stopped, so that what changes is its doing.
  await view.locator("#pause").click();
  await view.waitForText("#state", "Paused");
  await view.answered();
  report.paused = await view.texts(shown);
  report.callsWhilePaused = await callsWithin(view, 1500);
  const calls = (await view.call("calls")).length;
  await view.locator("#refresh").click();
  await view.frame.waitForFunction((old) => document.querySelector("#sample").innerText !== old, report.paused.sample);
  report.refreshed = await view.texts(shown);
  report.refreshCalls = (await view.call("calls")).slice(calls);
  report.picture = await view.picture(`${name}-light-1000`);
  report.chartPicture = await view.picture(`${name}-chart`, "#heap svg");
  if (input.brief) return { ...report, errors: host.errors };

  // A message that is not the host's changes nothing.
  await view.call("forge", { jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: "forged" } });
  await sleep(200);
  report.noticeAfterForgery = (await view.texts(shown)).notice;

  // Size: the frame fits, wide and narrow, and nothing goes on reporting.
  await view.locator("#pause").click();
  report.wide = await view.settle();
  report.callsWhileLive = await callsWithin(view, 2000);
  await view.call("resize", 320);
  report.narrow = await view.settle();
  const sizes = (await view.call("sizes")).length;
  await sleep(1200);
  report.sizesWhileIdle = (await view.call("sizes")).length - sizes;
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
  report.callsWhileHidden = await callsWithin(view, 1500);
  await view.call("show", true);
  report.callsWhenBack = await callsWithin(view, 2000);

  // A host that begins to refuse calls, and lets them again.
  await view.call("deny", "not allowed by policy");
  await view.waitForText("#notice", "not allowed by policy");
  report.denied = await view.texts(shown);
  report.callsWhileDenied = await callsWithin(view, 1500);
  await view.picture(`${name}-denied`);
  await view.call("deny", null);
  await view.locator("#pause").click();
  await view.waitForText("#state", "Live");
  await view.frame.waitForFunction(() => document.querySelector("#notice").innerText === "");
  report.allowedAgain = await view.texts(shown);

  report.ping = await view.call("ping");
  report.teardown = await view.call("teardown");
  report.callsAfterTeardown = await callsWithin(view, 1500);
  report.closed = await view.texts(shown);
  await view.call("close");

  // A host that lets views call no tools at all.
  const snapshot = await host.open({ tool: "show_monitor", width: 720, hostCapabilities: { openLinks: {} }, hostContext: { theme: "light" } });
  await snapshot.waitForText("#state", "Snapshot");
  report.snapshot = await snapshot.texts(shown);
  report.snapshotCalls = await callsWithin(snapshot, 1200);
  await snapshot.settle();
  await snapshot.picture(`${name}-snapshot`);

  await snapshot.call("close");

  // A host that keeps structuredContent from the view; with tools, and without.
  const text = await host.open({ tool: "show_monitor", omit: ["structuredContent"] });
  await text.waitForText("#heap .now", "B");
  report.textOnly = await text.texts(shown);
  await text.call("close");
  const textSnapshot = await host.open({ tool: "show_monitor", omit: ["structuredContent"], hostCapabilities: {} });
  await textSnapshot.waitForText("#state", "Snapshot");
  await textSnapshot.waitForText("#process", "heap");
  report.textSnapshot = await textSnapshot.texts(shown);
  await textSnapshot.call("close");

  // A call that fails, and a host that refuses the view.
  const failed = await host.open({ tool: "show_monitor", arguments: { seconds: 1 } });
  await failed.waitForText("#state", "Failed");
  report.failed = await failed.texts(shown);
  await failed.call("close");
  const refused = await host.open({ tool: "show_monitor", refuse: "this host knows no such version" });
  await refused.waitForText("#notice", "refused");
  await sleep(200);
  report.refused = await refused.texts(shown);
  report.refusedMethods = (await refused.call("log")).filter((m) => m.from === "view").map((m) => m.method);

  return { ...report, errors: host.errors };
}));
