// Validates the messages of hosts, JSON arrays in one on standard input, by the
// published Zod schemas.
import * as apps from "@modelcontextprotocol/ext-apps";

const notifications = {
  "ui/notifications/tool-input": apps.McpUiToolInputNotificationSchema,
  "ui/notifications/tool-input-partial": apps.McpUiToolInputPartialNotificationSchema,
  "ui/notifications/tool-result": apps.McpUiToolResultNotificationSchema,
  "ui/notifications/tool-cancelled": apps.McpUiToolCancelledNotificationSchema,
  "ui/notifications/host-context-changed": apps.McpUiHostContextChangedNotificationSchema,
  "ui/notifications/sandbox-resource-ready": apps.McpUiSandboxResourceReadyNotificationSchema,
  "ui/resource-teardown": apps.McpUiResourceTeardownRequestSchema,
};
const results = {
  "ui/initialize": apps.McpUiInitializeResultSchema,
  "ui/open-link": apps.McpUiOpenLinkResultSchema,
  "ui/message": apps.McpUiMessageResultSchema,
  "ui/download-file": apps.McpUiDownloadFileResultSchema,
  "ui/request-display-mode": apps.McpUiRequestDisplayModeResultSchema,
};

let text = "";
for await (const chunk of process.stdin) text += chunk;
const reports = JSON.parse(text).map((entries) => {
  const asked = new Map();
  const problems = [];
  const checked = {};
  for (const { dir, msg } of entries) {
    if (dir === "from-view") {
      if (msg.method && msg.id !== undefined) asked.set(JSON.stringify(msg.id), msg.method);
      continue;
    }
    let name, schema, value;
    if (msg.method) {
      [name, schema] = [msg.method, notifications[msg.method]];
      value = { method: msg.method, params: msg.params };
    } else if (msg.result) {
      name = asked.get(JSON.stringify(msg.id));
      schema = results[name];
      value = msg.result;
    }
    if (!schema) continue;
    checked[name] = (checked[name] ?? 0) + 1;
    const parsed = schema.safeParse(value);
    if (!parsed.success) problems.push({ name, value, error: parsed.error.message });
  }
  return { checked, problems };
});
console.log(JSON.stringify(reports));
