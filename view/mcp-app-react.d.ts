// The React hooks "mcp-app/react". Needs mcp-app.d.ts and @types/react.

declare module "mcp-app/react" {
  import type { RefObject } from "react";
  import type { App, AppOptions, Implementation, McpUiAppCapabilities, McpUiHostContext, McpUiTheme } from "mcp-app";

  export * from "mcp-app";

  export interface UseAppOptions extends Pick<AppOptions, "autoResize" | "strict"> {
    appInfo: Implementation;
    capabilities: McpUiAppCapabilities;
    /** Called with the App before it connects. Set handlers here. */
    onAppCreated?: (app: App) => void;
  }

  export interface AppState {
    /** null until the App is connected. */
    app: App | null;
    isConnected: boolean;
    error: Error | null;
  }

  /** Creates and connects one App. Later changes of the options have no effect, and the App is not closed on unmount. */
  export function useApp(options: UseAppOptions): AppState;
  /** Reports the size of the document, for an App made with autoResize: false. */
  export function useAutoResize(app: App | null, elementRef?: RefObject<HTMLElement | null>): void;
  /** The result of getDocumentTheme, updated when it changes. */
  export function useDocumentTheme(): McpUiTheme;
  /** Applies the theme and the style variables of the first context and of each change. */
  export function useHostStyleVariables(app: App | null, initialContext?: McpUiHostContext | null): void;
  /** Applies the fonts of the first context and of each change. */
  export function useHostFonts(app: App | null, initialContext?: McpUiHostContext | null): void;
  /** Applies the theme, style variables and fonts. */
  export function useHostStyles(app: App | null, initialContext?: McpUiHostContext | null): void;
}

declare module "@modelcontextprotocol/ext-apps/react" {
  export * from "mcp-app/react";
}

declare module "@modelcontextprotocol/ext-apps/react-with-deps" {
  export * from "mcp-app/react";
}
