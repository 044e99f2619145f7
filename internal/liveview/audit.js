// Collects what an audit of accessibility looks at: texts with their colors, targets
// with their sizes, and the order of the focus.
(() => {
  const squash = (s) => s.replace(/\s+/g, " ").trim();
  const all = (root) => [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  const elements = all(document).slice(0, 20000);
  const most = 1000;
  const parent = (e) => e.parentElement ?? (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const up = (e) => (e ? [e, ...up(parent(e))] : []);
  const disabled = (e) => up(e).some((a) => a.matches(":disabled, [aria-disabled=true], [inert]"));
  const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
  const name = (e) => {
    const first = typeof e.className === "string" && e.className.trim().split(/\s+/)[0];
    const text = squash(e.matches("input, textarea, select") ? "" : e.innerText ?? "").slice(0, 40);
    return e.localName + (e.id ? `#${e.id}` : first ? `.${first}` : "") + (text ? ` "${text}"` : "");
  };

  // Texts whose color says how they look: without a shadow, filter or blending.
  const odd = (s) => s.filter !== "none" || s.mixBlendMode !== "normal" || s.textShadow !== "none" || s.backgroundClip === "text" || s.webkitBackgroundClip === "text" || s.webkitTextFillColor !== s.color;
  function hits(e, box) {
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
    return hit && (up(hit).includes(e) || up(e).includes(hit));
  }
  const texts = [];
  for (const e of elements) {
    if (texts.length === most) break;
    const boxes = [];
    if (e.matches("input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file], [type=image], [type=hidden], [type=password]), textarea, select")) {
      if (e.value) boxes.push(e.getBoundingClientRect());
    } else {
      for (const node of e.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        boxes.push(...range.getClientRects());
      }
    }
    const box = boxes.filter((b) => b.width > 0 && b.height > 0).sort((a, b) => b.width * b.height - a.width * a.height)[0];
    if (!box || !shown(e) || e.matches("option, optgroup, svg *") || disabled(e)) continue;
    const styles = up(e).map((a) => getComputedStyle(a));
    if (styles.some(odd) || !hits(e, box)) continue;
    texts.push({
      element: name(e), color: styles[0].color, opacity: styles.reduce((o, s) => o * Number(s.opacity), 1),
      size: parseFloat(styles[0].fontSize), bold: Number(styles[0].fontWeight) >= 700,
      x: box.left, y: box.top, width: box.width, height: box.height,
    });
  }

  const targets = [];
  const interactive = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch], [role=tab], [role=menuitem], [role=slider], [tabindex]:not([tabindex^='-'])";
  for (const e of elements) {
    if (targets.length === most) break;
    if (!e.matches(interactive) || !shown(e) || disabled(e)) continue;
    const s = getComputedStyle(e);
    const boxes = [e, ...(e.labels ?? [])].map((b) => b.getBoundingClientRect()).filter((b) => b.width > 0 && b.height > 0);
    if (!boxes.length) continue;
    const left = Math.min(...boxes.map((b) => b.left)), right = Math.max(...boxes.map((b) => b.right));
    const top = Math.min(...boxes.map((b) => b.top)), bottom = Math.max(...boxes.map((b) => b.bottom));
    // A link in a line of text has the height of the line, and a control that the author
    // has not styled has the browser's size.
    const around = parent(e);
    const inline = s.display === "inline" && around && squash(around.textContent) !== squash(e.textContent);
    const plain = e.matches("input[type=checkbox], input[type=radio], input[type=range]") && s.appearance === "auto" && Math.min(boxes[0].width, boxes[0].height) <= 16;
    targets.push({ element: name(e), x: left, y: top, width: right - left, height: bottom - top, exempt: Boolean(inline || plain) });
  }

  const order = elements.filter((e) => e.tabIndex > 0 && e.hasAttribute("tabindex") && shown(e)).slice(0, most).map((e) => ({ element: name(e), index: e.tabIndex }));
  return { texts, targets, order };
})()
