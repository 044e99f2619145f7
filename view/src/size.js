// How many times a height that follows the window's is reported while the document
// itself does not change.
const maxTries = 2;

/**
 * Calls report({ width, height }) in the next frame, and in each later frame in
 * which the size has changed. Returns a function that stops it.
 *
 * A height in vh units follows the height of the window, which the host sets to
 * the reported height: without a limit this would never end. So a change of
 * height in the same frame as one of the window is held back for 100 ms, and
 * reported at most maxTries times.
 */
export function watchSize(report) {
  const html = document.documentElement;
  const { style } = html;
  let width, height; // the last report
  let measured, windowHeight; // in the last measured frame
  let heldBack = 0;
  let tries = 0;
  let frame, pause;

  const measure = () => {
    frame = 0;
    const { cssText } = style;
    // The height that the document needs, whatever the window's height is.
    style.cssText += ";height:max-content!important";
    const needed = Math.ceil(html.getBoundingClientRect().height);
    style.cssText = cssText;

    if (innerWidth != width) heldBack = 0;
    else if (innerHeight != windowHeight) {
      heldBack += needed - measured;
      if (heldBack && tries < maxTries) pause ||= setTimeout(settle, 100);
    } else if (needed != measured) tries = 0;
    measured = needed;
    windowHeight = innerHeight;

    if (innerWidth != width || needed - heldBack != height) report({ width: (width = innerWidth), height: (height = needed - heldBack) });
  };
  const settle = () => {
    tries++;
    heldBack = pause = 0;
    measure();
  };
  const schedule = () => (frame ||= requestAnimationFrame(measure));
  const touch = () => {
    tries = 0;
    schedule();
  };

  const boxes = new ResizeObserver(schedule);
  boxes.observe(html);
  boxes.observe(document.body);
  // Content can outgrow a body of fixed height without changing either box.
  const nodes = new MutationObserver(touch);
  nodes.observe(html, { childList: true, characterData: true, subtree: true });
  document.addEventListener("load", touch, true); // an image has its size only once it is loaded
  addEventListener("resize", schedule);
  schedule();

  return () => {
    report = () => {};
    boxes.disconnect();
    nodes.disconnect();
    document.removeEventListener("load", touch, true);
    removeEventListener("resize", schedule);
  };
}
