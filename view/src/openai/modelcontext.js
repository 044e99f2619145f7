import { follow, has, isFilled, isObject } from "./host.js";

const key = "openai/modelContext";

export function modelContext(app, onchange) {
  const here = has(app, key);
  if (here && onchange)
    follow(app, key, (value) => {
      if (value === null) return onchange(null);
      const { updateId, content, structuredContent } = Object(value);
      if (!isFilled(updateId) || !Array.isArray(content ?? []) || !isObject(structuredContent ?? {})) return; // malformed: unknown
      onchange({ updateId, ...(content && { content }), ...(structuredContent && { structuredContent }) });
    });
  return {
    ...(!here && { missing: "host" }),
    async update(params) {
      const id = (await app.updateModelContext(params))?._meta?.[key]?.updateId;
      if (isFilled(id)) return id;
    },
  };
}
