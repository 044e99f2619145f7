import { dataCase, failed, later, text } from "./kit.js";

const pages = (options, host, more) =>
  dataCase({
    ...more,
    view({ app, D, show }) {
      const stop = new AbortController();
      const query = { q: "a" };
      let it;
      return {
        connected: () => (it = D.pages(app, { tool: "find_data", query, signal: stop.signal, ...options })),
        next: () => it.next().then(show, (e) => show({ threw: e.message })),
        extra: async () => show({ extras: [(await it.next()).value.extra, (await it.next()).value.extra ?? "none"] }),
        together: () => Promise.all([it.next(), it.next(), it.next(), it.next()]).then((all) => show({ all })),
        return: () => it.return().then(show),
        abort: () => stop.abort(new Error("no more")),
        async all() {
          const rows = [];
          for await (const page of it) rows.push(...page);
          show({ rows });
        },
      };
    },
    host,
  });
const page = (rows, next) => text({ data: { rows, next } });
const three = ({ arguments: a }) => (!a.view_cursor ? page([1, 2], "c2") : a.view_cursor == "c2" ? page([3, 4], "c3") : page([5]));

export const pagesAll = pages({}, async (d) => {
  d.answer = three;
  d.command("all");
  await d.shown(1);
});

/** The first page is known; one page is requested ahead, and no more. */
export const pagesAhead = pages({ first: { rows: [1, 2], next: "c2" } }, async (d) => {
  d.answer = three;
  await d.idle();
  d.h.reports.push(d.calls.length);
  d.command("next");
  await d.shown(2);
  await d.called(1);
  await d.idle();
  d.h.reports.push(d.calls.length);
  d.command("next");
  d.command("next");
  d.command("next");
  await d.shown(6);
});

/** Each of several next() at once gets its own page, and there is one request at a time. */
export const pagesTogether = pages({}, async (d) => {
  let running = 0;
  d.answer = async (p) => {
    if (++running > 1) throw new Error("two requests at once");
    await d.idle();
    running--;
    return three(p);
  };
  d.command("together");
  await d.shown(1);
});

/** What is beside the first page. */
export const pagesExtra = pages({}, async (d) => {
  d.answer = (p) => text({ data: p.arguments.view_cursor ? { rows: [3] } : { rows: [1, 2], next: "c2", extra: { total: 3 } } });
  d.command("extra");
  await d.shown(1);
});

/** A failed page can be requested again. */
export const pagesRetry = pages({}, async (d) => {
  d.answer = (p, n) => (n == 2 ? failed("down") : three(p));
  for (let n = 1; n < 6; n++) {
    d.command("next");
    await d.shown(n);
  }
});

/** return() cancels the request that is under way. */
export const pagesReturn = pages({}, async (d) => {
  const never = later();
  d.answer = (p, n) => (n == 1 ? three(p) : never.promise);
  d.command("next");
  await d.shown(1);
  await d.called(2);
  d.command("next");
  d.command("return");
  await d.shown(3);
  await d.h.until(() => d.h.messages.some(({ message: m }) => m.method == "notifications/cancelled"));
  d.command("next");
  await d.shown(4);
});

export const pagesAbort = pages({}, async (d) => {
  const never = later();
  d.answer = () => never.promise;
  d.command("next");
  await d.called(1);
  d.command("abort");
  await d.shown(1);
  await d.h.until(() => d.h.messages.some(({ message: m }) => m.method == "notifications/cancelled"));
  d.command("next");
  await d.shown(2);
});
