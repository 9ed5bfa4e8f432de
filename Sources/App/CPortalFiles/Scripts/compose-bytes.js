// The sizes that the service limits, counted as the service counts them.

import { LongNumber, isObject, write } from "./compose-json.js";
import { alertOf, get, isOn } from "./compose-push.js";

const encoder = new TextEncoder();

/** The bytes of a value as compact JSON. */
export const bytesOf = (value) => encoder.encode(write(value)).length;

/** The largest number that the service writes for an id, so that the payload of every device fits. */
const largest = new LongNumber("9223372036854775807");
const passedOn = [
  "category", "thread-id", "interruption-level", "relevance-score", "filter-criteria", "target-content-id",
];

/** The largest APNs payload that the service composes of the push; null without a notification. */
export function payload(push) {
  if (!isObject(push.notification)) return null;
  const ios = isObject(push.notification.ios) ? push.notification.ios : {};
  const aps = {};
  const alert = alertOf(push);
  if (alert !== undefined) aps.alert = alert;
  if (ios.sound && ios.sound !== "") aps.sound = ios.sound;
  if (isOn(ios["content-available"])) aps["content-available"] = 1;
  if (isOn(ios["mutable-content"])) aps["mutable-content"] = 1;
  for (const key of passedOn) if (ios[key] !== undefined && ios[key] !== null) aps[key] = ios[key];
  if (ios.badge !== undefined && ios.badge !== null) aps.badge = 99999;
  const extras = isObject(ios.extras) ? ios.extras : {};
  const others = Object.entries(extras).filter(([key]) => key !== "aps" && !key.startsWith("_j_"));
  return { aps, ...Object.fromEntries(others), _j_msgid: largest, _j_uid: largest, _j_business: 1 };
}

/** Members with the caller's own data, in which null may mean something. */
const foreign = ["extras", "voip", "attributes", "content-state", "params"];

/** The push without the null members that the service passes over. */
function withoutNulls(object) {
  const members = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([key, value]) => [key, isObject(value) && !foreign.includes(key) ? withoutNulls(value) : value]),
  );
}

/** Returns the sizes of the parts of a push that have a limit, as `{ part, bytes, limit }`; parts that it does not have are left out. */
export function sizes(draft, limits) {
  const push = withoutNulls(draft);
  const found = [];
  const composed = payload(push);
  if (composed) {
    const ios = isObject(push.notification.ios) ? push.notification.ios : { alert: push.notification.alert ?? "" };
    found.push({ part: "payload", bytes: bytesOf(composed), limit: limits.payload });
    found.push({ part: "ios", bytes: bytesOf(ios), limit: limits.ios });
  }
  if (isObject(push.message) && Object.keys(push.message).length) {
    found.push({ part: "message", bytes: bytesOf(push.message), limit: limits.message });
  }
  const collapse = get(push, "options.apns_collapse_id");
  if (typeof collapse === "string") {
    found.push({ part: "collapse_id", bytes: encoder.encode(collapse).length, limit: limits.collapse_id });
  }
  return found;
}
