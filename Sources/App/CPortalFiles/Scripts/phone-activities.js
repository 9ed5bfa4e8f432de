// Draws Live Activities: their cards on the lock screen, and the Dynamic Island.
import { element, loadTexts, text } from "./portal.js";

await loadTexts("phone");

const t = (key, values) => text("phone", key, values);

/** How long the island stays open after an alert, in milliseconds. */
export const alertTime = 5000;
/** How far to the left a card is moved until it goes, in pixels. */
const swipe = 80;

/** Returns a name of the code in words: `minutesLeft` becomes `minutes left`. */
const words = (name) => name.replaceAll("_", " ").replace(/([a-z0-9])([A-Z])/g, (_, end, begin) => `${end} ${begin.toLowerCase()}`);

/** Returns the members of a JSON object as pairs of words; nested ones with the names on their way. */
export function fields(json) {
  const found = [];
  const add = (name, value) => {
    if (value !== null && typeof value === "object") {
      for (const [key, each] of Object.entries(value)) add(name ? `${name} ${words(key)}` : words(key), each);
    } else if (value !== null) {
      found.push([name, String(value)]);
    }
  };
  try { add("", JSON.parse(json)); } catch { found.push(["", json]); }
  return found;
}

/** The Live Activities of a phone's view. */
export class ActivityView {
  constructor(view) {
    this.view = view;
    /** The id of the activity that the island shows in full. */
    this.opened = null;
    this.timer = null;
  }

  get all() { return this.view.state.activities ?? []; }

  /** Opens the island for an activity that alerts; a live phone closes it after a while. */
  alert(id, closes = true) {
    clearTimeout(this.timer);
    this.opened = id;
    if (closes && id) this.timer = setTimeout(() => this.show(null), alertTime);
  }

  show(id) {
    this.alert(id, false);
    this.view.redraw();
  }

  order(name, id) { this.view.act?.({ activity: { _0: { [name]: { id } } } }); }

  /** The cards of the lock screen, which the notification centre shows too. */
  cards() {
    if (!this.all.length) return null;
    return element("div", { class: "activities", role: "group", "aria-label": t("activities") }, ...this.all.map((each) => this.card(each)));
  }

  card(shown, key = "activity") {
    const id = shown.id;
    let start = null;
    return element(
      "div", { class: `activity ${shown.state}`, role: "group", "aria-label": `${shown.appName}, ${this.type(shown)}`, "data-activity": id },
      element(
        "button", {
          type: "button", class: "activity-body", disabled: !this.view.act, "data-key": `${key} ${id}`, "aria-keyshortcuts": "Delete",
          onpointerdown: (event) => { start = event.clientX; },
          onclick: (event) => {
            const isSwipe = event.detail && start !== null && start - event.clientX > swipe;
            this.order(isSwipe ? "dismiss" : "tap", id);
          },
          onkeydown: (event) => { if (event.key === "Delete" || event.key === "Backspace") this.order("dismiss", id); },
        },
        ...this.content(shown),
      ),
      this.view.act ? element(
        "div", { class: "notification-tools" },
        element("button", { type: "button", "data-key": `${key} dismiss ${id}`, onclick: () => this.order("dismiss", id) }, t("dismiss")),
      ) : null,
    );
  }

  /** The type without the word that Apple's naming ends it with. */
  type(shown) { return words(shown.type.replace(/(Activity)?Attributes$/, "")) || shown.type; }

  content(shown) {
    const line = ([name, value], kind) => element("span", { class: `activity-line ${kind}` }, element("span", { class: "phone-small" }, name), element("span", {}, value));
    return [
      element("span", { class: "activity-head" }, element("span", { class: "phone-small" }, `${shown.appName} · ${t(`activity_${shown.state}`)}`)),
      element("strong", {}, this.type(shown)),
      ...fields(shown.attributes).map((each) => line(each, "attribute")),
      ...fields(shown.content).map((each) => line(each, "content")),
      shown.state === "stale" ? element("span", { class: "activity-note" }, t("activity_out_of_date")) : null,
    ];
  }

  /** The Dynamic Island, whose place is kept while it is empty. */
  island() {
    // Live Activities came with iOS 16.
    if (this.view.major < 16) return null;
    const opened = this.all.find((each) => each.id === this.opened && each.state !== "ended");
    const shown = this.all.find((each) => each.isInIsland);
    return element(
      "div", { class: "island-place" },
      opened ? this.openIsland(opened) : shown ? this.compact(shown) : element("span", { class: "island", "aria-hidden": "true" }),
    );
  }

  compact(shown) {
    const value = fields(shown.content)[0]?.[1] ?? "";
    const label = [t("island"), shown.appName, ...fields(shown.content).map((each) => each.join(" "))].join(", ");
    const open = () => this.show(shown.id);
    return element(
      "button", {
        type: "button", class: `island ${shown.state}`, "aria-label": label, disabled: !this.view.act, "data-key": "island", "aria-keyshortcuts": "Shift+Enter",
        onclick: (event) => { if (event.currentTarget.dataset.held) delete event.currentTarget.dataset.held; else this.order("tap", shown.id); },
        oncontextmenu: (event) => { event.preventDefault(); open(); },
        onpointerdown: (event) => this.view.hold(event, open),
        onkeydown: (event) => { if (event.key === "Enter" && event.shiftKey) { event.preventDefault(); open(); } },
      },
      element("span", { class: "island-face", "aria-hidden": "true" }, shown.appName.slice(0, 1)),
      element("span", { class: "island-value", "aria-hidden": "true" }, value),
    );
  }

  openIsland(shown) {
    return element(
      "div", { class: "island-open", role: "status", onkeydown: (event) => { if (event.key === "Escape") this.show(null); } },
      this.card(shown, "island"),
      element("button", { type: "button", class: "clear", "data-key": "island close", onclick: () => this.show(null) }, t("close")),
    );
  }
}
