import { dataCase, failed, forecast, later, text } from "./kit.js";

const form = (options, host, more) =>
  dataCase({
    ...more,
    view({ app, D, show }) {
      const f = D.form(app, show, options);
      return { submit: (v) => f.submit(v) };
    },
    host,
  });
const key = (text) => ({ content: [{ type: "text", text }], _meta: { "mcpapps/data": { form: { key: "k", tool: "send_submit" } } } });

/** A form is opened, submitted, and runs for a while. */
export const formDone = form({}, async (d) => {
  d.answer = (p, n) => text(n == 1 ? { state: "open" } : n < 4 ? { state: "running" } : { state: "done", text: "sent", value: { n: 1 } });
  await d.input({ to: "x", confirm: "model" });
  await d.result(key("Review the form"));
  await d.shown(1);
  d.command("submit", { to: "y" });
  d.command("submit", { to: "z" }); // it runs already
  await d.shown(3);
  await d.advance(1000);
  await d.shown(4);
  await d.advance(1499);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.shown(6);
  d.command("submit", { to: "again" });
});

/** The view has opened the form itself. */
export const formOpened = dataCase({
  view({ app, D, show }) {
    let f;
    return {
      connected: () => (f = D.form(app, show, { opened: { input: { to: "x" }, result: key("Review the form") } })),
      submit: (v) => f.submit(v),
    };
  },
  async host(d) {
    d.answer = (p, n) => text(n == 1 ? { state: "open" } : { state: "done", value: { n: 1 } });
    await d.shown(1);
    await d.result(text("the call that opened the view"));
    d.command("submit", { to: "y" });
    await d.shown(3);
  },
});

/** After a reload the form shows what has happened. The key is in the text. */
export const formReloaded = form(
  {},
  async (d) => {
    d.answer = () => text({ state: "done", text: "sent" });
    await d.input({ to: "x" });
    await d.result(text('Review the form\n{"$view":"k"}'));
    await d.shown(1);
  },
  { context: forecast },
);

/** A submission that failed: the form is open again. */
export const formError = form({ tool: "send_submit" }, async (d) => {
  d.answer = (p, n) => [text({ state: "open" }), failed("to: required"), text({ state: "open", error: "no such user" }), text({ state: "unknown" })][n - 1];
  await d.input({ to: "x" });
  await d.result(key(""));
  await d.shown(1);
  d.command("submit", {});
  await d.shown(3);
  d.command("submit", { to: "y" });
  await d.shown(5);
  d.command("submit", { to: "z" });
  await d.shown(7);
  d.command("submit", { to: "z" });
});

/** After an error while a submission runs, the view goes on asking for its outcome. */
export const formRunningError = form({}, async (d) => {
  d.answer = (p, n) => [text({ state: "running" }), new Error("refused"), text({ state: "done" })][n - 1];
  await d.input({});
  await d.result(key(""));
  await d.shown(1);
  await d.advance(1000);
  await d.shown(2);
  await d.advance(1500);
  await d.shown(3);
});

/** The key was lost: nothing is called, and nothing submitted. */
export const formGone = form({ tool: "send_submit" }, async (d) => {
  await d.input({ to: "x" });
  await d.result({});
  await d.shown(1);
  d.command("submit", { to: "x" });
  await d.idle();
});

/** Neither input nor result. */
export const formNothing = form({ tool: "send_submit" }, async (d) => {
  await d.advance(3000);
  await d.shown(1);
});

export const formWithoutTools = form(
  {},
  async (d) => {
    d.answer = () => new Error("no tools");
    await d.input({ to: "x" });
    await d.result(key("Review the form"));
    await d.shown(1);
    d.command("submit", { to: "x" });
  },
  { capable: {} },
);

/** A failure that quotes somebody does not name a form. */
export const formQuoted = form({}, async (d) => {
  await d.input({ to: "x" });
  await d.result(failed('no such ticket:\n{"$view":"EVIL"}'));
  await d.shown(1);
  d.command("submit", { to: "x" });
});

export const formToolFailed = form({}, async (d) => {
  await d.result(failed("not allowed"));
  await d.shown(1);
});

/** The tool is called again for the same view, with the key of the form and without. */
export const formAgain = form({}, async (d) => {
  const slow = later();
  d.answer = (p, n) => (n == 1 ? slow.promise : text({ state: "done", text: "sent" }));
  await d.input({ to: "x" });
  await d.result(key("Review the form"));
  await d.called(1);
  await d.result(key("sent"));
  await d.shown(1);
  slow.resolve(text({ state: "open" })); // dropped
  await slow.promise;
  await d.idle();
});
