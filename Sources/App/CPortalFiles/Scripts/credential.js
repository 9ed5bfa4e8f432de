// Adding a credential: the file is read by the service before it is stored.

import { app, during, element, loadTexts, operate, show, text } from "./portal.js";
import { facts, ready, refresh } from "./pages.js";

await loadTexts("apps");

const byId = (id) => document.getElementById(id);
const form = byId("add");
const drop = byId("drop");
const limit = 256 * 1024;

/** The chosen file: its kind and content; null before. */
let chosen = null;

const readBytes = async (file) => new Uint8Array(await file.arrayBuffer());
const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Whether a file is an APNs key: by its name, or a private key without a certificate. */
function isKey(name, content) {
  if (/\.p8$/i.test(name)) return true;
  if (/\.(p12|pfx)$/i.test(name)) return false;
  return /BEGIN PRIVATE KEY/.test(content) && !/BEGIN CERTIFICATE/.test(content);
}

function forget() {
  byId("read").hidden = true;
  byId("store").disabled = true;
  byId("add-problem").hidden = true;
}

async function choose(file) {
  forget();
  chosen = null;
  for (const id of ["key-fields", "certificate-fields", "scope-fields", "add-actions"]) byId(id).hidden = true;
  if (!file) return;
  if (file.size > limit || file.size === 0) {
    const key = file.size === 0 ? "file_empty" : "file_large";
    const sentence = key === "file_empty"
      ? text("apps", "file_empty", { name: file.name })
      : text("apps", "file_large", { name: file.name, bytes: file.size });
    show(byId("add-problem"), "problem", sentence);
    return;
  }
  const bytes = await readBytes(file);
  const content = new TextDecoder().decode(bytes);
  const key = isKey(file.name, content);
  chosen = { key, bytes, content };
  byId("key-fields").hidden = !key;
  byId("certificate-fields").hidden = key;
  byId("scope-fields").hidden = false;
  byId("add-actions").hidden = false;
  byId("key-id").required = byId("team-id").required = key;
  if (key) byId("key-id").value = file.name.match(/AuthKey_([A-Za-z0-9]{10})/)?.[1] ?? byId("key-id").value;
  byId(key ? (byId("key-id").value ? "team-id" : "key-id") : "file-password").focus();
}

function parameters() {
  const environment = byId("for-environment").value;
  const topics = byId("for-topics").value.split(/[\s,，]+/).filter(Boolean);
  const replaced = byId("replace").value;
  const scope = {
    ...(environment ? { environment } : {}), ...(topics.length ? { topics } : {}),
    ...(replaced ? { replace: Number(replaced) } : {}),
  };
  if (chosen.key) {
    return { app, p8: chosen.content, key_id: byId("key-id").value.trim(), team_id: byId("team-id").value.trim(), ...scope };
  }
  return { app, certificate: base64(chosen.bytes), password: byId("file-password").value, ...scope };
}

const environmentTag = (environment) =>
  element("span", { class: `environment ${environment}` }, text("apps", environment === "production" ? "production" : "development"));

/** A date as the pages show it, such as 2026-11-25 07:45:15 +08:00, in the service's time zone: an IANA name, or UTC+08:00. */
function shownDate(text) {
  const date = new Date(text);
  const fixed = form.dataset.zone.match(/^UTC([+-])(\d\d):(\d\d)$/);
  const minutes = fixed ? Number(`${fixed[1]}1`) * (Number(fixed[2]) * 60 + Number(fixed[3])) : 0;
  const timeZone = fixed ? "UTC" : form.dataset.zone;
  // Swedish dates have this form.
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
    .format(date.getTime() + minutes * 60_000);
  const name = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(date).find(({ type }) => type === "timeZoneName").value;
  return `${shown} ${fixed ? fixed[0].slice(3) : name.slice("GMT".length) || "+00:00"}`;
}

function daysLeft(days) {
  if (days === undefined) return null;
  if (days < 0) return text("apps", "expired");
  return days === 1 ? text("apps", "day_left") : text("apps", "days_left", { days });
}

/** What was read from the file. */
function readFacts(read) {
  const isKeyRead = read.kind === "p8";
  const environments = element("span");
  for (const each of read.environments ?? []) environments.append(environmentTag(each), " ");
  return facts([
    [text("apps", "kind"), isKeyRead ? text("apps", "kind_key") : text("apps", "kind_certificate")],
    [text("apps", "key_id"), read.key_id], [text("apps", "common_name"), read.common_name],
    [text("apps", "team_id"), read.team_id], [text("apps", "topics"), read.topics?.join(", ")],
    // The file of a key does not say it.
    [text("apps", "environments"), isKeyRead ? null : environments],
    [text("apps", "not_before"), read.not_before && shownDate(read.not_before)],
    [text("apps", "not_after"), isKeyRead ? text("apps", "never") : shownDate(read.not_after)],
    [text("apps", "time_left"), daysLeft(read.days_left)],
  ]);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!chosen) return;
  forget();
  const answer = await during(byId("inspect"), byId("add-problem"), () => operate("credential.inspect", parameters()));
  if (!answer) return;
  const verdict = element("p", { class: answer.usable ? "success" : "problem" }, answer.problem ?? text("apps", "usable"));
  byId("read").replaceChildren(element("h3", {}, text("apps", "read_title")), readFacts(answer.read), verdict);
  byId("read").hidden = false;
  byId("store").disabled = !answer.usable;
  if (answer.usable) byId("store").focus();
});

byId("store").addEventListener("click", async () => {
  const stored = await during(byId("store"), byId("add-problem"), () => operate("credential.add", parameters()));
  if (!stored) return;
  form.reset();
  await choose(null);
  await refresh("credentials", "sends", "replace");
  const result = byId("credentials-result");
  show(result, stored.note ? "warning" : "success", [text("apps", "stored"), stored.note].filter(Boolean).join(document.documentElement.lang === "en" ? " " : ""));
  result.focus();
  document.dispatchEvent(new Event("credential-stored"));
});

byId("file").addEventListener("change", (event) => choose(event.target.files[0]));
const inputs = ["key-id", "team-id", "file-password", "for-environment", "for-topics", "replace"];
form.addEventListener("input", (event) => {
  if (inputs.includes(event.target.id)) forget();
});

drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  const file = event.dataTransfer.files[0];
  if (!file) return;
  const transfer = new DataTransfer();
  transfer.items.add(file);
  byId("file").files = transfer.files;
  choose(file);
});

ready("credential");
