// What the cases of "mcp-app/data" share: a clock in the view that the host moves,
// and a server behind the host.

const settled = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });

/** Replaces the view's clock by one that stands still until the host calls advance. */
function stopClock() {
  let now = 1000000;
  let last = 0;
  let count = 0;
  const timers = new Map();
  window.setTimeout = (f, ms = 0, ...args) => (timers.set(++last, { at: now + ms, run: () => f(...args) }), last);
  window.clearTimeout = (id) => timers.delete(id);
  Date.now = () => now;
  addEventListener("message", async ({ data }) => {
    if (data?.hide != undefined) {
      Object.defineProperty(document, "hidden", { configurable: true, value: data.hide });
      document.dispatchEvent(new Event("visibilitychange"));
    }
    if (data?.advance == undefined) return;
    const end = now + data.advance;
    for (;;) {
      await settled();
      const [id, timer] = [...timers].filter(([, t]) => t.at <= end).sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (!id) break;
      timers.delete(id);
      now = timer.at;
      timer.run();
    }
    now = end;
    parent.postMessage({ ticks: ++count }, "*");
  });
}

/** An object that can be reported: errors as their messages. */
const plainFields = (o) => Object.fromEntries(Object.entries(o).map(([k, v]) => [k, typeof v == "function" ? "function" : v instanceof Error ? v.message : v]));

/** A case of this module; late if the view waits for the command to connect. view gets the app, not connected yet, and returns what to do with commands of the host. */
export const dataCase = ({ view, host, late, ...options }) => ({
  ...options,
  async view({ M, D, O, report }) {
    stopClock();
    const app = new M.App({ name: "view", version: "0.1.0" }, {}, { autoResize: false });
    const commands = (await view({ app, D, O, report, show: (r) => report(plainFields(r)) })) ?? {};
    addEventListener("message", ({ data }) => {
      if (data?.command) commands[data.command](...(data.args ?? []));
    });
    commands.connect = async () => {
      await app.connect();
      commands.connected?.();
    };
    if (late) report("not connected");
    else await commands.connect();
  },
  async host(h) {
    const calls = []; // of tools of the server, as the host gets them
    let moved = 0;
    h.bridge.oncalltool = async (params) => {
      const { progressToken, ...meta } = params._meta;
      const call = { ...params, _meta: meta };
      calls.push(call);
      h.wake();
      const answer = await d.answer(call, calls.length);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const d = {
      h,
      calls,
      answer: () => text({}),
      bridge: h.bridge,
      /** Moves the view's clock, and runs the timers that become due. */
      async advance(ms) {
        h.frame.contentWindow.postMessage({ advance: ms }, "*");
        const n = ++moved;
        await h.until(() => h.ticks >= n);
      },
      connected: () => h.initialized,
      hide: (hide) => h.frame.contentWindow.postMessage({ hide }, "*"),
      command: (command, ...args) => h.frame.contentWindow.postMessage({ command, args }, "*"),
      input: (args) => h.bridge.sendToolInput({ arguments: args }),
      result: (r) => h.bridge.sendToolResult({ content: [], ...r }),
      /** Asks the view to end. The reference refuses that where the author has no onteardown. */
      teardown: () => h.bridge.teardownResource({}).catch(() => {}),
      shown: (n) => h.until(() => h.reports.length >= n),
      called: (n) => h.until(() => calls.length >= n),
      /** Waits until the view has the answer to the nth call. */
      async answered(n) {
        const isAnswer = ({ from, message: m }) => from == "host" && m.result?.content;
        await h.until(() => h.messages.filter(isAnswer).length >= n);
        await d.idle();
      },
      /** Waits until the view has handled everything that was sent to it. */
      idle: () => d.advance(0),
    };
    await h.connect();
    h.load();
    await (late ? h.reported("not connected") : h.initialized);
    await host(d);
    await d.idle();
    return calls;
  },
});

/** A result with JSON as text. */
export const text = (v) => ({ content: [{ type: "text", text: typeof v == "string" ? v : JSON.stringify(v) }] });

export const failed = (message) => ({ ...text(message), isError: true });

/** A promise that is kept from outside. */
export function later() {
  const l = {};
  l.promise = new Promise((resolve, reject) => Object.assign(l, { resolve, reject }));
  return l;
}

export const forecast = { toolInfo: { tool: { name: "forecast", inputSchema: { type: "object" } } } };
