import { call } from "./call.js";
import { followToolCall } from "./toolcall.js";

export function form(app, show, { tool, wait = 3000, opened } = {}) {
  let turn = 0; // answers of earlier turns are dropped
  let key, name, values, state, timer;

  const tell = (shown) => {
    state = shown.state;
    show({ values, ...shown });
  };

  /** Sends a question or a submission and shows the answer. With delay it is a question about a submission that runs, asked again after delay ms. */
  const send = async (args, delay) => {
    const mine = ++turn;
    clearTimeout(timer);
    let shown;
    try {
      shown = await call(app, name, { confirm: key, ...args });
      if (shown.error) shown.error = new Error(shown.error);
    } catch (error) {
      shown = { state: delay && !error.closed ? "running" : "failed", error, missing: error.missing };
    }
    if (mine != turn) return;
    if (shown.state == "running") {
      delay = Math.min(1.5 * delay || 1000, 10000);
      timer = setTimeout(send, delay, {}, delay);
    }
    tell(shown);
  };

  const follow = ({ input, result, meta, id, text, name: model, late }) => {
    const failed = result?.isError;
    if (!late && !failed && !(result && input)) return;
    turn++;
    clearTimeout(timer);
    if (input) {
      values = { ...input };
      delete values.confirm;
    }
    key = meta.form?.key ?? id;
    name = tool ?? meta.form?.tool ?? (model && model + "_submit");
    if (failed) tell({ state: "gone", error: new Error(text) });
    else if (!key) tell({ state: "gone", text });
    else if (!name) tell({ state: "gone", missing: "host", text });
    else send();
    return true;
  };
  followToolCall(app, wait, follow, opened);

  return {
    async submit(input) {
      if (!/open|failed/.test(state) || !key || !name) return;
      values = input;
      tell({ state: "running" });
      await send({ values });
    },
  };
}
