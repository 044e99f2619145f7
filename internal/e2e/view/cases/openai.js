// The functions of "mcp-app/openai", against the reference's bridge, which lets the
// keys of OpenAI through, and against values that no bridge sends.
import { text } from "./data/kit.js";
import paths from "../testdata/deeplinks.json";

const features = { "openai/message": {}, "openai/modelContext": {}, "openai/resource": {} };
const capabilities = { message: { text: {} }, updateModelContext: { text: {}, structuredContent: {} }, serverResources: {}, serverTools: {} };

/** A case: view gets the connected app, and shown, which reports a promise's value or that it failed. host is called before and returns what runs with the view. */
const openaiCase = ({ view, host = () => {}, features: experimental, context }) => ({
  capable: { ...capabilities, ...(experimental && { experimental }) },
  context,
  async view({ M, D, O, report }) {
    const app = new M.App({ name: "view", version: "0.1.0" }, {}, { autoResize: false });
    await app.connect();
    const shown = async (what, value) => {
      try {
        const v = await value;
        report([what, v === undefined ? "undefined" : "isError" in Object(v) ? { isError: v.isError } : v]);
      } catch (e) {
        report([what, e.name == "TypeError" ? "TypeError" : "throws"]);
      }
    };
    await view({ app, D, O, report, shown });
    report("end");
  },
  async host(h) {
    const run = await host(h);
    await h.connect();
    h.load();
    await run?.();
    await h.reported("end");
  },
});

/** An App without a connection. */
const stub = ({ context, experimental } = {}) => ({
  addEventListener() {},
  getHostContext: () => context,
  getHostCapabilities: () => ({ experimental }),
  sendMessage: async () => ({ sent: true }),
  updateModelContext: async () => ({}),
});

const said = (s) => [{ type: "text", text: s }];
const message = { role: "user", content: said("hi") };

export const openaiLinks = openaiCase({
  context: { "openai/deepLink": { url: "/n/7?tab=2" } },
  async view({ app, O, report, shown }) {
    let linked;
    const all = new Promise((resolve) => (linked = resolve));
    await shown("linked", O.deepLink(app, ({ url }) => (report(url), url == "/last" && linked())));
    report("following");
    await all;
  },
  host: (h) => async () => {
    await h.reported("following");
    for (const change of [
      { theme: "light" }, // names no link
      { theme: "dark", "openai/deepLink": { url: "/n/7?tab=2" } }, // again
      { "openai/deepLink": { path: ["parts", "hex bolt"], query: [["view", "mesh"]] } },
      { "openai/deepLink": { url: "//host/" } },
      { "openai/deepLink": { url: "/n/8" } },
      { "openai/deepLink": null },
      { "openai/deepLink": { url: "/n/8" } }, // removed in between
      { "openai/deepLink": { url: "/last" } },
    ])
      await h.bridge.sendHostContextChange(change);
  },
});

export const openaiLinkVectors = openaiCase({
  view({ O, report }) {
    for (const link of [
      { url: "/" },
      { url: "/n?tag=a&s=b" },
      { url: "/n/\u00e9 %20", more: 1 },
      { path: ["parts", "hex bolt"], query: [["view", "mesh"]] },
      { path: ["a/b"], query: [["q", "x y&z"]] },
      { path: [], query: [] },
      { path: ["a", ""], query: [["q", ""], ["q", "2"]] },
      undefined,
      null,
      "/n",
      [],
      {},
      { url: "" },
      { url: "n" },
      { url: "/n#f" },
      { url: "//host/n" },
      { url: "/\\host/n" },
      { url: "/\t/host/n" },
      { url: "https://host/n" },
      { url: ["/n"] },
      { url: null, path: ["n"], query: [] },
      { path: ["n"] },
      { path: "n", query: [] },
      { path: ["n"], query: "" },
      { path: [7], query: [] },
      { path: ["", "host"], query: [] },
      { path: ["\ud800"], query: [] },
      { path: [], query: ["qv"] },
      { path: [], query: [["q"]] },
      { path: [], query: [["q", 7]] },
      { path: [], query: [["q", "v", "w"]] },
      { path: [], query: { length: 0 } },
    ]) {
      let url = null;
      const has = O.deepLink(stub({ context: { "openai/deepLink": link } }), (l) => (url = l.url));
      report([link ?? String(link), url, has]);
    }
    for (const [expected, urls] of Object.entries(paths))
      for (const url of urls)
        if (O.deepLink(stub({ context: { "openai/deepLink": { url } } }), () => {}) != (expected == "accepted")) report(["not " + expected, url]);
    report(["no context", O.deepLink(stub(), () => report("shown"))]);
  },
});

