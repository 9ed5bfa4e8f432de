// What the fields of the form are in a push object. No page, no service: tests run it alone.

import { LongNumber, isObject, parse, write } from "./compose-json.js";

/** Returns the member at a path such as `notification.ios.thread-id`; undefined if there is none. */
export function get(push, path) {
  return path.split(".").reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), push);
}

/** Sets a member; undefined removes it, and the objects that are then empty. */
export function set(push, path, value) {
  const [key, ...rest] = path.split(".");
  if (!rest.length) {
    if (value === undefined) delete push[key];
    else push[key] = value;
    return;
  }
  if (!isObject(push[key])) {
    if (value === undefined) return;
    push[key] = {};
  }
  set(push[key], rest.join("."), value);
  if (value === undefined && !Object.keys(push[key]).length) delete push[key];
}

/** A field cannot be read as what it stands for; the message is a key of the texts. */
export class FieldProblem extends Error {}

const integer = (text) => {
  if (!/^-?\d+$/.test(text)) return text;
  return Number.isSafeInteger(Number(text)) ? Number(text) : new LongNumber(text);
};

/** What each kind of field writes into the push, and how it shows what is there. Empty fields are absent. */
export const kinds = {
  text: {
    read: (text) => text,
    show: (value) => (typeof value === "string" ? value : write(value)),
  },
  integer: { read: integer, show: (value) => (typeof value === "string" ? value : write(value)) },
  number: {
    read: (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text),
    show: (value) => (typeof value === "string" ? value : write(value)),
  },
  // A number sets the badge; "+1" and "-1" change it.
  badge: { read: (text) => (/^\d+$/.test(text.trim()) ? integer(text.trim()) : text.trim()), show: (value) => String(value) },
  list: {
    read: (text) => text.split(/[,，\n]/).map((each) => each.trim()).filter(Boolean),
    show: (value) => (Array.isArray(value) ? value.join(", ") : write(value)),
  },
  flag: { read: (text) => text === "true", show: (value) => String(isOn(value)) },
  choice: { read: (text) => (text === "false" ? false : text), show: (value) => (typeof value === "string" ? value : write(value)) },
  platform: {
    read: (text) => (text.trim() === "all" ? "all" : kinds.list.read(text)),
    show: (value) => kinds.list.show(value).replace(/^"(.*)"$/, "$1"),
  },
  json: {
    read: (text) => {
      try { return parse(text); } catch (mistake) { throw new FieldProblem(mistake.problem); }
    },
    show: (value) => write(value, 2),
  },
};

/** Reads a field; undefined if it is empty. */
export function readField(kind, text) {
  return text.trim() === "" ? undefined : kinds[kind].read(text);
}

const alertPath = "notification.ios.alert";

/** Returns a part of the alert: `title`, `subtitle`, `body` and so on, whatever form the alert has. */
export function alertPart(push, part) {
  const alert = get(push, alertPath);
  if (isObject(alert)) return alert[part];
  return part === "body" ? alert : undefined;
}

/** Sets a part of the alert, which stays a plain text as long as it has nothing but a body. */
export function setAlertPart(push, part, value) {
  const alert = get(push, alertPath);
  if (part === "body" && !isObject(alert)) return set(push, alertPath, value);
  if (!isObject(alert)) {
    if (value === undefined) return;
    set(push, alertPath, alert === undefined || alert === "" ? {} : { body: alert });
  }
  set(push, `${alertPath}.${part}`, value);
  const changed = get(push, alertPath);
  if (isObject(changed) && Object.keys(changed).join() === "body" && typeof changed.body === "string") {
    set(push, alertPath, changed.body);
  }
}

const soundPath = "notification.ios.sound";

export const sound = (push) => {
  const value = get(push, soundPath);
  if (isObject(value)) return { name: value.name, isCritical: Boolean(value.critical), volume: value.volume };
  return { name: value, isCritical: false, volume: undefined };
};

/** Sets the sound: its name alone, or Apple's object for a critical alert. */
export function setSound(push, { name, isCritical, volume }) {
  const value = get(push, soundPath);
  if (!isCritical) return set(push, soundPath, name);
  const others = isObject(value) ? value : {};
  const object = { ...others, critical: 1, name: name ?? "default", volume };
  if (volume === undefined) delete object.volume;
  set(push, soundPath, object);
}

/** Whether a member that is true, or 1 as some libraries write it, is set. */
export const isOn = (value) => value === true || value === 1;

/** The alert as the service reads it: that of `ios`, or the one for all platforms; undefined shows nothing. */
export function alertOf(push) {
  const own = get(push, alertPath);
  const alert = own === undefined || own === null ? get(push, "notification.alert") : own;
  return alert === "" || alert === null ? undefined : alert;
}

/** Whether only `content-available` is set, with nothing to see or hear. */
export function isSilent(push) {
  const ios = get(push, "notification.ios") ?? {};
  const isGiven = (key) => ios[key] !== undefined && ios[key] !== null && !(key === "sound" && ios[key] === "");
  return isOn(ios["content-available"]) && alertOf(push) === undefined && !isGiven("sound") && !isGiven("badge");
}

/** `production` or `development`; production if the push does not say. */
export const environment = (push) =>
  [false, "false"].includes(get(push, "options.apns_production")) ? "development" : "production";

/** The names that an audience may hold, in the order of the documentation. */
export const audienceKeys = ["tag", "tag_and", "tag_not", "alias", "registration_id", "segment", "abtest"];

export const isBroadcast = (push) => push.audience === "all";
export const fileOf = (push) => get(push, "audience.file.file_id");

/** Whether the audience names anything, so that it can be counted. */
export function hasAudience(push) {
  if (isBroadcast(push) || fileOf(push)) return true;
  return [...audienceKeys, "x_pushes"].some((key) => get(push, `audience.${key}`)?.length > 0)
    || get(push, "audience.x_opened_nothing_for_days") !== undefined;
}

/** The path of the API for sending. */
export const pathOf = (push) => (fileOf(push) ? "/v3/push/file" : "/v3/push");

/** The same push to one device, in the environment of that device, at once, and counted in no plan. */
export function forOneDevice(push, device) {
  const test = copyOf(push);
  test.audience = { registration_id: [device.registration_id] };
  delete test.cid;
  set(test, "options.big_push_duration", undefined);
  set(test, "options.business_operation_code", undefined);
  set(test, "options.apns_production", device.environment !== "development");
  return test;
}

/** A copy that shares nothing with the original. */
export const copyOf = (value) => parse(write(value));
