let onresult;
addEventListener("message", ({ source, data }) => {
  const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  if (source !== parent) return;
  if (data.id === 0 && data.result) {
    send({ method: "ui/notifications/initialized" });
    if (typeof silent === "undefined") send({ method: "ui/notifications/size-changed", params: { height: typeof reported === "undefined" ? 100 : reported } });
  } else if (data.method === "ui/notifications/tool-result") {
    onresult?.(data.params);
  } else if (data.method && data.id !== undefined) {
    send({ id: data.id, result: {} });
  }
});
parent.postMessage({ jsonrpc: "2.0", id: 0, method: "ui/initialize", params: {
  protocolVersion: "2026-01-26", appInfo: { name: "view", version: "1" }, appCapabilities: {},
} }, "*");
