// Compares the declarations of a server with the published package. No browser.
// Input: { url | command, tools: {name: declared _meta} }.
//
// The report has each _meta.ui of the server with the result of parsing it by the
// package's Zod schema, and each tool's _meta with that which the package's
// registerAppTool produces for the same declaration.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { getToolUiResourceUri, McpUiResourceMetaSchema, McpUiToolMetaSchema } from "@modelcontextprotocol/ext-apps/app-bridge";
import { getUiCapability, registerAppTool, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";

async function connect(transport) {
  const client = new Client({ name: "e2e", version: "1.0.0" }, {
    capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [RESOURCE_MIME_TYPE] } } },
  });
  await client.connect(transport);
  return client;
}

/** The _meta that the reference server puts on the wire for each declaration. */
async function reference(declarations) {
  const server = new McpServer({ name: "reference", version: "1.0.0" });
  for (const [name, _meta] of Object.entries(declarations)) {
    registerAppTool(server, name, { description: name, _meta }, async () => ({ content: [] }));
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = await connect(ours);
  const { tools } = await client.listTools();
  await client.close();
  return Object.fromEntries(tools.map((t) => [t.name, t._meta]));
}

function parsed(schema, ui) {
  const result = schema.safeParse(ui);
  return result.success ? result.data : { rejected: result.error.issues };
}

export default async function (input) {
  const client = await connect(input.url
    ? new StreamableHTTPClientTransport(new URL(input.url))
    : new StdioClientTransport({ command: input.command[0], args: input.command.slice(1) }));
  try {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const report = {
      capability: getUiCapability(client.getServerCapabilities()),
      reference: await reference(input.tools),
      tools: {}, resources: {},
    };
    for (const tool of tools) {
      report.tools[tool.name] = { meta: tool._meta ?? null, parsed: tool._meta?.ui && parsed(McpUiToolMetaSchema, tool._meta.ui), uri: getToolUiResourceUri(tool) };
    }
    for (const { uri, mimeType, _meta } of resources) {
      const { contents } = await client.readResource({ uri });
      const of = (ui) => (ui === undefined ? null : { ui, parsed: parsed(McpUiResourceMetaSchema, ui) });
      report.resources[uri] = {
        listed: of(_meta?.ui), read: of(contents[0]._meta?.ui),
        mimeTypes: [mimeType, contents[0].mimeType], uri: contents[0].uri, contents: contents.length,
      };
    }
    return report;
  } finally {
    await client.close();
  }
}
