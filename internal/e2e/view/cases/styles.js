export const styles = {
  bare: true,
  async view({ M, report }) {
    const html = document.documentElement;
    const look = () => [M.getDocumentTheme(), html.getAttribute("data-theme"), html.style.colorScheme];
    report(look());
    html.classList.add("dark");
    report(look());
    M.applyDocumentTheme("light");
    report(look());
    html.setAttribute("data-theme", "sepia");
    report(look());
    M.applyDocumentTheme("dark");
    report(look());
    M.applyHostStyleVariables({ "--font-sans": "Inter", "--color-text-primary": "light-dark(#000, #fff)", "--shadow-sm": undefined });
    const own = document.createElement("div");
    M.applyHostStyleVariables({ "--font-sans": "Own" }, own);
    report([html.style.getPropertyValue("--font-sans"), html.style.getPropertyValue("--color-text-primary"), html.style.getPropertyValue("--shadow-sm"), own.style.cssText]);
    M.applyHostFonts("@font-face { font-family: A; src: local('A') }");
    M.applyHostFonts("@font-face { font-family: B; src: local('B') }");
    report([...document.querySelectorAll("style")].map((s) => [s.id, s.textContent]));
    report(Object.keys(M).filter((k) => !k.endsWith("Schema")).sort());
    report(Object.fromEntries(Object.entries(M).filter(([, v]) => typeof v == "string")));
    report("end");
  },
  async host(h) {
    h.load();
    await h.reported("end");
  },
};
