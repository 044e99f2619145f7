const info = { name: "view", version: "0.1.0" };
const still = { autoResize: false };
const names = ["toolinput", "toolinputpartial", "toolresult", "toolcancelled", "hostcontextchanged"];

export const events = {
  async view({ M }) {
    const app = new M.App(info, {}, still);
    const log = (...data) => app.sendLog({ level: "info", data });
    for (const name of names) {
      app["on" + name] = (p) => log("on" + name, p);
      app.addEventListener(name, (p) => log("first " + name, p));
      const twice = (p) => log("twice " + name, p);
      app.addEventListener(name, twice);
      app.addEventListener(name, twice);
      app.removeEventListener(name, twice);
    }
    app.onerror = (e) => log("onerror", e.name);
    await app.connect();
    app.setNotificationHandler("x/done", { params: { "~standard": { version: 1, vendor: "t", validate: (value) => ({ value }) } } }, (p, n) => log("x/done", p, n.method));
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.initialized;
    const b = h.bridge;
    await b.sendToolInputPartial({ arguments: { a: "par" } });
    await b.sendToolInputPartial({ arguments: { a: "partial", b: [1] } });
    await b.sendToolInput({ arguments: { a: "partial", b: [1, 2] } });
    await b.sendToolResult({ content: [{ type: "text", text: "t" }], structuredContent: { a: 1 }, _meta: { k: 1 } });
    await b.sendToolCancelled({ reason: "user" });
    b.setHostContext({ ...{ theme: "light", locale: "de-CH" }, added: { deep: [1] } });
    await b.sendHostContextChange({ displayMode: "fullscreen" });
    h.post({ method: "ui/notifications/tool-input" });
    h.post({ method: "ui/notifications/tool-input", params: { arguments: { a: 1 }, stray: 1 } });
    h.post({ method: "ui/notifications/tool-result", params: { structuredContent: { a: 2 }, kept: 1 } });
    h.post({ method: "ui/notifications/tool-cancelled", params: {} });
    h.post({ method: "ui/notifications/tool-input", params: { arguments: "no" } });
    h.post({ method: "ui/notifications/tool-result", params: { content: "no" } });
    h.post({ method: "x/unknown", params: {} });
    await h.sleep(30);
    h.post({ method: "x/done", params: { z: 1 } });
    await h.until(() => h.messages.some(({ message: m }) => m.params?.data?.[0] == "x/done"));
  },
};

/** The context is merged before listeners are called. */
export const context = {
  async view({ M }) {
    const app = new M.App(info, {}, still);
    app.onhostcontextchanged = () => app.sendLog({ level: "info", data: app.getHostContext() });
    await app.connect();
    await app.sendLog({ level: "info", data: "ready" });
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.said("ready");
    h.bridge.setHostContext({ theme: "light", locale: "fr" });
    await h.bridge.sendHostContextChange({ safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 } });
    await h.until(() => h.messages.filter(({ message: m }) => m.method == "notifications/message").length > 2);
  },
};

/** A difference: a notification without a listener is kept for the first one. */
export const early = {
  async view({ M, report, sleep, steps }) {
    const app = new M.App(info, {}, still);
    const step = steps(app);
    await app.connect();
    await app.sendLog({ level: "info", data: "deaf" });
    await step();
    // In the order of arrival, not in the order of the listeners.
    app.ontoolresult = (p) => report(["result", p.structuredContent]);
    app.addEventListener("toolinput", (p) => report(["input", p.arguments]));
    app.addEventListener("toolinput", (p) => report(["second", p.arguments]));
    await sleep(20);
    report("listening");
    app.ontoolcancelled = (p) => report(["cancelled", p.reason]);
    await sleep(20);
    app.addEventListener("toolinputpartial", (p) => report(["partial", p.arguments.n]));
    await sleep(20);
    // After the first listener, nothing is kept.
    app.ontoolresult = undefined;
    await app.sendLog({ level: "info", data: "deaf again" });
    await step();
    app.ontoolresult = (p) => report(["late", p.structuredContent]);
    await sleep(20);
    report("end");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.said("deaf");
    const b = h.bridge;
    for (let n = 0; n < 100; n++) await b.sendToolInputPartial({ arguments: { n } });
    await b.sendToolInput({ arguments: { a: 1 } });
    await b.sendToolResult({ content: [], structuredContent: { r: 1 } });
    await b.sendToolCancelled({ reason: "why" });
    h.step();
    await h.said("deaf again");
    await b.sendToolResult({ content: [], structuredContent: { r: 2 } });
    h.step();
    await h.reported("end");
  },
};

/** A listener that throws disturbs neither the connection nor the next event. */
export const throwing = {
  async view({ M, report }) {
    const app = new M.App(info, {}, still);
    app.onerror = () => report("onerror");
    app.ontoolinput = () => {
      throw new Error("mine");
    };
    app.ontoolresult = () => report("result");
    await app.connect();
    report("ready");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    await h.bridge.sendToolInput({ arguments: {} });
    await h.bridge.sendToolResult({ content: [] });
    await h.reported("result");
    await h.sleep(20);
  },
};

/** A difference: without onerror, an error of a listener is reported as one that nothing caught. */
export const thrown = {
  async view({ M, report }) {
    addEventListener("error", (e) => (e.preventDefault(), report([e.error.message])));
    const app = new M.App(info, {}, still);
    app.ontoolinput = () => {
      throw new Error("mine");
    };
    app.addEventListener("toolcancelled", async () => {
      throw new Error("unawaited"); // the browser reports it
    });
    app.ontoolresult = () => {
      app.onerror = (e) => report("onerror " + e.message);
      throw new Error("now heard");
    };
    addEventListener("unhandledrejection", (e) => (e.preventDefault(), report("rejection " + e.reason.message)));
    app.setRequestHandler("x/answer", () => {
      throw new Error("an answer");
    });
    app.setRequestHandler("x/fault", () => app.nothing.here);
    await app.connect();
    report("ready");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    await h.bridge.sendToolInput({ arguments: {} });
    await h.bridge.sendToolCancelled({ reason: "why" });
    await h.reported("rejection unawaited");
    h.post({ id: 1, method: "x/answer" });
    h.post({ id: 2, method: "x/fault" });
    await h.until(() => h.reports.length > 3);
    await h.bridge.sendToolResult({ content: [] });
    await h.until(() => h.reports.length > 4);
    await h.sleep(20);
  },
};

export const dispatcher = {
  bare: true,
  async view({ M, report }) {
    const d = new M.EventDispatcher();
    const seen = [];
    const f = (x) => seen.push(["f", x]);
    d.dispatch("a", 0);
    d.addEventListener("a", f);
    d.setHandler("a", (x) => seen.push(["handler", x]));
    d.addEventListener("a", f);
    d.dispatch("a", 1);
    d.removeEventListener("a", f);
    d.removeEventListener("b", f);
    d.addEventListener("a", () => d.addEventListener("a", f));
    d.dispatch("a", 2);
    d.setHandler("a", undefined);
    d.dispatch("a", 3);
    report([seen, d.getHandler("a") === undefined, d.getHandler("b") === undefined]);
    report("end");
  },
  async host(h) {
    h.load();
    await h.reported("end");
  },
};
