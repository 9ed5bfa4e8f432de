// Opens the file of a run in the browser and steps through it. The file is not uploaded.
import { loadTexts, show, text } from "./portal.js";
import { PhoneView, row } from "./phone-view.js";

await loadTexts("phone");

const field = (id) => document.getElementById(id);
const view = new PhoneView(field("phone"));
const timeline = field("timeline");
const step = field("step");
let run = null;

/** Reads a run; throws a sentence about a file that is none. */
function parse(contents) {
  let json = null;
  try { json = JSON.parse(contents); } catch { /* It is no JSON, and so no run. */ }
  if (json?.format !== "posthorn-run") throw new Error(text("phone", "not_a_run"));
  if (json.version !== 1) throw new Error(text("phone", "other_version", { version: json.version }));
  const isObject = (each) => each !== null && typeof each === "object";
  const isWhole = Array.isArray(json.start?.apps) && Array.isArray(json.entries) && json.entries.every(isObject);
  if (!isWhole) throw new Error(text("phone", "damaged_run"));
  return json;
}

/** Closes the run and says why. */
function fail(sentence) {
  run = null;
  view.drawn = "";
  field("replay").hidden = true;
  show(field("result"), "problem", sentence);
}

/** Shows a step, unless the file has something there that cannot be drawn. */
function go(number) {
  if (!run) return;
  try { draw(number); } catch { fail(text("phone", "damaged_step", { step: number })); }
}

function draw(number) {
  const { entries, start } = run;
  step.value = number;
  const state = entries.slice(0, number).findLast((entry) => entry.after)?.after ?? start;
  const entry = entries[number - 1];
  view.now = new Date(entry?.date ?? start.date);
  view.take(entry, false);
  view.draw(state);
  view.tick(view.now);
  field("step-text").textContent = text("phone", "step_of", { step: number, count: entries.length });
  field("previous").disabled = number === 0;
  field("next").disabled = number === entries.length;
  step.setAttribute("aria-valuetext", field("step-text").textContent);
  for (const each of timeline.rows) {
    if (Number(each.dataset.number) === entry?.number) each.setAttribute("aria-current", "step");
    else each.removeAttribute("aria-current");
  }
  const current = timeline.querySelector("[aria-current]");
  if (current) field("timeline-box").scrollTop = current.offsetTop - 80;
}

async function open() {
  const file = field("file").files[0];
  if (!file) return;
  field("result").hidden = true;
  try {
    run = parse(await file.text());
  } catch (error) {
    return fail(error.message);
  }
  try {
    list();
  } catch {
    return fail(text("phone", "damaged_run"));
  }
  field("replay").hidden = false;
  go(0);
}

/** Fills the timeline. */
function list() {
  field("run-title").textContent = `${run.phone}, iOS ${run.system}`;
  const names = Object.fromEntries(run.start.apps.map((app) => [app.id, app.name]));
  for (const entry of run.entries) for (const app of entry.after?.apps ?? []) names[app.id] = app.name;
  timeline.replaceChildren();
  run.entries.forEach((entry, index) => {
    const line = row(entry, run.start.timeZone, names);
    line.addEventListener("click", () => go(index + 1));
    timeline.append(line);
  });
  step.max = run.entries.length;
}

field("file").addEventListener("change", open);
// A file that was written again is opened again.
field("file").addEventListener("click", () => { field("file").value = ""; });
step.addEventListener("input", () => go(Number(step.value)));
field("previous").addEventListener("click", () => go(Math.max(0, Number(step.value) - 1)));
field("next").addEventListener("click", () => go(Math.min(Number(step.max), Number(step.value) + 1)));
document.addEventListener("keydown", (event) => {
  if (!run || event.target.matches("input, select, textarea")) return;
  if (event.key === "ArrowLeft") field("previous").click();
  if (event.key === "ArrowRight") field("next").click();
});
// One may be chosen before this script runs.
open();
