// Views with "mcp-app/openai": each function with both App classes, and what the
// declarations have to reject.
import { App as Reference } from "@modelcontextprotocol/ext-apps";
import { App } from "mcp-app";
import { viewState } from "mcp-app/data";
import { deepLink, keepId, modelContext, readFile, sendMessage, writeFile } from "mcp-app/openai";
import type { FileContent, FileOutcome, ModelContextState } from "mcp-app/openai";

const info = { name: "openai", version: "1.0.0" };
const content = [{ type: "text" as const, text: "hi" }];
const ours = new App(info);
const reference = new Reference(info);

for (const app of [ours, reference]) {
  const linked: boolean = deepLink(app, ({ url }) => (document.title = url.slice(1)));
  document.hidden || linked;

  const file = await readFile(app, "host-resource://x", "text");
  if (file.missing) throw new Error(file.missing);
  const read: FileContent = file;
  const outcome: FileOutcome = await writeFile(app, "host-resource://x", { text: read.text ?? "", ifMatch: read.etag });
  if (outcome.outcome == "too-large") outcome.maxBytes.toFixed();
  else if (outcome.outcome) outcome.etag.trim();
  else outcome.missing satisfies "host";
  // @ts-expect-error: either text or blob
  await writeFile(app, "host-resource://x", { text: "", blob: "" });
  // @ts-expect-error: neither
  await writeFile(app, "host-resource://x", {});
  // @ts-expect-error: not a representation
  await readFile(app, "host-resource://x", "json");
}

const sent = await sendMessage(ours, { role: "user", content }, { target: "new", send: false });
document.title = `${sent.isError} ${sent.missing == "host"}`;
const alsoSent = await sendMessage(reference, { role: "user", content }, { send: false });
document.title = `${alsoSent.isError} ${alsoSent.missing == "host"}`;
// @ts-expect-error: not a target
await sendMessage(ours, { role: "user", content }, { target: "other" });
// @ts-expect-error: content is missing
await sendMessage(ours, { role: "user" });

const context = modelContext(ours, (state: ModelContextState | null) => (document.title = state?.updateId ?? "removed"));
const id: string | undefined = await context.update({ content, structuredContent: { a: 1 } });
document.title = `${id} ${context.missing}`;
await modelContext(reference).update({ content });
// @ts-expect-error: not content
await context.update({ content: "hi" });

viewState(ours, keepId("id").id);
// @ts-expect-error: it may be unknown
viewState(ours, keepId().id);
