// Validates each message by the schemas of the packages: the envelope by the
// core SDK, params and results by the Apps package where it has a schema for
// them and by the core SDK otherwise.
import * as Bridge from "bridge";
import { specTypeSchemas } from "@modelcontextprotocol/client";

const found = (schema, name) => {
  if (!schema) throw new Error("no schema for " + name);
  return schema;
};
const apps = (name) => found(Bridge[name + "Schema"], name);
const core = (name) => found(specTypeSchemas[name], name);

const bySender = {
  view: {
    "ui/initialize": [apps("McpUiInitializeRequest")],
    "ui/open-link": [apps("McpUiOpenLinkRequest")],
    "ui/download-file": [apps("McpUiDownloadFileRequest")],
    "ui/message": [apps("McpUiMessageRequest")],
    "ui/update-model-context": [apps("McpUiUpdateModelContextRequest")],
    "ui/request-display-mode": [apps("McpUiRequestDisplayModeRequest")],
    "ui/notifications/initialized": [apps("McpUiInitializedNotification")],
    "ui/notifications/size-changed": [apps("McpUiSizeChangedNotification")],
    "ui/notifications/request-teardown": [apps("McpUiRequestTeardownNotification")],
    "tools/call": [core("CallToolRequest")],
    "resources/read": [core("ReadResourceRequest")],
    "resources/list": [core("ListResourcesRequest")],
    "sampling/createMessage": [core("CreateMessageRequest")],
    ping: [core("PingRequest")],
    "notifications/message": [core("LoggingMessageNotification")],
    "notifications/tools/list_changed": [core("ToolListChangedNotification")],
    "notifications/cancelled": [core("CancelledNotification")],
    "notifications/progress": [core("ProgressNotification")],
  },
  // The requests that the view answers.
  host: {
    "ui/resource-teardown": [null, apps("McpUiResourceTeardownResult")],
    "tools/call": [null, core("CallToolResult")],
    "tools/list": [null, core("ListToolsResult")],
    ping: [null, core("EmptyResult")],
  },
};

/** The problems of a message that the view sent. */
export function check(from, message, before) {
  if (from != "view") return [];
  const problems = [];
  const validate = (what, schema, value) => {
    if (!schema) return; // a method of the test's own
    const { issues } = schema["~standard"].validate(value);
    if (issues) problems.push(`${what}: ${issues.map((i) => i.message).join("; ")}: ${JSON.stringify(value)}`);
  };
  const strict = JSON.parse(JSON.stringify(message));
  if (strict.error) validate("error", core("JSONRPCErrorResponse"), strict);
  else if (strict.method && "id" in strict) validate("request", core("JSONRPCRequest"), strict);
  else if (strict.method) validate("notification", core("JSONRPCNotification"), strict);
  else validate("result", core("JSONRPCResultResponse"), strict);
  if (message.method) validate(message.method, bySender.view[message.method]?.[0], message);
  else if (message.result) {
    const asked = before.findLast((b) => b.from == "host" && b.message.id === message.id && b.message.method);
    if (!asked) problems.push("a reply to nothing: " + JSON.stringify(message));
    else validate("reply to " + asked.message.method, bySender.host[asked.message.method]?.[1], message.result);
  }
  return problems;
}
