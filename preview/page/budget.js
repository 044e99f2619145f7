// budget lets `most` things pass in a second. pass is called with true for the
// last of them, which can say that those that follow are left out.
export function budget(most) {
  let since = -Infinity;
  let n = 0;
  return (pass) => {
    const now = performance.now();
    if (now - since >= 1000) {
      since = now;
      n = 0;
    }
    if (++n < most) pass(false);
    else if (n === most) pass(true);
  };
}