export const openaiMessages = openaiCase({
  features,
  async view({ app, O, shown }) {
    await shown("default", O.sendMessage(app, message));
    await shown("named default", O.sendMessage(app, message, { target: "active", send: true }));
    await shown("draft", O.sendMessage(app, message, { send: false }));
    const traced = { ...message, _meta: { trace: "t", "openai/message": { other: 1 } } };
    await shown("new draft", O.sendMessage(app, traced, { target: "new", send: false }));
    await shown("new", O.sendMessage(app, traced, { target: "new" }));
    await shown("refused", O.sendMessage(app, { ...message, content: said("no") }, { send: false }).then((r) => r.isError && Promise.reject(r)));
  },
  host(h) {
    h.bridge.onmessage = async ({ content }) => {
      if (content[0].text == "no") throw new Error("refused");
      return { isError: false };
    };
  },
});

export const openaiContext = openaiCase({
  features,
  context: { "openai/modelContext": { updateId: "u0", content: said("kept"), structuredContent: { n: 1 } } },
  async view({ app, O, report, shown }) {
    let ended;
    const all = new Promise((resolve) => (ended = resolve));
    const context = O.modelContext(app, (state) => (report(state), state?.updateId == "last" && ended()));
    report(["missing", context.missing ?? "nothing"]);
    for (const answer of ["good", "bare", "number", "null", "empty", "array", "error"])
      await shown(answer, context.update({ content: said(answer), structuredContent: { n: 2 }, _meta: { trace: "t" } }));
    report("updated");
    await all;
    report(["without onchange", Object.keys(O.modelContext(app))]);
  },
  host(h) {
    const key = "openai/modelContext";
    const answers = {
      good: { _meta: { [key]: { updateId: "u1" }, more: 1 } },
      bare: {},
      number: { _meta: { [key]: { updateId: 1 } } },
      null: { _meta: { [key]: null } },
      empty: { _meta: { [key]: { updateId: "" } } },
      array: { _meta: { [key]: [] } },
    };
    h.bridge.onupdatemodelcontext = async ({ content }) => {
      const answer = answers[content[0].text];
      if (!answer) throw new Error("refused");
      return answer;
    };
    return async () => {
      await h.reported("updated");
      for (const change of [
        { [key]: { updateId: "u1", structuredContent: { n: 2 } } },
        { theme: "light" }, // says nothing about it
        { [key]: null },
        { [key]: undefined }, // the others are malformed
        { [key]: 7 },
        { [key]: [] },
        { [key]: {} },
        { [key]: { updateId: "" } },
        { [key]: { updateId: "u", content: "text" } },
        { [key]: { updateId: "u", structuredContent: [1] } },
        { [key]: { updateId: "u", structuredContent: "x" } },
        { [key]: { updateId: "last", structuredContent: null, more: 1 } }, // null is tolerated
      ])
        await h.bridge.sendHostContextChange(change);
    };
  },
});

export const openaiFiles = openaiCase({
  features,
  async view({ app, O, shown }) {
    const uri = (s) => "host-resource://" + s;
    for (const [what, ...more] of [["text"], ["blob", "blob"], ["bare"], ["etag"], ["writable"], ["odd"], ["none"], ["empty"], ["error"]])
      await shown("read " + what, O.readFile(app, uri(what), ...more));
    const contents = [{ text: "t", blob: "Y2Fk" }]; // of which the reference's App drops one
    await shown("read both", O.readFile({ ...stub({ experimental: features }), readServerResource: async () => ({ contents }) }, uri("both")));
    for (const result of [{}, { contents: null }, { contents: [null] }, null])
      await shown("read " + JSON.stringify(result), O.readFile({ ...stub({ experimental: features }), readServerResource: async () => result }, uri("odd")).catch((e) => e.message));
    for (const what of ["saved", "conflict", "large", "empty", "unknown", "noEtag", "noLimit", "list", "nothing", "error"])
      await shown("write " + what, O.writeFile(app, uri(what), { text: "new", ifMatch: "v1" }));
    for (const change of [{ text: "" }, { blob: "" }, { blob: "Y2Fk" }, { blob: "+/+A" }, { blob: "Y2E=" }, { blob: "Yw==" }, { text: "x", blob: undefined, ifMatch: undefined, more: 1 }])
      await shown("write", O.writeFile(app, uri("saved"), change));
    for (const change of [{ blob: "Y2F" }, ...["!!!!", "Y2F-", "Y2F_", "Y2Fk\n\n\n\n", "Y2\u017fk", "Y=Fk", "Y2==Y2Fk", "Y==="].map((blob) => ({ blob })), { text: "x", blob: "Y2Fk" }, {}, { text: 7 }, { text: "x", ifMatch: "" }, { text: "x", ifMatch: 7 }])
      await shown("write " + JSON.stringify(change), O.writeFile(app, uri("saved"), change));
    await shown("write nowhere", O.writeFile(app, " ", { text: "x" }));
  },
  host(h) {
    const name = (uri) => uri.slice("host-resource://".length);
    const key = "openai/resource";
    const contents = {
      text: { text: "", mimeType: "text/plain", _meta: { [key]: { etag: "v1", writable: true } } },
      blob: { blob: "Y2Fk", _meta: { [key]: { etag: "v1" } } },
      bare: { text: "t" },
      etag: { text: "t", _meta: { [key]: { etag: 1, writable: true } } },
      writable: { text: "t", _meta: { [key]: { writable: true } } },
      odd: { text: "t", _meta: { [key]: { etag: "v1", writable: "yes" } } },
      none: {},
    };
    h.bridge.onreadresource = async ({ uri }) => {
      if (uri.endsWith("error")) throw new Error("refused");
      if (uri.endsWith("empty")) return { contents: [] };
      return { contents: [{ uri, ...contents[name(uri)] }] };
    };
    const outcomes = {
      saved: { outcome: "saved", etag: "v2", more: 1 },
      conflict: { outcome: "conflict", etag: "v3" },
      large: { outcome: "too-large", maxBytes: 1024 },
      empty: { outcome: "saved", etag: "" },
      unknown: { outcome: "lost", etag: "v2" },
      noEtag: { outcome: "conflict" },
      noLimit: { outcome: "too-large", maxBytes: "9" },
      list: { outcome: ["saved"], etag: "v2" },
      nothing: {},
    };
    const anything = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } };
    h.bridge.setRequestHandler("openai/resources/write", { params: anything, result: anything }, async ({ uri }) => {
      const outcome = outcomes[name(uri)];
      if (!outcome) throw new Error("refused");
      return outcome;
    });
  },
});

