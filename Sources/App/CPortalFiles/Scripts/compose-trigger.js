// When a schedule fires, as the API wants it. No page: tests run it alone.

export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

const withSeconds = (time) => (/^\d{2}:\d{2}$/.test(time) ? `${time}:00` : time);

/** A trigger cannot be made of the fields; `field` is the one that is missing or wrong. */
export class TriggerProblem extends Error {
  constructor(field) {
    super(field);
    this.field = field;
  }
}

function required(fields, name) {
  const text = (fields[name] ?? "").trim();
  if (!text) throw new TriggerProblem(name);
  return text;
}

/** Returns the days of a month in `1, 15` as the API writes them. */
export function daysOfMonth(text) {
  const days = text.split(/[\s,，]+/).filter(Boolean).map(Number);
  if (!days.length || days.some((day) => !Number.isInteger(day) || day < 1 || day > 31)) throw new TriggerProblem("days");
  return [...new Set(days)].sort((one, other) => one - other).map((day) => String(day).padStart(2, "0"));
}

/**
 * Returns the trigger of a schedule.
 *
 * Fields: `repeat` (`single`, `day`, `week`, `month`), `date`, `time`, `end`, `frequency`, `points` (weekdays), `days`
 * (`1, 15`), `zone` (an IANA name, `device`, or nothing for the service's zone).
 *
 * @throws {TriggerProblem} for a field that is missing or wrong.
 */
export function trigger(fields) {
  const date = required(fields, "date");
  const time = withSeconds(required(fields, "time"));
  const zone = (fields.zone ?? "").trim();
  const zoned = (object) => (zone ? { ...object, zone } : object);
  if (fields.repeat === "single") return zoned({ single: { time: `${date} ${time}` } });
  const frequency = Number(fields.frequency || 1);
  if (!Number.isInteger(frequency) || frequency < 1 || frequency > 100) throw new TriggerProblem("frequency");
  const periodical = {
    start: `${date} 00:00:00`, end: `${required(fields, "end")} 23:59:59`, time, time_unit: fields.repeat, frequency,
  };
  if (fields.repeat === "week") {
    periodical.point = weekdays.filter((day) => (fields.points ?? []).includes(day));
    if (!periodical.point.length) throw new TriggerProblem("points");
  }
  if (fields.repeat === "month") periodical.point = daysOfMonth(fields.days ?? "");
  return zoned({ periodical });
}

const minutes = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether a time of day such as `23:10` is in quiet hours `{from, to}`, which may end on the next day. */
export function isQuiet(hours, time) {
  const [from, to, now] = [hours.from, hours.to, time].map(minutes);
  return from < to ? from <= now && now < to : now >= from || now < to;
}

/** Whether quiet hours hold a push: silent pushes and custom messages go at any time. */
export function areHeld(hours, { isSilent, hasNotification, level, choice }) {
  if (!hours || choice === false || isSilent || !hasNotification) return false;
  return !(hours.allow_time_sensitive && ["time-sensitive", "critical"].includes(level));
}
