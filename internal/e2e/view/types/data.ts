// Views with "mcp-app/data": each function with both App classes, and what the
// declarations have to reject.
import { App as Reference } from "@modelcontextprotocol/ext-apps";
import { App } from "mcp-app";
import { form, pages, resultData, subscribe, viewState } from "mcp-app/data";
import type { DataPage, FormState, LiveState, Missing } from "mcp-app/data";

interface Forecast {
  celsius: number;
}
interface Filters {
  city?: string;
  days?: number;
}
interface Order {
  id: number;
}

const info = { name: "data", version: "1.0.0" };
for (const app of [new App(info), new Reference(info)]) {
  resultData<Forecast>(app, ({ data, source, newer, missing, error, text, input, retry }) => {
    const why: Missing | undefined = missing;
    document.title = `${data?.celsius} ${source} ${newer} ${why} ${error?.message} ${text} ${input?.city}`;
    if (retry) void retry();
  });
  resultData(app, ({ data }) => {
    // @ts-expect-error: it may be anything
    data.celsius;
  }, { tool: "forecast_data", wait: 10000 });

  const first: DataPage<Order> = { rows: [{ id: 1 }], next: "c" };
  const all = pages<Order>(app, { tool: "orders_data", query: { sort: "id" }, first, signal: AbortSignal.timeout(1000) });
  for await (const rows of all) rows.map(({ id }) => id + 1);
  const { done, value } = await all.next();
  if (!done) value.map(({ id }) => id);
  await all.return();
  // @ts-expect-error: the tool is missing
  pages(app, {});

  const state = viewState<Filters>(app, "id", {
    tool: "board_state",
    onchange: ({ city }, origin: "local" | "remote") => (document.title = city + origin),
    onerror: ({ message }) => console.warn(message),
  });
  const loaded: Filters = await state.load();
  state.set({ days: (state.get().days ?? 0) + (loaded.days ?? 1) });
  // @ts-expect-error: not a key of the state
  state.set({ town: "Bern" });
  await state.flush();
  viewState(app, "id").set({ anything: true });

  const live = subscribe<number[]>(app, {
    tool: "rates",
    args: { base: "CHF" },
    every: 500,
    element: document.body,
    onvalue: (rates) => rates.map((r) => r * 2),
    onstate: ({ state, since, error }: LiveState) => (document.title = `${state} ${since && new Date(since)} ${error?.message}`),
  });
  live.refresh();
  live.stop();
  // @ts-expect-error: onvalue is missing
  subscribe(app, { tool: "rates" });

  const f = form<{ to: string }, { sent: number }>(
    app,
    (shown: FormState<{ to: string }, { sent: number }>) => {
      document.title = `${shown.state} ${shown.values?.to} ${shown.value?.sent} ${shown.text} ${shown.error?.message} ${shown.missing == "host"}`;
      // @ts-expect-error: not a state
      if (shown.state == "sent") return;
    },
    { tool: "send_submit", wait: 5000 },
  );
  await f.submit({ to: "x" });
  // @ts-expect-error: not the input
  await f.submit({ whom: "x" });
  await app.connect();
}
