// The view's side of each case, with the library to which "mcp-app" resolves.
import * as M from "mcp-app";
import * as D from "mcp-app/data";
import * as O from "mcp-app/openai";
import { cases } from "./cases/index.js";

const { view } = cases[new URLSearchParams(location.search).get("case")];
const report = (what) => parent.postMessage({ report: what }, "*");
addEventListener("securitypolicyviolation", (e) => parent.postMessage({ violation: e.effectiveDirective + " " + e.blockedURI }, "*"));
addEventListener("error", (e) => queueMicrotask(() => e.defaultPrevented || report("error: " + e.message)));

/** The properties of an error that views may depend on. */
const shape = (e) => ({ name: e.name, code: e.code, ...(e.data !== undefined && { data: e.data }) });

/** A function that waits for the host's next h.step(). */
function steps(app) {
  const waiting = [];
  const anything = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
  app.setNotificationHandler("x/step", { params: anything }, () => waiting.shift()());
  return () => new Promise((resolve) => waiting.push(resolve));
}

Promise.resolve(view({ M, D, O, report, shape, steps, sleep: (ms) => new Promise((r) => setTimeout(r, ms)) })).catch((e) =>
  report("failed: " + e.stack),
);
