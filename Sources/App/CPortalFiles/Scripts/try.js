// Runs cases of the callback matrix, and shows what was seen beside what was expected.
import { call, element, loadTexts, Refusal, show, text } from "./portal.js";

await loadTexts("phone");

const all = document.getElementById("run-all");
const result = document.getElementById("result");
const rows = [...document.querySelectorAll("#cases tbody tr")];
const t = (key, values) => text("phone", key, values);

/** Runs the case of a row. Returns whether it agrees with the table. */
async function run(row) {
  const outcome = await call("POST", `/portal/api/matrix/${all.dataset.os}/${row.dataset.number}`);
  const agrees = outcome.differences.length === 0;
  row.dataset.agrees = String(agrees);
  row.querySelector(".seen").replaceChildren(
    ...(outcome.callbacks.length ? outcome.callbacks.map((each) => element("code", {}, each)) : [element("span", { class: "quiet" }, t("no_callback"))]),
    element("div", { class: "quiet" }, `${t(outcome.banner ? "banner" : "no_banner")} · ${t(outcome.listed ? "listed" : "not_listed")}`),
    element("div", { class: agrees ? "good" : "bad" }, agrees ? `✔ ${t("agrees")}` : `✘ ${t("differs")}${text("layout", "colon")}${outcome.differences.join(text("layout", "semicolon"))}`),
  );
  return agrees;
}

async function runAll(chosen) {
  let different = 0;
  try {
    for (const [index, row] of chosen.entries()) {
      if (!(await run(row))) different += 1;
      show(result, different ? "problem" : "note", t("progress", { done: index + 1, count: chosen.length, different }));
    }
    show(result, different ? "problem" : "success", t("progress", { done: chosen.length, count: chosen.length, different }));
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    show(result, "problem", refusal.message);
  }
}

for (const row of rows) {
  const button = row.querySelector(".run");
  button.addEventListener("click", () => runAll([row]));
  button.disabled = false;
}
all.addEventListener("click", async () => {
  all.disabled = true;
  await runAll(rows);
  all.disabled = false;
});
all.disabled = false;
