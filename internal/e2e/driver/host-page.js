// The host page: the published MCP client and AppBridge in a browser, with one
// sandboxed frame for each open view. It is bundled by esbuild and driven from
// lib.mjs through the global `host`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  AppBridge, PostMessageTransport, RESOURCE_MIME_TYPE,
  buildAllowAttribute, getToolUiResourceUri, isToolVisibilityAppOnly, isToolVisibilityModelOnly,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const { sandboxOrigin } = window.hostPage;
const hostInfo = { name: "e2e-host", version: "1.0.0" };
const defaultCapabilities = { openLinks: {}, serverTools: {}, serverResources: {}, logging: {} };

let client, tools, resources;
const views = [];

/** A transport over functions that the driver adds to the page, for servers over stdio. */
class DriverTransport {
  async start() {
    window.deliver = (message) => this.onmessage?.(message);
  }
  async send(message) {
    await window.sendToServer(message);
  }
  async close() {
    this.onclose?.();
  }
}

/** Connects to the server and returns its declarations. */
async function connect({ stdio = false, versionNegotiation, capabilities } = {}) {
  client = new Client(hostInfo, {
    versionNegotiation,
    capabilities: capabilities ?? { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } },
  });
  await client.connect(stdio ? new DriverTransport() : new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
  ({ tools } = await client.listTools());
  resources = client.getServerCapabilities().resources ? (await client.listResources()).resources : [];
  return {
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    protocolVersion: client.getNegotiatedProtocolVersion?.() ?? null,
    tools,
    modelTools: tools.filter((t) => !isToolVisibilityAppOnly(t)).map((t) => t.name),
  };
}

/** The document of an app and its _meta.ui: the content item's, else the list entry's. */
async function readApp(uri) {
  const { contents } = await client.readResource({ uri });
  if (contents.length !== 1) throw new Error(`${uri} has ${contents.length} content items, not 1`);
  const [item] = contents;
  if (item.mimeType !== RESOURCE_MIME_TYPE) throw new Error(`${uri} has the media type ${item.mimeType}`);
  const html = "text" in item ? item.text : new TextDecoder().decode(Uint8Array.from(atob(item.blob), (c) => c.charCodeAt(0)));
  return { html, ui: item._meta?.ui ?? resources.find((r) => r.uri === uri)?._meta?.ui ?? {} };
}

/**
 * Opens a view as a host does when the model calls a tool, and resolves to its
 * number once the view has the tool's result.
 *
 * - hostContext: theme, styles and so on
 * - hostCapabilities: instead of the default ones
 * - omit: keys that the view's results lose on their way, as in some hosts
 * - refuse: the message with which ui/initialize is refused; open then resolves
 *   once it is
 * - width: of the frame, in pixels
 * - ready: how long the view may take to initialize, in milliseconds
 */
async function open({ tool: name, arguments: args = {}, hostContext = {}, hostCapabilities = defaultCapabilities, omit = [], refuse, width = 720, ready = 120_000 }) {
  const tool = tools.find((t) => t.name === name);
  if (!tool) throw new Error(`the server has no tool ${name}`);
  const app = await readApp(getToolUiResourceUri(tool));
  const id = views.length;
  const view = { id, log: [], sizes: [], calls: [] };
  views.push(view);

  const frame = document.createElement("iframe");
  frame.dataset.view = id;
  frame.style.width = `${width}px`;
  frame.allow = buildAllowAttribute(app.ui.permissions);
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  view.frame = frame;

  // Everything that passes, in both directions, in order.
  const record = (from, message) => view.log.push({ from, at: performance.now(), ...structuredClone(message) });
  addEventListener("message", (e) => {
    if (e.source === frame.contentWindow) record("view", e.data);
  });

  const bridge = new AppBridge(null, hostInfo, hostCapabilities, {
    hostContext: { displayMode: "inline", availableDisplayModes: ["inline"], platform: "web", ...hostContext },
  });
  view.bridge = bridge;
  bridge.oncalltool = async (params, extra) => {
    view.calls.push({ name: params.name, arguments: params.arguments });
    if (!hostCapabilities.serverTools) throw Object.assign(new Error("no tools for views"), { code: -32601 });
    const called = tools.find((t) => t.name === params.name);
    if (!called || isToolVisibilityModelOnly(called)) throw Object.assign(new Error(`${params.name} is not open to views`), { code: -32000 });
    return without(omit, await client.callTool(params, { signal: extra?.signal }));
  };
  bridge.onreadresource = (params) => client.readResource(params);
  bridge.onsizechange = (size) => {
    view.sizes.push(size);
    if (size.height) frame.style.height = `${size.height}px`;
  };
  const sandboxReady = new Promise((done) => { bridge.onsandboxready = done; });
  const initialized = new Promise((done) => { bridge.oninitialized = done; });

  document.body.append(frame);
  const transport = new PostMessageTransport(frame.contentWindow, frame.contentWindow);
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    record("host", message);
    return send(message, options);
  };
  await bridge.connect(transport);
  const refused = refuse && new Promise((done) => {
    const deliver = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (message.method !== "ui/initialize") return deliver(message, extra);
      transport.send({ jsonrpc: "2.0", id: message.id, error: { code: -32603, message: refuse } }).then(done);
    };
  });
  frame.src = `${sandboxOrigin}/sandbox.html?csp=${encodeURIComponent(JSON.stringify(app.ui.csp ?? null))}`;
  await sandboxReady;
  const result = client.callTool({ name, arguments: args });
  await bridge.sendSandboxResourceReady({ html: app.html, permissions: app.ui.permissions });
  if (refuse) {
    await within(ready, refused, `the view of ${name} did not ask to be initialized`);
    return id;
  }
  await within(ready, initialized, `the view of ${name} did not initialize within ${ready} ms`);
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(without(omit, await result));
  return id;
}

function without(keys, result) {
  return Object.fromEntries(Object.entries(result).filter(([key]) => !keys.includes(key)));
}

function within(ms, promise, message) {
  return Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(message)), ms))]);
}

window.host = {
  connect, open,
  log: (id) => views[id].log,
  calls: (id) => views[id].calls,
  sizes: (id) => views[id].sizes,
  resize: (id, width) => { views[id].frame.style.width = `${width}px`; },
  show: (id, shown) => { views[id].frame.style.display = shown ? "" : "none"; },
  ping: (id) => views[id].bridge.request({ method: "ping" }),
  teardown: (id) => views[id].bridge.teardownResource({}),
  close: (id) => views[id].frame.remove(),
  // A message to the view that is not from its parent: it must not listen.
  forge: (id, message) => views[id].frame.contentWindow[0].postMessage(message, "*"),
};
