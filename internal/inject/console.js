// What the preview's page adds to a document, to learn what the document writes to the
// console and what fails in it. It runs before all else in the document and leaves no
// trace there: no element, no global, and a console whose methods look as before. It
// becomes one line, so every statement ends with a semicolon, and a comment has a line
// of its own.
(() => {
  document.currentScript.remove();
  const top = parent.parent;
  if (top === parent) return;
  const page = "{page}";
  const maxText = 2000;
  const maxStack = 4000;
  const burst = 200;
  const perSecond = 50;
  const { now } = Date;
  const later = setTimeout;
  const stop = clearTimeout;
  const MadeError = Error;
  const { apply } = Reflect;
  const toText = Function.prototype.toString;

  // Posting, at a bounded rate.
  let room = burst;
  let last = now();
  let dropped = 0;
  const post = (entries) => {
    try {
      top.postMessage({ mcpapps: "console", entries }, page);
    } catch {}
  };
  const allowed = () => {
    const time = now();
    room = Math.min(burst, room + ((time - last) * perSecond) / 1000);
    last = time;
    if (room >= 1) return true;
    if (dropped++ === 0) {
      later(() => {
        post([{ time: now(), level: "warning", kind: "console", text: `left out ${dropped} entries: more than ${perSecond} a second` }]);
        dropped = 0;
      }, 1000);
    }
    return false;
  };
  const cut = (text, max) => (text.length > max ? `${text.slice(0, max)}...` : text);
  const emit = (level, kind, text, more) => {
    room--;
    post([{ time: now(), level, kind, text: cut(text, maxText), ...more }]);
  };
  const stackOf = (error) => {
    try {
      const { stack } = error;
      return typeof stack === "string" ? cut(stack, maxStack) : "";
    } catch {
      return "";
    }
  };

  // Values as text. Nothing here calls a getter of theirs.
  const quote = (text) => JSON.stringify(cut(text, 200));
  const property = (object, key, depth) => {
    const d = Object.getOwnPropertyDescriptor(object, key);
    return d === undefined ? "" : "value" in d ? show(d.value, depth) : "(...)";
  };
  const showObject = (v, depth) => {
    if (v instanceof MadeError) return cut(`${v.name}: ${v.message}`, 500);
    if (v instanceof Node) return v.localName ? `<${v.localName}${v.id ? ` id=${quote(v.id)}` : ""}>` : v.nodeName;
    const parts = [];
    if (Array.isArray(v)) {
      if (depth > 2) return `Array(${v.length})`;
      for (let i = 0; i < v.length && i < 50; i++) parts.push(property(v, i, depth + 1));
      if (v.length > 50) parts.push("...");
      return `[${parts.join(", ")}]`;
    }
    const tag = Object.prototype.toString.call(v).slice(8, -1);
    if (ArrayBuffer.isView(v)) return `${tag}(${v.byteLength} bytes)`;
    if (v instanceof Map || v instanceof Set) return `${tag}(${v.size})`;
    if (depth > 2) return tag === "Object" ? "{...}" : tag;
    for (const key in v) {
      if (!Object.prototype.hasOwnProperty.call(v, key)) continue;
      if (parts.length >= 20) {
        parts.push("...");
        break;
      }
      parts.push(`${cut(key, 100)}: ${property(v, key, depth + 1)}`);
    }
    return `${tag === "Object" ? "" : `${tag} `}{${parts.join(", ")}}`;
  };
  const show = (v, depth) => {
    try {
      if (typeof v === "string") return depth ? quote(v) : cut(v, maxText);
      if (typeof v === "function") return "function";
      if (typeof v === "bigint") return `${v}n`;
      return typeof v === "object" && v !== null ? showObject(v, depth) : String(v);
    } catch {
      return "(unreadable)";
    }
  };
  const format = (args) => {
    let at = 0;
    let text = "";
    if (typeof args[0] === "string") {
      at = 1;
      text = cut(args[0], maxText).replace(/%([%sdifoOc])/g, (all, kind) => {
        if (kind === "%") return "%";
        if (at >= args.length) return all;
        const v = args[at++];
        return kind === "c" ? "" : show(v, kind === "o" || kind === "O" ? 1 : 0);
      });
    }
    for (; at < args.length && text.length < maxText; at++) text += `${text ? " " : ""}${show(args[at], 0)}`;
    return text;
  };

  // The console.
  const levels = { debug: "debug", log: "info", info: "info", dir: "info", table: "info", trace: "info", warn: "warning", error: "error", assert: "error" };
  let busy = false;
  const report = (name, args) => {
    if (busy || (name === "assert" && args[0])) return;
    busy = true;
    try {
      if (!allowed()) return;
      const error = args.find((a) => a instanceof MadeError);
      const text = name === "assert" ? `Assertion failed: ${format(args.slice(1))}` : format(args);
      const stack = error ? stackOf(error) : name === "debug" ? "" : stackOf(new MadeError());
      emit(levels[name], "console", text, { stack });
    } catch {
    } finally {
      busy = false;
    }
  };
  for (const name of Object.keys(levels)) {
    const descriptor = Object.getOwnPropertyDescriptor(console, name);
    if (typeof descriptor?.value !== "function") continue;
    const text = toText.bind(descriptor.value);
    descriptor.value = new Proxy(descriptor.value, {
      apply(target, self, args) {
        report(name, args);
        return apply(target, self, args);
      },
      get(target, key) {
        const v = target[key];
        return v === toText ? text : v;
      },
    });
    Object.defineProperty(console, name, descriptor);
  }

  // Failures.
  const listen = (type, f) => {
    addEventListener(type, (event) => {
      try {
        f(event);
      } catch {}
    }, true);
  };
  const isError = (v) => v instanceof MadeError;
  listen("error", (event) => {
    const { target } = event;
    if (event instanceof ErrorEvent) {
      if (!allowed()) return;
      const { error } = event;
      const text = event.message && (isError(error) || typeof error !== "object") ? event.message : `Uncaught ${show(error, 0)}`;
      emit("error", "exception", text, { source: cut(event.filename, 500), line: event.lineno, column: event.colno, stack: stackOf(error) });
    } else if (target instanceof Element) {
      if (!allowed()) return;
      const url = target.currentSrc || target.src || target.href || target.data || "";
      emit("error", "load", `the ${target.localName} could not be loaded`, { url: typeof url === "string" ? cut(url, 500) : "" });
    }
  });
  listen("unhandledrejection", ({ reason }) => {
    if (allowed()) emit("error", "rejection", `Uncaught (in promise) ${show(reason, 0)}`, { stack: isError(reason) ? stackOf(reason) : "" });
  });

  // Whether anything is to be seen, some time after the result.
  const isBlank = {isBlank};
  let timer;
  listen("message", (event) => {
    if (event.source !== parent) return;
    const method = event.data?.method;
    if (method !== "ui/notifications/tool-result" && method !== "ui/notifications/tool-cancelled") return;
    stop(timer);
    timer = later(() => {
      if (isBlank() && allowed()) emit("warning", "blank", "", {});
    }, Number("{blank}"));
  });
})();
