import { follow } from "./host.js";

const isStrings = (list) => Array.isArray(list) && list.every((s) => typeof s == "string");

/**
 * The URL of a deep link, undefined if the link is malformed. Older hosts send the parts
 * of the URL. The URL stays within the app: //host, /\host and control characters, which
 * browsers drop from URLs, are rejected, because with them the URL may name another host.
 * So is a URL whose path begins with // once its . and .. are resolved: the view may
 * navigate to that path. The preview has the same rule.
 */
function urlOf(link) {
  try {
    let { url, path, query } = link;
    if (url === undefined && Array.isArray(query) && [path, ...query].every(isStrings))
      url = "/" + path.map((s) => encodeURIComponent(s)).join("/") + (query.length ? "?" + new URLSearchParams(query) : "");
    if (typeof url == "string" && /^\/(?![/\\])[^#\0-\x1f]*$/.test(url) && !new URL(url, "https://a.b").pathname.startsWith("//")) return url;
  } catch {} // not an object, not pairs, or half of a surrogate pair
}

export function deepLink(app, show) {
  let last;
  follow(app, "openai/deepLink", (link) => {
    const before = last;
    last = urlOf(link);
    if (last && last != before) show({ url: last });
  });
  return !!last;
}
