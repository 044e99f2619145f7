// budget returns a function that calls pass at most max times per second. The last
// of these calls gets true, so that it can say that more are dropped.
export function budget(max) {
  let since = -Infinity;
  let n = 0;
  return (pass) => {
    const now = performance.now();
    if (now - since >= 1000) {
      since = now;
      n = 0;
    }
    if (++n < max) pass(false);
    else if (n === max) pass(true);
  };
}
