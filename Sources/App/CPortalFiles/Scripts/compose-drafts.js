// What one writes is kept in the browser: the last draft without being asked, others by name.

import { api, during, element, kept, loadTexts, show, text } from "./portal.js";
import { copyOf } from "./compose-push.js";
import { parse, write } from "./compose-json.js";

await loadTexts("compose");

const key = kept("drafts");
/** Milliseconds without a key before the draft is kept. */
const pause = 400;

function stored() {
  try { return JSON.parse(localStorage.getItem(key)) ?? {}; } catch { return {}; }
}

/** Keeps the drafts; false if the browser does not. */
function store(drafts) {
  try {
    localStorage.setItem(key, JSON.stringify(drafts));
    return true;
  } catch { return false; }
}

/** Returns what was written last, if the address names no other push; null if there is nothing. */
export function lastDraft() {
  const { last } = stored();
  if (!last || location.search) return null;
  try { return parse(last); } catch { return null; }
}

let timer = null;

/** Forgets what was written last, after it was sent. */
export function forgetLast() {
  clearTimeout(timer);
  store({ ...stored(), last: undefined });
}

/** Connects the draft with what the browser keeps; `fresh` is the push that the page began with. */
export function bindDrafts(draft, fresh, wasRestored) {
  const find = (id) => document.getElementById(id);
  const [open, name, result] = [find("draft-open"), find("draft-name"), find("draft-result")];
  const named = () => stored().named ?? {};
  const list = (chosen = "") => {
    const options = Object.keys(named()).sort().map((each) => element("option", { value: each }, each));
    open.replaceChildren(open.options[0], ...options);
    open.value = chosen;
    find("draft-remove").hidden = !chosen;
  };
  draft.show((push, origin, isFirst) => {
    clearTimeout(timer);
    if (isFirst && !origin) return;
    document.documentElement.dataset.draft = "changed";
    timer = setTimeout(() => {
      if (!store({ ...stored(), last: write(push) })) return show(result, "warning", text("compose", "draft_full"));
      document.documentElement.dataset.draft = "kept";
    }, pause);
  });
  open.addEventListener("change", () => {
    const found = named()[open.value];
    find("draft-remove").hidden = !found;
    if (!found) return;
    name.value = open.value;
    draft.replace(parse(found));
  });
  find("draft-save").addEventListener("click", () => {
    const wanted = name.value.trim();
    if (!wanted) return show(result, "problem", text("compose", "draft_unnamed"));
    if (!store({ ...stored(), named: { ...named(), [wanted]: write(draft.push) } })) return show(result, "problem", text("compose", "draft_full"));
    list(wanted);
    show(result, "success", text("compose", "draft_saved", { name: wanted }));
  });
  find("draft-remove").addEventListener("click", () => {
    const { [open.value]: gone, ...rest } = named();
    const removed = open.value;
    store({ ...stored(), named: rest });
    list();
    show(result, "success", text("compose", "draft_removed", { name: removed }));
  });
  find("draft-new").addEventListener("click", () => {
    name.value = "";
    list();
    result.hidden = true;
    draft.replace(parse(fresh));
    forgetLast();
  });
  find("template-save")?.addEventListener("click", ({ currentTarget }) => during(currentTarget, result, async () => {
    const wanted = name.value.trim();
    if (!wanted) return show(result, "problem", text("compose", "draft_unnamed"));
    const { audience, cid, ...push } = draft.push;
    await api("POST", "/posthorn/v1/templates", `{"name":${JSON.stringify(wanted)},"push":${write(push)}}`);
    show(result, "success", text("compose", "template_saved", { name: wanted }));
  }));
  list();
  if (wasRestored) show(result, "note", text("compose", "draft_restored"));
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;

/** Asks for the values of a template's variables, and fills them in; those without one stay as they are. */
export function bindVariables(draft) {
  const place = document.getElementById("variables");
  if (!new URLSearchParams(location.search).has("template")) return;
  const template = copyOf(draft.push);
  const names = new Set([...write(template).matchAll(placeholder)].map(([, name]) => name));
  if (!names.size) return;
  const values = {};
  const filled = (value) => {
    if (typeof value === "string") return value.replace(placeholder, (whole, name) => values[name] || whole);
    if (Array.isArray(value)) return value.map(filled);
    if (value && Object.getPrototypeOf(value) === Object.prototype) return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, filled(each)]));
    return value;
  };
  place.hidden = false;
  place.replaceChildren(...[...names].map((name) => {
    const field = element("input", { id: `variable-${name}` });
    field.addEventListener("input", () => {
      values[name] = field.value;
      draft.change((push) => {
        for (const member of Object.keys(template)) if (member !== "audience") push[member] = filled(template[member]);
      }, field);
    });
    return element("div", {}, element("label", { for: `variable-${name}` }, name), field);
  }));
}
