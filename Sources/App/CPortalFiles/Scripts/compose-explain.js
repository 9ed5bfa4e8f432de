// The outcome of the push on versions of iOS, while one writes: the service asks its emulated phones.

import { Refusal, call, element, loadTexts, show, text } from "./portal.js";
import { write } from "./compose-json.js";

await loadTexts("compose");

/** Milliseconds without a change before the service is asked. */
const pause = 800;

function draw(part, { refusal, bytes_left: bytes, remarks, rows }) {
  const head = refusal
    ? text("compose", "explain_refused", { reason: refusal }) : text("compose", "explain_accepted", { bytes });
  show(part.querySelector("#explained"), refusal ? "problem" : "note", head);
  part.querySelector("#explained-remarks").replaceChildren(...remarks.map((remark) => element("li", {}, remark)));
  part.querySelector("#explained-rows").replaceChildren(...rows.flatMap(({ name, outcome, callbacks }) => [
    element("dt", {}, name),
    element("dd", {}, outcome, element("div", { class: "quiet" }, ...callbacks.length
      ? callbacks.map((name) => element("code", { class: "callback" }, name)) : [text("compose", "explain_no_call")])),
  ]));
}

/** Connects the part of the page with the draft. Nothing is asked while it is closed, or while an answer is awaited. */
export function bindExplanation(part, draft) {
  let timer = null;
  let asked = null;
  let isWaiting = false;
  const chosen = (name) => [...part.querySelectorAll(`input[name="${name}"]:checked`)].map((box) => box.value).join();
  const later = () => {
    clearTimeout(timer);
    if (part.open) timer = setTimeout(ask, pause);
  };
  async function ask() {
    const query = new URLSearchParams({ ios: chosen("ios"), states: chosen("states"), locale: draft.language ?? "" });
    // Nobody need be chosen yet.
    const body = write({ ...draft.push, audience: "all" });
    if (isWaiting || asked === query + body) return;
    asked = query + body;
    isWaiting = true;
    try {
      draw(part, await call("POST", `/portal/api/explain?${query}`, body));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      draw(part, { remarks: [], rows: [] });
      show(part.querySelector("#explained"), "problem", refusal.message);
    } finally { isWaiting = false; }
    later();
  }
  part.addEventListener("toggle", later);
  part.addEventListener("change", later);
  draft.show(later);
}
