export { App } from "./app.js";
export * from "./constants.js";
export { EventDispatcher } from "./events.js";
export * from "./styles.js";
export { PostMessageTransport } from "./transport.js";
