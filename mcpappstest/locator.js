// Called by the locators: finds elements of the view, checks whether they can be acted
// upon, and does what needs no trusted event. query is { kind, value, nth, act, arg },
// nodes are the elements if kind is "role", call is what "eval" calls. The answer has
// count, and either done, with x and y or a value, or wait, the reason why not yet, which
// is "" if the view has no such element, or never, the reason why waiting is useless.
async (call, query, ...nodes) => {
  const squash = (s) => s.replace(/\s+/g, " ").trim();
  const children = (node) => [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes];
  const silent = "script, style, noscript, template, head, title";

  // byText returns the text of a node, and adds the smallest elements that have the text.
  function byText(node, found) {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(silent)) return "";
    if (node.localName === "br") return "\n";
    if (node.matches("input[type=button], input[type=submit], input[type=reset]")) {
      if (squash(node.value).includes(query.value)) found.push(node);
      return node.value;
    }
    const before = found.length;
    const text = children(node).map((child) => byText(child, found)).join("");
    if (found.length === before && squash(text).includes(query.value)) found.push(node);
    return text;
  }

  // bySelector searches open shadow trees, too.
  function bySelector(root) {
    const shadows = [...root.querySelectorAll("*")].filter((e) => e.shadowRoot);
    return [...root.querySelectorAll(query.value), ...shadows.flatMap((e) => bySelector(e.shadowRoot))];
  }

  function find() {
    if (query.kind === "role") return nodes.filter((e) => e.isConnected);
    if (query.kind === "text") {
      const found = [];
      if (document.body) byText(document.body, found);
      return found;
    }
    return bySelector(document);
  }

  const visible = (e) => {
    const r = e.getBoundingClientRect();
    return r.width > 0 && r.height > 0 && getComputedStyle(e).visibility === "visible";
  };
  const name = (e) => {
    const text = squash(e.innerText ?? "");
    const id = e.id ? `#${e.id}` : "";
    return `<${e.localName}${id}>` + (text ? ` "${text.slice(0, 60)}"` : "");
  };
  const shown = (e) => squash(e.innerText ?? e.textContent);
  const frame = () => new Promise((done) => requestAnimationFrame(done));

  // What the browser is told to do next has to come to the view.
  const came = Symbol.for("mcpappstest");
  function expect(type) {
    const event = (globalThis[came] = { came: false });
    addEventListener(type, ({ isTrusted }) => (event.came ||= isTrusted), { capture: true, once: true });
  }
  if (query.act === "came") return { count: 0, done: globalThis[came].came };
  let found;
  try {
    found = find();
  } catch (error) {
    return { count: 0, never: error.message };
  }
  const count = found.length;
  if (query.act === "count") return { count, done: true };
  if (query.act === "visible") return { count, done: true, value: found.some(visible) };
  if (query.act === "gone") return found.some(visible) ? { count, wait: "it is still visible" } : { count, done: true };
  if (query.act === "appears" && query.nth < 0) {
    if (found.some(visible)) return { count, done: true };
    return { count, wait: count ? "it is not visible" : "" };
  }
  if (query.nth < 0 && count > 1) return { count, wait: `there are ${count}: ${found.slice(0, 5).map(name).join(", ")}${count > 5 ? ", …" : ""}; name one with Nth` };
  const e = found[Math.max(query.nth, 0)];
  if (!e) return { count, wait: count ? `there are only ${count}` : "" };

  switch (query.act) {
    case "appears":
      return visible(e) ? { count, done: true } : { count, wait: "it is not visible" };
    case "has":
      return shown(e).includes(query.arg) ? { count, done: true } : { count, wait: `its text is "${shown(e).slice(0, 200)}"` };
    case "text":
      return { count, done: true, value: (e.innerText ?? e.textContent).trim() };
    case "value":
      return "value" in e ? { count, done: true, value: String(e.value) } : { count, never: `${name(e)} has no value` };
    case "attribute":
      return { count, done: true, value: e.getAttribute(query.arg) };
    case "eval":
      return { count, done: true, value: (await call(e)) ?? null };
  }

  // What follows acts on the element, as a user could.
  if (!visible(e)) return { count, wait: "it is not visible" };
  const enabled = () => !e.matches(":disabled") && !e.closest("[aria-disabled=true]");
  if (!enabled()) return { count, wait: "it is disabled" };
  const area = e.getBoundingClientRect();
  if (area.top < 0 || area.left < 0 || area.bottom > innerHeight || area.right > innerWidth) e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const before = e.getBoundingClientRect();
  await frame();
  await frame();
  const r = e.getBoundingClientRect();
  if (!e.isConnected) return { count, wait: "it was removed" };
  if (["x", "y", "width", "height"].some((k) => before[k] !== r[k])) return { count, wait: "it is moving" };

  if (query.act === "click") {
    // The middle of its first box: that of a link of two lines may be beside it.
    const box = [...e.getClientRects()].find((b) => b.width > 0 && b.height > 0) ?? r;
    const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
    let hit = document.elementFromPoint(x, y);
    // A closed shadow tree is known only by what is in it.
    const roots = [];
    for (let root = e.getRootNode(); root.host; root = root.host.getRootNode()) roots.unshift(root);
    for (const root of roots) if (hit === root.host) hit = root.elementFromPoint(x, y) ?? hit;
    while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
    const inside = (node) => node && (node === e || inside(node.parentNode ?? node.host));
    if (!hit) return { count, wait: "it is outside of what is shown" };
    if (!inside(hit) && hit.closest("label")?.control !== e) return { count, wait: `${name(hit)} covers it` };
    expect("mousedown");
    return { count, done: true, x, y };
  }
  e.focus({ preventScroll: true });
  const focused = e.getRootNode().activeElement === e;
  switch (query.act) {
    case "focus":
      expect("keydown");
      return focused ? { count, done: true } : { count, never: `${name(e)} can't have the focus` };
    case "select": {
      if (e.localName !== "select") return { count, never: `${name(e)} is not a select element` };
      const option = [...e.options].find((o) => o.value === query.arg) ?? [...e.options].find((o) => squash(o.label) === query.arg);
      if (!option) return { count, wait: `its options are ${[...e.options].map((o) => `"${squash(o.label)}"`).join(", ")}` };
      if (option.disabled) return { count, wait: `its option "${query.arg}" is disabled` };
      if (e.multiple) option.selected = true;
      else e.selectedIndex = option.index;
      e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
      e.dispatchEvent(new Event("change", { bubbles: true }));
      return { count, done: true };
    }
    case "fill": {
      if (e.readOnly) return { count, wait: "it is read-only" };
      if (e.isContentEditable) {
        getSelection().selectAllChildren(e);
      } else if (e.localName === "textarea" || (e.localName === "input" && ["text", "search", "email", "url", "tel", "password", "number"].includes(e.type))) {
        e.select();
      } else if (e.localName === "input" && ["color", "date", "datetime-local", "month", "range", "time", "week"].includes(e.type)) {
        // The prototype's setter is one that a framework has not replaced.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(e, query.arg);
        if (e.value !== query.arg) return { count, never: `${name(e)} of type ${e.type} takes no "${query.arg}"` };
        e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        e.dispatchEvent(new Event("change", { bubbles: true }));
        return { count, done: true, value: "set" };
      } else {
        return { count, never: `${name(e)} takes no text${e.localName === "select" ? ": use Select" : e.type === "checkbox" || e.type === "radio" ? ": use Click" : ""}` };
      }
      expect(query.arg ? "beforeinput" : "keydown");
      return focused ? { count, done: true } : { count, never: `${name(e)} can't have the focus` };
    }
  }
};
