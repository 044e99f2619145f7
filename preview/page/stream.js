// One stream of events from the preview to this page, one batch of commands at
// a time the other way, so that their order is kept.

const root = document.documentElement.dataset;
const tab = name();
const queue = [];
let sending = false;

// name is a random DNS label: the stream's origin is this page's alone.
function name() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
}

export function listen(onEvent, onState) {
  const url = `http://${tab}.localhost:${root.port}/events?tab=${tab}&token=${root.token}`;
  const source = new EventSource(url);
  source.onopen = () => onState("open");
  source.onerror = () => onState(source.readyState === EventSource.CLOSED ? "closed" : "waiting");
  source.onmessage = (event) => onEvent(JSON.parse(event.data));
}

export function command(op, fields = {}) {
  queue.push({ op, ...fields });
  if (!sending) send();
}

export const waiting = () => queue.length;

async function send() {
  sending = true;
  while (queue.length > 0) {
    const batch = queue.splice(0, 500);
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
