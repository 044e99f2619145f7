// follow keeps a list at its end, unless the reader has scrolled up or has opened a row.
// It returns the function to call after something was added.
//
// How far the list is from its end does not tell: a hidden list has no end, and that of
// one with rows of unknown height moves when they are drawn.

const near = 40; // pixels

export function follow(list) {
  let following = true;
  let last = 0;
  const atEnd = () => list.scrollHeight - list.scrollTop - list.clientHeight < near;
  const toEnd = () => {
    if (!following) return;
    list.scrollTop = list.scrollHeight;
    last = list.scrollTop;
  };
  list.addEventListener("scroll", () => {
    if (list.clientHeight === 0) return;
    const top = list.scrollTop;
    if (top > last && atEnd()) following = true;
    else if (top < last && !atEnd()) following = false;
    last = top;
  });
  list.addEventListener("toggle", (event) => (following = !event.target.open && atEnd()), true);
  list.addEventListener("contentvisibilityautostatechange", () => {
    if (list.scrollTop >= last) toEnd(); // otherwise the reader scrolls up
  });
  new ResizeObserver(toEnd).observe(list); // also when it is shown
  return toEnd;
}
