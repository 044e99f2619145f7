import { isFilled, isObject } from "./host.js";

const key = "mcpapps/id";

/**
 * The id is kept in the part of the widget state that the model does not read. A state of
 * the author that has no place for it stays as it is. The host may lack each part of
 * window.openai, and its functions may throw or reject.
 */
export function keepId(id) {
  try {
    const { openai } = window;
    const state = openai.widgetState ?? { modelContent: null, imageIds: [] };
    const own = state.privateContent ?? {};
    const kept = own[key];
    if (isFilled(kept)) return { id: kept };
    if (typeof openai.setWidgetState == "function" && isObject(state) && isObject(own)) {
      if (isFilled(id))
        Promise.resolve(openai.setWidgetState({ ...state, privateContent: { ...own, [key]: id } })).catch(() => {});
      return { id };
    }
  } catch {}
  return { id, missing: "host" };
}
