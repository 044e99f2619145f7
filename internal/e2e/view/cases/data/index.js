export * from "./resultdata.js";
export * from "./pages.js";
export * from "./viewstate.js";
export * from "./subscribe.js";
export * from "./form.js";
