const info = { name: "view", version: "0.1.0", title: "View" };
const still = { autoResize: false };
const result = { protocolVersion: "2026-01-26", hostInfo: { name: "h", version: "1" }, hostCapabilities: {}, hostContext: {} };

export const handshake = {
  async view({ M }) {
    const app = new M.App(info, { availableDisplayModes: ["inline", "pip"], experimental: { a: {} } }, still);
    const before = [app.getHostContext(), app.getHostVersion(), app.getHostCapabilities(), app.transport];
    await app.connect();
    await app.sendLog({ level: "info", data: before.map((v) => v === undefined) });
    await app.sendLog({ level: "info", data: [app.getHostContext(), app.getHostVersion(), app.getHostCapabilities()] });
    await app.sendLog({ level: "info", data: await app.connect().catch((e) => e.name) });
    await app.sendLog({ level: "info", data: "end" });
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.said("end");
    return [h.bridge.getAppVersion(), h.bridge.getAppCapabilities()];
  },
};

/** A case in which the host answers ui/initialize with answer, or not at all. */
const answered = (answer, options) => ({
  bare: true,
  async view({ M, report, shape }) {
    const app = new M.App(info, {}, still);
    app.onclose = () => report("closed");
    try {
      await app.connect(undefined, options);
      report("connected");
    } catch (e) {
      report(shape(e));
      report(app.transport === undefined);
    }
    report("end");
  },
  async host(h) {
    h.load();
    await h.until(() => h.messages.length);
    if (answer) h.post({ id: 0, ...answer });
    await h.reported("end");
  },
});

export const refusedHandshake = answered({ error: { code: -32602, message: "no", data: { field: "appInfo" } } });
export const emptyHandshake = answered({ result: {} });
export const noContextHandshake = answered({ result: { ...result, hostContext: undefined } });
export const lateHandshake = answered(null, { timeout: 30 });
export const otherVersionHandshake = answered({ result: { ...result, protocolVersion: "2099-01-01" } });

/** A view that does not await connect(), at a host that answers ui/initialize with answer, or not at all. */
const unawaited = (answer, options) => ({
  bare: true,
  async view({ M, report }) {
    addEventListener("unhandledrejection", (e) => (e.preventDefault(), report([e.reason.name, e.reason.code, e.reason.message])));
    new M.App(info, {}, still).connect(undefined, options);
  },
  async host(h) {
    h.load();
    await h.until(() => h.messages.length);
    if (answer) h.post({ id: 0, ...answer });
    await h.until(() => h.reports.length);
  },
});

export const unawaitedRefusal = unawaited({ error: { code: -32602, message: "appInfo has no version" } });
export const unawaitedEmpty = unawaited({ result: {} });
export const unawaitedSilence = unawaited(null, { timeout: 30 });

/** A view that enforces capabilities, at a host that offers sampling or does not. */
const enforced = (hostCapabilities) => ({
  bare: true,
  async view({ M, report }) {
    const app = new M.App(info, {}, { ...still, enforceStrictCapabilities: true });
    await app.connect();
    const params = { messages: [{ role: "user", content: { type: "text", text: "q" } }], maxTokens: 1 };
    report(await app.createSamplingMessage(params, { timeout: 200 }).then(String, (e) => e.name));
    report(await app.sendMessage({ role: "user", content: [{ type: "text", text: "q" }] }, { timeout: 200 }).then(String, (e) => e.name));
    report("end");
  },
  async host(h) {
    h.load();
    await h.until(() => h.messages.length);
    h.post({ id: 0, result: { ...result, hostCapabilities } });
    await h.reported("end");
  },
});
export const enforcedWithout = enforced({});
export const enforcedWith = enforced({ sampling: {} });

export const reconnect = {
  async view({ M, report, shape }) {
    const app = new M.App(info, {}, still);
    let closed = 0;
    app.onclose = () => closed++;
    await app.connect();
    const pending = app.callServerTool({ name: "never" });
    await app.close();
    await app.close();
    report([closed, await pending.catch(shape), app.transport === undefined]);
    report(await app.sendLog({ level: "info", data: 1 }).catch(shape));
    report(await app.callServerTool({ name: "x" }).catch((e) => e.message));
    await app.connect();
    await app.sendLog({ level: "info", data: "again" });
  },
  async host(h) {
    h.bridge.oncalltool = () => new Promise(() => {});
    await h.connect();
    h.load();
    await h.said("again");
  },
};

/** Messages of other windows than the parent are ignored. */
export const strangers = {
  async view({ M, report, sleep }) {
    const app = new M.App(info, {}, still);
    app.ontoolinput = (p) => report(p);
    await app.connect();
    window.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { from: "self" } } }, "*");
    await sleep(50);
    report("listening");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("listening");
    const other = document.body.appendChild(document.createElement("iframe"));
    const post = other.contentWindow.Function("view", "message", 'view.postMessage(message, "*")'); // so that the source is the other frame
    post(h.frame.contentWindow, { jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: { from: "sibling" } } });
    await h.sleep(200);
    await h.bridge.sendToolInput({ arguments: { from: "host" } });
    await h.until(() => h.reports.length > 1);
    other.remove();
  },
};

export const strict = {
  async view({ M, report }) {
    const app = new M.App(info, {}, { ...still, strict: true });
    const broken = async (f) => {
      try {
        await f();
        report("fine");
      } catch (e) {
        report(e.name);
      }
    };
    await broken(() => app.callServerTool({ name: "x" }));
    await broken(() => app.sendMessage({ role: "user", content: [] }));
    await app.connect();
    await broken(() => app.addEventListener("toolinput", () => {}));
    await broken(() => (app.ontoolresult = () => {}));
    await broken(() => app.addEventListener("hostcontextchanged", () => {}));
    await broken(() => app.addEventListener("nonsense", () => {}));
    report("end");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("end");
  },
};
