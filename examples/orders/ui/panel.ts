// The panel that shows what a change will do, and does it once the user confirms it.
// change_orders opens it as a view of its own, and the list in a dialog.
import { form, type FormOptions, type FormState } from "mcp-app/data";
import type { ServerTools } from "mcp-app";
import { structured } from "./answer";
import { app } from "./app";
import { $, count, element, message, offerStatuses, type Order, type Status } from "./format";

/** The arguments of change_orders. */
export type Change = ServerTools["preview_change"]["arguments"];
type Changed = { count: number; to: Status };

const markup = `
  <form id="change-form" hidden>
    <p id="what"></p>
    <label>New status <select id="to"></select></label>
    <ul id="sample"></ul>
  </form>
  <p id="outcome" role="status"></p>
  <div class="buttons">
    <button id="cancel" type="button">Cancel</button>
    <button id="confirm" type="submit" form="change-form" class="primary" hidden>Change</button>
  </div>`;

export class ChangePanel {
  readonly #dialog: HTMLDialogElement | null;
  readonly #to: HTMLSelectElement;
  readonly #confirm: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #form?: ReturnType<typeof form<Change, Changed>>;
  #forms = 0; // how many were opened: only the newest one is shown
  #asked = 0; // how many previews were asked for: only the newest one is shown
  #change?: Change;
  #open = false; // the user can confirm

  /** Called when the user has changed orders. */
  ondone?: () => void;

  /** Puts the panel into an element. */
  constructor(place: HTMLElement) {
    place.innerHTML = markup;
    this.#dialog = place.closest("dialog");
    this.#to = $("to");
    this.#confirm = $("confirm");
    this.#cancel = $("cancel");
    offerStatuses(this.#to);
    this.#to.onchange = () => this.#preview();
    this.#cancel.hidden = !this.#dialog;
    this.#cancel.onclick = () => this.#dialog!.close();
    $("change-form").onsubmit = (e) => {
      e.preventDefault();
      if (this.#open && !this.#confirm.disabled) this.#form!.submit(this.#values());
    };
  }

  /** Shows the form of the call that opened the view, or that of a call which the view has made. */
  open(opened?: FormOptions["opened"]): void {
    const number = ++this.#forms;
    let submitted = false;
    this.#change = undefined;
    this.#show({ state: "gone" }); // nothing to confirm yet
    $("outcome").textContent = "Loading";
    for (const id of ["what", "sample"]) $(id).replaceChildren();
    this.#dialog?.showModal();
    this.#form = form<Change, Changed>(app, (r) => {
      submitted ||= r.state === "running";
      if (r.state === "done" && submitted) this.#done(r.text ?? "");
      // The user may have closed this form, and opened another one.
      if (number === this.#forms) this.#show(r);
    }, { tool: "change_orders_submit", opened });
  }

  #done(text: string): void {
    this.ondone?.();
    // So that the model knows, too, where the host can tell it.
    if (app.getHostCapabilities()?.updateModelContext) {
      app.updateModelContext({ content: [{ type: "text", text }] }).catch(() => {});
    }
  }

  #show(r: FormState<Change, Changed>): void {
    this.#open = (r.state === "open" || r.state === "failed") && !r.missing;
    if (r.values && !this.#change) {
      this.#change = r.values;
      this.#to.value = r.values.to;
    }
    $("outcome").textContent = outcome(r);
    this.#confirm.hidden = $("change-form").hidden = !this.#open && r.state !== "running";
    this.#confirm.disabled = true; // until it is known what will change
    this.#to.disabled = !this.#open;
    this.#cancel.textContent = this.#open ? "Cancel" : "Close";
    if (this.#open) this.#preview();
  }

  /** The change with the status that is chosen now. */
  #values(): Change {
    return { ...this.#change!, to: this.#to.value as Status };
  }

  /** Shows how many orders would change, and the first ones. */
  async #preview(): Promise<void> {
    if (!this.#change) return;
    const asked = ++this.#asked;
    const to = this.#to.value;
    this.#confirm.disabled = true;
    try {
      const effect = structured(await app.callServerTool({ name: "preview_change", arguments: this.#values() }));
      if (asked !== this.#asked || !this.#open) return;
      const sample = effect.sample ?? [];
      this.#confirm.disabled = !effect.count;
      this.#confirm.textContent = effect.count ? `Mark ${count(effect.count)} as ${to}` : "Nothing to change";
      $("what").textContent = `${what(this.#change)}: ${count(effect.count)} will change.`;
      $("sample").replaceChildren(...sample.map((o) => item(o, to)));
      if (effect.count > sample.length) $("sample").append(element("li", "muted", `and ${count(effect.count - sample.length, "other")}`));
    } catch (err) {
      if (asked === this.#asked) $("what").textContent = `What would change can't be read: ${message(err)}`;
    }
  }
}

function outcome(r: FormState<Change, Changed>): string {
  if (r.missing === "host") return "This host does not let views call tools. Answer in the chat instead.";
  switch (r.state) {
    case "running":
      return "Changing the orders";
    case "done":
      return r.text ?? "The orders were changed.";
    case "unknown":
      return "It is not known whether the orders were changed. Look at the list before you ask for it again.";
    case "gone":
      return r.error ? `There is nothing to confirm: ${r.error.message}` : r.text || "This form has expired, and it changes nothing. Ask for the change again.";
    case "failed":
      return `The orders were not changed: ${r.error?.message}`;
  }
  return r.error?.message ?? "";
}

/** Says in words which orders a change is about. */
function what({ orders, city, from }: Change): string {
  const which = orders?.length ? `${count(orders.length)} selected` : from ? `All ${from} orders` : "All orders";
  return which + (orders?.length && from ? `, of these the ${from} ones` : "") + (city ? ` of ${city}` : "");
}

/** One of the orders that will change. */
function item(o: Pick<Order, "id" | "customer" | "city"> & { status: string }, after: string): HTMLLIElement {
  const li = element("li", "");
  const statuses = element("span", "statuses");
  statuses.append(element("span", `badge ${o.status}`, o.status), " → ", element("span", `badge ${after}`, after));
  li.append(element("span", "name", `${o.id} ${o.customer}, ${o.city}`), statuses);
  return li;
}
