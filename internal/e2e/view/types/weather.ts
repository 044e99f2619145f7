// A view written for the reference. The test compiles it for the reference as it
// stands, and for the runtime with only the import changed, and unchanged.
import {
  App,
  EventDispatcher,
  LATEST_PROTOCOL_VERSION,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
  TOOL_RESULT_METHOD,
  applyDocumentTheme,
  applyHostFonts,
  applyHostStyleVariables,
  getDocumentTheme,
  type AppEventMap,
  type AppOptions,
  type McpUiAppCapabilities,
  type McpUiDisplayMode,
  type McpUiHostContext,
  type McpUiStyles,
  type McpUiToolResultNotification,
  type RegisteredAppTool,
} from "@modelcontextprotocol/ext-apps";
import { z } from "zod";

const capabilities: McpUiAppCapabilities = { availableDisplayModes: ["inline", "fullscreen"], tools: { listChanged: true } };
const options: AppOptions = { autoResize: true, strict: false };
const app = new App({ name: "weather", version: "1.0.0", title: "Weather" }, capabilities, options);

app.ontoolinput = (params) => console.log(params.arguments?.city as string);
app.ontoolinputpartial = ({ arguments: args }) => console.log(Object.keys(args ?? {}));
app.ontoolresult = (params: McpUiToolResultNotification["params"]) => {
  if (params.isError) console.error(params.content);
  for (const block of params.content) {
    if (block.type === "text") console.log(block.text.toUpperCase());
    if (block.type === "image") console.log(block.data, block.mimeType);
    if (block.type === "resource" && "text" in block.resource) console.log(block.resource.text);
    if (block.type === "resource_link") console.log(block.uri, block.name);
  }
};
app.ontoolcancelled = ({ reason }) => console.log(reason ?? "cancelled");
app.onhostcontextchanged = (ctx: McpUiHostContext) => {
  if (ctx.theme) applyDocumentTheme(ctx.theme);
  if (ctx.styles?.variables) applyHostStyleVariables(ctx.styles.variables, document.body);
  if (ctx.styles?.css?.fonts) applyHostFonts(ctx.styles.css.fonts);
  if (ctx.safeAreaInsets) document.body.style.paddingTop = `${ctx.safeAreaInsets.top}px`;
  const dimensions = ctx.containerDimensions;
  if (dimensions && "maxHeight" in dimensions) console.log(dimensions.maxHeight);
};
app.onteardown = async (_params, extra) => ({ saved: extra.mcpReq.id });
app.onerror = (e) => console.error(e.message);
app.onclose = () => console.log("closed");
const listener = (params: AppEventMap["toolinput"]) => console.log(params);
app.addEventListener("toolinput", listener);
app.removeEventListener("toolinput", listener);
app.ontoolinput = undefined;

const tool: RegisteredAppTool = app.registerTool(
  "set_unit",
  {
    title: "Set the unit",
    inputSchema: z.object({ unit: z.enum(["C", "F"]), days: z.number().default(3) }),
    outputSchema: z.object({ unit: z.string() }),
    annotations: { readOnlyHint: false },
  },
  async ({ unit, days }, extra) => {
    const n: number = days;
    if (extra.mcpReq.signal.aborted) return { content: [], isError: true };
    return { content: [{ type: "text", text: unit + n }], structuredContent: { unit } };
  },
);
tool.update({ description: "of temperatures" });
tool.disable();
const plain = app.registerTool("refresh", { description: "d" }, (extra) => ({
  content: [{ type: "text" as const, text: String(extra.mcpReq.id) }],
}));
plain.remove();

app.setRequestHandler("x/ask", { params: z.object({ a: z.number() }) }, (params) => ({ twice: params.a * 2 }));
app.setNotificationHandler("x/note", { params: z.object({ a: z.string() }) }, (params, n) => console.log(params.a, n.method));
app.setNotificationHandler("notifications/tools/list_changed", (n) => console.log(n.method));
app.removeNotificationHandler("x/note");

export async function main() {
  await app.connect(new PostMessageTransport(window.parent, window.parent), { timeout: 5000 });
  const host: string | undefined = app.getHostVersion()?.name;
  if (app.getHostCapabilities()?.serverTools) {
    const result = await app.callServerTool(
      { name: "get_weather", arguments: { city: host } },
      { onprogress: (p) => console.log(p.progress, p.total, p.message), signal: AbortSignal.timeout(100), maxTotalTimeout: 9 },
    );
    const data = result.structuredContent as { temperature: number };
    console.log(data.temperature, result.isError, result.content.length);
  }
  const read = await app.readServerResource({ uri: "file:///a" });
  const first = read.contents[0];
  if (first && "blob" in first) console.log(atob(first.blob));
  for (const r of (await app.listServerResources({ cursor: "c" })).resources) console.log(r.uri, r.mimeType?.length);
  const answer = await app.createSamplingMessage({
    messages: [{ role: "user", content: { type: "text", text: "hi" } }],
    maxTokens: 10,
  });
  if (answer.content.type === "text") console.log(answer.content.text, answer.stopReason);
  const withTools = await app.createSamplingMessage({
    messages: [{ role: "user", content: { type: "text", text: "hi" } }],
    maxTokens: 10,
    tools: [{ name: "t", inputSchema: { type: "object" } }],
  });
  if (Array.isArray(withTools.content)) console.log(withTools.content.length);
  const { isError } = await app.openLink({ url: "https://example.com" });
  await app.sendOpenLink({ url: "https://example.com" });
  await app.sendMessage({ role: "user", content: [{ type: "text", text: isError ? "no" : "yes" }] });
  await app.updateModelContext({ content: [{ type: "text", text: "x" }], structuredContent: { a: 1 } });
  await app.downloadFile({
    contents: [{ type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } }],
  });
  const mode: McpUiDisplayMode = (await app.requestDisplayMode({ mode: "fullscreen" })).mode;
  await app.sendLog({ level: "info", data: { mode }, logger: "weather" });
  await app.sendSizeChanged({ width: 1, height: 2 });
  await app.sendToolListChanged();
  await app.requestTeardown();
  await app.request({ method: "ping" });
  const custom = await app.request({ method: "x/y", params: { a: 1 } }, z.object({ b: z.number() }));
  console.log(custom.b.toFixed());
  await app.notification({ method: "x/n", params: {} });
  const stop: () => void = app.setupSizeChangedNotifications();
  stop();
  await app.close();
}

class Mine extends App {
  override onerror = (e: Error) => console.error(e);
  async refresh() {
    return this.callServerTool({ name: "refresh" });
  }
}
new Mine({ name: "mine", version: "1" }).refresh();

const dispatcher = new EventDispatcher<{ tick: number }>();
dispatcher.addEventListener("tick", (n) => console.log(n.toFixed()));
dispatcher.dispatch("tick", 1);
console.log(getDocumentTheme() === "dark", LATEST_PROTOCOL_VERSION, RESOURCE_MIME_TYPE, TOOL_RESULT_METHOD);
export const variables = (v: McpUiStyles) => v["--font-sans"];
