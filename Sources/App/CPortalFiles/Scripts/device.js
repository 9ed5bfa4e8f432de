// One device: tags, alias and mobile number, and the doctor.

import { api, during, loadTexts, show, text } from "./portal.js";
import { offerDoctor, ready, refresh } from "./pages.js";

await loadTexts("devices");

const byId = (id) => document.getElementById(id);
const device = byId("device").dataset.id;
const result = byId("result");

/** Changes the device; returns whether the service did it. */
async function change(button, members) {
  const done = await during(button, result, () => api("POST", `/v3/devices/${device}`, members));
  if (done) show(result, "success", text("devices", "saved"));
  return done !== null;
}

byId("add-tag")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("tag");
  if (!(await change(event.submitter, { tags: { add: [field.value.trim()] } }))) return;
  field.value = "";
  await refresh("tags");
  field.focus();
});

// The list is replaced after changes, so its section listens.
document.querySelector("section:has(#tags)").addEventListener("click", async (event) => {
  const button = event.target.closest("[data-tag]");
  if (!button) return;
  if (!(await change(button, { tags: { remove: [button.dataset.tag] } }))) return;
  await refresh("tags");
  byId("tag").focus();
});

// A line that was taken out removes its attribute.
const attributesOf = (lines) => Object.fromEntries(
  lines.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
    const end = line.includes("=") ? line.indexOf("=") : line.length;
    return [line.slice(0, end).trim(), line.slice(end + 1).trim()];
  }));
byId("names")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("attributes");
  const line = field.value.split("\n").find((each) => each.trim() && !/[^=]=/.test(each.trim()));
  if (line !== undefined) return show(result, "problem", text("devices", "attributes_line", { line: line.trim() }));
  const removed = Object.fromEntries(Object.keys(attributesOf(field.defaultValue)).map((name) => [name, null]));
  const saved = await change(event.submitter, {
    alias: byId("alias").value.trim(), mobile: byId("mobile").value.trim(),
    attributes: { ...removed, ...attributesOf(field.value) },
  });
  if (saved) field.defaultValue = field.value;
});

offerDoctor(byId("doctor"), byId("findings"), { device });

ready("device");
