const logs = (h) => h.messages.filter(({ message: m }) => m.method == "notifications/message").map(({ message: m }) => m.params.data);

export const react = {
  async host(h) {
    await h.connect();
    h.load();
    await h.until(() => logs(h).some((d) => d[0] == "theme" && d[1] == "dark"));
    await h.bridge.sendToolInput({ arguments: { a: 1 } });
    await h.until(() => logs(h).some((d) => d[0] == "input"));
    await h.bridge.sendHostContextChange({ theme: "light", styles: { variables: { "--font-sans": "Inter" }, css: { fonts: "@font-face { font-family: A; src: local('A') }" } } });
    await h.until(() => logs(h).some((d) => d[0] == "theme" && d[1] == "light"));
  },
};

/** The host rejects ui/initialize. */
export const reactRefused = {
  bare: true,
  async host(h) {
    h.listen((m) => m?.method == "ui/initialize" && h.post({ id: m.id, error: { code: -32602, message: "no" } }));
    h.load();
    await h.reported("created");
    await h.sleep(300);
    return logs(h);
  },
};

/** For first.js, which only connects. */
export const first = {
  bare: true,
  async host(h) {
    const result = { protocolVersion: "2026-01-26", hostInfo: { name: "h", version: "1" }, hostCapabilities: {}, hostContext: {} };
    h.listen((m) => m?.method == "ui/initialize" && h.post({ id: m.id, result }));
    h.load();
    return h.until(() => h.reports.find((r) => typeof r == "number"));
  },
};
