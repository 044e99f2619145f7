/**
 * Calls report({ width, height }) in the next frame and in each later one in
 * which the size is another. Returns the function that ends it.
 *
 * A height in vh units follows the window, which the host sets to what was
 * reported: that would go on for ever. So of the changes that follow nothing
 * but the host's own resize one is reported at once, a second one after a
 * pause, since it may have been the end of an animation, and no more.
 */
export function watchSize(report) {
  const html = document.documentElement;
  const { style } = html;
  let width, height; // as reported last
  let windowHeight; // as of the last frame looked at
  let touched; // something other than the host's resize may have changed the height
  let echoes = 0;
  let frame, pause;

  const measure = (settled) => {
    frame = 0;
    const { cssText } = style;
    // The height that the document needs, whatever the window's height is.
    style.setProperty("height", "max-content", "important");
    const size = { width: innerWidth, height: Math.ceil(html.getBoundingClientRect().height) };
    style.cssText = cssText;
    if (size.width != width || size.height != height) {
      const follows = settled === true || (!touched && size.width == width && innerHeight != windowHeight);
      echoes = follows ? echoes + 1 : 0;
      if (echoes < 2 || settled === true) report(({ width, height } = size));
      else if (echoes == 2) pause = setTimeout(measure, 250, true);
    }
    windowHeight = innerHeight;
    touched = false;
  };
  const schedule = () => (frame ||= requestAnimationFrame(measure));
  const touch = () => {
    touched = true;
    schedule();
  };

  const boxes = new ResizeObserver(schedule);
  boxes.observe(html);
  boxes.observe(document.body);
  // Content can outgrow a body of fixed height without changing either box.
  const nodes = new MutationObserver(touch);
  nodes.observe(html, { childList: true, characterData: true, subtree: true });
  addEventListener("load", touch, true);
  schedule();

  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
    boxes.disconnect();
    nodes.disconnect();
    removeEventListener("load", touch, true);
  };
}
