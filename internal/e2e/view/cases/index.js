import * as handshake from "./handshake.js";
import * as requests from "./requests.js";
import * as events from "./events.js";
import * as tools from "./tools.js";
import * as answers from "./answers.js";
import * as styles from "./styles.js";
import * as size from "./size.js";
import * as react from "./react.js";
import * as openai from "./openai.js";
import * as data from "./data/index.js";

/** Each case has a view's side and a host's side; bare ones have no bridge. */
export const cases = { ...handshake, ...requests, ...events, ...tools, ...answers, ...styles, ...size, ...react, ...data, ...openai };
