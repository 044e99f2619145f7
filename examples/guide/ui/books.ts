import { App, type ServerToolResult } from "mcp-app";

const status = document.querySelector<HTMLElement>("#status")!;
const app = new App({ name: "books", version: "1.0.0" });

app.ontoolresult = async (params) => {
  const result = params as ServerToolResult<"search_books">;
  if (result.isError) return;
  const { words, total } = result.structuredContent;
  // The compiler checks the name and the arguments.
  const page = await app.callServerTool({ name: "list_books", arguments: { words } });
  if (!page.isError) status.textContent = `${page.structuredContent.books?.length} of ${total} books`;
};
await app.connect();
