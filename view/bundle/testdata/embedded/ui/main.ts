import { text } from "./lib";

console.log(text);
