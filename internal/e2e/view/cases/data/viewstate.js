import { dataCase, failed, later, text } from "./kit.js";

/** early: before connect(). */
const state = (host, { early, ...more } = {}) =>
  dataCase({
    ...more,
    view({ app, D, show }) {
      let s;
      app.onteardown = async () => {
        s.set({ ended: true });
        return {};
      };
      const start = () => {
        s = D.viewState(app, "id", {
          onchange: (state, origin) => show({ state, origin }),
          onerror: (e) => show({ onerror: e.message }),
        });
      };
      if (early) start();
      return {
        connected: () => s ?? start(),
        replace: () => (app.onteardown = async () => ({ replaced: true })),
        load: () => s.load().then((loaded) => show({ loaded }), (e) => show({ threw: e.message })),
        set: (change) => s.set(change),
        flush: () => s.flush().then(() => show({ flushed: s.get() }), (e) => show({ threw: e.message })),
      };
    },
    host,
  });

/** A server of one document. */
const server = (doc = {}) => {
  doc = { state: null, version: 0, ...doc };
  return Object.assign(
    ({ arguments: { state, version } }) => {
      if (version == undefined) return text(doc);
      if (version != doc.version) return text({ conflict: true, ...doc });
      doc = { state, version: version + 1 };
      return text({ version: doc.version });
    },
    { put: (d) => (doc = d) },
  );
};

/** The first change is saved at once, the others together, 250 ms later. */
export const stateThrottle = state(async (d) => {
  d.answer = server({ state: { a: 1 }, version: 3 });
  d.command("load");
  await d.shown(2);
  d.command("set", { b: 1 });
  await d.called(2);
  await d.idle();
  for (let b = 2; b < 5; b++) {
    d.command("set", { b });
    await d.advance(80);
  }
  d.h.reports.push(d.calls.length);
  await d.advance(10);
  await d.called(3);
  await d.advance(1000); // nothing is left to save
  d.command("set", { c: 1 });
  await d.called(4);
});

/** One request at a time, however long it takes. */
export const stateNoOverlap = state(async (d) => {
  const slow = later();
  const s = server();
  d.answer = async (p, n) => (n == 1 && (await slow.promise), s(p));
  d.command("set", { a: 1 });
  await d.called(1);
  d.command("set", { a: 2 });
  d.command("flush");
  await d.advance(5000);
  d.h.reports.push(d.calls.length);
  slow.resolve();
  await d.called(2);
  await d.h.until(() => d.h.reports.some((r) => r.flushed));
});

/** Changes before the state has arrived stay, and are saved over it. */
export const stateBeforeLoad = state(async (d) => {
  const slow = later();
  const s = server({ state: { a: 1, b: 1 }, version: 3 });
  d.answer = async (p, n) => (n == 1 && (await slow.promise), s(p));
  d.command("load");
  await d.called(1);
  d.command("set", { b: 2 });
  await d.idle();
  slow.resolve();
  await d.called(2);
  await d.shown(3);
});

/** Another view has saved: the changes are applied to its state. */
export const stateConflict = state(async (d) => {
  d.answer = server({ state: { a: 1, b: 1 }, version: 3 });
  d.command("load");
  await d.shown(2);
  d.answer.put({ state: { a: 5, b: 5, c: 5 }, version: 9 });
  d.command("set", { b: 2 });
  await d.called(3);
  d.command("flush");
  await d.shown(5);
  // The document has expired: the whole state is saved again.
  d.answer.put({ state: null, version: 0 });
  await d.advance(250);
  d.command("set", { d: 1 });
  await d.called(5);
});

/** After an error the changes are kept and saved later, in longer and longer intervals. */
export const stateErrors = state(async (d) => {
  const s = server();
  d.answer = (p, n) => (n == 1 ? failed("too large") : n == 2 ? new Error("refused") : n == 3 ? text({ retry: 700 }) : s(p));
  d.command("set", { a: 1 });
  await d.shown(2);
  d.command("set", { b: 1 });
  await d.shown(3);
  await d.advance(499);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.shown(5);
  await d.advance(999);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.called(3);
  await d.idle();
  await d.idle();
  await d.advance(699);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.called(4);
  // After a success the interval is the usual one.
  await d.idle();
  await d.idle();
  d.command("set", { c: 1 });
  await d.idle();
  d.h.reports.push(d.calls.length);
  await d.advance(250);
  await d.called(5);
});

export const stateFlushFails = state(async (d) => {
  d.answer = () => failed("down");
  d.command("set", { a: 1 });
  await d.shown(2);
  d.command("flush");
  await d.shown(4);
});

/** The host asks the view to end. The author's handler changes something, and the view answers when that is saved. */
export const stateTeardown = state(async (d) => {
  d.answer = server();
  d.command("set", { a: 1 });
  await d.answered(1);
  d.command("set", { a: 2 });
  await d.idle();
  d.h.reports.push(await d.bridge.teardownResource({}));
  d.h.reports.push(d.h.messages.slice(-4).map(({ from, message }) => from + " " + (message.method ?? "answer")));
});

/** The author's handler is set later and does not save: what can be sent is sent before the answer. */
export const stateTeardownReplaced = state(
  async (d) => {
    d.answer = server();
    d.command("set", { a: 1 });
    await d.answered(1);
    d.command("replace");
    d.command("set", { a: 2 });
    await d.idle();
    d.h.reports.push(await d.bridge.teardownResource({}));
    const sent = d.h.messages.filter(({ from }) => from == "view").map(({ message }) => message.method ?? "answer");
    d.h.reports.push(sent.slice(-2));
  },
  { early: true },
);

/** The page is left after a request and a change. ready waits until the first is as far as the case needs. */
const unload = (serve, ready, first = ["set", { a: 1 }]) => ({
  ...state(),
  async host(h) {
    return state(async (d) => {
      d.answer = serve();
      d.command(...first);
      await ready(d);
      d.command("set", { a: 2 });
      await d.idle();
      h.frame.src = h.frame.src.replace("?", "?left&");
      await d.called(2);
      d.idle = () => {};
    }).host(h);
  },
});

export const stateUnload = unload(server, (d) => d.answered(1));

/** A save is not answered: the last changes go out all the same, as the version after that. */
export const stateUnloadBusy = unload(
  () => () => new Promise(() => {}),
  (d) => d.called(1),
);

/** The state is not loaded yet: the changes are saved as its first version. */
export const stateUnloadBeforeLoad = unload(
  () => () => new Promise(() => {}),
  (d) => d.called(1),
  ["load"],
);
