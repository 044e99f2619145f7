// The connection with the preview: one stream of events to this page, and commands
// to the preview in one batch at a time, so that they keep their order.

const root = document.documentElement.dataset;
const tab = randomName();
const queue = [];
let queued = 0; // characters
let sending = false;

// randomName returns a DNS label, so that this page's stream has an origin of its
// own.
function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
}

export function listen(onEvent, onState) {
  const url = `http://${tab}.localhost:${root.port}/events?tab=${tab}&token=${root.token}`;
  const source = new EventSource(url);
  source.onopen = () => onState("open");
  source.onerror = () => onState(source.readyState === EventSource.CLOSED ? "closed" : "waiting");
  source.onmessage = (event) => onEvent(JSON.parse(event.data));
}

// command sends a command to the preview. size is about that of its fields in
// characters, if it may be large.
export function command(op, fields = {}, size = 0) {
  queue.push({ command: { op, ...fields }, size });
  queued += size;
  if (!sending) send();
}

// overloaded reports whether commands come faster than the preview takes them.
export const overloaded = () => queue.length > 2000 || queued > 64 << 20;

// nextBatch takes commands out of the queue. A character has up to three bytes, and the
// preview takes 64 MiB at once.
function nextBatch() {
  let size = 0;
  let n = 0;
  while (n < Math.min(queue.length, 500) && (n === 0 || size + queue[n].size <= 16 << 20)) size += queue[n++].size;
  queued -= size;
  return queue.splice(0, n).map((c) => c.command);
}

async function send() {
  sending = true;
  while (queue.length > 0) {
    const batch = nextBatch();
    try {
      const response = await fetch("/commands", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Mcpapps-Token": root.token, "Mcpapps-Tab": tab },
        body: JSON.stringify(batch),
      });
      if (!response.ok) throw new Error(await response.text());
    } catch (error) {
      dispatchEvent(new CustomEvent("command-failed", { detail: error.message }));
    }
  }
  sending = false;
}
