// A view with the hooks.
import { createElement as e, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import * as M from "mcp-app/react";

const report = (what) => parent.postMessage({ report: what }, "*");
addEventListener("securitypolicyviolation", (e) => parent.postMessage({ violation: e.effectiveDirective + " " + e.blockedURI }, "*"));

function View() {
  const [input, setInput] = useState();
  const { app, isConnected, error } = M.useApp({
    appInfo: { name: "react", version: "1.0.0" },
    capabilities: { availableDisplayModes: ["inline"] },
    autoResize: false,
    onAppCreated: (app) => {
      app.ontoolinput = (p) => setInput(p.arguments);
      report("created");
    },
  });
  M.useHostStyles(app, app?.getHostContext());
  const theme = M.useDocumentTheme();
  useEffect(() => {
    if (isConnected) app.sendLog({ level: "info", data: ["connected", error, app.getHostContext().theme] });
  }, [isConnected]);
  useEffect(() => {
    if (!isConnected) return;
    const style = document.documentElement.style;
    app.sendLog({ level: "info", data: ["theme", theme, style.colorScheme, style.getPropertyValue("--font-sans"), document.querySelectorAll("style").length] });
  }, [theme, isConnected]);
  useEffect(() => {
    if (input) app.sendLog({ level: "info", data: ["input", input] });
  }, [input]);
  return e("p", null, theme);
}

const params = new URLSearchParams(location.search);
const view = e(View);
createRoot(document.body.appendChild(document.createElement("div"))).render(params.get("document") == "strict" ? e(StrictMode, null, view) : view);
