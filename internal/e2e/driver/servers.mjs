// The two loopback origins of the host: its page, which also forwards /mcp to the
// server under test, and the sandbox.
import { createServer, request } from "node:http";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The policy that the specification requires for a declared csp, or without one (null). */
export function policy(csp) {
  const declared = (key) => csp?.[key] ?? [];
  const directives = {
    "default-src": ["'none'"],
    "script-src": ["'self'", "'unsafe-inline'", ...declared("resourceDomains")],
    "style-src": ["'self'", "'unsafe-inline'", ...declared("resourceDomains")],
    "img-src": ["'self'", "data:", ...declared("resourceDomains")],
    "media-src": ["'self'", "data:", ...declared("resourceDomains")],
    "font-src": csp ? ["'self'", ...declared("resourceDomains")] : ["'none'"],
    "connect-src": csp ? ["'self'", ...declared("connectDomains")] : ["'none'"],
    "frame-src": declared("frameDomains").length ? declared("frameDomains") : ["'none'"],
    "base-uri": declared("baseUriDomains").length ? declared("baseUriDomains") : ["'self'"],
    "object-src": ["'none'"],
    "form-action": ["'none'"],
  };
  return Object.entries(directives).map(([name, sources]) => `${name} ${sources.join(" ")}`).join("; ");
}

async function listen(handler) {
  const server = createServer(handler);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => { server.closeAllConnections(); server.close(); },
  };
}

/** Forwards a request to the MCP server at target, without the headers that browsers add. */
function forward(target, req, res) {
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !/^(host|origin|referer|cookie|connection|sec-.*)$/.test(name)));
  const upstream = request(target, { method: req.method, headers }, (answer) => {
    res.writeHead(answer.statusCode, answer.headers);
    res.flushHeaders();
    answer.pipe(res);
  });
  upstream.on("error", (err) => { if (res.headersSent) res.destroy(); else res.writeHead(502).end(String(err)); });
  res.on("close", () => upstream.destroy());
  req.pipe(upstream);
}

let bundle;
const bundled = () => (bundle ??= build({
  entryPoints: [here("host-page.js")],
  bundle: true, write: false, format: "iife", platform: "browser", target: "es2022", logLevel: "error",
}));

/** Starts both origins; url is that of the MCP server, if it has one. */
export async function startServers(url) {
  const page = (await bundled()).outputFiles[0].text;
  const proxy = await readFile(here("sandbox-proxy.js"), "utf8");

  const sandbox = await listen((req, res) => {
    const at = new URL(req.url, "http://sandbox");
    if (at.pathname !== "/sandbox.html") return void res.writeHead(404, { "content-security-policy": "default-src 'none'; sandbox" }).end();
    res.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy(JSON.parse(at.searchParams.get("csp") ?? "null")),
    });
    res.end(`<!doctype html><meta name="color-scheme" content="light dark"><style>html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;height:100%}</style><body><script>${proxy}</script></body>`);
  });
  const host = await listen((req, res) => {
    const { pathname } = new URL(req.url, "http://host");
    if (pathname === "/mcp" && url) return forward(url, req, res);
    if (pathname === "/host-page.js") return void res.writeHead(200, { "content-type": "text/javascript" }).end(page);
    if (pathname !== "/") return void res.writeHead(404).end();
    res.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    res.end(`<!doctype html><title>Host</title><link rel="icon" href="data:,"><style>body{margin:0}iframe{display:block;border:0;height:120px}</style><body><script>window.hostPage={sandboxOrigin:${JSON.stringify(sandbox.origin)}}</script><script src="/host-page.js"></script></body>`);
  });
  return { page: host.origin, close: () => { host.close(); sandbox.close(); } };
}
