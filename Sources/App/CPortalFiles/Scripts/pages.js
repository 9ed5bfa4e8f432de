// Small things that the pages for apps, devices, schedules and users share.

import { app, ask, element, loadTexts, operate, show, text } from "./portal.js";

await loadTexts("apps");

/** Notes that a script has taken over its part of the page, as `html[data-ready~="NAME"]`. */
export function ready(name) {
  const { dataset } = document.documentElement;
  dataset.ready = dataset.ready ? `${dataset.ready} ${name}` : name;
}

/** Reads the page again and replaces these parts of it, named by their ids. */
export async function refresh(...ids) {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) return location.reload();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const id of ids) {
    const fresh = page.getElementById(id);
    if (fresh) document.getElementById(id).replaceWith(document.importNode(fresh, true));
  }
}

/** Asks before something is removed. Returns whether the user wants it. */
export async function confirmed(title, sentence, submit) {
  return (await ask({ title, content: [element("p", {}, sentence)], submit, danger: true })) !== null;
}

/** A list of facts: pairs of a name and a text; pairs without a text are left out. */
export function facts(pairs) {
  const list = element("dl", { class: "facts" });
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("dt", {}, name), element("dd", {}, value));
  }
  return list;
}

/** A button that copies a text; the result is told beside it. */
export function copyButton(copied) {
  const result = element("span", { role: "status" });
  const button = element("button", {
    type: "button",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(copied);
        result.textContent = text("apps", "copied");
      } catch {
        result.textContent = text("apps", "copy_failed");
      }
    },
  }, text("apps", "copy"));
  return [button, result];
}

const states = { ok: ["state_ok", "good"], warning: ["state_warn", "warn"], wrong: ["state_wrong", "bad"], unknown: ["state_unknown", "quiet"] };

/** A table of what the doctor found. */
function findingsTable(findings) {
  const rows = findings.map((finding) => {
    const [key, kind] = states[finding.state] ?? states.unknown;
    return element(
      "tr", {},
      element("td", { class: kind }, text("apps", key)),
      element("td", {}, element("code", {}, finding.check)),
      element("td", {}, element("p", {}, finding.found), finding.remedy && element("p", {}, finding.remedy)),
    );
  });
  const heads = ["state", "check", "finding"].map((key) => element("th", { scope: "col" }, text("apps", key)));
  return element(
    "div", { class: "table", tabindex: "0", role: "region", "aria-label": text("apps", "finding") },
    element("table", { class: "findings" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
  );
}

/** Lets a button run the doctor, and shows the findings in `place`: what is wrong first. */
export function offerDoctor(button, place, parameters = {}) {
  const order = ["wrong", "warning", "unknown", "ok"];
  // A viewer has none.
  button?.addEventListener("click", async () => {
    button.disabled = true;
    place.replaceChildren(element("p", {}, text("apps", "doctor_running")));
    try {
      const { ok, findings } = await operate("doctor.run", { app, ...parameters });
      findings.sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
      const sentence = element("p", { class: ok ? "success" : "problem" }, text("apps", ok ? "doctor_ok" : "doctor_wrong"));
      place.replaceChildren(sentence, findingsTable(findings));
    } catch (refusal) {
      const sentence = element("p");
      show(sentence, "problem", refusal.message);
      place.replaceChildren(sentence);
    } finally {
      button.disabled = false;
    }
  });
}
