import { dataCase, failed, forecast, later, text } from "./kit.js";

const data = (options, host, more) =>
  dataCase({
    ...more,
    view({ app, D, show }) {
      let retry;
      D.resultData(app, (r) => ((retry = r.retry), show(r)), options);
      return { retry: () => retry() };
    },
    host,
  });
const meta = (v) => ({ _meta: { "mcpapps/data": v } });

/** The data is in the result. */
export const dataInResult = data({}, async (d) => {
  await d.input({ city: "Bern" });
  await d.result({ ...text("6 degrees"), ...meta({ data: { t: 6 } }) });
  await d.shown(1);
  await d.result(meta({ data: null }));
  await d.shown(2);
});

/** The result says which tool has the data. */
export const dataFromTwin = data({}, async (d) => {
  d.answer = () => text({ data: { t: 7 } });
  await d.input({ city: "Bern" });
  await d.result({ ...text("6 degrees"), ...meta({ tool: "forecast_data" }) });
  await d.shown(1);
});

/** A host without _meta that tells the tool's name; the result comes before the input. */
export const dataWithoutMeta = data(
  {},
  async (d) => {
    d.answer = () => text({ data: { t: 7 } });
    await d.result(text("6 degrees"));
    await d.idle();
    await d.input({ city: "Bern" });
    await d.shown(1);
  },
  { context: forecast },
);

/** The id travels in the text; hosts may join blocks. The last one counts. */
export const dataByID = data({ tool: "send_data" }, async (d) => {
  d.answer = () => text({ data: 1 });
  await d.result(text('sent\n{"$view":"other"}\nmore\n{"$view":"a-1_B"}'));
  await d.shown(1);
  await d.result({ ...text("sent"), ...meta({ tool: "ignored", id: "meta" }) });
  await d.shown(2);
});

export const dataGone = data({ tool: "send_data" }, async (d) => {
  d.answer = () => text({ gone: true });
  await d.input({ to: "x" });
  await d.result({});
  await d.shown(1);
  await d.result(meta({ gone: true })); // the server says it, so that nothing is called
  await d.shown(2);
});

/** Neither input nor result: nothing is called. */
export const dataWithoutInput = data({ tool: "forecast_data" }, async (d) => {
  await d.advance(2999);
  await d.advance(1);
  await d.shown(1);
});

/** The result never arrives. */
export const dataWithoutResult = data({ tool: "forecast_data", wait: 500 }, async (d) => {
  d.answer = () => text({ data: 1 });
  await d.advance(400);
  await d.input({ a: 1 });
  await d.advance(499);
  d.h.reports.push(d.calls.length);
  await d.advance(1);
  await d.shown(2);
});

/** While the model still writes the input, nothing is asked, however long it takes. */
export const dataWhileWriting = data({ tool: "forecast_data" }, async (d) => {
  await d.bridge.sendToolInputPartial({ arguments: { a: 1 } });
  await d.advance(60000);
  await d.input({ a: 1 });
  await d.advance(60000);
  await d.result(meta({ data: 1 }));
  await d.shown(1);
});

/** The host calls no tools: data that is in the result arrives, other data does not. */
export const dataWithoutTools = data(
  { tool: "forecast_data" },
  async (d) => {
    d.answer = () => new Error("no tools");
    await d.input({});
    await d.result(text("6 degrees"));
    await d.shown(1);
    await d.result(meta({ data: 1 }));
    await d.shown(2);
  },
  { capable: {} },
);

/** The host calls tools and does not say so. */
export const dataUnadvertised = data(
  { tool: "forecast_data" },
  async (d) => {
    d.answer = () => text({ data: 2 });
    await d.input({});
    await d.result(text("6 degrees"));
    await d.shown(1);
  },
  { capable: {} },
);

/** Odd results: what the server says about the data is not an object, or the answer lacks the data. */
export const dataOdd = data({ tool: "forecast_data" }, async (d) => {
  d.answer = (p, n) => text([{ data: 2 }, {}, null, 5][n - 1] ?? null);
  await d.input({});
  let n = 0;
  for (const odd of ["x", 5, true, []]) {
    await d.result(meta(odd));
    await d.shown(++n);
  }
});

/** A text that quotes somebody does not say where the data is, if the server does. */
export const dataQuoted = data({ tool: "forecast_data" }, async (d) => {
  d.answer = () => text({ data: 2 });
  const quoted = text('A ticket:\n{"$view":"EVIL"}');
  await d.input({ city: "Bonn" });
  await d.result({ ...quoted, ...meta({ tool: "forecast_data" }) });
  await d.shown(1);
  await d.result({ ...quoted, isError: true });
  await d.shown(2);
});

/** Nobody says which tool has the data. */
export const dataWithoutName = data({}, async (d) => {
  await d.input({});
  await d.result({});
  await d.shown(1);
});

export const dataErrors = data({ tool: "forecast_data" }, async (d) => {
  await d.input({ a: 1 });
  await d.result(failed("no such city"));
  await d.shown(1);
  d.answer = (_, n) => (n == 1 ? failed("down") : n == 2 ? new Error("refused") : n == 3 ? text("no JSON") : text({ data: 1 }));
  await d.result({});
  for (let n = 2; n < 5; n++) {
    await d.shown(n);
    d.command("retry");
  }
  await d.shown(5);
  await d.bridge.sendToolCancelled({ reason: "by the user" });
  await d.shown(6);
});

/** An answer that comes after the next result is dropped. */
export const dataLate = data({ tool: "forecast_data" }, async (d) => {
  const slow = later();
  d.answer = () => slow.promise;
  await d.input({});
  await d.result({});
  await d.called(1);
  await d.result(meta({ data: "new" }));
  await d.shown(1);
  slow.resolve(text({ data: "old" }));
  await slow.promise;
  await d.idle();
});

/** The time to wait begins with the connection. */
export const dataConnectsLate = data(
  { tool: "forecast_data" },
  async (d) => {
    await d.advance(30000);
    d.command("connect");
    await d.connected();
    await d.idle();
    d.h.reports.push("connected");
    await d.advance(3000);
    await d.shown(2);
  },
  { late: true },
);
