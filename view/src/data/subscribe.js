import { call } from "./call.js";
import { onTeardown } from "./teardown.js";

export function subscribe(app, { tool, args, every = 1000, element = document.documentElement, onvalue, onstate }) {
  let version, since, state;
  let request; // the AbortController of the poll that is under way
  let timer;
  let delay = every;
  let seen = true;
  let stopped;

  const report = (now, error) => {
    if (now != state) onstate?.({ state: (state = now), since, error });
  };

  const poll = async () => {
    timer = 0;
    if (stopped || (version && (document.hidden || !seen))) return; // resume continues
    if (!app.getHostCapabilities()) return (timer = setTimeout(poll, 100)); // not connected yet
    const mine = (request = new AbortController());
    let answer, error;
    try {
      answer = await call(app, tool, { ...args, ...(version && { view_version: version }) }, { signal: mine.signal });
    } catch (e) {
      error = e;
    }
    if (mine != request) return;
    request = null;
    delay = error ? Math.min(2 * delay, 30000) : every;
    timer = setTimeout(poll, delay);
    if (error) {
      if (error.closed) stop();
      report(version ? "stale" : "failed", error);
      return;
    }
    since = Date.now();
    report("live");
    if ((answer.version ?? version) != version) {
      version = answer.version;
      onvalue(answer.value);
    }
  };
  const resume = () => {
    if (!timer && !request) poll();
  };
  const drop = () => {
    clearTimeout(timer);
    timer = 0;
    request?.abort();
    request = null;
  };
  const observer = new IntersectionObserver((entries) => {
    seen = entries.pop().isIntersecting;
    resume();
  });
  const stop = () => {
    stopped = true;
    drop();
    observer.disconnect();
    document.removeEventListener("visibilitychange", resume);
  };

  observer.observe(element);
  document.addEventListener("visibilitychange", resume);
  onTeardown(stop);
  report("waiting");
  poll();
  return {
    refresh() {
      drop();
      delay = every;
      poll();
    },
    stop,
  };
}
