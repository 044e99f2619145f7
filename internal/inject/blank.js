// Whether a document shows no text, picture, control or color. Large documents count as
// shown.
() => {
  const { body } = document;
  if (!body) return true;
  if (body.localName !== "body" || body.innerText.trim()) return false;
  const drawn = new Set(["img", "svg", "canvas", "video", "audio", "iframe", "object", "embed", "input", "button", "select", "textarea", "hr", "progress", "meter"]);
  const shows = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (box.width * box.height === 0 || style.visibility === "hidden" || Number(style.opacity) === 0) return false;
    if (drawn.has(element.localName) || element.shadowRoot || element.localName.includes("-")) return true;
    return style.backgroundImage !== "none" || style.boxShadow !== "none" || !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor) || parseFloat(style.borderTopWidth) > 0 || parseFloat(style.borderLeftWidth) > 0;
  };
  const all = body.getElementsByTagName("*");
  if (all.length > 2000) return false;
  for (const element of all) if (shows(element)) return false;
  return true;
}
