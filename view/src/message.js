// What both ends of the wire agree on: the shape of a message, the errors, and
// the check of a value against a Standard Schema.

const isID = (id) => typeof id == "string" || Number.isInteger(id);

/** Whether m is one JSON-RPC 2.0 request, notification or response. */
export const isMessage = (m) =>
  m?.jsonrpc == "2.0" &&
  (isID(m.id) ? m.method || !m.result != !m.error : m.method && !("id" in m));

export const isObject = (v) => v && typeof v == "object" && !Array.isArray(v);

/** An error as the SDK makes it: ProtocolError came over the wire, SdkError (REQUEST_TIMEOUT and others) arose here. */
export const failure = (code, message, data, name = "SdkError") =>
  Object.assign(new Error(message), { name, code, data });

/**
 * The value as the Standard Schema gives it back. A schema of another kind,
 * plain JSON Schema first of all, checks nothing here.
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
