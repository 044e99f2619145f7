import { textOf } from "./call.js";

const marks = /^\{"\$view":"([^"]*)"\}\s*$/gm;

/**
 * Follows the tool call that opened the view. It calls
 *
 *     show({ input, result, meta, id, text, name, late })
 *
 * whenever the input or the result has arrived, until show returns true, and with
 * late after wait ms in which neither has. A further result begins again. If the view
 * has seen the model write the input of the call, it waits without a limit, since the
 * result of a call in this chat will come. A call that the user cancelled has a
 * result with isError.
 *
 * meta is what the server says about the data, id that of the last {"$view":…} line
 * where the host has dropped meta, text the rest of the text, and name the name of the
 * model's tool, if it is known.
 *
 * opened is a call that the view has made itself, { input, result }. It is shown in
 * place of the call that opened the view.
 */
export function followToolCall(app, wait, show, opened) {
  let input, result, timer, settled, written;

  const arm = () => (timer = setTimeout(look, Math.min(wait, 2e9 /* which setTimeout can wait */), true));
  const look = (late) => {
    clearTimeout(timer);
    late &&= app.getHostCapabilities(); // else it is not connected yet
    const text = textOf(result);
    const meta = result?._meta?.["mcpapps/data"];
    settled ||= show({
      input,
      result,
      late,
      meta: Object(meta),
      id: !meta && !result?.isError && [...text.matchAll(marks)].pop()?.[1],
      text: text.replace(marks, "").trim(),
      name: app.getHostContext()?.toolInfo?.tool?.name,
    });
    if (!settled && !written) arm();
  };
  const arrived = (r) => {
    result = r;
    settled = false;
    look();
  };

  if (opened) {
    input = opened.input;
    return arrived(opened.result);
  }
  app.addEventListener("toolinputpartial", () => {
    written = true;
    clearTimeout(timer);
  });
  app.addEventListener("toolinput", (p) => {
    input = p.arguments ?? {};
    look();
  });
  app.addEventListener("toolresult", arrived);
  app.addEventListener("toolcancelled", ({ reason }) =>
    arrived({ isError: true, content: [{ text: reason || "Cancelled" }] }),
  );
  arm();
}
