// Validate, test on one device, send now, or schedule.

import { TriggerProblem } from "./compose-trigger.js";
import { fileOf, forOneDevice, hasAudience, isBroadcast, pathOf } from "./compose-push.js";
import { Refusal, api, app, ask, during, element, languageName, loadTexts, show, text } from "./portal.js";
import { bindPeople, deviceOf } from "./compose-people.js";
import { forgetLast } from "./compose-drafts.js";
import { shown } from "./compose-audience.js";
import { unreadable } from "./compose-form.js";
import { write } from "./compose-json.js";

await loadTexts("compose");

const find = (id) => document.getElementById(id);

/** Shows that a push was accepted, with a link to what becomes of it. */
function showSent(place, key, answer, values = {}) {
  const { msg_id: id } = answer;
  show(place, "success", text("compose", key, values) + " ");
  place.append(element("a", { href: `/portal/apps/${app}/messages/${id}` }, text("compose", "sent_link", { id })));
  showWarnings(place, answer);
}

/** Adds what the service remarks on a push that it accepts. */
function showWarnings(place, { warnings = [] }) {
  for (const { code, path, found } of warnings) {
    place.append(element("div", {}, text("compose", `warning_${code}`, { path, found })));
  }
}

/** Returns the device that the fields name: one of the list, or one with a registration id or an alias. */
async function testDevice() {
  const name = find("device-name").value.trim();
  const chosen = find("device").selectedOptions[0];
  if (!name) return chosen.value ? { registration_id: chosen.value, environment: chosen.dataset.environment } : null;
  return deviceOf(name);
}

/** Validates a push without sending it. */
function validate(push) {
  // Without a forecast, a file is an audience only where pushes are sent; the rest can be validated with another one.
  return api("POST", "/v3/push/validate", write(fileOf(push) && !push.x_forecast ? { ...push, audience: "all" } : push));
}

/** Returns who would get the push, and who would not and why, a line for each. */
function forecastLines(forecast) {
  const until = forecast.held_until ? new Date(forecast.held_until).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" }) : "";
  const counts = [
    ["count_devices", forecast.targeted], ["count_without_token", forecast.no_token],
    ["forecast_other_environment", forecast.other_environment], ["count_refused", forecast.refused],
    ["count_push_off", forecast.push_off], ["forecast_opened_before", forecast.opened_before],
    ["forecast_declined", forecast.declined], ["forecast_capped", forecast.capped],
    ["forecast_quiet", forecast.quiet], ["forecast_held", forecast.held],
  ].filter(([key, count]) => count > 0 || key === "count_devices")
    .map(([key, count]) => text("compose", key, { count: shown(count), until }));
  const texts = forecast.languages.map(({ language, devices }) => text("compose", language ? "forecast_text" : "forecast_plain", {
    count: shown(devices), language: language ? languageName(language) : "",
  }));
  const time = forecast.seconds === undefined ? [] : [text("compose", "forecast_seconds", { seconds: shown(forecast.seconds) })];
  return [...counts, ...texts, ...time];
}

/** Asks whether texts with placeholders are meant to go out as they are; true if there are none. */
async function confirmTexts(push) {
  const { warnings = [] } = await validate(push);
  const found = warnings.filter(({ code }) => code === "placeholder");
  if (!found.length) return true;
  const fields = await ask({
    title: text("compose", "placeholder_title"),
    content: found.map((warning) => element("p", {}, text("compose", "warning_placeholder", warning))),
    submit: text("compose", "placeholder_send"),
    danger: true,
  });
  return fields !== null;
}

/** Asks whether so many people are meant; true if they are few. */
async function confirmNumber(push, settings) {
  const counts = await api("POST", "/posthorn/v1/audience", write({ platform: push.platform, audience: push.audience }));
  const production = ![false, 0, "false", "0"].includes(push.options?.apns_production);
  const count = production ? counts.production : counts.development;
  if (!isBroadcast(push) && count <= settings.confirmed) return true;
  const environment = text("compose", production ? "production" : "development");
  const fields = await ask({
    title: text("compose", "confirm_title", { count: shown(count) }),
    content: [element("p", {}, text("compose", isBroadcast(push) ? "confirm_all" : "confirm_many", { count: shown(count), environment }))],
    submit: text("compose", "confirm_send", { count: shown(count) }),
    danger: true,
  });
  return fields !== null;
}

