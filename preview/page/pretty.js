// The text of a JSON value, for people.

const maxDepth = 100;

// pretty is JSON.stringify(value, null, 2), shortened.
export function pretty(value, max) {
  const { text, whole } = print(value, max);
  return whole ? text : `${text}\n… shortened`;
}

// print returns the indented text of a value, and whether it is whole: it stops after
// about max characters, and writes "…" for what is nested too deeply. JSON.stringify
// indents by the depth, so that 20 kB, nested 10,000 times, become a text of 200 MB.
export function print(value, max) {
  const parts = [];
  let left = max;
  let deep = false;
  const put = (part) => {
    parts.push(part);
    left -= part.length;
  };
  const members = (open, close, entries, depth, write) => {
    const indent = "  ".repeat(depth);
    let empty = true;
    put(open);
    for (const entry of entries) {
      if (left <= 0) break;
      put(`${empty ? "" : ","}\n${indent}  `);
      empty = false;
      write(entry);
    }
    put(empty ? close : `\n${indent}${close}`);
  };
  const write = (v, depth) => {
    if (typeof v === "string") put(JSON.stringify(v.length > left ? v.slice(0, Math.max(left, 0)) : v));
    else if (typeof v !== "object" || v === null) put(JSON.stringify(v) ?? "undefined");
    else if (depth > maxDepth) {
      put("…");
      deep = true;
    } else if (Array.isArray(v)) members("[", "]", v, depth, (item) => write(item, depth + 1));
    else
      members("{", "}", Object.keys(v), depth, (key) => {
        write(key, depth);
        put(": ");
        write(v[key], depth + 1);
      });
  };
  write(value, 0);
  return { text: parts.join("").slice(0, max), whole: left >= 0 && !deep };
}
