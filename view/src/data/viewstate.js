import { call } from "./call.js";
import { beforeTeardown } from "./teardown.js";

const interval = 250; // ms between two saves

export function viewState(app, id, { tool = "view_state", onchange, onerror = console.warn } = {}) {
  let state = {};
  let version = 0;
  let patch; // the changes that no request has sent
  let sent; // the changes that a request has sent which is not answered
  let busy; // ends with the request that is under way
  let next = 0; // when the next save may begin
  let delay = 2 * interval; // until the next attempt after an error
  let timer;

  /** Takes the server's state, with the unsaved changes over it. */
  const take = (r) => {
    version = r.version;
    state = { ...(r.state ?? state), ...patch };
    onchange?.(state, "remote");
  };

  /** Calls f when no other request is under way. */
  const alone = async (f) => {
    while (busy) await busy;
    let end;
    busy = new Promise((resolve) => (end = resolve));
    try {
      return await f();
    } finally {
      busy = 0;
      end();
      schedule();
    }
  };

  const save = () =>
    alone(async () => {
      clearTimeout(timer);
      timer = 0;
      while (patch) {
        sent = patch;
        patch = 0;
        next = Date.now() + interval;
        try {
          const r = await call(app, tool, { id, version, state });
          if (r.retry) throw r;
          if (!r.conflict) {
            version = r.version;
            delay = 2 * interval;
            return;
          }
          patch = { ...sent, ...patch };
          take(r);
        } catch (error) {
          patch = { ...sent, ...patch };
          next = Date.now() + Math.min(error.retry ?? delay, 30000);
          if (error.retry) throw new Error("Too often");
          delay *= 2;
          onerror(error);
          throw error;
        } finally {
          sent = 0;
        }
      }
    });
  const saveSilently = () => save().catch(() => {});
  const schedule = () => {
    if (!patch || busy) return;
    if (Date.now() < next) timer ||= setTimeout(saveSilently, next - Date.now());
    else saveSilently();
  };

  addEventListener("beforeunload", () => {
    // There is no time to wait for an answer: the server waits for the save before this one.
    // A state that is not loaded yet is taken to be new.
    if (busy && patch) call(app, tool, { id, version: version + !!sent, state }).catch(() => {});
    else saveSilently();
  });
  beforeTeardown(app, saveSilently);
  return {
    load: () =>
      alone(async () => {
        take(await call(app, tool, { id }));
        return state;
      }),
    get: () => state,
    set(change) {
      patch = { ...patch, ...change };
      state = { ...state, ...change };
      onchange?.(state, "local");
      schedule();
    },
    flush: save,
  };
}
