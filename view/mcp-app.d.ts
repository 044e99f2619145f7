// The view runtime "mcp-app", and the MCP types that views use. Put this file
// among the sources of a view; nothing has to import it.

declare module "mcp-app" {
  // The Model Context Protocol

  export type RequestId = string | number;
  export type Role = "user" | "assistant";
  export type LoggingLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

  /** What a request may carry in _meta. */
  export interface RequestMeta {
    progressToken?: string | number;
    [key: string]: unknown;
  }

  export interface Icon {
    src: string;
    mimeType?: string;
    sizes?: string[];
    theme?: McpUiTheme;
  }

  /** The name and version of a view or a host. */
  export interface Implementation {
    name: string;
    version: string;
    title?: string;
    description?: string;
    websiteUrl?: string;
    icons?: Icon[];
  }

  export interface Annotations {
    audience?: Role[];
    priority?: number;
    lastModified?: string;
  }

  export interface TextContent {
    type: "text";
    text: string;
    annotations?: Annotations;
    _meta?: { [key: string]: unknown };
  }

  export interface ImageContent {
    type: "image";
    /** In base64. */
    data: string;
    mimeType: string;
    annotations?: Annotations;
    _meta?: { [key: string]: unknown };
  }

  export interface AudioContent {
    type: "audio";
    /** In base64. */
    data: string;
    mimeType: string;
    annotations?: Annotations;
    _meta?: { [key: string]: unknown };
  }

  export interface Resource {
    uri: string;
    name: string;
    title?: string;
    description?: string;
    mimeType?: string;
    size?: number;
    icons?: Icon[];
    annotations?: Annotations;
    _meta?: { [key: string]: unknown };
  }

  export interface ResourceLink extends Resource {
    type: "resource_link";
  }

  export interface TextResourceContents {
    uri: string;
    mimeType?: string;
    text: string;
    _meta?: { [key: string]: unknown };
  }

  export interface BlobResourceContents {
    uri: string;
    mimeType?: string;
    /** In base64. */
    blob: string;
    _meta?: { [key: string]: unknown };
  }

  export interface EmbeddedResource {
    type: "resource";
    resource: TextResourceContents | BlobResourceContents;
    annotations?: Annotations;
    _meta?: { [key: string]: unknown };
  }

  export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

  export interface ToolAnnotations {
    title?: string;
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  }

  /** A JSON Schema of an object. */
  export interface JSONSchema {
    type: "object";
    [key: string]: unknown;
  }

  export interface Tool {
    name: string;
    title?: string;
    description?: string;
    inputSchema: JSONSchema;
    outputSchema?: { [key: string]: unknown };
    annotations?: ToolAnnotations;
    icons?: Icon[];
    _meta?: { [key: string]: unknown };
  }

  export interface Result {
    _meta?: { [key: string]: unknown };
    [key: string]: unknown;
  }

  export interface CallToolResult extends Result {
    content: ContentBlock[];
    structuredContent?: unknown;
    isError?: boolean;
  }

  export interface ListToolsResult extends Result {
    tools: Tool[];
    nextCursor?: string;
  }

  export interface ListResourcesResult extends Result {
    resources: Resource[];
    nextCursor?: string;
  }

  export interface ReadResourceResult extends Result {
    contents: (TextResourceContents | BlobResourceContents)[];
  }

  export interface ToolUseContent {
    type: "tool_use";
    id: string;
    name: string;
    input: { [key: string]: unknown };
    _meta?: { [key: string]: unknown };
  }

  export interface ToolResultContent {
    type: "tool_result";
    toolUseId: string;
    content: ContentBlock[];
    structuredContent?: unknown;
    isError?: boolean;
    _meta?: { [key: string]: unknown };
  }

  export type SamplingContent = TextContent | ImageContent | AudioContent;
  export type SamplingMessageContentBlock = SamplingContent | ToolUseContent | ToolResultContent;

  export interface SamplingMessage {
    role: Role;
    content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
    _meta?: { [key: string]: unknown };
  }

  export interface CreateMessageResult extends Result {
    model: string;
    role: Role;
    content: SamplingContent;
    stopReason?: string;
  }

  export interface CreateMessageResultWithTools extends Result {
    model: string;
    role: Role;
    content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
    stopReason?: string;
  }

  export interface CallToolRequest {
    method: "tools/call";
    params: { name: string; arguments?: { [key: string]: unknown }; _meta?: RequestMeta };
  }

  export interface ListToolsRequest {
    method: "tools/list";
    params?: { cursor?: string; _meta?: RequestMeta };
  }

  export interface ReadResourceRequest {
    method: "resources/read";
    params: { uri: string; _meta?: RequestMeta };
  }

  export interface ListResourcesRequest {
    method: "resources/list";
    params?: { cursor?: string; _meta?: RequestMeta };
  }

