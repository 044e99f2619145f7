// A view that does nothing but connect, and tells how long that took from the
// first inline script of its document.
import { App } from "mcp-app";

const app = new App({ name: "first", version: "1.0.0" });
await app.connect();
parent.postMessage({ report: performance.timeOrigin + performance.now() - window.started }, "*");
