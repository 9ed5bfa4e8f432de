// Earlier pushes: conditions on who got one, opened it, or did not, and the fields that name one.

import { api, element, loadTexts, text } from "./portal.js";
import { fates } from "./campaign-rule.js";
import { get } from "./compose-push.js";
import { isObject } from "./compose-json.js";

await loadTexts("compose", "messages");

/** Connects rows and fields with the draft; the app's latest pushes are read when the first is wanted. */
export function bindPast(draft) {
  const list = document.getElementById("past");
  const latest = element("datalist", { id: "latest-pushes" });
  list.after(latest);
  let pushes = null;
  const read = async () => {
    const { messages } = await api("GET", "/posthorn/v1/messages?limit=50");
    pushes = messages.map(({ msg_id: id, text: said }) => ({ id, said: said || text("messages", "no_text") }));
    latest.replaceChildren(...pushes.map(option));
  };
  const option = ({ id, said }) => element("option", { value: id }, `${said.slice(0, 60)} · ${id}`);
  const conditions = () => {
    const found = get(draft.push, "audience.x_pushes");
    return Array.isArray(found) ? found : [];
  };
  const put = (all, origin) => draft.change((push) => {
    if (!isObject(push.audience)) push.audience = {};
    if (all.length) push.audience.x_pushes = all;
    else delete push.audience.x_pushes;
  }, origin);
  const row = (condition, index) => {
    const id = String(condition?.msg_id?.source ?? condition?.msg_id ?? "");
    const known = (pushes ?? []).some((push) => push.id === id) || !id ? pushes ?? [] : [{ id, said: id }, ...pushes ?? []];
    const change = (member) => ({ target }) => put(conditions().map((each, place) => (place === index ? { ...each, [member]: target.value } : each)), list);
    const push = element("select", { "aria-label": text("compose", "past_push"), onchange: change("msg_id") }, ...known.map(option));
    push.value = id;
    const was = element("select", { "aria-label": text("compose", "past_was"), onchange: change("was") }, ...fates.map((fate) => element("option", { value: fate }, text("compose", `fate_${fate}`))));
    was.value = condition?.was;
    const remove = element("button", { type: "button", "aria-label": text("compose", "remove", { name: id }), onclick: () => put(conditions().filter((_, place) => place !== index)) }, "×");
    return element("li", {}, push, was, remove);
  };
  for (const name of ["x_unless_opened", "x_undo"]) {
    const field = document.getElementById(`f-${name}`);
    field.setAttribute("list", latest.id);
    // Without the list, an id can still be typed.
    field.addEventListener("focus", () => { if (!pushes) read().catch(() => {}); });
  }
  document.getElementById("past-add").addEventListener("click", async () => {
    if (!pushes) await read();
    if (pushes.length) put([...conditions(), { msg_id: pushes[0].id, was: "not_got" }]);
  });
  draft.show(async (push, origin) => {
    if (origin === list) return;
    if (conditions().length && !pushes) await read();
    list.replaceChildren(...conditions().map(row));
    if (conditions().length) list.closest("details").open = true;
  });
}
