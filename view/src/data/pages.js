import { call } from "./call.js";

export function pages(app, { tool, query, first, signal }) {
  const stop = new AbortController();
  let cursor, done;
  let ahead = first && Promise.resolve(first); // the next page
  let last = Promise.resolve(); // the last next()

  const fetch = async () =>
    (await call(app, tool, { ...query, ...(cursor && { view_cursor: cursor }) }, { signal: stop.signal })).data;
  const step = async () => {
    try {
      signal?.throwIfAborted();
      if (done) return { done };
      const { rows, next, extra } = await (ahead ??= fetch());
      signal?.throwIfAborted();
      if (done) return { done };
      cursor = next;
      done = !next;
      ahead = done ? null : fetch();
      ahead?.catch(() => {}); // the next step reports it
      return { value: Object.assign(rows, { extra }), done: false };
    } catch (error) {
      ahead = null;
      signal?.throwIfAborted();
      if (done) return { done };
      throw error;
    }
  };

  signal?.addEventListener("abort", () => stop.abort(signal.reason));
  return {
    next: () => (last = last.then(step, step)),
    async return(value) {
      done = true;
      stop.abort();
      return { done, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
