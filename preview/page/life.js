// Signs of life: whether the script of a view's frame still runs.
//
// The proxy is of the view's origin and so in its process: it does not answer
// while a script of the view runs, and never once the process died. Both are
// silent alike. What tells them apart is the frame within the proxy, which goes
// with the process; where a browser keeps it, a death is reported as silence.
//
// Silence is counted in questions without an answer, not in time: `missed` in
// a row, every `every` milliseconds, which makes 15 s. A question does not
// count that this page asked late, since then the machine is busy or slept, nor
// one asked while the tab is hidden, where browsers slow scripts down. A view
// that is silent stays open, for it may be stopped in a debugger, and it is
// reported when it is back.
// In a browser that runs page and view in one process the page hangs too.

const missed = 5;

let every, timer, last, watched;

// watch asks each of views() for a sign of life, by ask(view); silent and died
// are called for a view once, when it did not answer.
export function watch(views, handlers) {
  watched = { views, ...handlers };
  askEvery(3000);
}

// askEvery sets the milliseconds between two questions. With 0 only askAll asks,
// for tests that don't wait.
export function askEvery(ms) {
  every = ms;
  last = Date.now();
  clearInterval(timer);
  if (every) timer = setInterval(askAll, every);
}

export function askAll() {
  const { views, ask, silent, died } = watched;
  const now = Date.now();
  const onTime = !every || now - last < 2 * every;
  last = now;
  for (const view of views()) {
    const life = view.life;
    if (!life) continue; // its proxy is not there yet
    if (document.hidden || !onTime) life.asked = 0;
    if (!document.hidden) {
      if (life.asked >= missed && !life.silent) {
        life.silent = now - missed * every;
        if (view.frame.contentWindow?.length === 0) died(view);
        else silent(view, Math.round((missed * every) / 1000));
      }
      life.asked++;
      ask(view);
    }
  }
}

// begin starts the watch over a view whose proxy is there.
export function begin(view) {
  view.life = { asked: 0, silent: 0 };
}

// alive takes a view's sign of life, and returns the seconds that it was silent
// if that was reported.
export function alive(view) {
  if (!view.life) return 0;
  const since = view.life.silent;
  view.life = { asked: 0, silent: 0 };
  return since ? Math.max(1, Math.round((Date.now() - since) / 1000)) : 0;
}
