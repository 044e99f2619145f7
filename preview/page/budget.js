// budget lets `most` things pass in a second. The last of them gets a sentence to
// add, in place of those that follow.
export function budget(most) {
  let since = -Infinity;
  let n = 0;
  return (pass) => {
    const now = performance.now();
    if (now - since >= 1000) {
      since = now;
      n = 0;
    }
    if (++n < most) pass("");
    else if (n === most) pass(" What follows in this second is not shown.");
  };
}
