// The view of show_orders: a list of orders with search, sorting, pages, and a selection.
import { pages, resultData, type CallError, type DataPage } from "mcp-app/data";
import type { ServerTools } from "mcp-app";
import { app, connect } from "./app";
import { $, count, date, element, euros, message, notice, offerStatuses, type Order } from "./format";
import { ChangePanel, type Change } from "./panel";
import { most, Selection } from "./selection";

/** What the list shows: the arguments of show_orders. */
type Query = ServerTools["show_orders"]["arguments"];

/** What the server says of a query, beside the rows of its first page. */
interface Listed {
  found: number;
  selection: string;
}
type First = DataPage<Order, Listed>;

const tool = "show_orders_data";
const body = $<HTMLTableSectionElement>("orders");
const more = $<HTMLButtonElement>("more");
const search = $<HTMLInputElement>("search");
const status = $<HTMLSelectElement>("status");
const all = $<HTMLInputElement>("all");
const headers = [...document.querySelectorAll<HTMLButtonElement>("[data-sort]")];
const selection = new Selection();
const panel = new ChangePanel($("change"));

let query: Query = {};
let rows: Order[] = [];
let found = 0; // how many orders the query finds
let list: ReturnType<typeof pages<Order, Listed>>;
let abort = new AbortController();
let loading = false;
let ended = false;

// The call that opened the view

resultData<First>(app, (r) => {
  if (r.input) query = r.input;
  if (r.data) return read(r.data);
  if (r.missing === "input") return read(); // as some hosts send nothing when an old chat is shown again
  $("list").hidden = true;
  notice(r.missing === "host" ? `This host does not let views call tools. ${r.text}` : r.error?.message ?? "The orders did not arrive.");
}, { tool });

// Pages

/** Leaves what has arrived, in a host in which views can't call tools. */
function freeze(): void {
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLButtonElement>("#filter > *, [data-sort], #change-selected")) control.disabled = true;
  $("denied").hidden = false;
  ended = true;
}

/** Reads the list from its beginning. first is its first page if that is known. */
function read(first?: First): void {
  abort.abort();
  abort = new AbortController();
  const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value));
  list = pages(app, { tool, query: asked, first, signal: abort.signal });
  ended = loading = false;
  $("list").hidden = false;
  if (document.activeElement !== search) search.value = query.search ?? "";
  status.value = query.status ?? "";
  for (const header of headers) {
    if (header.dataset.sort === (query.sort ?? "id")) header.parentElement!.setAttribute("aria-sort", query.descending ? "descending" : "ascending");
    else header.parentElement!.removeAttribute("aria-sort");
  }
  readMore();
}

/** Begins the list. The rows of another query stay until the first page is there. */
function begin(listed: Listed): void {
  found = listed.found;
  selection.load(listed.selection);
  rows = [];
  body.replaceChildren();
  $("rows").scrollTop = 0;
}

/** Shows one more page. */
async function readMore(): Promise<void> {
  if (loading || ended) return;
  const { signal } = abort;
  loading = true;
  $("rows").setAttribute("aria-busy", "true");
  try {
    const { value, done = false } = await list.next();
    if (signal.aborted) return;
    ended = done;
    if (value?.extra) begin(value.extra);
    rows.push(...(value ?? []));
    body.append(...(value ?? []).map(row));
    more.textContent = "More";
    notice("");
  } catch (err) {
    if (signal.aborted) return;
    if ((err as CallError).missing) freeze();
    else notice(`The orders can't be read: ${message(err)}`);
    more.textContent = "Try again";
  }
  loading = false;
  $("rows").removeAttribute("aria-busy");
  more.hidden = ended;
  if (found || ended) $("count").textContent = found > rows.length ? `${rows.length.toLocaleString()} of ${count(found)}` : rows.length ? count(rows.length) : "No order was found.";
  mark();
  fill();
}

