// The page's address keeps the tool, its arguments and the settings, so that they
// survive a reload and can be passed on.
//
// Opening an address never calls a tool. A reload repeats the call that was made in
// this tab, if nothing has changed since: this tab's session storage then has the
// run's token and the same address. Another page can bring this tab to any address
// of the preview, but not by a reload, and not to the address of a call.

export const query = new URLSearchParams(location.search);

const key = "mcpapps-called";
const maxArgs = 8000; // characters: longer arguments don't stand in the address
const token = document.documentElement.dataset.token;
const shown = new URLSearchParams(query);
const fixed = query.has("bare"); // the address of a screenshot stays as it is
let timer;

// keep puts values into the address. It leaves out those that are undefined or "".
export function keep(values) {
  if (fixed) return;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === "") shown.delete(name);
    else shown.set(name, value);
  }
  clearTimeout(timer);
  timer = setTimeout(write, 150); // browsers limit how often an address changes
}

// keepArguments is keep for the arguments of the call.
export function keepArguments(args) {
  const text = JSON.stringify(args ?? {});
  keep({ args: text === "{}" || text.length > maxArgs ? undefined : text });
}

// A page that is left writes what is still waiting, so that a reload finds it.
addEventListener("pagehide", () => timer && write());

function write() {
  clearTimeout(timer);
  timer = undefined;
  const search = shown.size ? `?${shown}` : location.pathname;
  try {
    history.replaceState(null, "", search);
  } catch {
    // The browser limits how often this is allowed; the next change tries again.
  }
}

// called records that this tab made the call of the address, with arguments that may
// be too long for it.
export function called(args) {
  if (fixed) return;
  write();
  try {
    sessionStorage.removeItem(key);
    sessionStorage.setItem(key, JSON.stringify({ token, address: location.search, args }));
  } catch {
    // Without the storage, or room in it, a reload repeats nothing.
  }
}

// repeated returns { args } if this page is the reload of one that called the tool of
// its address in this run of the preview, else undefined.
export function repeated() {
  if (fixed || performance.getEntriesByType("navigation")[0]?.type !== "reload") return undefined;
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return stored?.token === token && stored.address === initial ? { args: stored.args } : undefined;
  } catch {
    return undefined;
  }
}
const initial = location.search;

// givenArguments are the arguments in the address, undefined without any.
export function givenArguments() {
  try {
    const args = JSON.parse(query.get("args") ?? "null");
    return typeof args === "object" && args !== null && !Array.isArray(args) ? args : undefined;
  } catch {
    return undefined;
  }
}
