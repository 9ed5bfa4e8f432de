// The JSON of the push beside the form.

import { JSONMistake, isObject, parse, write } from "./compose-json.js";
import { loadTexts, text } from "./portal.js";

await loadTexts("compose");

/** Connects the text with the draft. As long as it is not JSON, the form rests: what it shows is no longer what is written. */
export function bindEditor({ area, problem, restore, form }, draft) {
  const mend = (mistake) => {
    const isBroken = mistake !== null;
    problem.hidden = restore.hidden = !isBroken;
    problem.textContent = isBroken ? mistake : "";
    area.toggleAttribute("aria-invalid", isBroken);
    form.inert = isBroken;
  };
  area.addEventListener("input", () => {
    try {
      const push = parse(area.value);
      if (!isObject(push)) return mend(text("compose", "json_object"));
      mend(null);
      draft.replace(push, area);
    } catch (mistake) {
      if (!(mistake instanceof JSONMistake)) throw mistake;
      const { line, column } = mistake;
      mend(text("compose", "json_mistake", { line, column, problem: text("compose", mistake.problem) }));
    }
  });
  restore.querySelector("button").addEventListener("click", () => {
    mend(null);
    draft.replace(draft.push);
    area.focus();
  });
  draft.show((push, origin) => {
    if (origin !== area) area.value = write(push, 2);
  });
  return { isBroken: () => form.inert };
}