/** Shows one more page if the end of the list is in sight or nearly so, and nothing has failed. */
function fill(): void {
  const { bottom, height } = $("rows").getBoundingClientRect();
  if (height && more.textContent === "More" && more.getBoundingClientRect().top < bottom + 200) readMore();
}

more.onclick = readMore;
$("rows").onscroll = fill;
addEventListener("resize", fill);

// Search and sorting

function change(part: Query): void {
  query = { ...query, ...part };
  read();
}

let typing: ReturnType<typeof setTimeout>;
search.oninput = () => {
  clearTimeout(typing);
  typing = setTimeout(() => change({ search: search.value.trim() }), 200);
};
offerStatuses(status);
status.onchange = () => change({ status: (status.value || undefined) as Query["status"] });
$("filter").onsubmit = (e) => e.preventDefault();
for (const header of headers) {
  const sort = header.dataset.sort as Query["sort"];
  header.onclick = () => change({ sort, descending: (query.sort ?? "id") === sort && !query.descending });
}

// The selection

function select(ids: number[], selected: boolean): void {
  if (!selection.set(ids, selected)) notice(`At most ${count(most)} can be selected.`);
  mark();
}

/** Shows which rows are selected. */
function mark(): void {
  let marked = 0;
  for (const tr of body.rows) {
    const box = tr.querySelector("input")!;
    box.checked = selection.has(Number(box.value));
    tr.classList.toggle("selected", box.checked);
    if (box.checked) marked++;
  }
  all.checked = marked > 0 && marked === rows.length;
  all.indeterminate = marked > 0 && !all.checked;
  $("selection").hidden = !selection.size;
  $("selected").textContent = `${selection.size.toLocaleString()} selected`;
}

selection.onchange = mark;
$("clear").onclick = () => selection.clear();
all.onchange = () => select(rows.map((o) => o.id), all.checked);
body.onchange = (e) => {
  const box = e.target as HTMLInputElement;
  select([Number(box.value)], box.checked);
};
// A click anywhere in a row selects it, and the arrow keys go from row to row.
body.onclick = (e) => {
  if (!(e.target as Element).closest("input")) (e.target as Element).closest("tr")?.querySelector("input")?.click();
};
body.onkeydown = (e) => {
  const tr = (e.target as Element).closest("tr");
  const to = e.key === "ArrowDown" ? tr?.nextElementSibling : e.key === "ArrowUp" ? tr?.previousElementSibling : null;
  if (!to) return;
  e.preventDefault();
  to.querySelector("input")?.focus();
};

// A change of the selected orders

/** Opens the form of change_orders, as the model does for others. */
$("change-selected").onclick = async () => {
  const input: Change = { orders: selection.ids(), to: "packed" };
  try {
    const result = await app.callServerTool({ name: "change_orders", arguments: input, _meta: { "mcpapps/caller": "app" } });
    panel.open({ input, result });
  } catch (err) {
    notice(`The form can't be opened: ${message(err)}`);
  }
};
panel.ondone = () => {
  selection.clear();
  read();
};
$<HTMLDialogElement>("dialog").onclose = () => {
  // The button that opened the dialog may be gone, and the focus with it.
  if (document.activeElement === document.body) $("rows").focus();
};

connect();

function row(o: Order): HTMLTableRowElement {
  const tr = document.createElement("tr");
  tr.role = "row";
  const box = element("input", "");
  Object.assign(box, { type: "checkbox", value: o.id, ariaLabel: `Order ${o.id}, ${o.customer}` });
  const cells = {
    check: box,
    id: String(o.id),
    customer: o.customer,
    city: o.city,
    amount: euros(o.cents),
    status: element("span", `badge ${o.status}`, o.status),
    date: date(o.date),
  };
  for (const [name, content] of Object.entries(cells)) {
    const td = element("td", name);
    td.role = "cell";
    td.append(content);
    tr.append(td);
  }
  return tr;
}
