// The handles at the edges of the view's frame, for the pointer and the keyboard.

import { node } from "./dom.js";

export const least = { width: 160, height: 80 };
export const most = { width: 4000, height: 4000 };
const clamp = (value, side) => Math.round(Math.min(Math.max(value, least[side]), most[side]));

// addHandles puts the handles on a box. resized is called with the sides that
// changed, { width, height }, and reset when a handle is double-clicked.
export function addHandles(box, { resized, reset }) {
  const handle = (name, sides, label) => {
    const element = node("div", { className: `handle ${name}` });
    if (label) {
      element.tabIndex = 0;
      element.setAttribute("role", "separator");
      element.setAttribute("aria-label", label);
      element.setAttribute("aria-orientation", sides[0] === "width" ? "vertical" : "horizontal");
      element.setAttribute("aria-valuemin", least[sides[0]]);
      element.setAttribute("aria-valuemax", most[sides[0]]);
    }
    element.addEventListener("pointerdown", (event) => drag(event, element, box, sides, resized));
    element.addEventListener("keydown", (event) => step(event, box, sides, resized));
    element.addEventListener("dblclick", reset);
    return element;
  };
  const width = handle("width", ["width"], "Width of the view");
  const height = handle("height", ["height"], "Height of the view");
  box.append(width, height, handle("both", ["width", "height"]));
  new ResizeObserver(() => {
    width.setAttribute("aria-valuenow", box.clientWidth);
    height.setAttribute("aria-valuenow", box.clientHeight);
  }).observe(box);
}

function drag(event, element, box, sides, resized) {
  if (event.button !== 0) return;
  event.preventDefault();
  element.focus({ preventScroll: true });
  const { right, bottom, height } = box.getBoundingClientRect();
  const from = { x: event.clientX - right, y: event.clientY - bottom, height, bottom };
  document.documentElement.classList.add("resizing"); // frames get no pointer events
  element.setPointerCapture(event.pointerId);
  const move = (at) => {
    const size = {};
    if (sides.includes("width")) size.width = clamp(widthTo(box, at.clientX - from.x), "width");
    if (sides.includes("height")) size.height = clamp(from.height + at.clientY - from.y - from.bottom, "height");
    resized(size);
  };
  const end = () => {
    document.documentElement.classList.remove("resizing");
    element.removeEventListener("pointermove", move);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("lostpointercapture", end, { once: true });
}

// widthTo returns the width with which the right edge of a box is at x. One box stands
// in the middle of its parent, as long as it is not wider.
function widthTo(box, x) {
  const parent = box.parentElement;
  const { left } = parent.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(parent);
  const start = left + parseFloat(paddingLeft);
  const room = parent.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const centred = 2 * (x - start) - room;
  if (parent.childElementCount > 1) return x - box.getBoundingClientRect().left;
  return centred <= room ? centred : x - start + parent.scrollLeft;
}

const keys = { ArrowRight: ["width", 1], ArrowLeft: ["width", -1], ArrowDown: ["height", 1], ArrowUp: ["height", -1] };

function step(event, box, sides, resized) {
  const [side, sign] = keys[event.key] ?? [];
  if (!sides.includes(side)) return;
  event.preventDefault();
  const by = event.shiftKey ? 50 : 10;
  resized({ [side]: clamp((side === "width" ? box.clientWidth : box.clientHeight) + sign * by, side) });
}
