// A view that only connects, and reports the time from the first inline script of
// its document until then.
import { App } from "mcp-app";

const app = new App({ name: "first", version: "1.0.0" });
await app.connect();
parent.postMessage({ report: performance.timeOrigin + performance.now() - window.started }, "*");
