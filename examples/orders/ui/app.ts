// The host, as both views see it.
import { App, applyDocumentTheme, applyHostFonts, applyHostStyleVariables, type McpUiHostContext } from "mcp-app";
import { message, notice } from "./format";

export const app = new App({ name: "orders", version: "1.0.0" });

function applyContext({ theme, styles }: McpUiHostContext): void {
  if (theme) applyDocumentTheme(theme);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
}

app.onhostcontextchanged = applyContext;

/** Connects to the host, or says why there is nothing to see. */
export async function connect(): Promise<void> {
  if (parent === window) return notice("This page is the view of an MCP App. It shows orders when a host opens it.");
  try {
    await app.connect();
    applyContext(app.getHostContext() ?? {});
  } catch (err) {
    notice(`The host refused this view: ${message(err)}.`);
  }
}
