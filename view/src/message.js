// The shape of JSON-RPC messages, errors, and the validation of a value by a
// Standard Schema.

const isID = (id) => typeof id == "string" || Number.isInteger(id);

/** Whether m is a JSON-RPC 2.0 request, notification or response. A batch is not. */
export const isMessage = (m) =>
  m?.jsonrpc == "2.0" &&
  (isID(m.id) ? m.method || !m.result != !m.error : m.method && !("id" in m));

export const isObject = (v) => v && typeof v == "object" && !Array.isArray(v);

/** An error with the MCP SDK's names and codes. A ProtocolError was received from the host; an SdkError (REQUEST_TIMEOUT and others) was created in the view. */
export const failure = (code, message, data, name = "SdkError") =>
  Object.assign(new Error(message), { name, code, data });

/**
 * Validates value by a Standard Schema and returns the schema's output. With any
 * other schema, such as plain JSON Schema, it returns value unchecked.
 */
export async function parse(schema, value, what, code) {
  const standard = schema["~standard"];
  if (!standard) return value;
  const { issues, value: parsed } = await standard.validate(value);
  if (issues)
    throw failure(
      code,
      `Invalid ${what}: ` +
        issues.map(({ path, message }) => (path?.length ? path.map((p) => p.key ?? p).join(".") + ": " : "") + message).join("; "),
    );
  return parsed;
}
