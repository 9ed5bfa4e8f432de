// The fields of the form: each is a view on one member of the push. One that cannot be read changes nothing, and nothing is sent.

import { FieldProblem, alertPart, get, kinds, readField, set, setAlertPart, setSound, sound } from "./compose-push.js";
import { element, loadTexts, text } from "./portal.js";

await loadTexts("compose");

const partOf = (path) => path.split(".").at(-1);
/** Arguments of localized texts are lists; the other parts of an alert are texts. */
const alertKind = (part) => (part.endsWith("-args") ? "list" : "text");

function current(push, { path, kind }) {
  switch (kind) {
    case "alert": return alertPart(push, partOf(path));
    case "sound": return sound(push).name;
    case "critical": return sound(push).isCritical || undefined;
    case "volume": return sound(push).volume;
    default: return get(push, path);
  }
}

function store(push, { path, kind }, value) {
  switch (kind) {
    case "alert": return setAlertPart(push, partOf(path), value);
    case "sound": return setSound(push, { ...sound(push), name: value });
    case "critical": return setSound(push, { ...sound(push), isCritical: value === true });
    case "volume": return setSound(push, { ...sound(push), isCritical: true, volume: value });
    default: return set(push, path, value);
  }
}

const formatOf = ({ path, kind }) =>
  ({ alert: alertKind(partOf(path)), sound: "text", critical: "flag", volume: "number" })[kind] ?? kind;

function fill(input, push) {
  const value = current(push, input.dataset);
  const format = formatOf(input.dataset);
  if (input.type === "checkbox") {
    input.checked = kinds.flag.show(value) === "true";
    return;
  }
  const shown = value === undefined || value === null ? "" : kinds[format].show(value);
  if (input.tagName === "SELECT" && ![...input.options].some((option) => option.value === shown)) {
    input.append(element("option", { value: shown }, shown));
  }
  input.value = shown;
}

/** Shows a mistake beside the field, or takes it away. */
function mark(input, problem) {
  const id = `p-${input.id}`;
  document.getElementById(id)?.remove();
  input.toggleAttribute("aria-invalid", Boolean(problem));
  if (problem) input.after(element("p", { id, class: "bad hint", role: "alert" }, problem));
}

function read(input) {
  if (input.type === "checkbox") return input.checked || undefined;
  return readField(formatOf(input.dataset), input.value);
}

/** Returns what cannot be read: the JSON, beside which the form rests, or the first such field; null if all can. */
export const unreadable = () => document.querySelector("#json[aria-invalid]") ?? document.querySelector("#form [data-path][aria-invalid]");

/** Connects all fields of the form with the draft. */
export function bindForm(form, draft) {
  const inputs = [...form.querySelectorAll("[data-path]")];
  for (const input of inputs) {
    input.addEventListener(input.tagName === "SELECT" || input.type === "checkbox" ? "change" : "input", () => {
      try {
        const value = read(input);
        mark(input, null);
        draft.change((push) => store(push, input.dataset, value), input);
      } catch (problem) {
        if (!(problem instanceof FieldProblem)) throw problem;
        mark(input, text("compose", "not_json", { problem: text("compose", problem.message) }));
      }
    });
  }
  draft.show((push, origin, isNew) => {
    for (const input of inputs) {
      // A change elsewhere leaves what cannot be read for its writer to mend.
      if (input === origin || (!isNew && input.matches("[aria-invalid]"))) continue;
      mark(input, null);
      fill(input, push);
    }
  });
}
