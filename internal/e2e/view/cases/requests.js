const info = { name: "view", version: "0.1.0" };
const still = { autoResize: false };

function answerAll(bridge) {
  bridge.oncalltool = async (p) => ({ content: [{ type: "text", text: p.name }], structuredContent: { got: p.arguments ?? null }, _meta: { k: 1 }, kept: true });
  bridge.onreadresource = async (p) => ({ contents: [{ uri: p.uri, mimeType: "text/plain", text: "t" }] });
  bridge.onlistresources = async () => ({ resources: [{ uri: "ui://a/b.html", name: "b" }] });
  bridge.oncreatesamplingmessage = async (p) => ({ role: "assistant", model: "m", content: { type: "text", text: String(p.maxTokens) }, stopReason: "endTurn" });
  bridge.onmessage = async () => ({ seen: true });
  bridge.onopenlink = async () => ({});
  bridge.ondownloadfile = async () => ({});
  bridge.onupdatemodelcontext = async () => ({});
  bridge.onrequestdisplaymode = async (p) => ({ mode: p.mode == "pip" ? "inline" : p.mode, extra: 1 });
}

export const requests = {
  async view({ M, shape }) {
    const app = new M.App(info, {}, still);
    await app.connect();
    const log = async (p) => app.sendLog({ level: "debug", logger: "l", data: (await Promise.resolve(p).catch(shape)) ?? null });
    await log(app.callServerTool({ name: "a" }));
    await log(app.callServerTool({ name: "b", arguments: { x: [1, { y: "é" }] }, _meta: { mine: 1 } }));
    await log(app.callServerTool({ name: "c" }, { onprogress: undefined }));
    await log(app.readServerResource({ uri: "ui://a/b.html" }));
    await log(app.listServerResources());
    await log(app.listServerResources({ cursor: "c" }));
    await log(app.createSamplingMessage({ messages: [{ role: "user", content: { type: "text", text: "q" } }], maxTokens: 9 }));
    await log(
      app.createSamplingMessage({
        messages: [{ role: "user", content: { type: "text", text: "q" } }],
        maxTokens: 9,
        tools: [{ name: "t", inputSchema: { type: "object" } }],
      }),
    );
    await log(app.sendMessage({ role: "user", content: [{ type: "text", text: "hi" }] }));
    await log(app.updateModelContext({ content: [{ type: "text", text: "ctx" }], structuredContent: { a: 1 } }));
    await log(app.openLink({ url: "https://example.com/" }));
    await log(app.sendOpenLink({ url: "https://example.com/old" }));
    await log(app.downloadFile({ contents: [{ type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "a" } }] }));
    await log(app.requestDisplayMode({ mode: "fullscreen" }));
    await log(app.requestDisplayMode({ mode: "pip" }));
    await log(app.sendSizeChanged({ width: 10, height: 20 }));
    await log(app.sendSizeChanged({ height: 20 }));
    await log(app.sendToolListChanged());
    await log(app.request({ method: "ping" }));
    await log(app.request({ method: "tools/call", params: { name: "raw" } }));
    await log(app.request({ method: "tools/call", params: { name: "raw" } }, { onprogress() {} }));
    await log(app.notification({ method: "x/custom", params: { a: 1 } }));
    await log(app.notification({ method: "x/bare" }));
    // All at once: the order of sending is the order of calling.
    await Promise.all([
      app.callServerTool({ name: "1" }),
      app.sendLog({ level: "info", data: "between" }),
      app.readServerResource({ uri: "ui://x" }),
      app.sendSizeChanged({ width: 1, height: 1 }),
      app.openLink({ url: "https://example.com/" }),
    ]);
    await app.requestTeardown();
    await log("end");
  },
  async host(h) {
    answerAll(h.bridge);
    await h.connect();
    h.load();
    await h.said("end");
  },
};

/** Refusals: an error, a result with isError, and invalid results. */
export const refusals = {
  async view({ M, shape }) {
    const app = new M.App(info, {}, still);
    await app.connect();
    const log = async (p) => app.sendLog({ level: "info", data: await p.catch(shape) });
    await log(app.callServerTool({ name: "error" }));
    await log(app.callServerTool({ name: "soft" }));
    await log(app.callServerTool({ name: "bare" }));
    await log(app.callServerTool({ name: "wrong" }));
    await log(app.readServerResource({ uri: "ui://missing" }));
    await log(app.listServerResources());
    await log(app.updateModelContext({}));
    await log(app.requestDisplayMode({ mode: "pip" }));
    await log(app.openLink({ url: "soft:" }));
    await log(app.sendMessage({ role: "user", content: [{ type: "text", text: "soft" }] }));
    await log(app.downloadFile({ contents: [] }));
    await app.sendLog({ level: "info", data: "end" });
  },
  bare: true,
  async host(h) {
    const soft = { result: { isError: true, reason: "policy" } };
    const error = { error: { code: -32000, message: "denied", data: { why: "policy" } } };
    const replies = {
      "ui/initialize": { result: { protocolVersion: "2026-01-26", hostInfo: { name: "h", version: "1" }, hostCapabilities: {}, hostContext: {} } },
      "resources/read": error,
      "resources/list": { result: { resources: "none" } },
      "ui/update-model-context": soft,
      "ui/request-display-mode": { result: { mode: "sideways" } },
      "ui/open-link": soft,
      "ui/message": soft,
      "ui/download-file": soft,
    };
    const tools = { error, soft: { result: { isError: true, content: [] } }, bare: { result: { structuredContent: { a: 1 } } }, wrong: { result: { content: "no" } } };
    h.listen((m) => {
      if (m?.method && "id" in m) h.post({ id: m.id, ...(replies[m.method] ?? tools[m.params.name]) });
    });
    h.load();
    await h.said("end");
  },
};

