// The view of open_note_file: a file that the host reads and saves.
import { readFile, writeFile, type FileOutcome } from "mcp-app/openai";
import { app, call, canCall, connect } from "./host";
import { $, element, message, notice } from "./page";

const text = $<HTMLTextAreaElement>("text");
const save = $<HTMLButtonElement>("save");
let uri = "";
let etag: string | undefined; // of the version that the user sees

const input = new Promise<{ file?: { name: string; resourceUri: string } }>((resolve) => {
  app.ontoolinput = ({ arguments: args }) => resolve(args ?? {});
});

async function open(): Promise<void> {
  const { file } = await input;
  if (!file) return notice("Open a .note file in the host's list of files to see it here.");
  uri = file.resourceUri;
  $("name").textContent = file.name;
  const read = await readFile(app, uri, "text");
  if (read.missing) return notice("This host does not open files in views.");
  text.value = read.text ?? "";
  etag = read.etag;
  text.hidden = false;
  text.readOnly = save.hidden = !read.writable;
}

async function siblings(): Promise<void> {
  const { files } = await call("list_siblings", {});
  if (!files?.length) return;
  $("siblings").hidden = false;
  $("siblings").querySelector("ul")!.replaceChildren(...files.map((f) => {
    const li = element("li", "");
    li.append(element("strong", "", f.name), element("span", "excerpt", f.title));
    return li;
  }));
}

text.oninput = () => ($("saved").textContent = "Not saved");
save.onclick = async () => {
  save.disabled = true;
  try {
    const result = await writeFile(app, uri, { text: text.value, ifMatch: etag });
    if (result.outcome === "saved") {
      etag = result.etag;
      $("saved").textContent = "Saved";
      notice("");
    } else notice(refusal(result));
  } catch (err) {
    notice(`The file was not saved: ${message(err)}`);
  }
  save.disabled = false;
};

function refusal(result: FileOutcome): string {
  switch (result.outcome) {
    case "conflict":
      return "The file was not saved, as another program has changed it. Copy your text and open the file again.";
    case "too-large":
      return `The file was not saved: it may have at most ${result.maxBytes} bytes.`;
  }
  return "This host does not save files.";
}

if (await connect()) {
  try {
    await open();
    if (canCall()) await siblings();
  } catch (err) {
    notice(`The file can't be read: ${message(err)}`);
  }
}
