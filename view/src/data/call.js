/** The text blocks of a tool's result, one after the other. */
export const textOf = (result) =>
  (result?.content ?? [])
    .map((block) => block.text)
    .filter((text) => text)
    .join("\n");

/**
 * Calls one of the library's tools, which answer with JSON as text. A result with
 * isError becomes an exception. The mark in _meta says that a view calls and not the model.
 * Some hosts call tools and do not say so: only an error shows that a host does not,
 * which then has missing: "host". The error of a connection that has ended has closed;
 * both App classes have these messages.
 */
export async function call(app, name, args, options) {
  let result;
  try {
    result = await app.callServerTool({ name, arguments: args ?? {}, _meta: { "mcpapps/caller": "app" } }, options);
  } catch (error) {
    if (!app.getHostCapabilities()?.serverTools) error.missing = "host";
    error.closed = /^(not connected|connection closed)$/i.test(error.message);
    throw error;
  }
  const text = textOf(result);
  if (result.isError) throw new Error(text || name);
  return Object(JSON.parse(text));
}
