// Input as a host streams it, while a model writes the arguments: objects that are
// complete JSON, made from more and more of the text.

const maxSteps = 12;

// partials returns the objects that a host would send before the whole arguments.
export function partials(args) {
  const text = JSON.stringify(args ?? {});
  const steps = Math.min(maxSteps, Math.ceil(text.length / 8));
  const list = [];
  let before = "";
  for (let i = 1; i < steps; i++) {
    const healed = heal(text.slice(0, Math.round((text.length * i) / steps)));
    const now = JSON.stringify(healed);
    if (healed && now !== before) list.push(healed);
    before = now;
  }
  return list;
}

// heal completes the beginning of a JSON object: it closes strings, arrays and
// objects, and drops a key, number or word that is not whole. undefined if nothing is
// left.
export function heal(text) {
  const open = []; // the brackets
  let good = 0; // the text up to here becomes JSON once open is closed
  let goodOpen = [];
  let expectsKey = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') {
      const end = endOfString(text, i);
      if (!expectsKey) {
        if (end < 0) return parsed(closedString(text.slice(0, i), text.slice(i)), open);
        mark(end);
      } else if (end < 0) break;
      i = end - 1;
    } else if (c === "{" || c === "[") {
      open.push(c === "{" ? "}" : "]");
      expectsKey = c === "{";
      mark(i + 1);
    } else if (c === "}" || c === "]") {
      open.pop();
      mark(i + 1);
    } else if (c === ",") {
      mark(i); // what stands before is whole
      expectsKey = open.at(-1) === "}";
    } else if (c === ":") expectsKey = false;
  }
  return parsed(text.slice(0, good), goodOpen);

  function mark(at) {
    good = at;
    goodOpen = [...open];
  }
}

const parsed = (text, open) => {
  try {
    return JSON.parse(text + [...open].reverse().join(""));
  } catch {
    return undefined;
  }
};

// endOfString returns where the string that begins at i ends, -1 if it does not.
function endOfString(text, i) {
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === "\\") j++;
    else if (text[j] === '"') return j + 1;
  }
  return -1;
}

// closedString closes a string that is cut, without an escape sequence that is cut
// as well.
function closedString(before, string) {
  return `${before}${string.replace(/\\(u[0-9a-fA-F]{0,3})?$/, (cut, _, at) => (/\\*$/.exec(string.slice(0, at))[0].length % 2 ? cut : ""))}"`;
}
