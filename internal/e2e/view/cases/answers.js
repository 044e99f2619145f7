const info = { name: "view", version: "0.1.0" };
const still = { autoResize: false };
const text = (t) => ({ content: [{ type: "text", text: t }] });
const isNumber = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (v) => (typeof v?.a == "number" ? { value: { a: v.a } } : { issues: [{ message: "not a number", path: ["a"] }] }),
  },
};

export const answers = {
  async view({ M, report }) {
    const app = new M.App(info, { tools: {} }, still);
    app.oncalltool = async (params, extra) => {
      if (params.name == "coded") throw Object.assign(new Error("coded"), { code: -32000, data: { d: 1 } });
      if (params.name == "thrown") throw new Error("thrown");
      if (params.name == "progress") {
        await extra.mcpReq.notify({ method: "notifications/progress", params: { progressToken: extra.mcpReq._meta.progressToken, progress: 1 } });
        await extra.mcpReq.send({ method: "ping" });
      }
      return text(JSON.stringify([params.name, params.arguments ?? null, extra.mcpReq._meta ?? null]));
    };
    app.onlisttools = async (params) => ({ tools: [{ name: params?.cursor ?? "t", inputSchema: { type: "object" } }] });
    app.onteardown = async () => ({ saved: true });
    app.setRequestHandler("x/ask", { params: isNumber }, (params, ctx) => ({ twice: params.a * 2, id: ctx.mcpReq.id }));
    const refused = (f) => {
      try {
        f();
        return "fine";
      } catch (e) {
        return e.name;
      }
    };
    report([
      refused(() => app.setRequestHandler("x/ask", { params: isNumber }, () => ({}))),
      refused(() => app.setRequestHandler("ping", () => ({}))),
      refused(() => app.setRequestHandler("ui/resource-teardown", { params: isNumber }, () => ({}))),
      refused(() => (app.onteardown = async () => ({ saved: true }))),
      refused(() => app.assertCanSetRequestHandler("x/ask")),
      refused(() => app.assertCanSetRequestHandler("x/other")),
      typeof app.onteardown,
      typeof app.oncalltool,
      typeof app.ontoolinput,
    ]);
    app.setNotificationHandler("notifications/tools/list_changed", (n) => report(n.method));
    addEventListener("error", (e) => e.preventDefault()); // of a notification with other params
    app.setNotificationHandler("x/note", { params: isNumber }, (params, n) => report([params, n.method]));
    report(refused(() => app.setNotificationHandler("x/note", { params: isNumber }, () => {})));
    report(refused(() => app.setNotificationHandler("ui/notifications/host-context-changed", { params: isNumber }, () => {})));
    await app.connect();
    await app.sendLog({ level: "info", data: "ready" });
    app.setNotificationHandler("x/next", { params: isNumber }, () => {
      app.removeRequestHandler("x/ask");
      app.oncalltool = undefined;
      app.fallbackRequestHandler = async (r) => ({ fallback: r.method });
      app.fallbackNotificationHandler = async (n) => report(["fallback", n.method]);
      app.sendLog({ level: "info", data: "next" });
    });
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.said("ready");
    let id = 500;
    const ask = (method, params) => h.ask(id++, method, params);
    await ask("ping");
    await ask("ping", { _meta: { a: 1 } });
    await h.ask("a string", "ping");
    await ask("x/unknown", {});
    await ask("tools/list");
    await ask("tools/list", { cursor: "next" });
    await ask("tools/call", { name: "t" });
    await ask("tools/call", { name: "t", arguments: { a: 1 }, _meta: { progressToken: 7 } });
    await ask("tools/call", { name: "progress", _meta: { progressToken: "p" } });
    await ask("tools/call", { name: "coded" });
    await ask("tools/call", { name: "thrown" });
    await ask("x/ask", { a: 4, b: 1, _meta: { c: 1 } });
    await ask("x/ask", { a: "x" });
    await ask("ui/resource-teardown", { reason: "r" });
    h.post({ method: "notifications/tools/list_changed" });
    h.post({ method: "x/note", params: { a: 1 } });
    h.post({ method: "x/note", params: { a: "no" } });
    h.post({ method: "x/next", params: { a: 1 } });
    await h.said("next");
    await ask("x/ask", { a: 1 });
    await ask("tools/call", { name: "t" });
    h.post({ method: "x/unknown" });
    await h.until(() => h.reports.some((r) => r[0] == "fallback"));
    return h.bridge.teardownResource({});
  },
};

/** A difference: a view without a handler for teardown answers {}. */
export const teardown = {
  async view({ M, report }) {
    const app = new M.App(info, {}, still);
    await app.connect();
    report("ready");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    return h.bridge.teardownResource({});
  },
};

export const cancelled = {
  async view({ M, report, steps }) {
    const app = new M.App(info, { tools: {} }, still);
    const step = steps(app);
    app.oncalltool = async (params, { mcpReq: { signal } }) => {
      signal.addEventListener("abort", () => report("aborted: " + signal.reason));
      report("running");
      await step();
      return text("late");
    };
    await app.connect();
    report("ready");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    h.post({ id: 77, method: "tools/call", params: { name: "slow" } });
    await h.reported("running");
    h.post({ method: "notifications/cancelled", params: { requestId: 77, reason: "enough" } });
    h.post({ method: "notifications/cancelled", params: { requestId: 78 } });
    await h.reported("aborted: enough");
    h.step();
    await h.ask(79, "ping");
  },
};

// What cannot be written as JSON, or as a string.
export const unwritable = {
  async view({ M, report, steps }) {
    const app = new M.App(info, {}, still);
    const step = steps(app);
    app.onerror = (e) => report(e.message);
    addEventListener("error", () => report("uncaught"));
    await app.connect();
    report("ready");
    await step();
    report("end");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    const cycle = { jsonrpc: "2.0", id: 998, result: {} };
    cycle.result.self = cycle;
    for (const m of [cycle, { jsonrpc: "2.0", id: 998, result: { big: 1n } }, { jsonrpc: "2.0", toString: 1, valueOf: 1 }])
      h.frame.contentWindow.postMessage(m, "*");
    h.step();
    await h.reported("end");
  },
};

export const garbage = {
  async view({ M, report, steps }) {
    const app = new M.App(info, {}, still);
    const step = steps(app);
    let errors = 0;
    let uncaught = 0;
    app.onerror = () => errors++;
    addEventListener("error", () => uncaught++);
    addEventListener("unhandledrejection", () => uncaught++);
    await app.connect();
    report("ready");
    await step();
    report([errors > 0, uncaught]);
    await app.sendLog({ level: "info", data: "alive" });
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    const w = h.frame.contentWindow;
    const cycle = { jsonrpc: "2.0" };
    cycle.self = cycle;
    for (const m of [
      null,
      5,
      "x",
      [],
      {},
      { jsonrpc: "2.0" },
      { jsonrpc: "2.0", id: null, method: "ping" },
      { jsonrpc: "2.0", id: {}, method: "ping" },
      { jsonrpc: "1.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 3, result: {}, error: { code: 1, message: "x" } },
      { jsonrpc: "2.0", id: 999, result: {} },
      { jsonrpc: "2.0", method: "notifications/progress" },
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "none", progress: 1 } },
      { jsonrpc: "2.0", method: "notifications/cancelled" },
      { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: [] },
      { jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: 5 },
      [{ jsonrpc: "2.0", id: 1, method: "ping" }],
      cycle,
      { jsonrpc: "2.0", id: 1n, method: "ping" },
    ])
      w.postMessage(m, "*");
    h.step();
    await h.said("alive");
    await h.ask(1, "ping");
  },
};
