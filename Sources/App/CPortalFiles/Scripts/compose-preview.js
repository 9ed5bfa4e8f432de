// What a phone would show, while one types.

import { inLanguage } from "./compose-languages.js";
import { look } from "./compose-look.js";
import { element, loadTexts, text } from "./portal.js";

await loadTexts("compose");

function notification(found, app) {
  const sign = found.badge === null ? null : element("span", { class: "badge" }, found.badge === "0" ? "" : found.badge);
  const lines = [
    found.title && element("p", { class: "look-title" }, found.title),
    found.subtitle && element("p", { class: "look-subtitle" }, found.subtitle),
    found.body && element("p", { class: "look-body" }, found.body),
  ].filter(Boolean);
  const level = found.level === "time-sensitive" || found.level === "critical"
    ? element("p", { class: "look-level" }, text("compose", `level_${found.level.replace("-", "_")}`)) : null;
  return element(
    "div", { class: "look" },
    element("span", { class: "look-icon", "aria-hidden": "true" }, app.slice(0, 1).toUpperCase(), sign),
    element("div", { class: "look-texts" },
      element("p", { class: "look-head" }, element("span", {}, app), element("span", {}, text("compose", "preview_now"))),
      level, ...lines),
  );
}

/** The facts below the notification, which a picture does not show. */
function facts(found) {
  const all = [
    found.hasSound && text("compose", "preview_sound"),
    found.badge !== null && text("compose", "preview_badge", { badge: found.badge }),
    found.thread && text("compose", "preview_thread", { thread: found.thread }),
    found.isChangeable && text("compose", "preview_changeable"),
  ].filter(Boolean);
  return all.length ? element("p", { class: "hint" }, all.join(" · ")) : null;
}

/** Connects the preview with the draft. */
export function bindPreview(place, draft) {
  const kinds = document.querySelectorAll('input[name="look"]');
  const app = place.dataset.app;
  const draw = () => {
    const found = look(inLanguage(draft.push, draft.language));
    const kind = [...kinds].find((radio) => radio.checked)?.value ?? "lock";
    place.className = `preview ${kind}`;
    const clock = kind === "lock" ? element("p", { class: "look-clock", "aria-hidden": "true" }, "9:41") : null;
    const shown = found.kind === "alert"
      ? notification(found, app)
      : element("p", { class: "look-none" }, text("compose", found.kind === "badge" ? "preview_badge_only" : `preview_${found.kind}`));
    place.replaceChildren(...[clock, shown].filter(Boolean));
    const below = facts(found);
    place.nextElementSibling?.remove();
    if (below) place.after(below);
  };
  for (const radio of kinds) radio.addEventListener("change", draw);
  draft.show(draw);
}
