// The connection with the preview: one stream of events to this page, and commands
// to the preview in one batch at a time, so that they keep their order.

const root = document.documentElement.dataset;
const tab = randomName();
const queue = [];
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
