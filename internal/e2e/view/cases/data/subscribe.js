import { dataCase, failed, later, text } from "./kit.js";

const live = (options, host, more) =>
  dataCase({
    ...more,
    view({ app, D, show, report }) {
      let s;
      document.body.innerHTML = '<p id="there" style="height:20px">there</p>';
      return {
        connected: () =>
          (s = D.subscribe(app, {
            tool: "rates",
            args: { base: "CHF" },
            onvalue: (value) => show({ value }),
            onstate: (state) => show(state),
            ...options,
          })),
        refresh: () => s.refresh(),
        stop: () => s.stop(),
        async close() {
          const { callServerTool } = app;
          app.callServerTool = (...args) => (report("tries"), callServerTool.apply(app, args));
          await app.close();
        },
        moveAway: () => (document.getElementById("there").style.marginTop = "5000px"),
      };
    },
    host,
  });
const value = (version, value) => text({ version, value });

export const liveValues = live({}, async (d) => {
  d.answer = (_, n) => (n < 3 ? (n == 1 ? value("v1", 1) : text({ version: "v1" })) : value("v2", 2));
  await d.shown(3);
  await d.advance(999);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.called(2);
  await d.idle();
  await d.idle();
  await d.advance(1000);
  await d.shown(5);
});

/** After errors the intervals double. */
export const liveErrors = live({ every: 2000 }, async (d) => {
  d.answer = (_, n) => (n == 1 ? failed("starting") : n == 2 || n == 5 ? value("v", n) : n == 3 ? failed("down") : new Error("refused"));
  await d.shown(2);
  await d.advance(3999);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.shown(5);
  await d.advance(2000);
  await d.shown(6);
  await d.advance(4000);
  await d.called(4);
  await d.idle();
  await d.idle();
  await d.advance(7999);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.shown(8);
});

/** No interval is longer than 30 seconds. */
export const liveSlowest = live({ every: 20000 }, async (d) => {
  d.answer = () => failed("down");
  await d.shown(2);
  for (let n = 2; n < 4; n++) {
    await d.advance(30000);
    await d.called(n);
    await d.idle();
    await d.idle();
  }
});

/** Odd answers change nothing, and an error of the tool does not end the subscription. */
export const liveOdd = live({}, async (d) => {
  const odd = [value("v", 1), text(null), text({}), failed("connection closed"), value("w", 2)];
  d.answer = (p, n) => odd[n - 1] ?? text({});
  await d.called(1);
  for (let n = 2; n <= odd.length; n++) {
    await d.answered(n - 1);
    await d.advance(4000);
    await d.called(n);
  }
  await d.answered(odd.length);
});

export const liveWithoutTools = live(
  {},
  async (d) => {
    d.answer = () => new Error("no tools");
    await d.shown(2);
  },
  { capable: {} },
);

/** A hidden page asks for nothing, and at once when it is seen again. */
export const liveHidden = live({}, async (d) => {
  d.answer = (_, n) => value("v" + n, n);
  await d.shown(3);
  d.hide(true);
  await d.advance(60000);
  d.h.reports.push(d.calls.length);
  d.hide(false);
  await d.shown(5);
  // A short absence does not make requests more frequent.
  d.hide(true);
  await d.advance(500);
  d.hide(false);
  await d.advance(499);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.shown(7);
});

/** An element out of sight, in the view itself or with the view in the host's page. */
export const liveOffScreen = live({}, async (d) => {
  d.answer = (_, n) => value("v" + n, n);
  await d.shown(3);
  const { frame } = d.h;
  frame.style.top = "50000px";
  await paused(d);
  const before = d.calls.length;
  await d.advance(60000);
  if (d.calls.length != before) throw new Error("called while off screen");
  frame.style.top = "0";
  await d.answered(before + 1);
  d.h.reports.length = d.calls.length = 0;
});

/** Moves the clock until a step brings no call. */
async function paused(d) {
  for (;;) {
    const before = d.calls.length;
    await d.advance(1000);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await d.idle();
    await d.idle();
    if (d.calls.length == before) return;
  }
}

/** One request at a time; refresh drops the answer that is under way, stop too. */
export const liveLate = live({}, async (d) => {
  const answers = [];
  d.answer = () => {
    const l = later();
    answers.push(l);
    return l.promise;
  };
  await d.called(1);
  await d.advance(20000);
  d.h.reports.push(d.calls.length);
  d.command("refresh");
  await d.called(2);
  answers[0].resolve(value("old", "old"));
  await d.idle();
  answers[1].resolve(value("new", "new"));
  await d.shown(4);
  await d.advance(1000);
  await d.called(3);
  d.command("stop");
  answers[2].resolve(value("late", "late"));
  await d.advance(60000);
  d.command("refresh");
  await d.idle();
});

/** The host asks the view to end. */
export const liveTeardown = live({}, async (d) => {
  d.answer = () => value("v", 1);
  await d.shown(3);
  await d.teardown();
  await d.advance(60000);
});

/** The view closes its connection: it tries once more. */
export const liveClosed = live({}, async (d) => {
  d.answer = () => value("v", 1);
  await d.shown(3);
  d.command("close");
  await d.advance(1000);
  await d.shown(5);
  await d.advance(60000);
});
