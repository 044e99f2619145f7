// The view of show_board: the notes in lists.
import { app, call, canCall, connect } from "./host";
import { followLinks } from "./link";
import { $, element, message, notice } from "./page";
import { Editor, type Board } from "./editor";

let board: Board | undefined;
const shown: Record<string, number> = {}; // how many notes of a list are shown
const editor = new Editor(show);
type Shown = NonNullable<Board["notes"]>[number];
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

// What the user or the model opened the board for. ChatGPT's sidebar and threads send {},
// perhaps with a link.
let opened: { note?: number; new?: boolean } = {};
app.ontoolinput = ({ arguments: input }) => {
  opened = { ...opened, ...input };
  open();
};

/** Opens what was asked for, once the notes are there. */
function open(): void {
  if (!board) return;
  const { note, new: write } = opened;
  opened = {};
  if (write) editor.open({ id: 0, version: 0, title: "", text: "", list: board.lists?.[0] ?? "" });
  if (note === undefined) return;
  const found = board.notes?.find((n) => n.id === note);
  if (found) editor.open(found);
  else notice("This note was deleted, or it is done and hidden by the settings.");
}

async function read(): Promise<void> {
  try {
    show(await call("read_board", {}));
    open();
  } catch (err) {
    notice(`The notes can't be read: ${message(err)}`);
  }
}

function show(b: Board): void {
  board = b;
  notice("");
  const { lists, notes } = b;
  editor.lists = lists ?? [];
  $<HTMLButtonElement>("new").disabled = false;
  $("count").textContent = notes?.length ? `${notes.length} note${notes.length === 1 ? "" : "s"}` : "No notes yet";
  const focused = document.activeElement?.getAttribute("data-note");
  $("board").replaceChildren(...(lists ?? []).map((list) => column(list, (notes ?? []).filter((n) => n.list === list))));
  if (focused) document.querySelector<HTMLElement>(`[data-note="${CSS.escape(focused)}"]`)?.focus();
}

/** One list, with a button for more notes than the settings show at once. */
function column(list: string, notes: Shown[]): HTMLElement {
  const section = element("section", "");
  const items = element("ul", "");
  const size = (shown[list] ??= 0) + Math.max(1, board!.preferences.pageSize);
  items.append(...notes.slice(0, size).map(card));
  section.append(element("h2", "", list), element("span", "muted", String(notes.length)), items);
  if (!notes.length) section.append(element("p", "muted empty", "Nothing here"));
  if (notes.length > size) {
    const more = element("button", "more", `${notes.length - size} more`);
    more.onclick = () => {
      shown[list] = size;
      show(board!);
    };
    section.append(more);
  }
  return section;
}

function card(note: Shown): HTMLLIElement {
  const li = element("li", "");
  const button = element("button", "card");
  button.dataset.note = String(note.id);
  button.append(element("strong", "", note.title), element("span", "excerpt", note.text), element("time", "muted small", day.format(note.changed)));
  button.onclick = () => editor.open(note);
  li.append(button);
  return li;
}

$("new").onclick = () => {
  opened = { new: true };
  open();
};
// The chat or another view may have changed the notes.
document.addEventListener("visibilitychange", () => !document.hidden && canCall() && read());

if (await connect()) {
  followLinks((note) => {
    opened = { note };
    open();
  });
  if (canCall()) await read();
  else notice("This host does not let views call tools. Ask for your notes in the chat instead.");
}
