// A server of apps over stdio, as in the reference's README, with variations that
// its types allow. The tool "capability" returns what the client declared.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import {
  getUiCapability, registerAppResource, registerAppTool, RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/server";
import { z } from "zod";

const server = new McpServer({ name: "reference", version: "1.0.0" });
const text = (s) => ({ content: [{ type: "text", text: s }] });

registerAppTool(server, "nested", {
  inputSchema: z.object({ city: z.string() }),
  _meta: { ui: { resourceUri: "ui://weather/view.html" } },
}, async ({ city }) => text(`Sunny in ${city}.`));
registerAppTool(server, "flat", {
  _meta: { "ui/resourceUri": "ui://weather/view.html" },
}, async () => text("flat"));
registerAppTool(server, "refresh", {
  _meta: { ui: { resourceUri: "ui://weather/view.html", visibility: ["app"] } },
}, async () => text("refreshed"));
registerAppTool(server, "model-only", {
  _meta: { ui: { resourceUri: "ui://weather/blob.html", visibility: ["model"] }, vendor: { x: 1 } },
}, async () => text("model"));
server.registerTool("plain", {}, async () => text("plain"));
server.registerTool("capability", {}, async () =>
  text(JSON.stringify(getUiCapability(server.server.getClientCapabilities()) ?? null)));

registerAppResource(server, "Weather", "ui://weather/view.html", {
  _meta: { ui: { csp: { connectDomains: ["https://listed.example"] }, prefersBorder: true } },
}, async () => ({
  contents: [{
    uri: "ui://weather/view.html", mimeType: RESOURCE_MIME_TYPE, text: "<!doctype html><p>Grüße 🌤</p>",
    _meta: { ui: { csp: { connectDomains: ["https://api.example"] }, permissions: { geolocation: {} } } },
  }],
}));
registerAppResource(server, "Blob", "ui://weather/blob.html", {
  _meta: { ui: { csp: { resourceDomains: ["https://listed.example"] }, prefersBorder: false } },
}, async () => ({
  contents: [{
    uri: "ui://weather/blob.html", mimeType: RESOURCE_MIME_TYPE,
    blob: Buffer.from("<!doctype html><p>Grüße 🌤</p>").toString("base64"),
  }],
}));
registerAppResource(server, "Old", "ui://weather/old.html", {}, async () => ({
  contents: [{ uri: "ui://weather/old.html", mimeType: "text/html+mcp", text: "<p>" }],
}));

await server.connect(new StdioServerTransport());
