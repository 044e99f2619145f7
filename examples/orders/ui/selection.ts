// The numbers of the selected orders, which the server keeps for the view.
import { viewState } from "mcp-app/data";
import { app } from "./app";
import { message, notice } from "./format";

interface Kept {
  orders?: number[];
}

/** The most orders that change_orders takes. */
export const most = 1000;

export class Selection {
  #kept?: ReturnType<typeof viewState<Kept>>;
  #ids = new Set<number>();

  /** Called after each change. */
  onchange?: () => void;

  /** Reads the selection. Where views can't call tools it lasts as long as the view is open. */
  async load(id: string): Promise<void> {
    if (this.#kept || !app.getHostCapabilities()?.serverTools) return;
    this.#kept = viewState<Kept>(app, id, {
      onchange: (state, origin) => origin === "remote" && this.#take(state),
      onerror: (err) => notice(`The selection can't be saved: ${err.message}`),
    });
    try {
      await this.#kept.load();
    } catch (err) {
      notice(`The selection can't be read: ${message(err)}`);
    }
  }

  #take(state: Kept): void {
    this.#ids = new Set(state.orders);
    this.onchange?.();
  }

  get size(): number {
    return this.#ids.size;
  }

  ids(): number[] {
    return [...this.#ids];
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  /** Selects orders, or no longer. It returns false if there would be too many. */
  set(ids: number[], selected: boolean): boolean {
    const changed = new Set(this.#ids);
    for (const id of ids) {
      if (selected) changed.add(id);
      else changed.delete(id);
    }
    if (changed.size > most) return false;
    this.#ids = changed;
    this.#kept?.set({ orders: this.ids() });
    this.onchange?.();
    return true;
  }

  clear(): void {
    this.set(this.ids(), false);
  }
}
