// Draws a phone's state, live or from a run's file. Whatever a person does on it goes to `act` as an order; without `act` it is a picture.
import { element, loadTexts, text } from "./portal.js";
import { ActivityView } from "./phone-activities.js";

await loadTexts("phone");

const t = (key, values) => text("phone", key, values);

/** Returns a time on the phone, such as `09:41`. */
export function clock(date, zone, style = { hour: "2-digit", minute: "2-digit" }) {
  const options = { ...style, hourCycle: "h23" };
  try {
    return new Intl.DateTimeFormat(document.documentElement.lang, { ...options, timeZone: zone }).format(date);
  } catch { // The browser does not know the zone.
    return new Intl.DateTimeFormat(document.documentElement.lang, { ...options, timeZone: "UTC" }).format(date);
  }
}

/** Milliseconds after which a press is a long press. */
const longPress = 500;

const focuses = { "Do Not Disturb": "do_not_disturb", Work: "work", Sleep: "sleep" };
const focusName = (focus) => (focus && focuses[focus] ? t(focuses[focus]) : focus);

/** What covers an app's notifications while previews are hidden; the state has the system's word in English. */
const hiddenText = "Notification";

/** Returns the system's own text of a stack, which the state has in English; an app's own as it is. */
function stackText(group) {
  return group.summary && !/^\d+ more notifications?$/.test(group.summary) ? group.summary : t("more", { count: group.count - 1 });
}

/** Draws phones into `place`. `act(order, app)` carries out an order; `media(notification, attachment)` returns the address of a file. */
export class PhoneView {
  constructor(place, { act = null, media = null } = {}) {
    this.place = place;
    this.act = act;
    this.media = media;
    this.open = new Set();
    this.activities = new ActivityView(this);
    this.drawn = "";
    this.state = null;
    this.now = new Date();
    this.isPressed = false;
    place.addEventListener("pointerdown", () => this.press());
  }

