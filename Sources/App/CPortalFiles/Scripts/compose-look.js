// What a phone would show of a push. No page: tests run it alone.

import { isObject } from "./compose-json.js";
import { alertOf, get, isSilent } from "./compose-push.js";

const text = (value) => (typeof value === "string" ? value : "");

/** A text of the app's own files, which only the app can look up: its key, and what goes into it. */
function localized(alert, part) {
  const key = alert[part === "body" ? "loc-key" : `${part}-loc-key`];
  if (typeof key !== "string" || !key) return "";
  const values = alert[part === "body" ? "loc-args" : `${part}-loc-args`];
  return Array.isArray(values) && values.length ? `${key} (${values.map(String).join(", ")})` : key;
}

/**
 * Returns what is shown: `kind` is `alert`, `silent`, `badge` (no text, but a sound or a badge) or `none`; `title`, `subtitle`,
 * `body`, `badge`, `hasSound`, `level`, `thread`.
 */
export function look(push) {
  const alert = alertOf(push);
  const ios = isObject(get(push, "notification.ios")) ? push.notification.ios : {};
  const found = {
    kind: "alert", title: "", subtitle: "", body: "",
    badge: ios.badge === undefined || ios.badge === null ? null : String(ios.badge),
    hasSound: Boolean(ios.sound), level: text(ios["interruption-level"]), thread: text(ios["thread-id"]),
    isChangeable: ios["mutable-content"] === true || ios["mutable-content"] === 1,
  };
  if (isObject(alert)) {
    for (const part of ["title", "subtitle", "body"]) found[part] = text(alert[part]) || localized(alert, part);
  } else {
    found.body = text(alert);
  }
  if (found.title || found.subtitle || found.body) return found;
  if (isSilent(push)) return { ...found, kind: "silent" };
  return { ...found, kind: found.hasSound || found.badge !== null ? "badge" : "none" };
}