/** Lets a button do something with the push, unless a field cannot be read: what is sent is what the form shows. */
function bind(button, place, body) {
  find(button).addEventListener("click", () => during(find(button), find(place), async () => {
    const field = unreadable();
    if (!field) return body();
    const closed = field.closest("details");
    if (closed) closed.open = true;
    field.focus();
    return show(find(place), "problem", text("compose", "unreadable", { field: field.dataset.path ?? "JSON" }));
  }));
}

function bindValidate(draft) {
  bind("validate", "result", async () => {
    const answer = await validate({ ...draft.push, x_forecast: true });
    show(find("result"), "success", text("compose", "valid"));
    find("result").append(element("ul", {}, ...forecastLines(answer.forecast).map((line) => element("li", {}, line))));
    showWarnings(find("result"), answer);
  });
}

/** Milliseconds without a key before a forecast is made, and the most devices for which one is made without being asked. */
const pause = 800;
const few = 100_000;

/** Keeps a line below the buttons, and the devices of each language, up to date while one writes. */
function bindForecast(draft, languages) {
  let timer = null;
  let asked = null;
  draft.show((push) => {
    clearTimeout(timer);
    const question = write({ ...push, x_forecast: true });
    if (question === asked) return;
    asked = question;
    timer = setTimeout(async () => {
      let forecast = null;
      try {
        const isSmall = hasAudience(push) && (fileOf(push) || (await api("POST", "/posthorn/v1/audience", write({ audience: push.audience }))).devices <= few);
        if (isSmall) ({ forecast } = await api("POST", "/v3/push/validate", question));
      } catch (refusal) {
        // The push may be unfinished; Validate says what is wrong.
        if (!(refusal instanceof Refusal)) throw refusal;
      }
      if (question !== asked) return;
      find("forecast").textContent = forecast ? forecastLines(forecast).join(" · ") : "";
      languages.counts = forecast?.languages.length ? forecast.languages : null;
    }, pause);
  });
}

function bindTest(draft) {
  bind("test", "test-result", async () => {
    const device = await testDevice();
    if (!device) return show(find("test-result"), "problem", text("compose", "missing_device"));
    const push = forOneDevice(draft.push, device);
    const isSure = await confirmTexts(push);
    if (!isSure) return show(find("test-result"), "note", text("compose", "not_sent"));
    const answer = await api("POST", "/v3/push", write(push));
    return showSent(find("test-result"), "test_sent", answer, { environment: text("compose", device.environment) });
  });
}

function bindSend(draft, schedule, settings) {
  bind("send", "result", async () => {
    find("result").hidden = true;
    let body = draft.push;
    if (schedule.isWanted) {
      try { body = schedule.body(draft.push); } catch (problem) {
        if (!(problem instanceof TriggerProblem)) throw problem;
        return show(find("result"), "problem", text("compose", `missing_${problem.field}`));
      }
    }
    const isSure = await confirmTexts(draft.push) && await confirmNumber(draft.push, settings);
    if (!isSure) return show(find("result"), "note", text("compose", "not_sent"));
    const answer = await api("POST", schedule.isWanted ? "/v3/schedules" : pathOf(draft.push), write(body));
    forgetLast();
    if (!schedule.isWanted) return showSent(find("result"), "sent", answer);
    show(find("result"), "success", text("compose", "scheduled", { name: answer.name }) + " ");
    find("result").append(element("a", { href: `/portal/apps/${app}/schedules` }, text("compose", "scheduled_link")));
    showWarnings(find("result"), answer);
  });
}

/** Connects the buttons with the draft; those that a viewer does not have are not there. */
export function bindSending(draft, schedule, settings, languages) {
  bindValidate(draft);
  bindForecast(draft, languages);
  if (!find("send")) return;
  bindPeople(draft, confirmTexts);
  bindTest(draft);
  bindSend(draft, schedule, settings);
}
