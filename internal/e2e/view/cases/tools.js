import { z } from "zod";

// Otherwise Zod tries eval, which the policy blocks.
z.config({ jitless: true });

const info = { name: "view", version: "0.1.0" };
const still = { autoResize: false };
const text = (t) => ({ content: [{ type: "text", text: t }] });

export const tools = {
  async view({ M, steps }) {
    const app = new M.App(info, {}, still);
    const step = steps(app);
    const plain = app.registerTool("plain", { description: "d", title: "P", _meta: { k: 1 } }, async (extra) => text(extra.mcpReq.method + " " + extra.mcpReq.id));
    const sum = app.registerTool(
      "sum",
      {
        inputSchema: z.object({ a: z.number(), b: z.number().default(3) }),
        outputSchema: z.object({ sum: z.number() }),
        annotations: { readOnlyHint: true },
      },
      async ({ a, b }) => ({ ...text("s"), structuredContent: { sum: a < 0 ? "no" : a + b } }),
    );
    app.registerTool("throws", {}, async () => {
      throw new Error("mine");
    });
    app.registerTool("fails", { outputSchema: z.object({ x: z.number() }) }, async () => ({ ...text("bad"), isError: true }));
    let taken;
    try {
      app.registerTool("plain", {}, async () => text(""));
    } catch (e) {
      taken = e.name;
    }
    await app.connect();
    await app.sendLog({ level: "info", data: [taken, plain.enabled, plain.title] });
    await app.sendLog({ level: "info", data: "one" });
    await step();
    sum.disable();
    await app.sendLog({ level: "info", data: "two" });
    await step();
    sum.enable();
    plain.update({ title: "Q", description: undefined });
    plain.update({ handler: async (args) => text("new " + JSON.stringify(args)) });
    await app.sendLog({ level: "info", data: "three" });
    await step();
    plain.remove();
    plain.remove();
    app.registerTool("plain", {}, async () => text("again"));
    await app.sendToolListChanged();
    await app.sendLog({ level: "info", data: "four" });
  },
  async host(h) {
    await h.connect();
    h.load();
    let id = 1000;
    const ask = (method, params) => h.ask(id++, method, params);
    const call = (name, args) => ask("tools/call", { name, ...(args && { arguments: args }) });
    await h.said("one");
    await ask("tools/list");
    await call("plain");
    await call("plain", { ignored: 1 });
    await call("sum", { a: 1 });
    await call("sum", { a: 1, b: 2 });
    await call("sum", { a: "x" });
    await call("sum", { a: "x", b: "y" });
    await call("sum");
    await call("sum", { a: -1 });
    await call("throws");
    await call("fails");
    await call("missing");
    h.step();
    await h.said("two");
    await call("sum", { a: 1 });
    await ask("tools/list", {});
    h.step();
    await h.said("three");
    await ask("tools/list");
    await call("plain", { z: 1 });
    h.step();
    await h.said("four");
    await ask("tools/list");
    await call("plain");
    return [await h.bridge.listTools({}), await h.bridge.callTool({ name: "sum", arguments: { a: 2 } })];
  },
};

/** Plain JSON Schema, which the reference rejects. */
export const jsonSchemaTools = {
  async view({ M, report }) {
    const app = new M.App(info, {}, still);
    const inputSchema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const outputSchema = { type: "object", properties: { b: { type: "string" } } };
    app.registerTool("j", { inputSchema, outputSchema }, async (args) => ({ ...text("j"), structuredContent: { b: args.a } }));
    await app.connect();
    report("ready");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("ready");
    return [(await h.bridge.listTools({})).tools, await h.bridge.callTool({ name: "j", arguments: { a: "x" } })];
  },
};

export const toolCapability = {
  async view({ M, report }) {
    const quiet = new M.App(info, { tools: {} }, still);
    const t = quiet.registerTool("t", {}, async () => text("t"));
    await quiet.connect();
    t.disable();
    t.enable();
    await quiet.sendLog({ level: "info", data: "no list_changed before this" });
    await quiet.close();

    const none = new M.App(info, {}, still);
    await none.connect();
    for (const f of [
      () => (none.oncalltool = async () => text("")),
      () => (none.onlisttools = async () => ({ tools: [] })),
      () => none.registerTool("t", {}, async () => text("t")),
      () => none.setRequestHandler("tools/list", async () => ({ tools: [] })),
    ])
      try {
        f();
        report("fine");
      } catch (e) {
        report(e.name);
      }
    report("end");
  },
  async host(h) {
    await h.connect();
    h.load();
    await h.reported("end");
  },
};
