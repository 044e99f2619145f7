// The example orders in the reference host. Input: { command, hosts }, with names of hosts.
import { withHost } from "./lib.mjs";

const query = { search: "berlin", status: "open", sort: "amount", descending: true };
const listed = { count: "#count", selected: "#selected", notice: "#notice" };

/** The hosts, by what they take from each result. */
const hosts = { whole: [], "no structured content": ["structuredContent"], "no _meta": ["_meta"], neither: ["structuredContent", "_meta"] };

export default (input) => withHost(input, async (host) => {
  await host.connect();
  const report = { lists: {}, errors: host.errors };
  const openList = async (options) => {
    const view = await host.open({ tool: "show_orders", arguments: query, width: 1000, ...options });
    await view.waitForText("#count", "orders");
    return view;
  };
  const add = async (name, view) => {
    const checked = await view.locator("#orders input").evaluateAll((boxes) => boxes.slice(0, 4).map((b) => b.checked));
    report.lists[name] = { ...(await view.texts(listed)), checked, size: await view.settle() };
  };

  const first = await openList();
  await first.locator("#orders input").nth(0).press("Space");
  await first.locator("#orders input").nth(2).press("Space");
  await first.waitForText("#selected", "2 selected");
  await add("first", first);
  report.teardown = await first.call("teardown"); // saves the selection
  await first.call("close");

  for (const name of input.hosts) {
    const view = await openList({ omit: hosts[name] });
    await view.waitForText("#selected", "2 selected");
    await add(name, view);
    await view.call("close");
  }

  const denied = await openList({ hostCapabilities: { openLinks: {} } });
  report.denied = { rows: await denied.locator("#orders tr").count(), text: await denied.locator("#denied").innerText(), calls: await denied.call("calls") };
  await denied.call("close");

  // The form of the model, which two clicks submit once.
  const form = await host.open({ tool: "change_orders", arguments: { city: "Berlin", from: "open", to: "shipped" }, omit: hosts.neither, width: 1000 });
  await form.waitForText("#confirm", "Mark");
  report.before = await form.locator("#what").innerText();
  await form.locator("#confirm").evaluate((button) => { button.click(); button.click(); });
  await form.waitForText("#outcome", "now shipped");
  report.outcome = await form.locator("#outcome").innerText();
  report.submissions = (await form.call("calls")).filter((c) => c.name === "change_orders_submit" && c.arguments.values).length;
  await form.call("close");

  const after = await host.open({ tool: "show_orders", arguments: query, width: 1000 });
  await after.waitForText("#count", "No order was found.");
  return report;
});
