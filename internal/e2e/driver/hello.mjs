// The example hello in the reference host. Input: { chromium, artifacts, command }.
import { hostVariables, main, withHost } from "./lib.mjs";

main((input) => withHost(input, async (host) => {
  const server = await host.connect();
  const view = await host.open({ tool: "hello", arguments: { name: "Ada <b>" }, width: 480, hostContext: { theme: "dark", styles: { variables: hostVariables } } });
  await view.waitForText("#greeting", "Hello");
  const size = await view.settle();
  await view.picture("hello");
  return {
    protocolVersion: server.protocolVersion,
    shown: await view.texts({ greeting: "#greeting", note: "#note" }),
    size, errors: host.errors,
    ping: await view.call("ping"),
    teardown: await view.call("teardown"),
  };
}));
