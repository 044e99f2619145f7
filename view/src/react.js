import { App, applyDocumentTheme, applyHostFonts, applyHostStyleVariables, getDocumentTheme } from "mcp-app";
import { useEffect, useState } from "react";

export * from "mcp-app";

/** Creates and connects one App. Later changes of the options have no effect. */
export function useApp({ appInfo, capabilities, onAppCreated, autoResize = true, strict }) {
  const [state, setState] = useState({ app: null, isConnected: false, error: null });
  useEffect(() => {
    let mounted = true;
    (async () => {
      let next;
      try {
        const app = new App(appInfo, capabilities, { autoResize, strict });
        onAppCreated?.(app);
        await app.connect();
        next = { app, isConnected: true, error: null };
      } catch (e) {
        next = { app: null, isConnected: false, error: e instanceof Error ? e : new Error("Failed to connect") };
      }
      if (mounted) setState(next);
    })();
    return () => {
      mounted = false;
    };
  }, []);
  return state;
}

export function useAutoResize(app, elementRef) {
  useEffect(() => app?.setupSizeChangedNotifications(), [app, elementRef]);
}

export function useDocumentTheme() {
  const [theme, setTheme] = useState(getDocumentTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(getDocumentTheme()));
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
    return () => observer.disconnect();
  }, []);
  return theme;
}

/** Calls apply with the first context and with each change that the host sends. */
function useHostContext(app, initialContext, apply) {
  useEffect(() => {
    if (initialContext) apply(initialContext);
  }, [initialContext]);
  useEffect(() => {
    app?.addEventListener("hostcontextchanged", apply);
    return () => app?.removeEventListener("hostcontextchanged", apply);
  }, [app]);
}

function applyStyles({ theme, styles }) {
  if (theme) applyDocumentTheme(theme);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
}

function applyFonts({ styles }) {
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
}

export function useHostStyleVariables(app, initialContext) {
  useHostContext(app, initialContext, applyStyles);
}

export function useHostFonts(app, initialContext) {
  useHostContext(app, initialContext, applyFonts);
}

export function useHostStyles(app, initialContext) {
  useHostStyleVariables(app, initialContext);
  useHostFonts(app, initialContext);
}
