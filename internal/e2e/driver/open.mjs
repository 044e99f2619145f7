// Any view in the reference host: opens it, waits, and reports what it shows.
// Input: { url | command,
//   open: {tool, arguments, hostContext, …}, as in host-page.js,
//   wait: [selector, text], texts: {name: selector}, picture: name }.
import { hostVariables, withHost } from "./lib.mjs";

export default (input) => withHost(input, async (host) => {
  const server = await host.connect({ versionNegotiation: input.versionNegotiation });
  const view = await host.open({ hostContext: { theme: "dark", styles: { variables: hostVariables } }, ...input.open });
  if (input.wait) await view.waitForText(...input.wait);
  const size = await view.settle();
  if (input.picture) await view.picture(input.picture);
  return {
    server, size,
    shown: await view.texts(input.texts ?? {}),
    ping: await view.call("ping"),
    teardown: await view.call("teardown").catch((err) => ({ error: err.message.split("\n")[0] })),
    log: (await view.call("log")).map(({ from, method, params, result, error }) => ({ from, method: method ?? "response", params, result, error })),
    errors: host.errors,
  };
});
