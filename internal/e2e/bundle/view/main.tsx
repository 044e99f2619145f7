import { App } from "mcp-app";
import { App as ByItsOtherName } from "@modelcontextprotocol/ext-apps";
import data from "./data.json";
import { values } from "./hostile.js";
import "./imported.css";
import logo from "./logo.svg";
import { note } from "./shared";

declare global {
  interface Window { report: unknown }
}

/** The elements of this view need no library. */
function h(tag: string, props: Record<string, string> | null, ...children: string[]): HTMLElement {
  const el = Object.assign(document.createElement(tag), props);
  el.append(...children);
  return el;
}

note("module in a file");
const style = (id: string) => getComputedStyle(document.getElementById(id)!);
document.getElementById("root")!.append(<b title="shown">{data.greeting}</b>);

const { later } = await import("./later");
document.body.getBoundingClientRect(); // a font is loaded when it is first laid out
await document.fonts.ready;
const image = document.getElementById("logo") as HTMLImageElement;
await image.decode();
const imported = new Image();
imported.src = logo;
await imported.decode();
window.report = {
  title: document.title,
  root: document.getElementById("root")!.innerHTML,
  colours: [style("text").color, style("root").color, style("c").fill],
  background: style("text").backgroundImage.slice(0, 25),
  images: [image.naturalWidth, imported.naturalWidth],
  fonts: [...document.fonts].map((f) => `${f.family} ${f.weight} ${f.status}`),
  runtime: [typeof App, App === ByItsOtherName],
  order: Reflect.get(window, "order"),
  late: Reflect.get(window, "late"),
  later, values,
};
