// A view that calls every method of the class App and reports the results.
// PACKAGE is replaced by the package under test.
import { App } from "PACKAGE";

const got = [];
const results = {};
const problems = [];
const app = new App({ name: "surface", version: "1" }, { availableDisplayModes: ["inline", "fullscreen"], tools: { listChanged: true } });
app.ontoolinputpartial = (p) => got.push("partial");
app.ontoolinput = (p) => got.push("input " + JSON.stringify(p.arguments));
app.ontoolresult = (p) => got.push("result " + p.content?.[0]?.text);
app.ontoolcancelled = (p) => got.push("cancelled " + p.reason);
app.onhostcontextchanged = (p) => got.push("context " + Object.keys(p).sort().join());
app.onteardown = async () => ({});
app.onlisttools = async () => ({ tools: [{ name: "paint", description: "Paints.", inputSchema: { type: "object", properties: {} } }] });
app.oncalltool = async (p) => ({ content: [{ type: "text", text: "painted " + (p.params?.name ?? p.name) }] });
app.onerror = (e) => problems.push(String(e?.message ?? e));

const step = async (name, f) => {
  try {
    results[name] = await f();
  } catch (e) {
    results[name] = "threw " + (e?.message ?? e);
  }
};
const until = async (f) => { for (let i = 0; i < 2400 && !f(); i++) await new Promise((d) => setTimeout(d, 50)); };

document.body.innerHTML = "<h1>surface</h1><div id=d style='height:400px'></div>";
await step("connect", () => app.connect());
await until(() => got.some((g) => g.startsWith("result")));
await step("getHostCapabilities", () => app.getHostCapabilities());
await step("getHostVersion", () => app.getHostVersion());
await step("getHostContext", () => Object.keys(app.getHostContext()).sort());
await step("toolInfo", () => app.getHostContext().toolInfo.tool.name);
const progress = [];
await step("callServerTool", () => app.callServerTool({ name: "counts", arguments: { n: 1 } }, { onprogress: (p) => progress.push(p.progress) }));
await step("progress", () => progress);
await step("callDenied", () => app.callServerTool({ name: "model-only", arguments: {} }));
await step("callFails", () => app.callServerTool({ name: "fails", arguments: {} }));
await step("readServerResource", async () => (await app.readServerResource({ uri: "ui://surface/view.html" })).contents[0].mimeType);
await step("readMissing", () => app.readServerResource({ uri: "file:///etc/passwd" }));
await step("listServerResources", async () => (await app.listServerResources()).resources.map((r) => r.uri));
await step("sendMessage", () => app.sendMessage({ role: "user", content: [{ type: "text", text: "hello" }] }));
await step("sendLog", () => app.sendLog({ level: "warning", data: { a: 1 }, logger: "surface" }));
await step("updateModelContext", () => app.updateModelContext({ content: [{ type: "text", text: "ctx" }], structuredContent: { n: 1 } }));
await step("openLink", () => app.openLink({ url: "https://example.com/" }));
await step("openLinkDenied", () => app.openLink({ url: "javascript:alert(1)" }));
await step("downloadFile", () => app.downloadFile({ contents: [{ type: "resource", resource: { uri: "file:///a/../b.txt", mimeType: "text/plain", text: "hi" } }] }));
await step("createSamplingMessage", () => app.createSamplingMessage({ messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 10 }));
await step("requestDisplayMode", () => app.requestDisplayMode({ mode: "fullscreen" }));
await until(() => got.some((g) => g.includes("displayMode")));
await step("requestDisplayModeUndeclared", () => app.requestDisplayMode({ mode: "pip" }));
await step("backToInline", () => app.requestDisplayMode({ mode: "inline" }));
await step("sendSizeChanged", () => app.sendSizeChanged({ width: 300, height: 456 }));
if (app.sendToolListChanged) await step("sendToolListChanged", () => app.sendToolListChanged());
globalThis.surface = { got, results, problems, app };
