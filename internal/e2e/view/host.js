// The host page. window.run[BRIDGE] runs a case: one view in an iframe, the
// reference bridge unless the case is bare, and a record of every message. Cases
// run side by side in the same page.
import * as Bridge from "bridge";
import { cases } from "./cases/index.js";
import { check } from "./schemas.js";

const hostContext = { theme: "dark", locale: "de-CH", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"], extra: 1 };
const capabilities = {
  openLinks: {},
  downloadFile: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  message: { text: {} },
  updateModelContext: { text: {} },
  sampling: { tools: {} },
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

window.run ??= {};
window.run[BRIDGE] = async (search) => {
  const query = new URLSearchParams(search);
  const { host, bare, context, capable = capabilities } = cases[query.get("case")];
  const over = new AbortController();

  const frame = document.body.appendChild(document.createElement("iframe"));
  // At the top, one over the other: the browser draws no frame that is out of sight.
  frame.style.cssText = "position:absolute;top:0;left:0;border:0;width:600px;height:300px";
  frame.sandbox = "allow-scripts allow-same-origin";

  const messages = []; // { from, message } in the order of arrival and of sending
  const reports = []; // of the view, to the test, outside of the protocol
  const violations = []; // of the view's policy
  const problems = []; // messages that are invalid by a schema
  const waiting = new Set();
  const wake = () => {
    for (const f of waiting) f();
  };
  const until = (f) =>
    new Promise((resolve) => {
      const look = () => {
        const value = f();
        if (!value) return;
        waiting.delete(look);
        resolve(value);
      };
      waiting.add(look);
      look();
    });
  const record = (from, message) => {
    messages.push({ from, message: JSON.parse(JSON.stringify(message)) });
    problems.push(...check(from, message, messages));
    wake();
  };

  const h = {
    frame,
    drawn: 0, // frames of the view, if it counts them
    messages,
    reports,
    ticks: 0, // of a clock that the case has stopped
    until,
    wake,
    sleep,
    query,
    /** Calls f with each message of the view. */
    listen: (f) =>
      addEventListener("message", ({ source, data }) => source == frame.contentWindow && f(data), { signal: over.signal }),
    /** Waits for the view's log entry with that data. */
    said: (data) => until(() => messages.some(({ message: m }) => m.method == "notifications/message" && m.params.data === data)),
    reported: (what) => until(() => reports.includes(what)),
    /** Sends a message without the bridge. */
    post(message) {
      message = { jsonrpc: "2.0", ...message };
      record("host", message);
      frame.contentWindow.postMessage(message, "*");
    },
    step: () => h.post({ method: "x/step" }),
    /** Sends a request without the bridge; resolves with the reply. */
    async ask(id, method, params) {
      h.post({ id, method, params });
      const isReply = ({ from, message: m }) => from == "view" && m.id === id && !m.method;
      return (await until(() => messages.find(isReply))).message;
    },
    load() {
      const path = `${query.get("page") ?? "view"}/${query.get("lib")}`;
      frame.src = `http://localhost:${location.port}/${path}?case=${query.get("case")}&document=${query.get("document")}`;
    },
  };
  h.listen((data) => {
    if (data?.violation) violations.push(data.violation);
    else if (data && "drawn" in data) {
      h.drawn = data.drawn;
      wake();
    } else if (data && "ticks" in data) {
      h.ticks = data.ticks;
      wake();
    } else if (data && "report" in data) {
      reports.push(data.report);
      wake();
    } else record("view", data);
  });
  if (!bare) {
    const transport = new Bridge.PostMessageTransport(frame.contentWindow, frame.contentWindow);
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      record("host", message);
      return send(message, options);
    };
    h.bridge = new Bridge.AppBridge(null, { name: "host", version: "1.2.3" }, capable, { hostContext: { ...hostContext, ...context } });
    h.initialized = new Promise((resolve) => (h.bridge.oninitialized = resolve));
    h.connect = () => h.bridge.connect(transport);
  }
  try {
    const late = sleep(120000).then(() => {
      throw new Error("the case did not end: " + JSON.stringify({ reports, messages: messages.slice(-5) }));
    });
    const result = await Promise.race([host(h), late]);
    return { messages, reports, violations, problems, result };
  } finally {
    over.abort();
    await h.bridge?.close();
    frame.remove();
  }
};
