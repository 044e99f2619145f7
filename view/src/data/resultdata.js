import { call } from "./call.js";
import { followToolCall } from "./toolcall.js";

export function resultData(app, show, { tool, wait = 3000 } = {}) {
  let turn = 0; // answers of earlier turns are dropped

  followToolCall(app, wait, ({ input, result, meta, id, text, name, late }) => {
    const tell = (shown) => show({ input, text, ...shown });
    const mine = ++turn;
    const ask = async () => {
      let shown;
      try {
        const answer = await call(app, name, id ? { view_id: id } : input);
        shown = "data" in answer ? { data: answer.data, source: "tool", newer: !id } : { missing: "gone" };
      } catch (error) {
        shown = error.missing ? { missing: error.missing } : { error, retry: ask };
      }
      if (mine == turn) tell(shown);
    };
    id = meta.id ?? id;
    name = tool ?? meta.tool ?? (name && name + "_data");
    if (result?.isError) tell({ error: new Error(text) });
    else if ("data" in meta) tell({ data: meta.data, source: "result" });
    else if (meta.gone) tell({ missing: "gone" });
    else if (!late && !(result && (id || input))) return;
    else if (!name) tell({ missing: "host" });
    else if (id || input) ask();
    else tell({ missing: "input" });
    return true;
  });
}