  /** Draws nothing while somebody presses, as a button that is replaced is not clicked; a long press goes on with what it shows. */
  press() {
    if (this.isPressed) return;
    this.isPressed = true;
    const ends = new AbortController();
    const end = () => {
      ends.abort();
      clearTimeout(timer);
      // After the click.
      setTimeout(() => {
        this.isPressed = false;
        if (this.state) this.draw(this.state);
      });
    };
    const timer = setTimeout(end, longPress);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: ends.signal });
  }

  /** Shows the time without drawing anything else. */
  tick(now) {
    this.now = now;
    if (!this.state) return;
    for (const each of this.place.querySelectorAll("[data-time]")) each.textContent = clock(now, this.state.timeZone);
    for (const each of this.place.querySelectorAll("[data-day]")) each.textContent = this.day();
  }

  day() { return clock(this.now, this.state.timeZone, { weekday: "long", day: "numeric", month: "long" }).replace(/,? ?\d\d:\d\d.*$/, ""); }

  draw(state) {
    const { date, ...rest } = state;
    const drawn = JSON.stringify(rest);
    this.state = state;
    if (this.isPressed || drawn === this.drawn) return;
    this.drawn = drawn;
    // The focus stays where it was, and a text half written.
    const focused = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    const written = this.place.querySelector(".phone-reply input")?.value;
    const fields = [...this.place.querySelectorAll(".alert-field")].filter((each) => each === document.activeElement || each.type === "password");
    this.place.replaceChildren(
      element("div", { class: "phone", role: "group", "aria-label": `${state.name}, iOS ${state.system}` }, element("div", { class: "phone-screen" }, this.bar(), ...this.screen(), ...this.over())),
    );
    const reply = this.place.querySelector(".phone-reply input");
    if (reply && written) reply.value = written;
    for (const old of fields) this.keep(old);
    if (focused) this.place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Keeps what is being written into a field of the alert, or cannot be read from the state, over a redraw. */
  keep(old) {
    const field = this.place.querySelector(`.alert-field[data-key="${CSS.escape(old.dataset.key)}"]`);
    if (!field || field.dataset.alert !== old.dataset.alert) return;
    field.value = old.value;
    if (old.selectionStart !== null) field.setSelectionRange(old.selectionStart, old.selectionEnd);
  }

  redraw() {
    this.drawn = "";
    this.draw(this.state);
  }

  get major() { return Number.parseInt(this.state.system, 10); }

  button(label, order, attributes = {}) {
    return element("button", { type: "button", disabled: !this.act, onclick: () => this.act?.(order), ...attributes }, label);
  }

  bar() {
    const state = this.state;
    return element(
      "div", { class: "phone-bar" },
      element("span", { "data-time": "" }, clock(this.now, state.timeZone)),
      element("span", {}, [focusName(state.focus), state.isLowPower ? t("low_power") : null, state.isConnected ? t("connected") : t("offline")].filter(Boolean).join(" · ")),
    );
  }

  /** Shows what an entry of the timeline tells of the moment: an activity that alerts opens the island. */
  take(entry, closes = true) {
    const id = entry?.event === "activityAlerted" ? entry.notification : null;
    if (closes && !id) return;
    this.activities.alert(id, closes);
    this.drawn = "";
  }

  screen() {
    const state = this.state;
    if (state.isLocked) {
      return [
        element("p", { class: "phone-clock", "data-time": "" }, clock(this.now, state.timeZone)),
        element("p", { class: "phone-day", "data-day": "" }, this.day()),
        this.centre(),
        this.button(t("unlock"), { unlock: {} }, { class: "phone-foot", "data-key": "unlock" }),
      ];
    }
    if (state.front) {
      const app = state.apps.find((each) => each.id === state.front);
      return [
        this.activities.island(),
        element(
          "div", { class: "phone-app" },
          element("strong", {}, app?.name ?? state.front),
          element("span", { class: "phone-small" }, t(`condition_${app?.condition ?? "active"}`)),
          state.inApp && element(
            "div", { class: "in-app notification" }, element("strong", {}, state.inApp.title), element("div", {}, state.inApp.body),
            element("div", { class: "row" }, this.button(t("tap"), { tap: { id: state.inApp.id } }), this.button(t("dismiss"), { dismiss: { id: state.inApp.id } })),
          ),
        ),
        this.button(t("home"), { background: {} }, { class: "phone-foot", "data-key": "home" }),
      ];
    }
    return [this.activities.island(), this.icons(), this.centre()];
  }

  icons() {
    const state = this.state;
    return element(
      "div", { class: "phone-icons" },
      ...state.apps.map((app) => {
        const badge = state.badges[app.id];
        const label = badge ? `${app.name}, ${t("badge", { count: badge })}` : app.name;
        return element(
          "button", { type: "button", class: "icon", "aria-label": label, disabled: !this.act, "data-key": `icon ${app.id}`, onclick: () => this.act?.({ open: {} }, app.id) },
          element("span", { class: "icon-face", "aria-hidden": "true" }, app.name.slice(0, 1), badge ? element("span", { class: "icon-badge" }, String(badge)) : null),
          element("span", { class: "icon-name", "aria-hidden": "true" }, app.name),
        );
      }),
    );
  }

  centre() {
    const { groups, list, upcoming } = this.state;
    const byID = new Map(list.map((each) => [each.id, each]));
    const shown = groups.flatMap((group) => {
      const key = `${group.app} ${group.thread}`;
      const isOpen = this.open.has(key);
      const ids = isOpen ? group.ids : group.ids.slice(0, 1);
      const cards = ids.map((id) => byID.get(id)).filter(Boolean).map((each) => this.notification(each));
      if (group.ids.length < 2) return cards;
      const toggle = () => { if (isOpen) this.open.delete(key); else this.open.add(key); this.redraw(); };
      return [...cards, element("button", { type: "button", class: "stack", "aria-expanded": String(isOpen), "data-key": `stack ${key}`, onclick: toggle }, isOpen ? t("show_less") : stackText(group))];
    });
    return element(
      "div", { class: "phone-centre", role: "group", "aria-label": t("centre") },
      this.activities.cards(),
      ...(shown.length ? shown : [element("p", { class: "phone-words" }, t("no_notifications"))]),
      shown.length && this.act ? this.button(t("clear"), { clear: {} }, { class: "clear", "data-key": "clear" }) : null,
      upcoming.length ? element("p", { class: "phone-words upcoming" }, t("upcoming", { count: upcoming.length }), ...upcoming.map((each) => element("span", {}, each.title || each.body))) : null,
    );
  }

  notification(shown, kind = "") {
    const press = () => this.act?.({ longPress: { id: shown.id } });
    return element(
      "div", { class: `notification ${kind}`, "data-id": shown.id },
      element(
        "button", {
          type: "button", class: "notification-body", disabled: !this.act, "data-key": `${kind} ${shown.id}`, "aria-keyshortcuts": "Shift+Enter Delete",
          onclick: (event) => { if (event.currentTarget.dataset.held) delete event.currentTarget.dataset.held; else this.act?.({ tap: { id: shown.id } }); },
          oncontextmenu: (event) => { event.preventDefault(); press(); },
          onpointerdown: (event) => this.hold(event, press),
          onkeydown: (event) => {
            if (event.key === "Enter" && event.shiftKey) { event.preventDefault(); press(); }
            if (event.key === "Delete" || event.key === "Backspace") this.act?.({ dismiss: { id: shown.id } });
          },
        },
        shown.picture ? element("img", { class: "avatar", src: shown.picture, alt: t("picture") }) : null,
        ...this.words(shown), this.thumbnail(shown),
      ),
      this.act ? element(
        "div", { class: "notification-tools" },
        this.major < 8 ? null : this.button(t("actions"), { longPress: { id: shown.id } }, { "data-key": `press ${shown.id}` }),
        this.button(t("dismiss"), { dismiss: { id: shown.id } }, { "data-key": `dismiss ${shown.id}` }),
      ) : null,
    );
  }

  /** Calls `press` for a long press. */
  hold(event, press) {
    const target = event.currentTarget;
    if (event.button !== 0) return;
    const timer = setTimeout(() => { target.dataset.held = "yes"; press(); }, longPress);
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) target.addEventListener(name, () => clearTimeout(timer), { once: true });
  }

  words(shown) {
    return [
      element("span", { class: "phone-small" }, shown.appName),
      shown.title ? element("strong", {}, shown.title) : null,
      shown.subtitle ? element("span", {}, shown.subtitle) : null,
      element("span", { class: "body" }, this.hides(shown) && shown.body === hiddenText ? t("hidden_notification") : shown.body),
    ];
  }

  /** Whether previews of the notification's app are hidden now. */
  hides(shown) {
    const previews = this.state.apps.find((each) => each.id === shown.app)?.previews;
    return previews === "never" || (previews === "whenUnlocked" && this.state.isLocked);
  }

  thumbnail(shown) {
    const file = shown.attachments.find((each) => /png|jpeg|gif/.test(each.type));
    if (!file) return shown.attachments.length ? element("span", { class: "phone-small" }, t("attachments", { count: shown.attachments.length })) : null;
    return this.media ? element("img", { class: "thumbnail", src: this.media(shown.id, file.id), alt: t("picture") }) : element("span", { class: "phone-small" }, t("attachments", { count: shown.attachments.length }));
  }

  attachments(shown) {
    return (shown?.attachments ?? []).map((file) => {
      if (!this.media) return element("span", { class: "phone-small" }, `${file.id} · ${file.type}`);
      const src = this.media(shown.id, file.id);
      if (/png|jpeg|gif/.test(file.type)) return element("img", { src, alt: t("picture") });
      if (/audio|mp3/.test(file.type)) return element("audio", { src, controls: true, "aria-label": t("sound_file") });
      return element("video", { src, controls: true, "aria-label": t("film") });
    });
  }

  over() {
    const state = this.state;
    const layers = [];
    if (state.alert) layers.push(this.alert(state.alert));
    if (state.calls?.length) layers.push(this.calls(state.calls));
    if (state.banner) layers.push(element("div", { class: "banner-layer", role: "status" }, this.notification(state.banner, "banner"), this.act ? this.button(t("flick"), { flickBanner: {} }, { class: "clear", "data-key": "flick" }) : null));
    if (state.expanded) layers.push(this.expanded(state.expanded));
    if (state.prompt) layers.push(this.prompt());
    return layers;
  }

  alert(shown) {
    const name = shown.title || shown.message || t(shown.style === "alert" ? "alert" : "action_sheet");
    return element(
      "div", { class: `layer alert-layer ${shown.style}` },
      element(
        "div", { class: "sheet", role: "group", "aria-label": name },
        shown.title ? element("p", {}, element("strong", {}, shown.title)) : null,
        shown.message ? element("p", { class: "body" }, shown.message) : null,
        ...shown.fields.map((field, index) => element("input", {
          type: field.isSecure ? "password" : "text", class: "alert-field", value: field.isSecure ? "" : field.text, placeholder: field.placeholder,
          "aria-label": field.placeholder || t("alert_field", { number: index + 1 }), disabled: !this.act, autocomplete: "off",
          "data-key": `alert field ${index}`, "data-alert": name, oninput: (event) => this.write(event.currentTarget.value, index),
        })),
        ...shown.buttons.map((each) => element(
          "button", {
            type: "button", class: each.role === "destructive" ? "danger" : "", disabled: !this.act || !each.isEnabled, "data-key": `alert ${each.title}`,
            onclick: () => this.act?.({ tapAlert: { button: each.title } }),
          }, each.title,
        )),
      ),
    );
  }

  /** Sends what is written in its order. */
  write(text, field) {
    this.writing = (this.writing ?? Promise.resolve()).then(() => this.act?.({ writeInAlert: { text, field } }));
  }

  /** The call screen: in front of everything but a prompt, on a locked phone too. Calls that ring on a banner are at the top. */
  calls(shown) {
    return element(
      "div", { class: `layer call-layer${shown.every((call) => call.presentation === "banner") ? " compact" : ""}` },
      element("div", { class: "sheet", role: "group", "aria-label": t("calls") }, ...shown.map((call) => this.call(call))),
    );
  }

  call(call) {
    const id = call.id;
    const button = (name, order, attributes = {}) => this.button(t(`call_${name}`), { call: { _0: order } }, { "data-key": `call ${name} ${id}`, ...attributes });
    const buttons = call.state === "ringing"
      ? [button("decline", { decline: { id } }, { class: "danger" }), button("answer", { answer: { id, endsOthers: false } })]
      : [
          button("hangUp", { hangUp: { id } }, { class: "danger" }),
          call.isMuted ? button("unmute", { mute: { _0: false, id } }) : button("mute", { mute: { _0: true, id } }),
          call.state === "held" ? button("resume", { hold: { _0: false, id } }) : null,
          call.state === "active" ? button("hold", { hold: { _0: true, id } }) : null,
        ];
    return element(
      "div", { class: "call", role: "group", "aria-label": call.name || call.appName },
      element("p", {}, element("strong", {}, call.name || call.appName)),
      element("p", { class: "phone-small" }, `${call.appName} · ${t(`call_${call.state}`)}${call.presentation ? ` · ${t(`call_${call.presentation}`)}` : ""}${call.isMuted ? ` · ${t("call_muted")}` : ""}${call.framework === "LiveCommunicationKit" ? ` · ${call.framework}` : ""}`),
      element("div", { class: "row" }, ...buttons),
    );
  }

  /** The question of the prompt. Its text in the state is English, and has the app's name in quotation marks. */
  question() {
    const { prompt, promptSubject } = this.state;
    const app = prompt.match(/“(.*)”/s)?.[1];
    return promptSubject && app !== undefined ? t(`prompt_${promptSubject}`, { app }) : prompt;
  }

  prompt() {
    return element(
      "div", { class: "layer" },
      element(
        "div", { class: "sheet prompt", role: "group", "aria-label": t("prompt") }, element("p", {}, element("strong", {}, this.question())),
        element("div", { class: "row" }, this.button(t("deny"), { deny: {} }, { "data-key": "deny" }), this.button(t("allow"), { allow: {} }, { "data-key": "allow" })),
      ),
    );
  }

  expanded(view) {
    const shown = this.state.list.find((each) => each.id === view.id) ?? view.notification ?? this.state.banner;
    const content = view.content;
    const input = view.actions.find((each) => each.asksForText);
    return element(
      "div", { class: "layer" },
      element(
        "div", { class: "sheet", role: "group", "aria-label": t("expanded") },
        element("p", { class: "phone-small" }, view.title),
        content ? element(
          "div", { class: "content-view" }, element("strong", {}, content.title || t("content_extension")),
          element("span", { class: "phone-small" }, t("content_height", { height: Math.round(content.height) })),
          content.hasMediaButton ? this.button(view.isPlaying ? t("pause") : t("play"), { playPause: {} }) : null,
        ) : null,
        ...this.attachments(shown),
        view.notification ? element("div", { class: "expanded-words" }, ...this.words(view.notification)) : null,
        ...view.actions.filter((each) => !each.asksForText).map((each) => this.button(each.title, { action: { _0: each.id, id: view.id } }, { class: each.isDestructive ? "danger" : "", "data-key": `action ${each.id}` })),
        input ? this.reply(view, input) : null,
        this.button(t("close"), { closeExpanded: {} }, { class: "quiet-button", "data-key": "close" }),
      ),
    );
  }

  reply(view, action) {
    const send = (event) => {
      event.preventDefault();
      this.act?.({ reply: { text: event.currentTarget.elements.text.value, id: view.id } });
    };
    return element(
      "form", { class: "phone-reply", onsubmit: send },
      element("input", { name: "text", "aria-label": action.title, placeholder: action.placeholder ?? "", required: true, disabled: !this.act, "data-key": "reply" }),
      element("button", { disabled: !this.act }, action.title),
    );
  }
}

/** The words of the texts for the details of some events; those of others are the app's or codes. */
const details = { conditionChanged: "condition", promptAnswered: "answer", changed: "changed" };

/** Returns an entry's detail in the user's language, if it is one of the phone's own words. */
function detail(entry) {
  const key = `${details[entry.event]}_${entry.detail.replaceAll(" ", "_")}`;
  const words = t(key);
  return words === `phone.${key}` ? entry.detail : words;
}

/** Returns a row of the timeline. */
export function row(entry, zone, names) {
  const key = `event_${entry.event}`;
  const known = t(key);
  const name = known === `phone.${key}` ? entry.event : known;
  const app = entry.app ? names[entry.app] ?? entry.app : "";
  return element(
    "tr", { "data-event": entry.event, "data-number": entry.number },
    element("td", { class: "nowrap" }, clock(new Date(entry.date), zone, { hour: "2-digit", minute: "2-digit", second: "2-digit" })),
    element("td", {}, entry.event === "callback" ? element("code", {}, entry.detail) : element("span", {}, name, entry.detail ? `${text("layout", "colon")}${detail(entry)}` : ""), app ? element("div", { class: "quiet" }, app) : null),
    element("td", {}, entry.state ? t(`state_${entry.state}`) : ""),
  );
}
