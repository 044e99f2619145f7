// Signs of life: whether the scripts of a view still run.
//
// The proxy has the view's origin and therefore its process: it does not answer
// while a script of the view runs, nor after the process died. The page tells the
// two apart by the frame inside the proxy, which disappears with the process. In a
// browser that keeps the frame, a death is reported as silence.
//
// Silence is counted in unanswered questions, not in time: maxMissed in a row, one
// per interval, which makes 15 s. A question does not count if this page asked it
// late, since the machine was busy or asleep, or while the tab was hidden, since
// browsers slow down the scripts of hidden tabs. A silent view stays open, because
// it may be stopped in a debugger, and it is reported when it answers again.
//
// In a browser that runs the page and the view in one process, the page hangs too.

const maxMissed = 5;

let interval, timer, last, watched;

// watch asks each of views() for a sign of life with ask(view). It calls silent or
// died once for a view that does not answer.
export function watch(views, handlers) {
  watched = { views, ...handlers };
  askEvery(3000);
}

// askEvery sets the milliseconds between two questions. With 0 only askAll asks,
// for tests that don't wait.
export function askEvery(ms) {
  interval = ms;
  last = Date.now();
  clearInterval(timer);
  if (interval) timer = setInterval(askAll, interval);
}

export function askAll() {
  const { views, ask, silent, died } = watched;
  const now = Date.now();
  const onTime = !interval || now - last < 2 * interval;
  last = now;
  for (const view of views()) {
    const life = view.life;
    if (!life) continue; // its proxy is not loaded yet
    if (document.hidden || !onTime) life.asked = 0;
    if (!document.hidden) {
      if (life.asked >= maxMissed && !life.silent) {
        life.silent = now - maxMissed * interval;
        if (view.frame.contentWindow?.length === 0) died(view);
        else silent(view, Math.round((maxMissed * interval) / 1000));
      }
      life.asked++;
      ask(view);
    }
  }
}

// begin starts to ask a view whose proxy is loaded.
export function begin(view) {
  view.life = { asked: 0, silent: 0 };
}

// alive records a view's sign of life. If the view was reported as silent, it
// returns for how many seconds, otherwise 0.
export function alive(view) {
  if (!view.life) return 0;
  const since = view.life.silent;
  view.life = { asked: 0, silent: 0 };
  return since ? Math.max(1, Math.round((Date.now() - since) / 1000)) : 0;
}
