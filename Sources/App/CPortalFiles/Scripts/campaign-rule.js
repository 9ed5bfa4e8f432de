// A segment's rule as rows of conditions, and back. No page, no service: tests run it alone.

import { isObject } from "./compose-json.js";

/** The conditions, in the order in which they are offered, with the form of their values and their place in the rule. */
export const conditions = {
  tag: { form: "names", path: ["audience", "tag"] },
  tag_and: { form: "names", path: ["audience", "tag_and"] },
  tag_not: { form: "names", path: ["audience", "tag_not"] },
  alias: { form: "names", path: ["audience", "alias"] },
  push: { form: "push", path: ["audience", "x_pushes"] },
  x_opened_nothing_for_days: { form: "days", path: ["audience", "x_opened_nothing_for_days"] },
  language: { form: "names", path: ["language"] },
  zone: { form: "names", path: ["zone"] },
  system: { form: "names", path: ["system"] },
  app_version: { form: "range", path: ["app_version"] },
  seen_within_days: { form: "days", path: ["seen_within_days"] },
  unseen_for_days: { form: "days", path: ["unseen_for_days"] },
  registered_within_days: { form: "days", path: ["registered_within_days"] },
  push_state: { form: "states", path: ["push_state"] },
  attribute: { form: "attribute", path: ["attributes"] },
};

export const fates = ["got", "not_got", "opened", "not_opened"];
export const states = ["reachable", "without_token", "refused", "push_off"];

const at = (rule, path) => path.reduce((value, key) => (isObject(value) ? value[key] : undefined), rule);

function put(rule, path, value) {
  const [key, ...rest] = path;
  if (!rest.length) rule[key] = value;
  else put((rule[key] ??= {}), rest, value);
}

/** Returns the rows of a rule, each `{ kind, …values }`; what no row can say is left out. */
export function rowsOf(rule) {
  return Object.entries(conditions).flatMap(([kind, { form, path }]) => {
    const value = at(rule, path);
    if (value === undefined || value === null) return [];
    switch (form) {
      case "names": case "states": return Array.isArray(value) && value.length ? [{ kind, names: value.map(String) }] : [];
      case "days": return [{ kind, days: String(value) }];
      case "range": return isObject(value) ? [{ kind, from: value.from ?? "", to: value.to ?? "" }] : [];
      case "push": return Array.isArray(value) ? value.map(({ msg_id: push, was }) => ({ kind, push: String(push?.source ?? push), was })) : [];
      default: return isObject(value) ? Object.entries(value).map(([name, names]) => ({ kind, name, names })) : [];
    }
  });
}

/** Writes rows into a rule, which keeps what no row can say; rows without a value are no conditions. */
export function ruleOf(rows, former = {}) {
  const rule = structuredClone(former);
  for (const { path } of Object.values(conditions)) {
    const parent = at(rule, path.slice(0, -1));
    if (isObject(parent)) delete parent[path.at(-1)];
  }
  for (const row of rows) {
    const { form, path } = conditions[row.kind];
    const before = at(rule, path);
    switch (form) {
      case "names": case "states":
        if (row.names.length) put(rule, path, [...new Set([...(before ?? []), ...row.names])]);
        break;
      case "days":
        if (/^\d+$/.test(row.days)) put(rule, path, Number(row.days));
        break;
      case "range": {
        const limits = Object.fromEntries(["from", "to"].filter((end) => row[end]).map((end) => [end, row[end]]));
        if (Object.keys(limits).length) put(rule, path, limits);
        break;
      }
      case "push":
        if (row.push) put(rule, path, [...(before ?? []), { msg_id: row.push, was: row.was }]);
        break;
      default:
        if (row.name && row.names.length) put(rule, path, { ...before, [row.name]: row.names });
    }
  }
  if (isObject(rule.audience) && !Object.keys(rule.audience).length) delete rule.audience;
  return rule;
}

/**
 * Returns the share of those who did something in each of two groups, their difference, and the interval that holds the true difference
 * with a certainty of 95 % (Newcombe's method, which also holds for shares near 0 and 1). Null if a group is empty.
 */
export function compare(first, second) {
  if (!first.of || !second.of) return null;
  const z = 1.96;
  const wilson = ({ count, of }) => {
    const share = count / of;
    const middle = share + z * z / (2 * of);
    const width = z * Math.sqrt(share * (1 - share) / of + z * z / (4 * of * of));
    const scale = 1 + z * z / of;
    return { share, low: (middle - width) / scale, high: (middle + width) / scale };
  };
  const [a, b] = [wilson(first), wilson(second)];
  const difference = b.share - a.share;
  const below = Math.hypot(b.share - b.low, a.high - a.share);
  const above = Math.hypot(b.high - b.share, a.share - a.low);
  return { first: a.share, second: b.share, difference, low: difference - below, high: difference + above };
}
