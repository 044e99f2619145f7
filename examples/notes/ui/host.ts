// The host, as both views see it.
import { App, applyDocumentTheme, applyHostFonts, applyHostStyleVariables, type McpUiHostContext, type ServerTools } from "mcp-app";
import { message, notice } from "./page";

export const app = new App({ name: "notes", version: "1.0.0" });

function applyContext({ theme, styles }: McpUiHostContext): void {
  if (theme) applyDocumentTheme(theme);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
}

app.addEventListener("hostcontextchanged", applyContext);

/** Connects to the host, or says why there is nothing to see. */
export async function connect(): Promise<boolean> {
  if (parent === window) {
    notice("This page is the view of an MCP App. It shows notes when a host opens it.");
    return false;
  }
  try {
    await app.connect();
    applyContext(app.getHostContext() ?? {});
    return true;
  } catch (err) {
    notice(`The host refused this view: ${message(err)}.`);
    return false;
  }
}

/** Whether the host lets this view call tools. */
export const canCall = () => !!app.getHostCapabilities()?.serverTools;

type WithOutput = { [K in keyof ServerTools]: ServerTools[K] extends { structuredContent: object } ? K : never }[keyof ServerTools];

/** Calls a tool and returns its structured result. Some hosts omit structuredContent; the SDK sends the same JSON as text. */
export async function call<K extends WithOutput>(name: K, args: ServerTools[K]["arguments"]): Promise<ServerTools[K]["structuredContent"]> {
  const result = await app.callServerTool<any>({ name, arguments: args as any });
  const text = (result.content ?? []).map((c) => (c.type === "text" ? c.text : "")).join(" ");
  if (result.isError) throw new Error(text || "the tool failed");
  return result.structuredContent ?? JSON.parse(text);
}
