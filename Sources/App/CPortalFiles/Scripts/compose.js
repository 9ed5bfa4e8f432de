// The page that composes a push: one draft, and the views on it.

import { Draft } from "./compose-draft.js";
import { TriggerProblem, areHeld, isQuiet } from "./compose-trigger.js";
import { ScheduleFields } from "./compose-schedule.js";
import { app, loadTexts, text } from "./portal.js";
import { bindAudience } from "./compose-audience.js";
import { bindDrafts, bindVariables, lastDraft } from "./compose-drafts.js";
import { bindEditor } from "./compose-editor.js";
import { bindExplanation } from "./compose-explain.js";
import { bindForm } from "./compose-form.js";
import { Languages } from "./compose-languages.js";
import { bindMeters } from "./compose-meters.js";
import { bindPast } from "./compose-past.js";
import { bindPreview } from "./compose-preview.js";
import { bindSending } from "./compose-send.js";
import { curl, pythonSDK, swift } from "./compose-code.js";
import { get, isSilent, pathOf } from "./compose-push.js";
import { parse, write as writeJSON } from "./compose-json.js";

await loadTexts("compose");

const find = (id) => document.getElementById(id);
const settings = parse(find("compose").dataset.settings);
const form = find("form");
form.addEventListener("submit", (event) => event.preventDefault());

const fresh = writeJSON(settings.push);
const last = lastDraft();
const draft = new Draft(last ?? settings.push);
const languages = new Languages(draft);
bindForm(form, draft);
bindPast(draft);
bindAudience(form, draft);
bindEditor({ area: find("json"), problem: find("json-problem"), restore: find("json-restore"), form }, draft);
bindPreview(find("preview"), draft);
bindExplanation(find("explanation"), draft);
bindMeters(find("sizes"), settings.limits, draft);
draft.show((push) => { find("silent").hidden = !isSilent(push); });

const schedule = new ScheduleFields(settings, redraw);
draft.show(redraw);
schedule.update();
for (const radio of document.querySelectorAll('input[name="code"]')) radio.addEventListener("change", redraw);
bindSending(draft, schedule, settings, languages);
bindDrafts(draft, fresh, last !== null);
bindVariables(draft);

/** Draws what depends on the push and on when it is sent: the code, and the note on quiet hours. */
function redraw() {
  const kind = document.querySelector('input[name="code"]:checked').value;
  const write = { curl, python: pythonSDK, swift }[kind];
  let [path, body] = [pathOf(draft.push), draft.push];
  if (schedule.isWanted) {
    try { [path, body] = ["/v3/schedules", schedule.body(draft.push)]; } catch (problem) {
      if (!(problem instanceof TriggerProblem)) throw problem;
    }
  }
  find("code").textContent = write({ url: location.origin, appKey: app, path, body });
  const send = find("send");
  if (send) send.textContent = text("compose", schedule.isWanted ? "schedule" : "send");
  showQuietHours();
}

function showQuietHours() {
  const own = get(draft.push, "options.x_quiet_hours");
  const hours = own && typeof own === "object" ? own : settings.quiet_hours;
  const facts = {
    isSilent: isSilent(draft.push), hasNotification: draft.push.notification !== undefined,
    level: get(draft.push, "notification.ios.interruption-level"), choice: own,
  };
  const place = find("quiet");
  place.hidden = !hours || !areHeld(hours, facts);
  if (place.hidden) return;
  const zone = !hours.zone || hours.zone === "device" ? text("compose", "quiet_device") : hours.zone;
  const isSure = schedule.isWanted && schedule.isPerDevice && (hours.zone ?? "device") === "device" && schedule.time;
  const key = !isSure ? "quiet" : isQuiet(hours, schedule.time) ? "quiet_held" : "quiet_clear";
  place.textContent = text("compose", key, { from: hours.from, to: hours.to, zone, time: schedule.time });
}

find("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(find("code").textContent);
    find("copied").textContent = text("compose", "copied");
  } catch {
    // Browsers keep the clipboard from pages without TLS: the text is selected instead.
    getSelection().selectAllChildren(find("code"));
    find("copied").textContent = text("compose", "selected");
  }
});
