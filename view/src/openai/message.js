import { has } from "./host.js";

const key = "openai/message";

export async function sendMessage(app, params, { target = "active", send = true } = {}) {
  if (target != "active" || !send) {
    if (!has(app, key)) return { missing: "host" };
    params = { ...params, _meta: { ...params._meta, [key]: { target, send } } };
  }
  return app.sendMessage(params);
}
