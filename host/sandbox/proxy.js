(() => {
  // The page around this proxy, known by its origin and window; the view within,
  // by its own. The view is same-origin and can do here what it likes, so there
  // is nothing here but its own messages.
  const host = document.documentElement.dataset.host;
  const frame = document.querySelector("iframe");
  const reserved = "ui/notifications/sandbox-";
  const isReserved = (m) => typeof m?.method === "string" && m.method.startsWith(reserved);
  const tell = (name, params = {}) => parent.postMessage({ jsonrpc: "2.0", method: reserved + name, params }, host);
  let loading = false;

  addEventListener("message", (event) => {
    if (event.source === parent && event.origin === host) {
      if (event.data?.method === reserved + "resource-ready") {
        // The document is loaded by its URL, where the host serves it under the
        // view's policy as a header. It can load itself again from there.
        if (!loading) frame.src = "/view";
        loading = true;
      } else if (event.data?.method === reserved + "ask-alive") {
        if (frame.isConnected) tell("alive"); // the view can remove its frame
      } else if (!isReserved(event.data)) {
        frame.contentWindow?.postMessage(event.data, location.origin);
      }
    } else if (event.source === frame.contentWindow && event.origin === location.origin) {
      if (isReserved(event.data)) tell("forged", { method: event.data.method });
      else parent.postMessage(event.data, host);
    }
  });

  // A view that went elsewhere, or was stopped on the way, leaves a document
  // behind that is out of reach.
  frame.addEventListener("load", () => {
    if (!loading) return;
    let path;
    try {
      path = frame.contentWindow.location.pathname;
    } catch {
      path = undefined;
    }
    if (path !== "/view") tell("view-lost");
  });

  tell("proxy-ready");
})();
