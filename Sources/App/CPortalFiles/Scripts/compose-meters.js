// A meter for each limit on sizes.

import { sizes } from "./compose-bytes.js";
import { element, loadTexts, text } from "./portal.js";

await loadTexts("compose");

/** Connects the meters with the draft. */
export function bindMeters(place, limits, draft) {
  draft.show((push) => {
    const meters = sizes(push, limits).map(({ part, bytes, limit }) => {
      const isOver = bytes > limit;
      const bar = element("div");
      bar.style.width = `${Math.min(100, (bytes / limit) * 100)}%`;
      const words = text("compose", isOver ? "size_over" : "size_of", { bytes, limit, over: bytes - limit });
      return element(
        "div", { class: isOver ? "size over" : "size", "data-part": part },
        element("p", {}, element("span", {}, text("compose", `size_${part}`)), element("span", { class: "mono" }, words)),
        element("div", { class: "meter", "aria-hidden": "true" }, bar),
      );
    });
    place.replaceChildren(...(meters.length ? meters : [element("p", { class: "hint" }, text("compose", "size_none"))]));
  });
}
