export { form } from "./form.js";
export { pages } from "./pages.js";
export { resultData } from "./resultdata.js";
export { subscribe } from "./subscribe.js";
export { viewState } from "./viewstate.js";
