import { useEffect, useState } from "react";
import {
  useApp,
  useAutoResize,
  useDocumentTheme,
  useHostFonts,
  useHostStyles,
  useHostStyleVariables,
  type App,
  type McpUiHostContext,
} from "@modelcontextprotocol/ext-apps/react";

export function Weather() {
  const [context, setContext] = useState<McpUiHostContext | undefined>();
  const { app, isConnected, error } = useApp({
    appInfo: { name: "weather", version: "1.0.0" },
    capabilities: {},
    autoResize: true,
    onAppCreated: (app: App) => {
      app.ontoolresult = (result) => console.log(result.structuredContent);
      app.onhostcontextchanged = (ctx) => setContext((before) => ({ ...before, ...ctx }));
    },
  });
  const theme = useDocumentTheme();
  useHostStyles(app, app?.getHostContext());
  useHostStyleVariables(app);
  useHostFonts(app, null);
  useAutoResize(app);
  useEffect(() => console.log(theme), [theme]);
  if (error) return <p>{error.message}</p>;
  return <p onClick={() => app?.callServerTool({ name: "refresh" })}>{isConnected ? context?.locale : "…"}</p>;
}
