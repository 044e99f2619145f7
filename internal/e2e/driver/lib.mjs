// What the test scripts share: the host page in a browser, and views as objects.
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { patience } from "./browser.mjs";
import { startServers } from "./servers.mjs";

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Style variables of a host, each with a value for light and for dark. */
export const hostVariables = {
  "--color-background-primary": "light-dark(#fffdf8, #101418)",
  "--color-background-secondary": "light-dark(#f7f2e7, #192028)",
  "--color-background-tertiary": "light-dark(#ece4d2, #232c36)",
  "--color-text-primary": "light-dark(#221d12, #e8eef4)",
  "--color-text-secondary": "light-dark(#6b6250, #97a6b4)",
  "--color-border-primary": "light-dark(#d8ccb2, #37434f)",
  "--color-border-secondary": "light-dark(#e7decb, #27313b)",
  "--border-radius-lg": "14px",
  "--border-radius-md": "8px",
};

/**
 * Opens the host page in a browser, runs use(host), and closes everything.
 *
 * - newContext: see main.mjs
 * - artifacts: folder for screenshots
 * - url: of an MCP server over streamable HTTP; or
 * - command: a list, the program and its arguments, of one over stdio
 */
export async function withHost({ newContext, artifacts, url, command }, use) {
  const servers = await startServers(url);
  let context, stdio;
  try {
    context = await newContext({ viewport: { width: 1040, height: 2600 } }); // room for several views at once
    const page = await context.newPage();
    const host = new Host(page, artifacts, Boolean(command));
    if (command) {
      stdio = new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: "inherit" });
      stdio.onmessage = (message) => page.evaluate((m) => window.deliver(m), message).catch(() => {});
      await stdio.start();
      await page.exposeFunction("sendToServer", (message) => stdio.send(message));
    }
    await page.goto(servers.page);
    return await use(host);
  } finally {
    await context?.close();
    await stdio?.close();
    servers.close();
  }
}

class Host {
  /** Exceptions, CSP violations and console errors of the page and its frames. */
  errors = [];

  constructor(page, artifacts, stdio) {
    Object.assign(this, { page, artifacts, stdio });
    page.on("pageerror", (err) => this.errors.push(String(err)));
    page.on("console", (m) => {
      // The client requests a stream of every server; one without sessions responds 405.
      if (m.type() === "error" && !m.location().url.endsWith("/mcp")) this.errors.push(m.text());
    });
  }

  /** Calls a function of the host page. */
  call(name, ...args) {
    return this.page.evaluate(([name, args]) => window.host[name](...args), [name, args]);
  }

  /** Connects the page's client to the server; see connect in host-page.js. */
  connect(options = {}) {
    return this.call("connect", { stdio: this.stdio, ...options });
  }

  /** Opens the view of a tool; see open in host-page.js. */
  async open(options) {
    const id = await this.call("open", options);
    const outer = await this.page.locator(`iframe[data-view="${id}"]`).elementHandle();
    const inner = await (await outer.contentFrame()).locator("iframe").elementHandle();
    return new View(this, id, outer, await inner.contentFrame());
  }
}

class View {
  constructor(host, id, outer, frame) {
    Object.assign(this, { host, id, outer, frame });
  }

  /** A function of the host page, for this view: log, calls, sizes, ping, teardown and others. */
  call(name, ...args) {
    return this.host.call(name, this.id, ...args);
  }

  locator(selector) {
    return this.frame.locator(selector);
  }

  /** The text of each element, by name. */
  async texts(selectors) {
    const entries = Object.entries(selectors).map(async ([name, selector]) => [name, (await this.locator(selector).innerText()).trim()]);
    return Object.fromEntries(await Promise.all(entries));
  }

  /** Waits until the text of an element matches. */
  async waitForText(selector, pattern, timeout = patience) {
    await this.locator(selector).filter({ hasText: pattern }).waitFor({ timeout });
  }

  /** Waits until condition() resolves to true. */
  async until(condition, timeout = patience) {
    for (const end = Date.now() + timeout; !(await condition()); await sleep(50)) {
      if (Date.now() > end) throw new Error(`not within ${timeout} ms: ${condition}`);
    }
  }

  /** Waits until no request of the view is open: the host has answered it, or the view cancelled it. */
  async answered() {
    await this.until(async () => {
      const ids = new Set();
      for (const { from, method, id, params } of await this.call("log")) {
        if (from === "view" && method && id !== undefined) ids.add(id);
        if (from === "host" && !method) ids.delete(id);
        if (from === "view" && method === "notifications/cancelled") ids.delete(params.requestId);
      }
      return ids.size === 0;
    });
    await this.call("ping"); // after it the view has received all answers
    await this.frames(2); // and drawn them
  }

  /** Waits until the view has drawn some frames, or three seconds if the browser draws none. */
  frames(n) {
    return this.frame.evaluate(async (n) => {
      let out = false;
      const late = new Promise((done) => setTimeout(done, 3000)).then(() => { out = true; });
      while (n-- && !out) await Promise.race([new Promise(requestAnimationFrame), late]);
    }, n);
  }

  /**
   * Waits until the view has drawn some frames without reporting a size, and
   * returns the heights of its frame and its content once they are the same:
   * before that, the host may not have received the last size.
   */
  async settle() {
    let size;
    for (let before = -1, n, end = Date.now() + 20_000; ; before = n) {
      n = (await this.call("sizes")).length;
      size = {
        frame: (await this.outer.boundingBox()).height,
        content: await this.frame.evaluate(() => document.documentElement.scrollHeight),
        overflow: await this.frame.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      };
      if (n === before && (size.frame === size.content || Date.now() > end)) return size;
      await Promise.all([sleep(300), this.frames(10)]);
    }
  }

  /** Saves a screenshot of the view, or of an element in it, and returns its file name. */
  async picture(name, selector) {
    const file = `${name}.png`;
    const path = join(this.host.artifacts, file);
    await (selector ? this.locator(selector) : this.outer).screenshot({ path });
    return file;
  }
}