  export interface CreateMessageRequest {
    method: "sampling/createMessage";
    params: {
      messages: SamplingMessage[];
      maxTokens: number;
      systemPrompt?: string;
      includeContext?: "none" | "thisServer" | "allServers";
      temperature?: number;
      stopSequences?: string[];
      metadata?: { [key: string]: any };
      modelPreferences?: {
        hints?: { name?: string }[];
        costPriority?: number;
        speedPriority?: number;
        intelligencePriority?: number;
      };
      tools?: Tool[];
      toolChoice?: { mode?: "auto" | "required" | "none" };
      _meta?: RequestMeta;
    };
  }

  export interface PingRequest {
    method: "ping";
    params?: { _meta?: RequestMeta };
  }

  export interface LoggingMessageNotification {
    method: "notifications/message";
    params: { level: LoggingLevel; logger?: string; data: unknown; _meta?: { [key: string]: unknown } };
  }

  export interface ToolListChangedNotification {
    method: "notifications/tools/list_changed";
    params?: { _meta?: { [key: string]: unknown } };
  }

  export interface Progress {
    progress: number;
    total?: number;
    message?: string;
  }

  export interface Request {
    method: string;
    params?: { [key: string]: any };
  }

  export interface Notification {
    method: string;
    params?: { [key: string]: any };
  }

  export type JSONRPCRequest = Request & { jsonrpc: "2.0"; id: RequestId };
  export type JSONRPCNotification = Notification & { jsonrpc: "2.0" };
  export type JSONRPCResponse =
    | { jsonrpc: "2.0"; id: RequestId; result: Result }
    | { jsonrpc: "2.0"; id?: RequestId; error: { code: number; message: string; data?: unknown } };
  export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;

  // Standard Schema (https://standardschema.dev), which Zod 4, Valibot and ArkType implement

  export interface StandardSchemaV1<Input = unknown, Output = Input> {
    readonly "~standard": StandardSchemaV1.Props<Input, Output>;
  }

