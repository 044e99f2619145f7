// The view alone, for a screenshot: the page calls the tool of its address at once,
// and tells in the data of its document element how it went.

import { query } from "./address.js";
import { call, pageName, state } from "./calls.js";
import { host } from "./hosts.js";
import { command } from "./stream.js";
import { opensView } from "./tools.js";

export function fail(text) {
  document.documentElement.dataset.failed = text;
}

// failAndReport fails for a reason that the preview does not know yet.
export function failAndReport(text) {
  fail(text);
  command("failed", { page: pageName, text });
}

// open calls the tool, by default the first one that opens a view.
export function open(tool) {
  const asked = query.get("host");
  if (asked && asked !== "preview" && host()?.id !== asked) return failAndReport(`no host "${asked}" is known`);
  if (host()?.noApps) return failAndReport(`the host "${host().name}" shows no apps`);
  tool ??= query.has("tool") ? undefined : state.tools.find(opensView);
  if (!tool) return failAndReport(query.has("tool") ? `the server has no tool "${query.get("tool")}"` : "no tool of this server opens a view");
  if (!tool.resourceUri) return failAndReport(`the tool "${tool.name}" has no view${tool.problem ? `: ${tool.problem}` : ""}`);
  state.tool = tool;
  call(tool, JSON.parse(query.get("args") || "{}"));
}
