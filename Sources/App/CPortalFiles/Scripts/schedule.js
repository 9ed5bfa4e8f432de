// One schedule: its name, whether it is on, its JSON, and deleting it.

import { api, during, loadTexts, show, text } from "./portal.js";
import { confirmed, ready, refresh } from "./pages.js";
import { LongNumber, parse } from "./compose-json.js";

await loadTexts("apps", "schedules");

const byId = (id) => document.getElementById(id);
const { id, list } = byId("schedule").dataset;
const path = `/v3/schedules/${id}`;
const result = byId("result");

/** Shows the schedule as the service has it now. */
async function reload(sentence) {
  await refresh("schedule", "enable");
  byId("enable").onclick = toggle;
  show(result, "success", sentence);
}

byId("rename").addEventListener("submit", async (event) => {
  event.preventDefault();
  const renamed = await during(event.submitter, result, () => api("PUT", path, { name: byId("name").value.trim() }));
  if (renamed) await reload(text("apps", "saved"));
});

async function toggle(event) {
  const enabled = event.currentTarget.dataset.enabled !== "true";
  const changed = await during(event.currentTarget, result, () => api("PUT", path, { enabled }));
  if (!changed) return;
  await reload(enabled ? text("schedules", "enabled") : text("schedules", "disabled"));
  byId("enable").focus();
}
byId("enable").onclick = toggle;

byId("delete").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  if (!(await confirmed(text("schedules", "delete_title"), text("schedules", "delete_text"), text("schedules", "delete")))) return;
  if (await during(button, result, () => api("DELETE", path))) location.assign(list);
});

/** Returns the first number that the browser would write in another way; null if there is none. */
function inexact(value) {
  if (value instanceof LongNumber) return String(Number(value.source)) === value.source || Number.isSafeInteger(Number(value.source)) ? null : value.source;
  if (value === null || typeof value !== "object") return null;
  return Object.values(value).map(inexact).find((found) => found !== null) ?? null;
}

byId("edit").addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = byId("source-problem");
  problem.hidden = true;
  const source = byId("source").value;
  try {
    const number = inexact(parse(source));
    if (number !== null) return show(problem, "problem", text("schedules", "inexact", { number }));
  } catch (mistake) {
    if (mistake.line === undefined) throw mistake;
    return show(problem, "problem", text("schedules", "mistake", { line: mistake.line, column: mistake.column }));
  }
  const changed = await during(event.submitter, problem, () => api("PUT", path, JSON.parse(source)));
  if (!changed) return;
  await reload(text("apps", "saved"));
  byId("name").value = changed.name;
  result.focus();
});

ready("schedule");