  export namespace StandardSchemaV1 {
    interface Props<Input = unknown, Output = Input> {
      readonly version: 1;
      readonly vendor: string;
      readonly types?: { readonly input: Input; readonly output: Output } | undefined;
      readonly validate: (value: unknown, options?: any) => Outcome<Output> | Promise<Outcome<Output>>;
    }
    type Outcome<Output> =
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: ReadonlyArray<Issue> };
    interface Issue {
      readonly message: string;
      readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
    }
    type InferInput<S extends StandardSchemaV1> = NonNullable<S["~standard"]["types"]>["input"];
    type InferOutput<S extends StandardSchemaV1> = NonNullable<S["~standard"]["types"]>["output"];
  }

  /** A Standard Schema that can be converted to JSON Schema, which the tools of a view require. */
  export interface StandardSchemaWithJSON<Input = unknown, Output = Input> extends StandardSchemaV1<Input, Output> {
    readonly "~standard": StandardSchemaV1.Props<Input, Output> & {
      readonly jsonSchema: {
        readonly input: (options: { readonly target: any }) => { [key: string]: unknown };
        readonly output: (options: { readonly target: any }) => { [key: string]: unknown };
      };
    };
  }

  // MCP Apps

  export type McpUiTheme = "light" | "dark";
  export type McpUiDisplayMode = "inline" | "fullscreen" | "pip";

  /** The CSS custom properties that a host may give. */
  export type McpUiStyleVariableKey =
    | "--color-background-primary"
    | "--color-background-secondary"
    | "--color-background-tertiary"
    | "--color-background-inverse"
    | "--color-background-ghost"
    | "--color-background-info"
    | "--color-background-danger"
    | "--color-background-success"
    | "--color-background-warning"
    | "--color-background-disabled"
    | "--color-text-primary"
    | "--color-text-secondary"
    | "--color-text-tertiary"
    | "--color-text-inverse"
    | "--color-text-ghost"
    | "--color-text-info"
    | "--color-text-danger"
    | "--color-text-success"
    | "--color-text-warning"
    | "--color-text-disabled"
    | "--color-border-primary"
    | "--color-border-secondary"
    | "--color-border-tertiary"
    | "--color-border-inverse"
    | "--color-border-ghost"
    | "--color-border-info"
    | "--color-border-danger"
    | "--color-border-success"
    | "--color-border-warning"
    | "--color-border-disabled"
    | "--color-ring-primary"
    | "--color-ring-secondary"
    | "--color-ring-inverse"
    | "--color-ring-info"
    | "--color-ring-danger"
    | "--color-ring-success"
    | "--color-ring-warning"
    | "--font-sans"
    | "--font-mono"
    | "--font-weight-normal"
    | "--font-weight-medium"
    | "--font-weight-semibold"
    | "--font-weight-bold"
    | "--font-text-xs-size"
    | "--font-text-sm-size"
    | "--font-text-md-size"
    | "--font-text-lg-size"
    | "--font-heading-xs-size"
    | "--font-heading-sm-size"
    | "--font-heading-md-size"
    | "--font-heading-lg-size"
    | "--font-heading-xl-size"
    | "--font-heading-2xl-size"
    | "--font-heading-3xl-size"
    | "--font-text-xs-line-height"
    | "--font-text-sm-line-height"
    | "--font-text-md-line-height"
    | "--font-text-lg-line-height"
    | "--font-heading-xs-line-height"
    | "--font-heading-sm-line-height"
    | "--font-heading-md-line-height"
    | "--font-heading-lg-line-height"
    | "--font-heading-xl-line-height"
    | "--font-heading-2xl-line-height"
    | "--font-heading-3xl-line-height"
    | "--border-radius-xs"
    | "--border-radius-sm"
    | "--border-radius-md"
    | "--border-radius-lg"
    | "--border-radius-xl"
    | "--border-radius-full"
    | "--border-width-regular"
    | "--shadow-hairline"
    | "--shadow-sm"
    | "--shadow-md"
    | "--shadow-lg";

  /** Any of them may be missing, so use each with a fallback in CSS. */
  export type McpUiStyles = Record<McpUiStyleVariableKey, string | undefined>;

  export interface McpUiHostCss {
    /** @font-face and @import rules, for applyHostFonts. */
    fonts?: string;
  }

  export interface McpUiHostStyles {
    /** For applyHostStyleVariables. */
    variables?: McpUiStyles;
    css?: McpUiHostCss;
  }

  /** What the host declares about the view's environment. */
  export interface McpUiHostContext {
    /** The tool call that opened the view. */
    toolInfo?: { id?: RequestId; tool: Tool };
    /** For applyDocumentTheme. */
    theme?: McpUiTheme;
    styles?: McpUiHostStyles;
    displayMode?: McpUiDisplayMode;
    availableDisplayModes?: McpUiDisplayMode[];
    /** In pixels; each axis is fixed, has a maximum, or is free. */
    containerDimensions?: ({ height: number } | { maxHeight?: number | undefined }) &
      ({ width: number } | { maxWidth?: number | undefined });
    /** As BCP 47 has it. */
    locale?: string;
    /** As IANA names it. */
    timeZone?: string;
    userAgent?: string;
    platform?: "web" | "desktop" | "mobile";
    deviceCapabilities?: { touch?: boolean; hover?: boolean };
    /** In pixels. */
    safeAreaInsets?: { top: number; right: number; bottom: number; left: number };
    [key: string]: unknown;
  }

  export interface McpUiResourceCsp {
    connectDomains?: string[];
    resourceDomains?: string[];
    frameDomains?: string[];
    baseUriDomains?: string[];
  }

  export interface McpUiResourcePermissions {
    camera?: {};
    microphone?: {};
    geolocation?: {};
    clipboardWrite?: {};
  }

  export interface McpUiResourceMeta {
    csp?: McpUiResourceCsp;
    permissions?: McpUiResourcePermissions;
    domain?: string;
    prefersBorder?: boolean;
  }

  export type McpUiToolVisibility = "model" | "app";

  export interface McpUiToolMeta {
    resourceUri?: string;
    visibility?: McpUiToolVisibility[];
    csp?: never;
    permissions?: never;
  }

  export interface McpUiClientCapabilities {
    mimeTypes?: string[];
  }

  export interface McpUiSupportedContentBlockModalities {
    text?: {};
    image?: {};
    audio?: {};
    resource?: {};
    resourceLink?: {};
    structuredContent?: {};
  }

  /** What the host can do. A field that is present means yes. */
  export interface McpUiHostCapabilities {
    experimental?: Record<string, object>;
    openLinks?: {};
    downloadFile?: {};
    serverTools?: { listChanged?: boolean };
    serverResources?: { listChanged?: boolean };
    logging?: {};
    sandbox?: { permissions?: McpUiResourcePermissions; csp?: McpUiResourceCsp };
    updateModelContext?: McpUiSupportedContentBlockModalities;
    message?: McpUiSupportedContentBlockModalities;
    sampling?: { tools?: {} };
  }

  /** What the view can do. */
  export interface McpUiAppCapabilities {
    experimental?: Record<string, object>;
    /** The view has tools; registerTool declares it by itself. */
    tools?: { listChanged?: boolean };
    /** Every display mode that the view supports. */
    availableDisplayModes?: McpUiDisplayMode[];
  }

  export interface McpUiInitializeRequest {
    method: "ui/initialize";
    params: { appInfo: Implementation; appCapabilities: McpUiAppCapabilities; protocolVersion: string };
  }
  export interface McpUiInitializeResult {
    protocolVersion: string;
    hostInfo: Implementation;
    hostCapabilities: McpUiHostCapabilities;
    hostContext: McpUiHostContext;
    [key: string]: unknown;
  }
  export interface McpUiInitializedNotification {
    method: "ui/notifications/initialized";
    params?: {};
  }
  export interface McpUiOpenLinkRequest {
    method: "ui/open-link";
    params: { url: string };
  }
  /** isError: the host did not do it. */
  export interface McpUiOpenLinkResult {
    isError?: boolean;
    [key: string]: unknown;
  }
  export interface McpUiDownloadFileRequest {
    method: "ui/download-file";
    params: { contents: (EmbeddedResource | ResourceLink)[] };
  }
  export interface McpUiDownloadFileResult {
    isError?: boolean;
    [key: string]: unknown;
  }
  export interface McpUiMessageRequest {
    method: "ui/message";
    params: { role: "user"; content: ContentBlock[] };
  }
  export interface McpUiMessageResult {
    isError?: boolean;
    [key: string]: unknown;
  }
  export interface McpUiUpdateModelContextRequest {
    method: "ui/update-model-context";
    params: { content?: ContentBlock[]; structuredContent?: Record<string, unknown> };
  }
  export interface McpUiRequestDisplayModeRequest {
    method: "ui/request-display-mode";
    params: { mode: McpUiDisplayMode };
  }
  /** mode: the mode now in force, which may differ from the requested one. */
  export interface McpUiRequestDisplayModeResult {
    mode: McpUiDisplayMode;
    [key: string]: unknown;
  }
  export interface McpUiResourceTeardownRequest {
    method: "ui/resource-teardown";
    params: {};
  }
  export interface McpUiResourceTeardownResult {
    [key: string]: unknown;
  }
  export interface McpUiRequestTeardownNotification {
    method: "ui/notifications/request-teardown";
    params?: {};
  }
  export interface McpUiSizeChangedNotification {
    method: "ui/notifications/size-changed";
    params: { width?: number; height?: number };
  }
  export interface McpUiToolInputNotification {
    method: "ui/notifications/tool-input";
    params: { arguments?: Record<string, unknown> };
  }
  /** The arguments received so far. The last one may be incomplete. */
  export interface McpUiToolInputPartialNotification {
    method: "ui/notifications/tool-input-partial";
    params: { arguments?: Record<string, unknown> };
  }
  export interface McpUiToolResultNotification {
    method: "ui/notifications/tool-result";
    params: CallToolResult;
  }
  export interface McpUiToolCancelledNotification {
    method: "ui/notifications/tool-cancelled";
    params: { reason?: string };
  }
  export interface McpUiHostContextChangedNotification {
    method: "ui/notifications/host-context-changed";
    /** The fields that changed. */
    params: McpUiHostContext;
  }
  export interface McpUiSandboxProxyReadyNotification {
    method: "ui/notifications/sandbox-proxy-ready";
    params: {};
  }
  export interface McpUiSandboxResourceReadyNotification {
    method: "ui/notifications/sandbox-resource-ready";
    params: { html: string; sandbox?: string; csp?: McpUiResourceCsp; permissions?: McpUiResourcePermissions };
  }

  /** @deprecated Unused. Declared because the reference declares it. */
  export type AppRequest =
    | McpUiInitializeRequest
    | McpUiOpenLinkRequest
    | McpUiDownloadFileRequest
    | McpUiMessageRequest
    | McpUiUpdateModelContextRequest
    | McpUiRequestDisplayModeRequest
    | McpUiResourceTeardownRequest
    | CallToolRequest
    | ListToolsRequest
    | ListResourcesRequest
    | ReadResourceRequest
    | CreateMessageRequest
    | PingRequest;

  /** @deprecated Unused. Declared because the reference declares it. */
  export type AppNotification =
    | McpUiInitializedNotification
    | McpUiSizeChangedNotification
    | McpUiRequestTeardownNotification
    | McpUiToolInputNotification
    | McpUiToolInputPartialNotification
    | McpUiToolResultNotification
    | McpUiToolCancelledNotification
    | McpUiHostContextChangedNotification
    | McpUiSandboxProxyReadyNotification
    | McpUiSandboxResourceReadyNotification
    | ToolListChangedNotification
    | LoggingMessageNotification;

  /** @deprecated Unused. Declared because the reference declares it. */
  export type AppResult =
    | McpUiInitializeResult
    | McpUiOpenLinkResult
    | McpUiDownloadFileResult
    | McpUiMessageResult
    | McpUiRequestDisplayModeResult
    | McpUiResourceTeardownResult
    | CallToolResult
    | ListToolsResult
    | ListResourcesResult
    | ReadResourceResult
    | CreateMessageResult
    | CreateMessageResultWithTools
    | Result;

  export const LATEST_PROTOCOL_VERSION = "2026-01-26";
  export const RESOURCE_MIME_TYPE = "text/html;profile=mcp-app";
  export const RESOURCE_URI_META_KEY = "ui/resourceUri";

  export const OPEN_LINK_METHOD: McpUiOpenLinkRequest["method"];
  export const DOWNLOAD_FILE_METHOD: McpUiDownloadFileRequest["method"];
  export const MESSAGE_METHOD: McpUiMessageRequest["method"];
  export const SANDBOX_PROXY_READY_METHOD: McpUiSandboxProxyReadyNotification["method"];
  export const SANDBOX_RESOURCE_READY_METHOD: McpUiSandboxResourceReadyNotification["method"];
  export const SIZE_CHANGED_METHOD: McpUiSizeChangedNotification["method"];
  export const TOOL_INPUT_METHOD: McpUiToolInputNotification["method"];
  export const TOOL_INPUT_PARTIAL_METHOD: McpUiToolInputPartialNotification["method"];
  export const TOOL_RESULT_METHOD: McpUiToolResultNotification["method"];
  export const TOOL_CANCELLED_METHOD: McpUiToolCancelledNotification["method"];
  export const HOST_CONTEXT_CHANGED_METHOD: McpUiHostContextChangedNotification["method"];
  export const REQUEST_TEARDOWN_METHOD: McpUiRequestTeardownNotification["method"];
  export const RESOURCE_TEARDOWN_METHOD: McpUiResourceTeardownRequest["method"];
  export const INITIALIZE_METHOD: McpUiInitializeRequest["method"];
  export const INITIALIZED_METHOD: McpUiInitializedNotification["method"];
  export const REQUEST_DISPLAY_MODE_METHOD: McpUiRequestDisplayModeRequest["method"];

  // The connection

  export interface Transport {
    start(): Promise<void>;
    send(message: JSONRPCMessage, options?: any): Promise<void>;
    close(): Promise<void>;
    onclose?: (() => void) | undefined;
    onerror?: ((error: Error) => void) | undefined;
    onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: any) => void) | undefined;
    sessionId?: string | undefined;
    setProtocolVersion?: ((version: string) => void) | undefined;
  }

  /** Posts to one window and accepts messages from one window only: window.parent, in a view. */
  export class PostMessageTransport implements Transport {
    constructor(eventTarget: Window | undefined, eventSource: MessageEventSource);
    start(): Promise<void>;
    send(message: JSONRPCMessage, options?: any): Promise<void>;
    close(): Promise<void>;
    onclose?: () => void;
    onerror?: (error: Error) => void;
    onmessage?: (message: JSONRPCMessage, extra?: any) => void;
    sessionId?: string;
    setProtocolVersion?: (version: string) => void;
  }

  export interface RequestOptions {
    /** Requests progress notifications, and is called with each. */
    onprogress?: (progress: Progress) => void;
    /** Cancels the request, here and at the host. */
    signal?: AbortSignal;
    /** In milliseconds; 60,000 by default. */
    timeout?: number;
    /** Each progress notification restarts the timeout. False by default, true in callServerTool. */
    resetTimeoutOnProgress?: boolean;
    /** In milliseconds, regardless of progress. No limit by default. */
    maxTotalTimeout?: number;
    relatedRequestId?: RequestId;
  }

  export interface NotificationOptions {
    relatedRequestId?: RequestId;
  }

  /** What a request handler gets in addition to the params. */
  export interface BaseContext {
    sessionId?: string;
    mcpReq: {
      id: RequestId;
      method: string;
      _meta?: RequestMeta;
      /** Aborted when the host cancels the request or the connection ends. */
      signal: AbortSignal;
      send: App["request"];
      notify: (notification: Notification) => Promise<void>;
    };
  }

  /** The fields of W3C Trace Context that a request to the server carries in _meta. */
  export interface TraceContext {
    traceparent: string;
    tracestate?: string;
    baggage?: string;
  }

  export interface AppOptions {
    /** Reports the size of the document to the host: of its content in the flow, so that 0 is reported for content that is position: absolute alone. True by default. */
    autoResize?: boolean;
    /** Throws on a request before connect, and on an event's first listener after it. False by default. */
    strict?: boolean;
    /** Has no effect: this runtime never needs eval. */
    allowUnsafeEval?: boolean;
    /** Refuses requests that the host has not declared. False by default. */
    enforceStrictCapabilities?: boolean;
    /** Methods whose notifications without params are sent at most once per tick. */
    debouncedNotificationMethods?: string[];
    /** Called before each request to the server. */
    traceContext?: () => TraceContext | undefined;
  }

  // The tools of the server, see mcpapps types

  /**
   * The tools of the server by name, each { arguments; structuredContent }. It is
   * empty here. Once declarations of a server's tools extend it, callServerTool
   * accepts only their names, and its arguments and results are typed.
   */
  export interface ServerTools {}

  export type ServerToolName = [keyof ServerTools] extends [never] ? string : keyof ServerTools & string;

  type ServerToolField<N, F extends string> = N extends keyof ServerTools
    ? ServerTools[N] extends { [K in F]: infer T }
      ? T
      : never
    : never;

  export type ServerToolParams<N extends ServerToolName> = N extends keyof ServerTools
    ? { name: N; _meta?: RequestMeta } & ({} extends ServerToolField<N, "arguments">
        ? { arguments?: ServerToolField<N, "arguments"> }
        : { arguments: ServerToolField<N, "arguments"> })
    : CallToolRequest["params"];

  export type ServerToolResult<N extends ServerToolName> = N extends keyof ServerTools
    ? ServerTools[N] extends { structuredContent: infer T }
      ? (CallToolResult & { structuredContent: T; isError?: false }) | (CallToolResult & { isError: true })
      : CallToolResult
    : CallToolResult;

  // The tools of the view

  type ToolSchema = StandardSchemaV1 | JSONSchema;

  export type AppToolResult<Out extends ToolSchema | undefined = undefined> = Out extends StandardSchemaV1
    ?
        | (CallToolResult & { structuredContent: StandardSchemaV1.InferOutput<Out>; isError?: false })
        | (CallToolResult & { isError: true })
    : CallToolResult;

  /** Without an input schema, a tool gets no arguments. With a plain JSON Schema, they are not validated. */
  export type AppToolCallback<
    In extends ToolSchema | undefined = undefined,
    Out extends ToolSchema | undefined = undefined,
  > = In extends StandardSchemaV1
    ? (args: StandardSchemaV1.InferOutput<In>, extra: BaseContext) => AppToolResult<Out> | Promise<AppToolResult<Out>>
    : In extends JSONSchema
      ? (args: { [key: string]: any }, extra: BaseContext) => AppToolResult<Out> | Promise<AppToolResult<Out>>
      : (extra: BaseContext) => AppToolResult<Out> | Promise<AppToolResult<Out>>;

  export interface RegisteredAppTool {
    title?: string;
    description?: string;
    inputSchema?: ToolSchema;
    outputSchema?: ToolSchema;
    annotations?: ToolAnnotations;
    _meta?: Record<string, unknown>;
    enabled: boolean;
    enable(): void;
    disable(): void;
    remove(): void;
    update(updates: Partial<Omit<RegisteredAppTool, "update">>): void;
    handler: (args: unknown, extra: BaseContext) => Promise<CallToolResult>;
  }

  // Events

  export type AppEventMap = {
    toolinput: McpUiToolInputNotification["params"];
    toolinputpartial: McpUiToolInputPartialNotification["params"];
    toolresult: McpUiToolResultNotification["params"];
    toolcancelled: McpUiToolCancelledNotification["params"];
    hostcontextchanged: McpUiHostContextChangedNotification["params"];
  };

  /** One handler and any number of listeners for each event. */
  export class EventDispatcher<EventMap extends Record<string, unknown>> {
    setHandler<K extends keyof EventMap>(event: K, handler: ((params: EventMap[K]) => void) | undefined): void;
    getHandler<K extends keyof EventMap>(event: K): ((params: EventMap[K]) => void) | undefined;
    addEventListener<K extends keyof EventMap>(event: K, handler: (params: EventMap[K]) => void): void;
    removeEventListener<K extends keyof EventMap>(event: K, handler: (params: EventMap[K]) => void): void;
    dispatch<K extends keyof EventMap>(event: K, params: EventMap[K]): void;
  }

  type EventHandler<K extends keyof AppEventMap> = ((params: AppEventMap[K]) => void) | undefined;

  /** The requests of a host that a handler may be set for by name. */
  type HostRequests = {
    ping: { request: PingRequest; result: Result };
    "tools/call": { request: CallToolRequest; result: CallToolResult };
    "tools/list": { request: ListToolsRequest; result: ListToolsResult };
  };

  type ResultTypes = {
    ping: Result;
    "tools/call": CallToolResult;
    "tools/list": ListToolsResult;
    "resources/read": ReadResourceResult;
    "resources/list": ListResourcesResult;
    "sampling/createMessage": CreateMessageResult | CreateMessageResultWithTools;
  };

  /**
   * A view's side of the connection to its host.
   *
   * Errors that come from the host have the name "ProtocolError" and a number as
   * code, those of this side the name "SdkError" and one of REQUEST_TIMEOUT
   * (cancellation too), CONNECTION_CLOSED, NOT_CONNECTED, INVALID_RESULT.
   */
  export class App {
    constructor(appInfo: Implementation, appCapabilities?: McpUiAppCapabilities, options?: AppOptions);

    /**
     * Initializes the connection to the host, by default over window.parent, and
     * starts to report the size. If the host refuses, it closes the connection and
     * rejects.
     */
    connect(transport?: Transport, options?: RequestOptions): Promise<void>;
    close(): Promise<void>;
    get transport(): Transport | undefined;
    onclose?: () => void;
    /**
     * Called with errors that belong to no request, such as an invalid message.
     * Without it, exceptions from notification handlers are logged by
     * console.error.
     */
    onerror?: (error: Error) => void;

    // What the host declared in ui/initialize; undefined before connect.

    getHostCapabilities(): McpUiHostCapabilities | undefined;
    getHostVersion(): Implementation | undefined;
    /** Updated before hostcontextchanged is dispatched. */
    getHostContext(): McpUiHostContext | undefined;

    // Events. Notifications about the tool that arrive before the first listener are kept for it.

    addEventListener<K extends keyof AppEventMap>(event: K, handler: (params: AppEventMap[K]) => void): void;
    removeEventListener<K extends keyof AppEventMap>(event: K, handler: (params: AppEventMap[K]) => void): void;
    get ontoolinput(): EventHandler<"toolinput">;
    set ontoolinput(handler: EventHandler<"toolinput">);
    get ontoolinputpartial(): EventHandler<"toolinputpartial">;
    set ontoolinputpartial(handler: EventHandler<"toolinputpartial">);
    get ontoolresult(): EventHandler<"toolresult">;
    set ontoolresult(handler: EventHandler<"toolresult">);
    get ontoolcancelled(): EventHandler<"toolcancelled">;
    set ontoolcancelled(handler: EventHandler<"toolcancelled">);
    get onhostcontextchanged(): EventHandler<"hostcontextchanged">;
    set onhostcontextchanged(handler: EventHandler<"hostcontextchanged">);

    // Requests of the host

    /** Called before the host removes the view, which waits for the answer. */
    get onteardown():
      | ((
          params: McpUiResourceTeardownRequest["params"],
          extra: BaseContext,
        ) => McpUiResourceTeardownResult | Promise<McpUiResourceTeardownResult>)
      | undefined;
    set onteardown(
      handler:
        | ((
            params: McpUiResourceTeardownRequest["params"],
            extra: BaseContext,
          ) => McpUiResourceTeardownResult | Promise<McpUiResourceTeardownResult>)
        | undefined,
    );
    /** The capability tools has to be declared; registerTool sets this too. */
    get oncalltool():
      | ((params: CallToolRequest["params"], extra: BaseContext) => Promise<CallToolResult>)
      | undefined;
    set oncalltool(
      handler: ((params: CallToolRequest["params"], extra: BaseContext) => Promise<CallToolResult>) | undefined,
    );
    get onlisttools():
      | ((params: ListToolsRequest["params"], extra: BaseContext) => Promise<ListToolsResult>)
      | undefined;
    set onlisttools(
      handler: ((params: ListToolsRequest["params"], extra: BaseContext) => Promise<ListToolsResult>) | undefined,
    );

    /** Offers a tool to the host. After connect the capability tools has to have been declared. */
    registerTool<
      OutputArgs extends undefined | ToolSchema = undefined,
      InputArgs extends undefined | ToolSchema = undefined,
    >(
      name: string,
      config: {
        title?: string;
        description?: string;
        inputSchema?: InputArgs;
        outputSchema?: OutputArgs;
        annotations?: ToolAnnotations;
        _meta?: Record<string, unknown>;
      },
      callback: AppToolCallback<InputArgs, OutputArgs>,
    ): RegisteredAppTool;
    sendToolListChanged(params?: ToolListChangedNotification["params"]): Promise<void>;

    // Requests to the server, which the host passes on

    /** Resolves with isError if the tool fails. Rejects if the host refuses the call. */
    callServerTool<const N extends ServerToolName>(
      params: { name: N } & ServerToolParams<N>,
      options?: RequestOptions,
    ): Promise<ServerToolResult<N>>;
    readServerResource(params: ReadResourceRequest["params"], options?: RequestOptions): Promise<ReadResourceResult>;
    listServerResources(
      params?: ListResourcesRequest["params"],
      options?: RequestOptions,
    ): Promise<ListResourcesResult>;

    // Requests to the host

    /** Asks the host's model. Check getHostCapabilities()?.sampling first. */
    createSamplingMessage(
      params: CreateMessageRequest["params"] & { tools?: undefined },
      options?: RequestOptions,
    ): Promise<CreateMessageResult>;
    createSamplingMessage(
      params: CreateMessageRequest["params"],
      options?: RequestOptions,
    ): Promise<CreateMessageResultWithTools>;
    /** Adds a message to the conversation; isError if the host did not. */
    sendMessage(params: McpUiMessageRequest["params"], options?: RequestOptions): Promise<McpUiMessageResult>;
    /**
     * Replaces what the model knows about the view, from its next turn on. Check
     * getHostCapabilities()?.updateModelContext first.
     */
    updateModelContext(
      params: McpUiUpdateModelContextRequest["params"],
      options?: RequestOptions,
    ): Promise<{ _meta?: { [key: string]: unknown } }>;
    /** Opens a link outside of the view; isError if the host did not. */
    openLink(params: McpUiOpenLinkRequest["params"], options?: RequestOptions): Promise<McpUiOpenLinkResult>;
    /** @deprecated Use openLink. */
    sendOpenLink: App["openLink"];
    /** Asks the host to save files; isError if the host or the user refused. */
    downloadFile(params: McpUiDownloadFileRequest["params"], options?: RequestOptions): Promise<McpUiDownloadFileResult>;
    /** Resolves with the mode in force, which may differ from the requested one. */
    requestDisplayMode(
      params: McpUiRequestDisplayModeRequest["params"],
      options?: RequestOptions,
    ): Promise<McpUiRequestDisplayModeResult>;

    // Notifications to the host

    sendLog(params: LoggingMessageNotification["params"]): Promise<void>;
    /** The host may answer with ui/resource-teardown, see onteardown. */
    requestTeardown(params?: McpUiRequestTeardownNotification["params"]): Promise<void>;
    sendSizeChanged(params: McpUiSizeChangedNotification["params"]): Promise<void>;
    /** Reports each change of size until the function that it returns is called. */
    setupSizeChangedNotifications(): () => void;

    // The protocol below

    request<M extends keyof ResultTypes>(
      request: { method: M; params?: { [key: string]: any } },
      options?: RequestOptions,
    ): Promise<ResultTypes[M]>;
    request<T extends StandardSchemaV1>(
      request: Request,
      resultSchema: T,
      options?: RequestOptions,
    ): Promise<StandardSchemaV1.InferOutput<T>>;
    notification(notification: Notification, options?: NotificationOptions): Promise<void>;
    /** Throws if the method has a handler; the on… properties replace theirs. */
    setRequestHandler<M extends keyof HostRequests>(
      method: M,
      handler: (
        request: HostRequests[M]["request"],
        ctx: BaseContext,
      ) => HostRequests[M]["result"] | Promise<HostRequests[M]["result"]>,
    ): void;
    setRequestHandler<P extends StandardSchemaV1, R extends StandardSchemaV1 | undefined = undefined>(
      method: string,
      schemas: { params: P; result?: R },
      handler: (
        params: StandardSchemaV1.InferOutput<P>,
        ctx: BaseContext,
      ) => R extends StandardSchemaV1
        ? StandardSchemaV1.InferOutput<R> | Promise<StandardSchemaV1.InferOutput<R>>
        : Result | Promise<Result>,
    ): void;
    removeRequestHandler(method: string): void;
    assertCanSetRequestHandler(method: string): void;
    setNotificationHandler(
      method:
        | "notifications/cancelled"
        | "notifications/progress"
        | "notifications/tools/list_changed"
        | "notifications/resources/list_changed"
        | "notifications/prompts/list_changed",
      handler: (notification: Notification) => void | Promise<void>,
    ): void;
    setNotificationHandler<P extends StandardSchemaV1>(
      method: string,
      schemas: { params: P },
      handler: (params: StandardSchemaV1.InferOutput<P>, notification: Notification) => void | Promise<void>,
    ): void;
    removeNotificationHandler(method: string): void;
    fallbackRequestHandler?: (request: JSONRPCRequest, ctx: BaseContext) => Promise<Result>;
    fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

    protected replaceRequestHandler(
      method: string,
      handler: (request: any, ctx: BaseContext) => Result | Promise<Result>,
    ): void;
    protected assertCapabilityForMethod(method: string): void;
    protected assertRequestHandlerCapability(method: string): void;
  }

  // The host's styles

  /** data-theme of the html element, or the class "dark", or "light". */
  export function getDocumentTheme(): McpUiTheme;
  /** Sets data-theme and color-scheme of the html element. */
  export function applyDocumentTheme(theme: McpUiTheme): void;
  /** Sets the variables on the html element or on another one. */
  export function applyHostStyleVariables(styles: McpUiStyles, root?: HTMLElement): void;
  /** Adds the fonts to the document, once. */
  export function applyHostFonts(fontCss: string): void;
}

declare module "@modelcontextprotocol/ext-apps" {
  export * from "mcp-app";
}

declare module "@modelcontextprotocol/ext-apps/app-with-deps" {
  export * from "mcp-app";
}
