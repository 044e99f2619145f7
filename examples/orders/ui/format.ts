// What the view shows of orders.

export const statuses = ["open", "packed", "shipped", "delivered", "cancelled"] as const;
export type Status = (typeof statuses)[number];

/** An order, as the server's type Order has it. */
export interface Order {
  id: number;
  customer: string;
  city: string;
  cents: number;
  status: Status;
  date: string;
}

const currency = new Intl.NumberFormat(undefined, { style: "currency", currency: "EUR" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

export const euros = (cents: number) => currency.format(cents / 100);
export const date = (iso: string) => day.format(new Date(iso));
export const count = (n: number, noun = "order") => `${n.toLocaleString()} ${noun}${n === 1 ? "" : "s"}`;

export const $ = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

/** Creates an element with a class and a text. */
export function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, text = ""): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

/** Fills a select element with the statuses. */
export function offerStatuses(select: HTMLSelectElement): void {
  select.append(...statuses.map((s) => new Option(s[0].toUpperCase() + s.slice(1), s)));
}

export function notice(text: string): void {
  $("notice").textContent = text;
}

export const message = (err: unknown) => (err instanceof Error ? err.message : String(err));
