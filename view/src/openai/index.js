export { deepLink } from "./deeplink.js";
export { readFile, writeFile } from "./files.js";
export { keepId } from "./keepid.js";
export { sendMessage } from "./message.js";
export { modelContext } from "./modelcontext.js";
