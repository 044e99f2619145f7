// The runtime exports every name of the reference except the deprecated Zod
// handlers, and the types of each are assignable to those of the other.
import * as Reference from "@modelcontextprotocol/ext-apps";
import type * as SDK from "@modelcontextprotocol/client";
import * as Runtime from "mcp-app";

type Nothing<T extends never> = T;
type Fits<A extends B, B> = [A, B];

type Values = Exclude<keyof typeof Reference, `${string}Schema`>;
export type MissingValues = Nothing<Exclude<Values, keyof typeof Runtime>>;
export type MissingMembers = Nothing<Exclude<keyof Reference.App, keyof Runtime.App | "eventSchemas">>;
export type MissingOptions = Nothing<Exclude<keyof Reference.AppOptions, keyof Runtime.AppOptions>>;
export type MissingEvents = Nothing<Exclude<keyof Reference.AppEventMap, keyof Runtime.AppEventMap>>;
export type MissingStyles = Nothing<Exclude<Reference.McpUiStyleVariableKey, Runtime.McpUiStyleVariableKey>>;
export type ExtraStyles = Nothing<Exclude<Runtime.McpUiStyleVariableKey, Reference.McpUiStyleVariableKey>>;
export type MissingTransport = Nothing<Exclude<keyof Reference.PostMessageTransport, keyof Runtime.PostMessageTransport>>;
export type MissingDispatcher = Nothing<
  Exclude<keyof Reference.EventDispatcher<{}>, keyof Runtime.EventDispatcher<{}>>
>;

// What a view passes to the one it can pass to the other.
type Params<A, M extends keyof A> = A[M] extends (...args: infer P) => unknown ? P[0] : never;
type Methods =
  | "readServerResource"
  | "listServerResources"
  | "sendMessage"
  | "sendLog"
  | "updateModelContext"
  | "openLink"
  | "downloadFile"
  | "requestTeardown"
  | "requestDisplayMode"
  | "sendSizeChanged"
  | "sendToolListChanged"
  | "callServerTool";
type MethodsFit = {
  [M in Methods]: Params<Reference.App, M> extends Params<Runtime.App, M>
    ? Params<Runtime.App, M> extends Params<Reference.App, M>
      ? never
      : M
    : M;
}[Methods];
export type Parameters = Nothing<MethodsFit>;

export type Capabilities = [
  Fits<Reference.McpUiHostCapabilities, Runtime.McpUiHostCapabilities>,
  Fits<Runtime.McpUiHostCapabilities, Reference.McpUiHostCapabilities>,
  Fits<Reference.McpUiAppCapabilities, Runtime.McpUiAppCapabilities>,
  Fits<Runtime.McpUiAppCapabilities, Reference.McpUiAppCapabilities>,
  Fits<Reference.McpUiHostContext, Runtime.McpUiHostContext>,
  Fits<Reference.McpUiResourceMeta, Runtime.McpUiResourceMeta>,
  Fits<Runtime.McpUiResourceMeta, Reference.McpUiResourceMeta>,
  Fits<Reference.McpUiToolMeta, Runtime.McpUiToolMeta>,
  Fits<Runtime.McpUiToolMeta, Reference.McpUiToolMeta>,
];
export type MCP = [
  Fits<SDK.CallToolResult, Runtime.CallToolResult>,
  Fits<Runtime.CallToolResult, SDK.CallToolResult>,
  Fits<SDK.ContentBlock, Runtime.ContentBlock>,
  Fits<Runtime.ContentBlock, SDK.ContentBlock>,
  Fits<SDK.ReadResourceResult, Runtime.ReadResourceResult>,
  Fits<Runtime.ReadResourceResult, SDK.ReadResourceResult>,
  Fits<SDK.ListResourcesResult, Runtime.ListResourcesResult>,
  Fits<SDK.CreateMessageRequest["params"], Runtime.CreateMessageRequest["params"]>,
  Fits<SDK.CreateMessageResult, Runtime.CreateMessageResult>,
  Fits<SDK.CreateMessageResultWithTools, Runtime.CreateMessageResultWithTools>,
  Fits<SDK.Tool, Runtime.Tool>,
  Fits<SDK.Implementation, Runtime.Implementation>,
  Fits<Runtime.Implementation, SDK.Implementation>,
  Fits<SDK.LoggingMessageNotification["params"], Runtime.LoggingMessageNotification["params"]>,
  Fits<SDK.Transport["send"] extends (m: infer M, ...rest: any) => any ? Runtime.JSONRPCRequest : never, SDK.JSONRPCMessage>,
];
export type Hooks = Nothing<
  Exclude<keyof typeof import("@modelcontextprotocol/ext-apps/react"), keyof typeof import("mcp-app/react") | `${string}Schema`>
>;
