const info = { name: "view", version: "0.1.0" };

// How each view changes its document. Promises are awaited.
const content = (px, color = "teal") => {
  const e = document.createElement("div");
  e.style.cssText = `height:${px}px;background:${color}`;
  return e;
};
const css = (text) => {
  const s = document.createElement("style");
  s.textContent = text;
  document.head.append(s);
};
const stream = async (sleep, n = 30) => {
  for (let i = 0; i < n; i++) {
    document.body.append(content(20));
    await sleep(10);
  }
};

const floating = (px) => {
  const e = content(px);
  e.style.position = "absolute";
  document.body.append(e);
};

const documents = {
  absolute: () => {
    css("body { margin: 0 }");
    floating(500);
  },
  tooltip: () => {
    document.body.append(content(100));
    floating(500);
  },
  plain: () => document.body.append(content(500)),
  percent: () => {
    css("html, body { height: 100% } ");
    document.body.append(content(500));
  },
  percentImportant: () => {
    css("html { height: 100% !important } body { height: 100%; margin: 0 }");
    document.body.append(content(500));
  },
  screen: () => {
    css("body { min-height: 100vh; margin: 0 }");
    document.body.append(content(500));
  },
  screenWithMargin: () => {
    css("body { min-height: 100vh }");
    document.body.append(content(50));
  },
  more: () => {
    css("body { min-height: 120vh; margin: 0 }");
    document.body.append(content(50));
  },
  less: () => {
    css("body { height: 80vh; margin: 0; overflow: hidden }");
    document.body.append(content(50));
  },
  rows: ({ sleep }) => stream(sleep),
  percentRows: ({ sleep }) => {
    css("html, body { height: 100%; margin: 0 }");
    return stream(sleep);
  },
  screenRows: ({ sleep }) => {
    css("body { min-height: 100vh; margin: 0 }");
    return stream(sleep);
  },
  moreRows: ({ sleep }) => {
    css("body { min-height: 120vh; margin: 0 }");
    return stream(sleep, 60);
  },
  shrinking: async ({ sleep }) => {
    document.body.append(content(700));
    await sleep(150);
    document.body.replaceChildren(content(120));
  },
  image: async ({ sleep }) => {
    const img = new Image();
    document.body.append(content(40), img);
    await sleep(100);
    img.src = "data:image/svg+xml," + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="410"/>');
    await img.decode();
  },
  percentImage: async ({ sleep }) => {
    css("html, body { height: 100%; margin: 0 } img { display: block }");
    const img = new Image();
    document.body.append(content(40), img);
    await sleep(100);
    img.src = "data:image/svg+xml," + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="410"/>');
    await img.decode();
  },
  transition: async ({ sleep }) => {
    const e = content(100);
    e.style.transition = "height 300ms";
    document.body.append(e);
    await sleep(100);
    e.offsetHeight; // lays out the height from which the transition starts
    e.style.height = "633px";
    await Promise.all(e.getAnimations().map((a) => a.finished));
  },
  scripted: async ({ sleep }) => {
    const e = document.body.appendChild(content(100));
    await sleep(100);
    for (let px = 100; px <= 617; px += 11) {
      e.style.height = px + "px";
      await new Promise(requestAnimationFrame);
    }
  },
  attribute: async ({ sleep }) => {
    css("details { margin: 0 } summary { height: 20px; line-height: 20px }");
    const d = document.createElement("details");
    d.append(document.createElement("summary"), content(300));
    document.body.append(d);
    await sleep(100);
    d.open = true;
  },
  ended: async ({ sleep }, app) => {
    document.body.append(content(100));
    for (let i = 0; i < 3; i++) { // until its size is reported, also on a busy machine
      await new Promise(requestAnimationFrame);
      await sleep(100);
    }
    await app.close();
    document.body.append(content(100));
  },
};

/** The host applies reported sizes, at once or after a delay. */
export const size = {
  bare: true,
  async view(v) {
    const app = new v.M.App(info, {});
    await app.connect();
    await documents[new URLSearchParams(location.search).get("document")](v, app);
    v.report("rest");
    // A change is reported in the next frame, or is held back for 100 ms, on a busy
    // machine for longer: a later timer of the same length ends after that one.
    for (let drawn = 1; ; drawn++) {
      await new Promise(requestAnimationFrame);
      await v.sleep(100);
      parent.postMessage({ drawn }, "*");
    }
  },
  async host(h) {
    const sizes = []; // [height, whether the content was at rest]
    const delay = +(h.query.get("delay") ?? 0);
    h.listen(async (m) => {
      if (m?.method == "ui/initialize")
        h.post({ id: m.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "h", version: "1" }, hostCapabilities: {}, hostContext: {} } });
      if (m?.method != "ui/notifications/size-changed") return;
      sizes.push([m.params.height, h.reports.includes("rest"), m.params.width]);
      if (delay) await h.sleep(delay);
      h.frame.style.height = Math.min(m.params.height, 6000) + "px";
    });
    h.load();
    await h.reported("rest");
    // Until the view has drawn for half a second without reporting a size, or for
    // ten times that.
    for (let before = -1, i = 0; before != sizes.length && i < 10; i++) {
      before = sizes.length;
      const { drawn } = h;
      await Promise.all([h.sleep(500), h.until(() => h.drawn > drawn + 3)]);
    }
    return sizes;
  },
};
