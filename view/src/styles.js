const root = () => document.documentElement;

export function getDocumentTheme() {
  const { theme } = root().dataset;
  return theme == "dark" || (theme != "light" && root().classList.contains("dark")) ? "dark" : "light";
}

export function applyDocumentTheme(theme) {
  root().dataset.theme = root().style.colorScheme = theme;
}

export function applyHostStyleVariables(styles, element = root()) {
  for (const key in styles) if (styles[key] !== undefined) element.style.setProperty(key, styles[key]);
}

const fontsID = "__mcp-host-fonts";

export function applyHostFonts(fontCss) {
  if (document.getElementById(fontsID)) return;
  const style = document.createElement("style");
  style.id = fontsID;
  style.textContent = fontCss;
  document.head.append(style);
}
