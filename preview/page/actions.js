// What views ask of the host, which the preview allows and shows, and the tools
// that a view offers.

import { $, clip, json, node, text } from "./dom.js";
import { blocks } from "./result.js";
import { command } from "./stream.js";
import { clock } from "./clock.js";

const kinds = {
  link: "Open a link", message: "Add a message to the conversation", context: "Tell the model", download: "Save files", sampling: "Ask a model", elicitation: "The server asks", log: "Log",
};

export function actionCard(event) {
  const card = node("li", { className: "info" }, node("p", { className: "card-head" },
    node("strong", { textContent: event.draft ? "Append to the draft of a message" : kinds[event.kind] ?? event.kind }),
    event.target === "new" ? node("span", { className: "badge", textContent: "new conversation" }) : "", node("span", { className: "muted", textContent: clock(event.time) })));
  switch (event.kind) {
    case "link":
      card.append(node("a", { href: event.url, target: "_blank", rel: "noopener noreferrer", textContent: event.url }));
      break;
    case "message":
      card.append(...blocks([event.content].flat()));
      break;
    case "context":
      card.append(...blocks([event.params?.content ?? []].flat()));
      if (event.params?.structuredContent) card.append(json(event.params.structuredContent));
      if (event.updateId) card.append(remover(event));
      break;
    case "download":
      for (const f of event.files) {
        if (f.link) {
          const target = /^https?:\/\//i.test(f.uri) ? node("a", { href: f.uri, target: "_blank", rel: "noopener noreferrer", textContent: f.uri }) : node("code", { textContent: f.uri });
          card.append(node("p", {}, `${f.name}: `, target));
          continue;
        }
        const bytes = Uint8Array.from(atob(f.data ?? ""), (c) => c.charCodeAt(0));
        const save = node("button", { type: "button", textContent: `Save ${f.name}, ${bytes.length.toLocaleString()} bytes` });
        save.addEventListener("click", () => {
          const url = URL.createObjectURL(new Blob([bytes], { type: f.mimeType || "application/octet-stream" }));
          node("a", { href: url, download: f.name }).click();
          setTimeout(() => URL.revokeObjectURL(url), 10000);
        });
        card.append(save);
      }
      break;
    case "log":
      card.classList.replace("info", ["error", "critical", "alert", "emergency"].includes(event.level) ? "error" : event.level === "warning" ? "warning" : "info");
      card.append(node("p", { className: "muted", textContent: [event.level, event.logger].filter(Boolean).join(" · ") }), json(event.data));
      break;
    case "elicitation":
      card.append(node("p", { dir: "auto", textContent: clip(event.message, 5000) }), event.url ? node("code", { textContent: event.url }) : "", ...outcome(event));
      break;
    case "sampling":
      card.append(json(event.params), ...outcome(event));
      break;
    default:
      card.append(json(event.params));
  }
  return card;
}

// remover is what removes the model context that a view gave, as the user can in ChatGPT.
function remover({ view, updateId }) {
  const remove = node("button", { type: "button", className: "quiet", textContent: `Remove ${clip(updateId, 100)}` });
  remove.addEventListener("click", () => {
    command("remove-context", { view, text: updateId });
    remove.disabled = true;
  });
  return remove;
}

// outcome says how a question was answered.
function outcome(event) {
  const words = { accept: "Accepted", decline: "Declined", cancel: "Cancelled: the question was closed, or no page was open", withdrawn: `Withdrawn: ${event.text}` };
  const parts = [node("p", { className: "muted", textContent: `${words[event.action]}${event.text !== undefined && event.text === event.canned ? ", with the canned text of the preview, which has no model" : ""}.` })];
  if (event.action !== "accept") return parts;
  return [...parts, event.kind === "sampling" ? text(event.text) : event.content ? json(event.content) : ""];
}

// The fields of the tools that are shown, by name. They stay when the view changes
// its tools: a call may be under way, and arguments may have been entered.
let fields = { view: undefined, of: new Map() };

export function showAppTools(event) {
  const box = $("app-tools");
  if (fields.view !== event.view) fields = { view: event.view, of: new Map() };
  box.replaceChildren(node("h3", { textContent: "Tools that the view offers" }));
  if (event.error) return box.append(node("p", { className: "problem", textContent: event.error }));
  for (const tool of event.tools ?? []) {
    if (!fields.of.has(tool.name)) {
      fields.of.set(tool.name, { args: node("textarea", { rows: 2, value: "{}", spellcheck: false }), out: node("div", { dataset: { appResult: tool.name } }) });
    }
    const { args, out } = fields.of.get(tool.name);
    args.setAttribute("aria-label", `Arguments of ${tool.name} as JSON`);
    const run = node("button", { type: "button", textContent: "Call" });
    run.addEventListener("click", () => {
      try {
        command("call-app-tool", { view: event.view, call: `app ${tool.name}`, tool: tool.name, args: JSON.parse(args.value) });
        out.textContent = "Running…";
      } catch (problem) {
        out.textContent = problem.message;
      }
    });
    box.append(node("div", { className: "app-tool" }, node("strong", { textContent: clip(typeof tool.title === "string" ? tool.title : tool.name, 200) }), node("p", { className: "muted", textContent: clip(typeof tool.description === "string" ? tool.description : "", 2000) }), args, run, out));
  }
}

export function appResult(event) {
  const { out } = fields.of.get(event.call.slice("app ".length)) ?? {};
  out?.replaceChildren(event.error ? node("p", { className: "problem", textContent: event.error }) : json(event.result));
}