/** A difference: an error of these three requests is a result with isError. */
export const softErrors = {
  async view({ M, report, shape }) {
    const app = new M.App(info, {}, still);
    await app.connect();
    const seen = async (p) => report(await p.then((r) => r.isError, shape));
    await seen(app.openLink({ url: "https://example.com/" }));
    await seen(app.sendMessage({ role: "user", content: [] }));
    await seen(app.downloadFile({ contents: [] }));
    report("end");
  },
  async host(h) {
    const deny = async () => {
      throw Object.assign(new Error("denied"), { code: -32000 });
    };
    h.bridge.onopenlink = h.bridge.onmessage = h.bridge.ondownloadfile = deny;
    await h.connect();
    h.load();
    await h.reported("end");
  },
};

/** Stops the view's clock. It then goes on by tick(ms), until start(). */
function stopClock() {
  const { setTimeout, clearTimeout, Date: { now } } = window;
  let at = now(), id = 1e6;
  const timers = new Map();
  window.setTimeout = (f, ms = 0) => (timers.set(++id, { due: at + ms, f }), id);
  window.clearTimeout = (id) => timers.delete(id) || clearTimeout(id);
  Date.now = () => at;
  return {
    tick(ms) {
      at += ms;
      for (const [id, { due, f }] of timers) if (due <= at && timers.delete(id)) f();
    },
    start() {
      Object.assign(window, { setTimeout, clearTimeout });
      Date.now = now;
    },
    later: (f) => setTimeout(f),
  };
}

export const timing = {
  async view({ M, shape }) {
    const app = new M.App(info, {}, still);
    const errors = [];
    app.onerror = (e) => errors.push(e.name);
    await app.connect();
    const log = async (p) => app.sendLog({ level: "info", data: (await Promise.resolve(p).catch(shape)) ?? null });
    await log(app.callServerTool({ name: "never" }, { timeout: 40 }));
    const abort = (why) => {
      const c = new AbortController();
      setTimeout(() => c.abort(why), 20);
      return { signal: c.signal };
    };
    await log(app.callServerTool({ name: "never" }, abort("user")));
    await log(app.callServerTool({ name: "never" }, abort()));
    await log(app.readServerResource({ uri: "ui://never" }, abort(new Error("broken"))));
    await log(app.callServerTool({ name: "never" }, { signal: AbortSignal.abort("early") }));
    const progress = [];
    // Progress every 200 ms, answered after 800: only a reset timeout lasts. The
    // clock is stopped, because a busy machine delays timers.
    const { tick, start, later } = stopClock();
    let ticks = 0;
    addEventListener("message", ({ data }) => {
      if (data?.method != "notifications/progress") return;
      later(() => {
        tick(200);
        later(() => parent.postMessage({ ticks: ++ticks }, "*"));
      });
    });
    await log(app.callServerTool({ name: "steps" }, { timeout: 600, onprogress: (p) => progress.push(p) }));
    await log(progress);
    await log(app.callServerTool({ name: "steps" }, { timeout: 600, resetTimeoutOnProgress: false }));
    await log(app.callServerTool({ name: "steps" }, { timeout: 5000, maxTotalTimeout: 300 }).catch((e) => e.code));
    start();
    await log("end");
  },
  async host(h) {
    const cancelled = () => h.messages.filter(({ message: m }) => m.method == "notifications/cancelled").length;
    h.bridge.onreadresource = () => new Promise(() => {});
    h.bridge.oncalltool = async (p) => {
      if (p.name == "never") return new Promise(() => {});
      const before = cancelled();
      for (let i = 0; i < 4 && cancelled() == before; i++) {
        const ticks = h.ticks;
        h.post({ method: "notifications/progress", params: { progressToken: p._meta.progressToken, progress: i, total: 4, message: "m" } });
        await h.until(() => h.ticks > ticks);
      }
      return { content: [] };
    };
    await h.connect();
    h.load();
    await h.said("end");
  },
};

/** Trace context is added to requests that the host forwards to the server, and to no others. */
export const trace = {
  async view({ M }) {
    const app = new M.App(info, {}, { ...still, traceContext: () => ({ traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "a=b" }) });
    await app.connect();
    await app.callServerTool({ name: "a", _meta: { mine: 1 } });
    await app.readServerResource({ uri: "ui://a" });
    await app.openLink({ url: "https://example.com/" });
    await app.sendLog({ level: "info", data: "end" });
  },
  async host(h) {
    answerAll(h.bridge);
    await h.connect();
    h.load();
    await h.said("end");
  },
};
