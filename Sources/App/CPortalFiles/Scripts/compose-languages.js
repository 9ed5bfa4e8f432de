// The texts by language: a tab for each, beside the one for all other devices.

import { copyOf, get, set } from "./compose-push.js";
import { element, languageName, loadTexts, text } from "./portal.js";
import { isObject } from "./compose-json.js";

await loadTexts("compose");

const path = "notification.ios.x_localized";
const parts = ["title", "subtitle", "body"];
const offered = "zh-Hans zh-Hant zh-HK en en-GB ja ko de fr fr-CA es es-419 pt pt-BR pt-PT ru it ar hi id th vi tr pl nl ms uk he sv da nb fi cs sk hu ro el bg hr ca fa";

/** The languages that are offered, as options of a list. */
export const languageOptions = () => [
  element("option", { value: "" }, ""), ...offered.split(" ").map((tag) => element("option", { value: tag }, `${languageName(tag)} · ${tag}`)),
];

const number = new Intl.NumberFormat(document.documentElement.lang);

/** Returns the push as a device of a language gets it; null stands for all other languages. */
export function inLanguage(push, tag) {
  const own = tag && get(push, path)?.[tag];
  if (own === undefined || own === null) return push;
  const copy = copyOf(push);
  set(copy, "notification.ios.alert", own);
  return copy;
}

const textsOf = (push) => (isObject(get(push, path)) ? get(push, path) : {});

function partOf(value, part) {
  if (isObject(value)) return value[part] ?? "";
  return part === "body" ? String(value ?? "") : "";
}

/** A text stays plain as long as it has a body alone. */
function withPart(value, part, typed) {
  const object = isObject(value) ? { ...value } : value ? { body: value } : {};
  if (typed) object[part] = typed;
  else delete object[part];
  const keys = Object.keys(object);
  return keys.length === 0 || keys.join() === "body" ? object.body ?? "" : object;
}

/** Connects the tabs with the draft, whose `language` is the one that is shown. `counts` are devices by language, null without an answer. */
export class Languages {
  #draft;
  #counts = null;

  constructor(draft) {
    this.#draft = draft;
    draft.language = null;
    const add = document.getElementById("language-add");
    add.append(...languageOptions());
    add.addEventListener("change", () => {
      const tag = add.value;
      add.value = "";
      if (!tag) return;
      if (textsOf(draft.push)[tag] === undefined) draft.change((push) => set(push, path, { ...textsOf(push), [tag]: "" }));
      this.#choose(tag);
      document.querySelector("#content-language input")?.focus();
    });
    draft.show((push, origin) => {
      if (draft.language && textsOf(push)[draft.language] === undefined) draft.language = null;
      this.#drawTabs();
      if (!origin?.closest?.("#content-language")) this.#drawPanel();
    });
  }

  /** Shows how many devices get each text. */
  set counts(languages) {
    this.#counts = languages && new Map(languages.map(({ language, devices }) => [language, devices]));
    this.#drawTabs();
  }

  #choose(tag) {
    this.#draft.language = tag;
    this.#draft.change(() => {});
  }

  #drawTabs() {
    const place = document.getElementById("languages");
    const hadFocus = place.contains(document.activeElement);
    const tags = Object.keys(textsOf(this.#draft.push));
    place.hidden = !tags.length;
    const tab = (tag) => {
      const isChosen = this.#draft.language === tag;
      const count = this.#counts?.get(tag);
      return element(
        "button", {
          type: "button", role: "tab", id: `language-tab-${tag ?? ""}`, "aria-selected": `${isChosen}`, tabindex: isChosen ? "0" : "-1",
          "aria-controls": tag ? "content-language" : "content-default", onclick: () => this.#choose(tag),
          onkeydown: (event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!step) return;
            const all = [null, ...tags];
            this.#choose(all[(all.indexOf(tag) + step + all.length) % all.length]);
            place.querySelector('[aria-selected="true"]').focus();
          },
        },
        tag ? languageName(tag) : text("compose", "language_default"),
        count === undefined ? null : element("span", { class: "quiet" }, ` ${number.format(count)}`),
      );
    };
    place.replaceChildren(...[null, ...tags].map(tab));
    if (hadFocus) place.querySelector('[aria-selected="true"]').focus();
  }

  #drawPanel() {
    const tag = this.#draft.language;
    const panel = document.getElementById("content-language");
    document.getElementById("content-default").hidden = Boolean(tag);
    panel.hidden = !tag;
    if (!tag) return panel.replaceChildren();
    panel.setAttribute("aria-labelledby", `language-tab-${tag}`);
    const value = () => textsOf(this.#draft.push)[tag];
    const fields = parts.map((part) => {
      const id = `language-${part}`;
      const field = part === "body" ? element("textarea", { id, rows: "2", lang: tag }) : element("input", { id, lang: tag });
      field.value = partOf(value(), part);
      field.addEventListener("input", () => this.#draft.change((push) => set(push, path, { ...textsOf(push), [tag]: withPart(value(), part, field.value) }), field));
      return element("div", { class: "field" }, element("label", { for: id }, `${text("compose", `label_ios_alert_${part}`)} · ${languageName(tag)}`), field);
    });
    const remove = element("button", {
      type: "button", class: "danger", onclick: () => {
        this.#draft.language = null;
        this.#draft.change((push) => {
          const { [tag]: gone, ...rest } = textsOf(push);
          set(push, path, Object.keys(rest).length ? rest : undefined);
        });
        document.getElementById("language-add").focus();
      },
    }, text("compose", "language_remove", { name: languageName(tag) }));
    panel.replaceChildren(...fields, element("p", { class: "row" }, remove));
  }
}
