import { has, isFilled } from "./host.js";

const key = "openai/resource";
const anything = { "~standard": { version: 1, vendor: "mcpapps", validate: (value) => ({ value }) } };

// With a length that 4 divides. A search: a match of all of a large blob may take too much stack.
const notBase64 = /[^a-z\d+/=]|=[^=]|===/i;

/** Whether exactly one is a string. */
const isOne = (text, blob) => (typeof text == "string") != (typeof blob == "string");

export async function readFile(app, uri, representation) {
  if (!has(app, key)) return { missing: "host" };
  const result = await app.readServerResource({ uri, ...(representation && { _meta: { [key]: { representation } } }) });
  const { text, blob, mimeType, _meta } = Object(result?.contents?.[0]);
  if (!isOne(text, blob)) throw new Error("The host sent no content of " + uri);
  const { etag, writable } = Object(_meta?.[key]);
  const known = isFilled(etag);
  return {
    text,
    blob,
    mimeType,
    etag: known ? etag : undefined,
    // With a malformed etag a write could not be made conditional.
    writable: writable === true && (known || etag === undefined),
  };
}

export async function writeFile(app, uri, { text, blob, ifMatch }) {
  if (!has(app, key)) return { missing: "host" };
  if (
    !uri?.trim() ||
    !isOne(text, blob) ||
    blob?.length % 4 ||
    notBase64.test(blob ?? "") ||
    !isFilled(ifMatch ?? "-")
  )
    throw new TypeError("writeFile() needs a URI, either text or blob in base64, and an ifMatch that is not empty");
  const { outcome, etag, maxBytes } = Object(
    await app.request(
      { method: "openai/resources/write", params: { uri, ...(blob == null ? { text } : { blob }), ...(ifMatch && { ifMatch }) } },
      anything,
    ),
  );
  if (outcome === "too-large" && Number.isInteger(maxBytes)) return { outcome, maxBytes };
  if ((outcome === "saved" || outcome === "conflict") && isFilled(etag)) return { outcome, etag };
  throw new Error("The host sent an invalid outcome for " + uri);
}
