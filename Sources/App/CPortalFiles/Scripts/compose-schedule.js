// Sending later: the fields of a schedule, its firings, and what clock changes do to them.

import { app, call, element, loadTexts, Refusal, text } from "./portal.js";
import { TriggerProblem, trigger, weekdays } from "./compose-trigger.js";

await loadTexts("compose");

const find = (id) => document.getElementById(id);
const pause = 250;

const offsetText = (minutes) =>
  `${minutes < 0 ? "−" : "+"}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0")}:${String(Math.abs(minutes) % 60).padStart(2, "0")}`;

function fields() {
  const isPerDevice = find("per-device").checked;
  return {
    repeat: find("repeat").value, date: find("date").value, time: find("time").value, end: find("end").value,
    // A browser gives an empty text for what is not a number.
    frequency: find("frequency").validity.badInput ? "?" : find("frequency").value, days: find("days").value,
    points: [...document.querySelectorAll("#points input:checked")].map((box) => box.value),
    zone: isPerDevice ? "device" : find("zone").value,
  };
}

function firing({ at, local, offset, move }) {
  return element(
    "tr", move ? { class: "moved" } : {},
    element("td", { class: "nowrap" }, `${local} ${offsetText(offset)}`),
    element("td", { class: "nowrap" }, at.replace("T", " ").replace("Z", "")),
    element("td", {}, move ? text("compose", `move_${move}`, { time: find("time").value }) : ""),
  );
}

function table({ zone, total, firings }) {
  const heads = ["firing_local", "firing_utc", "firing_move"].map((key) => element("th", { scope: "col" }, text("compose", key)));
  const moved = firings.filter((each) => each.move).length;
  const words = [
    text("compose", total === 1 ? "firing_one" : "firing_count", { count: total }),
    moved ? text("compose", "firing_moved", { count: moved }) : text("compose", "firing_still"),
  ];
  return element(
    "div", { class: "table", tabindex: 0, role: "region", "aria-label": text("compose", "firings_of", { zone }) },
    element("table", {},
      element("caption", {}, [zone, words.join(document.documentElement.lang === "en" ? " " : "")].join(text("layout", "colon"))),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...firings.map(firing))),
  );
}

/** The fields of a schedule; `onChange` is called when they change. */
export class ScheduleFields {
  #timer = null;
  #asked = 0;

  constructor(settings, onChange) {
    this.onChange = onChange;
    find("points").replaceChildren(...weekdays.map((day, index) => element(
      "label", { class: "check" },
      element("input", { type: "checkbox", value: day, checked: index === 0 }), text("compose", `day_${day.toLowerCase()}`),
    )));
    find("zones").replaceChildren(...(Intl.supportedValuesOf?.("timeZone") ?? []).map((zone) => element("option", { value: zone })));
    find("date").value = settings.today;
    find("date").min = settings.today;
    find("end").value = settings.today;
    find("later").addEventListener("input", () => this.update());
    for (const radio of document.querySelectorAll('input[name="when"]')) radio.addEventListener("change", () => this.update());
  }

  get isWanted() { return document.querySelector('input[name="when"]:checked').value === "later"; }

  /** The time of day at which it fires, and the zone in which that is read. */
  get time() { return find("time").value; }
  get isPerDevice() { return find("per-device").checked; }

  /**
   * The body of `POST /v3/schedules`.
   *
   * @throws {TriggerProblem} for a field that is missing or wrong.
   */
  body(push) {
    const name = find("schedule-name").value.trim();
    if (!name) throw new TriggerProblem("name");
    return { name, enabled: true, trigger: trigger(fields()), push };
  }

  update() {
    const { repeat } = fields();
    find("later").hidden = !this.isWanted;
    for (const place of document.querySelectorAll(".repeated")) place.hidden = repeat === "single";
    for (const place of document.querySelectorAll(".weekly")) place.hidden = repeat !== "week";
    for (const place of document.querySelectorAll(".monthly")) place.hidden = repeat !== "month";
    find("date-label").textContent = text("compose", repeat === "single" ? "date" : "start");
    find("zone").disabled = this.isPerDevice;
    this.onChange();
    clearTimeout(this.#timer);
    if (this.isWanted) this.#timer = setTimeout(() => this.#forecast(), pause);
  }

  async #forecast() {
    const place = find("firings");
    const number = ++this.#asked;
    let shown;
    try {
      const query = encodeURIComponent(JSON.stringify(trigger(fields())));
      const { zones, more_zones: more } = await call("GET", `/portal/api/firings/${app}?trigger=${query}`);
      shown = zones.map(table);
      if (more) shown.push(element("p", { class: "hint" }, text("compose", "firing_more_zones", { count: more })));
      if (zones.every(({ total }) => total === 0)) shown = [element("p", { class: "warning" }, text("compose", "firing_none"))];
    } catch (problem) {
      if (problem instanceof TriggerProblem) shown = [element("p", { class: "hint" }, text("compose", `missing_${problem.field}`))];
      else if (problem instanceof Refusal) shown = [element("p", { class: "problem" }, problem.message)];
      else throw problem;
    }
    if (number === this.#asked) place.replaceChildren(...shown);
  }
}
