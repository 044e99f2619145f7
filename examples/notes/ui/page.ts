// Elements of the page.

export const $ = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

/** Creates an element with a class and a text. */
export function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, text = ""): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

export function notice(text: string): void {
  $("notice").textContent = text;
}

export const message = (err: unknown) => (err instanceof Error ? err.message : String(err));
