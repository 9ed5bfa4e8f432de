// Test people: kept in the browser, and sent the push before everybody else.

import { Refusal, api, app, during, element, kept, loadTexts, show, text } from "./portal.js";
import { forOneDevice } from "./compose-push.js";
import { write } from "./compose-json.js";

await loadTexts("compose");

const key = kept("people");
const most = 20;

function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return Array.isArray(found) ? found.map(String) : [];
  } catch { return []; }
}

/** Returns the device with a registration id or an alias. */
export async function deviceOf(name) {
  const { devices } = await api("GET", `/posthorn/v1/devices?limit=1&alias=${encodeURIComponent(name)}`);
  return devices[0] ?? await api("GET", `/posthorn/v1/devices/${encodeURIComponent(name)}`);
}

/** Connects the list with the draft; `confirmTexts` asks whether placeholders are meant. */
export function bindPeople(draft, confirmTexts) {
  const [list, input, send, result] = ["people-list", "people", "people-send", "people-result"].map((id) => document.getElementById(id));
  const draw = () => {
    const people = stored();
    list.hidden = !people.length;
    list.replaceChildren(...people.map((name) => element("li", { class: "tag" }, name, element("button", {
      type: "button", "aria-label": text("compose", "remove", { name }), onclick: () => { put(stored().filter((each) => each !== name)); input.focus(); },
    }, "×"))));
  };
  const put = (people) => {
    localStorage.setItem(key, JSON.stringify(people));
    draw();
  };
  const add = () => {
    const names = input.value.split(/[,，\n]/).map((name) => name.trim()).filter(Boolean);
    const people = [...new Set([...stored(), ...names])];
    const left = people.splice(most);
    input.value = left.join(", ");
    if (names.length) put(people);
    if (left.length) show(result, "problem", text("compose", "people_most", { most, names: input.value }));
    return !left.length;
  };
  input.addEventListener("change", add);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== ",")) return;
    event.preventDefault();
    add();
  });
  send.addEventListener("click", () => during(send, result, async () => {
    if (!add()) return;
    const people = stored();
    if (!people.length) return show(result, "problem", text("compose", "people_none"));
    const lines = [];
    let isWhole = true;
    let isConfirmed = false;
    for (const name of people) {
      try {
        const device = await deviceOf(name);
        const push = forOneDevice(draft.push, device);
        isConfirmed ||= await confirmTexts(push);
        if (!isConfirmed) return show(result, "note", text("compose", "not_sent"));
        const { msg_id: id } = await api("POST", "/v3/push", write(push));
        lines.push(element("li", {}, text("compose", "people_sent", { name, environment: text("compose", device.environment) }), " ",
          element("a", { href: `/portal/apps/${app}/messages/${id}` }, text("compose", "sent_link", { id }))));
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        isWhole = false;
        lines.push(element("li", {}, text("compose", "people_unknown", { name, problem: refusal.message })));
      }
    }
    show(result, isWhole ? "success" : "problem", "");
    result.append(element("ul", {}, ...lines));
  }));
  draw();
}
