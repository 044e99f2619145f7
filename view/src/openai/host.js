/** Whether the host announces a feature: an object under hostCapabilities.experimental. */
export const has = (app, feature) => isObject(app.getHostCapabilities()?.experimental?.[feature]);

/**
 * Calls take with the value that the host context has under key, undefined if it
 * lacks the key, and with each later value. A change of the context that does not name the key
 * leaves the value as it is.
 */
export function follow(app, key, take) {
  app.addEventListener("hostcontextchanged", (changed) => {
    if (key in changed) take(changed[key]);
  });
  take(app.getHostContext()?.[key]);
}

export const isObject = (v) => !!v && typeof v == "object" && !Array.isArray(v);

/** A string of at least one character. */
export const isFilled = (s) => typeof s == "string" && !!s;
