// The views of two backends behind a gateway, in the reference host. Input: { url,
// monitor, system, versionNegotiation }: the common endpoint and, for the whole, that of
// each backend.
import { withHost } from "./lib.mjs";

/** Sends a tools/call from a view that does not keep to its own server's tools. */
const callFrom = (view, name) => view.frame.evaluate((name) => new Promise((done) => {
  const id = `hostile-${name}`;
  addEventListener("message", ({ data }) => { if (data?.id === id) done(data); });
  parent.postMessage({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {} } }, "*");
}), name);

/** The answers to a call of each tool: "error: …", "result" or "failed: …". */
async function attempts(view, names) {
  const answers = {};
  for (const name of names) {
    const { result, error } = await callFrom(view, name);
    answers[name] = error ? `error: ${error.message}` : result.isError ? `failed: ${result.content[0].text}` : "result";
  }
  return answers;
}

const all = ["show_monitor", "sample_metrics", "get-system-info", "poll-system-stats"];

async function openMonitor(host) {
  const view = await host.open({ tool: "show_monitor", width: 1000 });
  await view.waitForText("#process", "go1");
  return view;
}

async function openSystem(host) {
  const view = await host.open({ tool: "get-system-info", width: 500 });
  await view.waitForText("#info-platform", "linux");
  return view;
}

export default async ({ url, monitor, system, versionNegotiation, ...input }) => {
  const report = {};
  await withHost({ ...input, url }, async (host) => {
    const { protocolVersion, tools } = await host.connect({ versionNegotiation });
    const views = [await openMonitor(host), await openSystem(host)];
    report.common = { protocolVersion, tools, monitor: await attempts(views[0], all), system: await attempts(views[1], all) };
  });
  if (!monitor) return report;
  await withHost({ ...input, url: monitor }, async (host) => {
    await host.connect({ versionNegotiation });
    const view = await openMonitor(host);
    await view.waitForText("#state", "Live");
    report.monitor = await attempts(view, all);
  });
  await withHost({ ...input, url: system }, async (host) => {
    await host.connect({ versionNegotiation });
    const view = await openSystem(host);
    await view.waitForText("#memory-percent", /[1-9]\d*%/);
    report.system = await attempts(view, all);
  });
  return report;
};
