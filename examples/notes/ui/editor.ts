// The dialog in which one note is read and written.
import { modelContext, sendMessage, type ModelContext } from "mcp-app/openai";
import type { ServerTools } from "mcp-app";
import { app, call } from "./host";
import { $, message } from "./page";

export type Board = ServerTools["read_board"]["structuredContent"];
export type Note = Omit<NonNullable<Board["notes"]>[number], "changed">;

const dialog = $<HTMLDialogElement>("editor");
const title = $<HTMLInputElement>("title");
const text = $<HTMLTextAreaElement>("text");
const list = $<HTMLSelectElement>("list");

export class Editor {
  lists: string[] = []; // that a note can be in
  #note!: Note;
  #busy = false;
  #context?: ModelContext<typeof app>;

  /** done is called with the board after each change. */
  constructor(done: (board: Board) => void) {
    const change = async (f: () => Promise<Board>) => {
      if (this.#busy) return;
      this.#busy = true;
      try {
        done(await f());
        dialog.close();
      } catch (err) {
        this.#problem(message(err));
      }
      this.#busy = false;
    };
    $("note").onsubmit = (e) => {
      e.preventDefault();
      const { id, version } = this.#note;
      change(() => call("save_note", { ...(id && { id, version }), ...this.#values() }));
    };
    $("delete").onclick = () => change(() => call("delete_note", { id: this.#note.id }));
    $("cancel").onclick = () => dialog.close();
    dialog.oncancel = (e) => {
      if (!this.#changed()) return;
      e.preventDefault();
      this.#problem("This note has changes that are not saved: save or cancel them.");
    };
    $("ask").onclick = async () => {
      const draft = { role: "user" as const, content: [{ type: "text" as const, text: `About my note “${this.#note.title}”: ` }] };
      const { missing } = await sendMessage(app, draft, { send: false });
      if (missing) this.#problem("This host takes no drafts from views. Ask in the chat.");
      else dialog.close();
    };
  }

  /** Shows a note, and tells the model which one the user reads. */
  open(note: Note): void {
    if (dialog.open && this.#changed()) return this.#problem("Save or cancel this note first.");
    this.#note = note;
    this.#problem("");
    $("heading").textContent = note.id ? "Note" : "New note";
    list.replaceChildren(...this.lists.map((l) => new Option(l)));
    Object.assign(title, { value: note.title });
    Object.assign(text, { value: note.text });
    Object.assign(list, { value: note.list });
    $("delete").hidden = !note.id;
    $("ask").hidden = !note.id;
    if (!dialog.open) dialog.showModal();
    if (!note.id) return title.focus();
    this.#tell(`The user has opened note ${note.id}, “${note.title}”:\n${note.text}`);
  }

  /** Tells the model, and the user that the model knows, until they remove it. */
  async #tell(text: string): Promise<void> {
    const known = (yes: boolean) => ($("context").textContent = yes ? "The chat knows which note you opened." : "");
    this.#context ??= modelContext(app, (state) => known(!!state));
    try {
      known(!!(await this.#context.update({ content: [{ type: "text", text }] })));
    } catch {
      known(false); // as in a host that tells the model nothing
    }
  }

  #values = () => ({ title: title.value.trim(), text: text.value, list: list.value as Note["list"] & ServerTools["save_note"]["arguments"]["list"] });

  #changed(): boolean {
    const now = this.#values();
    return now.title !== this.#note.title || now.text !== this.#note.text || now.list !== this.#note.list;
  }

  #problem(text: string): void {
    $("problem").textContent = text;
  }
}
