// The style variables that the view gets, from this page's own palette.

const scale = {
  "--font-sans": 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  "--font-mono": 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  "--font-weight-normal": "400", "--font-weight-medium": "500", "--font-weight-semibold": "600", "--font-weight-bold": "700",
  "--font-text-xs-size": "0.75rem", "--font-text-sm-size": "0.875rem", "--font-text-md-size": "1rem", "--font-text-lg-size": "1.125rem",
  "--font-text-xs-line-height": "1.4", "--font-text-sm-line-height": "1.45", "--font-text-md-line-height": "1.5", "--font-text-lg-line-height": "1.5",
  "--font-heading-xs-size": "0.875rem", "--font-heading-sm-size": "1rem", "--font-heading-md-size": "1.25rem", "--font-heading-lg-size": "1.5rem",
  "--font-heading-xl-size": "1.875rem", "--font-heading-2xl-size": "2.25rem", "--font-heading-3xl-size": "3rem",
  "--font-heading-xs-line-height": "1.4", "--font-heading-sm-line-height": "1.4", "--font-heading-md-line-height": "1.3", "--font-heading-lg-line-height": "1.25",
  "--font-heading-xl-line-height": "1.2", "--font-heading-2xl-line-height": "1.15", "--font-heading-3xl-line-height": "1.1",
  "--border-radius-xs": "2px", "--border-radius-sm": "4px", "--border-radius-md": "8px", "--border-radius-lg": "12px", "--border-radius-xl": "16px", "--border-radius-full": "9999px",
  "--border-width-regular": "1px",
  "--shadow-hairline": "0 0 0 1px rgb(0 0 0 / 0.06)", "--shadow-sm": "0 1px 2px rgb(0 0 0 / 0.12)", "--shadow-md": "0 4px 10px rgb(0 0 0 / 0.14)", "--shadow-lg": "0 12px 28px rgb(0 0 0 / 0.18)",
};

// Each colour as [light, dark].
const colours = {
  background: { primary: ["#ffffff", "#16181d"], secondary: ["#f5f6f8", "#1e2127"], tertiary: ["#eaecf0", "#282c34"], inverse: ["#16181d", "#f5f6f8"], ghost: ["#ffffff00", "#16181d00"], info: ["#e8f0fe", "#15274a"], danger: ["#fdecea", "#43191b"], success: ["#e6f5ea", "#12331f"], warning: ["#fff5dd", "#3d2d0c"], disabled: ["#eef0f3", "#22262d"] },
  text: { primary: ["#16181d", "#f1f3f6"], secondary: ["#4d5561", "#b3bac5"], tertiary: ["#6b7380", "#8f98a5"], inverse: ["#ffffff", "#16181d"], ghost: ["#6b7380", "#8f98a5"], info: ["#1a56c9", "#8db4ff"], danger: ["#b3261e", "#ff9c94"], success: ["#1a7f37", "#6fd48b"], warning: ["#8a5a00", "#f2c35b"], disabled: ["#9aa1ac", "#666e7a"] },
  border: { primary: ["#d5d9e0", "#3a4049"], secondary: ["#e3e6eb", "#2c313a"], tertiary: ["#eef0f3", "#23272e"], inverse: ["#3a4049", "#d5d9e0"], ghost: ["#d5d9e000", "#3a404900"], info: ["#9dbdf8", "#2f4f8f"], danger: ["#f0aaa5", "#7d3230"], success: ["#9bd5ab", "#2a6b3f"], warning: ["#e9c97d", "#7a5c1c"], disabled: ["#e3e6eb", "#2c313a"] },
  ring: { primary: ["#2f6feb", "#7aa7ff"], secondary: ["#9aa1ac", "#666e7a"], inverse: ["#ffffff", "#16181d"], info: ["#2f6feb", "#7aa7ff"], danger: ["#d33a32", "#ff8880"], success: ["#2a9d4b", "#5fce80"], warning: ["#c48a10", "#f2c35b"] },
};

export function styles(theme) {
  const variables = { ...scale };
  const side = theme === "dark" ? 1 : 0;
  for (const [family, members] of Object.entries(colours))
    for (const [member, pair] of Object.entries(members)) variables[`--color-${family}-${member}`] = pair[side];
  return { variables };
}
