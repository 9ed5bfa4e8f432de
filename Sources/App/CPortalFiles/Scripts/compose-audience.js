// Who gets the push: everyone, names and tags, or an uploaded file; and how many devices that are.

import { environment, fileOf, get, hasAudience, isBroadcast, set } from "./compose-push.js";
import { Refusal, api, during, element, loadTexts, show, text } from "./portal.js";
import { isObject, write } from "./compose-json.js";

await loadTexts("compose");

/** Milliseconds without a key before devices are counted. */
const pause = 250;

const kindOf = (push) => (isBroadcast(push) ? "all" : get(push, "audience.file") ? "file" : "some");

/** Connects the chips of one kind of name, such as `tag`, with the draft. */
function bindNames(place, draft) {
  const key = place.dataset.names;
  const [list, input] = [place.querySelector("ul"), place.querySelector("input")];
  const names = () => {
    const found = get(draft.push, `audience.${key}`);
    return Array.isArray(found) ? found : [];
  };
  // The audience stays an object even if it is empty, so that its place in the JSON stays.
  const put = (all) => draft.change((push) => {
    if (!isObject(push.audience)) push.audience = {};
    if (all.length) push.audience[key] = all;
    else delete push.audience[key];
  }, place);
  const add = () => {
    const entered = input.value.split(/[,，\n]/).map((name) => name.trim()).filter(Boolean);
    input.value = "";
    if (entered.length) put([...new Set([...names(), ...entered])]);
  };
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" || event.key === ",") {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && !input.value && names().length) {
      put(names().slice(0, -1));
    }
  });
  input.addEventListener("change", add);
  draft.show(() => {
    const chips = names().map((name, index) => element(
      "li", { class: "tag" }, typeof name === "string" ? name : write(name),
      element("button", {
        type: "button", "aria-label": text("compose", "remove", { name: String(name) }),
        onclick: () => { put(names().filter((_, place) => place !== index)); input.focus(); },
      }, "×"),
    ));
    list.replaceChildren(...chips);
    list.hidden = !chips.length;
  });
}

/** Lets the user upload a file of names, and chooses it. */
function bindUpload(draft) {
  const [field, kind, button] = ["upload", "upload-kind", "upload-send"].map((id) => document.getElementById(id));
  const result = document.getElementById("upload-result");
  button.addEventListener("click", () => during(button, result, async () => {
    const [chosen] = field.files;
    if (!chosen) return show(result, "problem", text("compose", "upload_none"));
    const form = new FormData();
    form.append("filename", chosen, chosen.name);
    const { file_id: id } = await api("POST", `/v3/files/${kind.value}`, form);
    const choice = document.getElementById("file");
    choice.append(element("option", { value: id }, `${chosen.name} · ${kind.value}`));
    draft.change((push) => { push.audience = { file: { file_id: id } }; });
    field.value = "";
    show(result, "success", text("compose", "upload_done", { name: chosen.name }));
  }));
}

/** Connects the choice between everyone, names and a file with the draft. */
function bindKind(form, draft) {
  const parts = { some: document.getElementById("audience-some"), file: document.getElementById("audience-file") };
  const file = document.getElementById("file");
  const kept = { some: {}, file: {} };
  for (const radio of form.elements.audience) {
    radio.addEventListener("change", () => draft.change((push) => {
      const before = kindOf(push);
      if (before !== "all") kept[before] = push.audience;
      push.audience = radio.value === "all" ? "all" : kept[radio.value] ?? {};
      if (radio.value === "file" && !push.audience.file) push.audience = { file: { file_id: file.value } };
    }));
  }
  file.addEventListener("change", () => draft.change((push) => { push.audience = { file: { file_id: file.value } }; }));
  draft.show((push) => {
    const kind = kindOf(push);
    for (const radio of form.elements.audience) radio.checked = radio.value === kind;
    parts.some.hidden = kind !== "some";
    parts.file.hidden = kind !== "file";
    const id = fileOf(push);
    if (id && ![...file.options].some((option) => option.value === id)) file.append(element("option", { value: id }, id));
    if (kind === "file") file.value = id ?? "";
  });
}

function bindEnvironment(form, draft) {
  for (const radio of form.elements.environment) {
    radio.addEventListener("change", () =>
      draft.change((push) => set(push, "options.apns_production", radio.value === "production")));
  }
  draft.show((push) => {
    for (const radio of form.elements.environment) radio.checked = radio.value === environment(push);
  });
}

/** Counts the devices of the draft whenever the audience changes. */
export class Counter {
  #asked = null;
  #timer = null;
  /** The last answer; null while there is none. */
  counts = null;

  constructor(draft, onChange) {
    this.onChange = onChange;
    draft.show((push) => {
      const question = write({ platform: push.platform, audience: push.audience });
      if (question === this.#asked) return onChange(push, this.counts, null);
      this.#asked = question;
      clearTimeout(this.#timer);
      if (!hasAudience(push)) {
        this.counts = null;
        return onChange(push, null, null);
      }
      this.#timer = setTimeout(() => this.#count(draft, question), this.counts ? pause : 0);
    });
  }

  async #count(draft, question) {
    let problem = null;
    let counts = null;
    try { counts = await api("POST", "/posthorn/v1/audience", question); } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      problem = refusal.message;
    }
    // The audience may have changed meanwhile.
    if (question !== this.#asked) return;
    this.counts = counts;
    this.onChange(draft.push, counts, problem);
  }
}

const number = new Intl.NumberFormat(document.documentElement.lang);
export const shown = (count) => number.format(count);

/** The sentence on an audience: how many devices, and how many cannot be reached. */
function sentence(counts) {
  const missing = [
    ["without_token", counts.without_token], ["refused", counts.refused], ["push_off", counts.push_off],
  ].filter(([, count]) => count > 0).map(([key, count]) => text("compose", `count_${key}`, { count: shown(count) }));
  const all = text("compose", counts.devices === 1 ? "count_one" : "count_devices", { count: shown(counts.devices) });
  return [all, ...missing].join(" · ");
}

/** What is to be said of the environment: a key of the texts, or null. */
export function environmentNote(push, counts) {
  if (!counts) return null;
  const here = environment(push);
  const there = here === "production" ? "development" : "production";
  if (counts.devices === 0) return "note_nobody";
  if (push.notification === undefined || counts[here] > 0) return null;
  return counts[there] > 0 ? `note_only_${there}` : "note_unreachable";
}

/** Connects everything about the audience with the draft, and counts it. */
export function bindAudience(form, draft) {
  bindKind(form, draft);
  bindUpload(draft);
  for (const place of form.querySelectorAll("[data-names]")) bindNames(place, draft);
  bindEnvironment(form, draft);
  const find = (id) => document.getElementById(id);
  new Counter(draft, (push, counts, problem) => {
    find("count").textContent = counts ? sentence(counts) : text("compose", "count_none");
    find("summary").textContent = find("count").textContent;
    find("in-production").textContent = counts ? shown(counts.production) : "–";
    find("in-development").textContent = counts ? shown(counts.development) : "–";
    const note = environmentNote(push, counts);
    find("environment-note").hidden = !note;
    find("environment-note").textContent = note
      ? text("compose", note, { production: shown(counts.production), development: shown(counts.development) }) : "";
    if (counts || problem || !hasAudience(push)) {
      find("audience-problem").hidden = !problem;
      find("audience-problem").textContent = problem ?? "";
    }
  });
}
