// The sandbox proxy of MCP Apps: on an origin of its own, between the host page
// and the view. It writes the document that the host sends into an inner frame,
// which inherits the policy of this page, and passes messages on.
{
  const reserved = "ui/notifications/sandbox-";
  const inner = document.createElement("iframe");
  inner.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  document.body.append(inner);

  addEventListener("message", ({ source, data }) => {
    const method = typeof data?.method === "string" ? data.method : "";
    if (source === parent && method === `${reserved}resource-ready`) {
      const { html, sandbox, permissions = {} } = data.params;
      if (sandbox) inner.setAttribute("sandbox", sandbox);
      const features = { camera: "camera", microphone: "microphone", geolocation: "geolocation", clipboardWrite: "clipboard-write" };
      inner.allow = Object.keys(features).filter((k) => permissions[k]).map((k) => features[k]).join("; ");
      inner.contentDocument.open();
      inner.contentDocument.write(html);
      inner.contentDocument.close();
    } else if (method.startsWith(reserved)) {
      // Between the host and this page only.
    } else if (source === parent) {
      inner.contentWindow.postMessage(data, "*");
    } else if (source === inner.contentWindow) {
      parent.postMessage(data, "*");
    }
  });
  parent.postMessage({ jsonrpc: "2.0", method: `${reserved}proxy-ready`, params: {} }, "*");
}
