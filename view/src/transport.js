/** The transport between a view and its host. It posts to one window and ignores messages from all others. */
export class PostMessageTransport {
  #target;
  #listener;

  constructor(eventTarget = parent, eventSource) {
    this.#target = eventTarget;
    this.#listener = ({ source, data }) => {
      if (source === eventSource && data?.jsonrpc == "2.0") this.onmessage?.(data);
    };
  }

  async start() {
    addEventListener("message", this.#listener);
  }

  async send(message) {
    this.#target.postMessage(message, "*");
  }

  async close() {
    removeEventListener("message", this.#listener);
    this.onclose?.();
  }
}
