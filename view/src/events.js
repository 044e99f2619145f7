/** Dispatches each event to its one handler, then to its listeners in the order in which they were added. */
export class EventDispatcher {
  #slots = { __proto__: null }; // event: [handler, ...listeners]

  #slot(event) {
    return (this.#slots[event] ??= [,]);
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

  /** Adding or removing listeners during a dispatch takes effect with the next event. */
  dispatch(event, params) {
    this.#slot(event).slice().map((f) => f?.(params));
  }
}