/** A host without OpenAI's layer gets ordinary requests only. */
export const openaiElsewhere = openaiCase({
  async view({ app, O, report, shown }) {
    await shown("link", O.deepLink(app, () => report("shown")));
    await shown("message", O.sendMessage(app, message));
    await shown("draft", O.sendMessage(app, message, { send: false }));
    await shown("new", O.sendMessage(app, message, { target: "new" }));
    const context = O.modelContext(app, () => report("changed"));
    report(["context", context.missing]);
    await shown("update", context.update({ content: said("ctx") }));
    await shown("read", O.readFile(app, "host-resource://x"));
    await shown("write", O.writeFile(app, "host-resource://x", { text: "" }));
    await shown("id", O.keepId("given"));
    await shown("no id", O.keepId().missing);
    // What hosts may announce by mistake.
    for (const odd of [true, null, "yes", [], 1, {}]) {
      const host = stub({ experimental: { "openai/message": odd } });
      await shown("announced as " + JSON.stringify(odd), O.sendMessage(host, message, { send: false }));
    }
    for (const experimental of [null, "openai/message", []]) await shown("experimental " + JSON.stringify(experimental), O.sendMessage(stub({ experimental }), message, { send: false }));
    await shown("before connect()", O.sendMessage({ ...stub(), getHostCapabilities() {} }, message, { send: false }));
  },
  host(h) {
    h.bridge.onmessage = async () => ({});
    h.bridge.onupdatemodelcontext = async () => ({});
  },
});

export const openaiKeptID = openaiCase({
  async view({ app, D, O, report, shown }) {
    const host = (widgetState) => (window.openai = { widgetState, setWidgetState: async (state) => void (openai.widgetState = state) });
    const keep = (what, id) => report([what, O.keepId(id), window.openai?.widgetState ?? null]);

    let unhandled;
    const last = new Promise((resolve) => (unhandled = resolve));
    addEventListener("unhandledrejection", (e) => {
      e.preventDefault();
      if (e.reason == "the last one") unhandled();
      else report("unhandled: " + e.reason);
    });

    // The first load has the tool's result, the second has nothing.
    host(null);
    const state = D.viewState(app, O.keepId("random").id);
    state.set({ page: 2 });
    await state.flush();
    host(openai.widgetState);
    await shown("loaded again", D.viewState(app, O.keepId().id).load());

    keep("a later id");
    keep("another id", "other");
    host(undefined);
    keep("no id");
    host({ modelContent: "m", privateContent: { mine: 1 }, imageIds: ["i"] });
    keep("beside the author's", "id");
    host({ mine: 1 });
    keep("beside a plain one", "id");
    for (const odd of ["text", 7, [1], { privateContent: "text" }, { privateContent: [1] }, { privateContent: null }, { privateContent: { "mcpapps/id": 7 } }, { privateContent: { "mcpapps/id": "" } }]) {
      host(odd);
      keep("over " + JSON.stringify(odd), "id");
    }
    for (const [what, openai] of Object.entries({
      null: null,
      empty: {},
      "no setter": { widgetState: { privateContent: { "mcpapps/id": "kept" } } },
      "odd setter": { setWidgetState: 7 },
      "throwing setter": { setWidgetState() { throw new Error("no"); } },
      "rejecting setter": { setWidgetState: () => Promise.reject(new Error("no")) },
      "synchronous setter": { setWidgetState() {} },
    })) {
      window.openai = openai;
      keep(what, "id");
    }
    window.openai = { get widgetState() { throw new Error("no"); } };
    report(["throwing getter", O.keepId("id")]);
    Promise.reject("the last one"); // after that of keepId, if it has one
    await last;
  },
  host(h) {
    const docs = {};
    h.bridge.oncalltool = async ({ arguments: { id, version, state } }) => {
      if (version != undefined) docs[id] = { state, version: version + 1 };
      return text(docs[id] ?? { state: null, version: 0 });
    };
  },
});
