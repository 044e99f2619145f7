/** DOM-style events: one handler, then the listeners in the order they were added. */
export class EventDispatcher {
  #slots = { __proto__: null }; // event: [handler, ...listeners]

  #slot(event) {
    return (this.#slots[event] ??= [undefined]);
  }

  setHandler(event, handler) {
    this.#slot(event)[0] = handler;
  }

  getHandler(event) {
    return this.#slot(event)[0];
  }

  addEventListener(event, listener) {
    this.#slot(event).push(listener);
  }

  removeEventListener(event, listener) {
    const slot = this.#slot(event);
    const i = slot.indexOf(listener, 1);
    if (i > 0) slot.splice(i, 1);
  }

  /** Listeners added or removed meanwhile count from the next event on. */
  dispatch(event, params) {
    for (const f of [...this.#slot(event)]) f?.(params);
  }
}
