export const LATEST_PROTOCOL_VERSION = "2026-01-26";
export const RESOURCE_MIME_TYPE = "text/html;profile=mcp-app";
export const RESOURCE_URI_META_KEY = "ui/resourceUri";

export const DOWNLOAD_FILE_METHOD = "ui/download-file";
export const INITIALIZE_METHOD = "ui/initialize";
export const MESSAGE_METHOD = "ui/message";
export const OPEN_LINK_METHOD = "ui/open-link";
export const REQUEST_DISPLAY_MODE_METHOD = "ui/request-display-mode";
export const RESOURCE_TEARDOWN_METHOD = "ui/resource-teardown";

export const HOST_CONTEXT_CHANGED_METHOD = "ui/notifications/host-context-changed";
export const INITIALIZED_METHOD = "ui/notifications/initialized";
export const REQUEST_TEARDOWN_METHOD = "ui/notifications/request-teardown";
export const SANDBOX_PROXY_READY_METHOD = "ui/notifications/sandbox-proxy-ready";
export const SANDBOX_RESOURCE_READY_METHOD = "ui/notifications/sandbox-resource-ready";
export const SIZE_CHANGED_METHOD = "ui/notifications/size-changed";
export const TOOL_CANCELLED_METHOD = "ui/notifications/tool-cancelled";
export const TOOL_INPUT_METHOD = "ui/notifications/tool-input";
export const TOOL_INPUT_PARTIAL_METHOD = "ui/notifications/tool-input-partial";
export const TOOL_RESULT_METHOD = "ui/notifications/tool-result";
