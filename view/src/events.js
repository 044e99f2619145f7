/** DOM-style events: one handler, then the listeners in the order they were added. */
export class EventDispatcher {
  #slots = new Map(); // event: [handler, ...listeners]

  #slot(event) {
    if (!this.#slots.has(event)) this.#slots.set(event, [undefined]);
    return this.#slots.get(event);
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

  /** Listeners added or removed meanwhile count from the next event on. Reports whether anybody listened. */
  dispatch(event, params) {
    const listeners = this.#slot(event).filter((f) => f);
    for (const f of listeners) f(params);
    return listeners[0];
  }
}
