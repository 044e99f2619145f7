// What the server's own tools answer.
import type { CallToolResult } from "mcp-app";

export const textOf = (result: CallToolResult) => (result.content ?? []).map((c) => (c.type === "text" ? c.text : "")).join(" ").trim();

/** The structured result. Some hosts omit structuredContent; the SDK sends the same JSON as text. */
export function structured<R extends CallToolResult>(result: R): Extract<R, { isError?: false }>["structuredContent"] {
  if (result.isError) throw new Error(textOf(result) || "the tool failed");
  return result.structuredContent ?? JSON.parse(textOf(result));
}
