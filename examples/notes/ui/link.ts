// Links to notes, such as https://chatgpt.com/plugins/PLUGIN/app/show_board?path=%2Fn%2F7.
import { deepLink } from "mcp-app/openai";
import { app } from "./host";

/** Calls open with the number of the note that a link names, now and whenever the user follows another. */
export function followLinks(open: (note: number) => void): void {
  deepLink(app, ({ url }) => {
    const { pathname } = new URL(url, "app:/");
    const note = /^\/n\/(\d+)$/.exec(pathname)?.[1];
    if (note) open(Number(note));
  });
}
