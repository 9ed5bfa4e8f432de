// One app: settings, removing credentials, trying them at APNs, the doctor.

import { api, app, ask, during, element, loadTexts, operate, show, text } from "./portal.js";
import { confirmed, copyButton, offerDoctor, ready, refresh } from "./pages.js";

await loadTexts("apps");

const byId = (id) => document.getElementById(id);
const environmentName = (environment) => text("apps", environment === "production" ? "production" : "development");

// The environment

for (const choice of document.querySelectorAll("#environment input")) {
  const choose = async () => {
    const result = byId("environment-result");
    const others = [...document.querySelectorAll("#environment input")].filter((other) => other !== choice);
    const done = await during(choice, result, () => operate("app.set", { app, environment: choice.value }));
    if (done) show(result, "success", text("apps", "environment_saved", { environment: environmentName(choice.value) }));
    else others[0].checked = true;
  };
  choice.addEventListener("change", choose);
  // Chosen before this script ran.
  if (choice.checked && !choice.defaultChecked) choose();
}

// Strictness

byId("strict")?.addEventListener("change", async ({ currentTarget: box }) => {
  const strict = box.checked;
  const saved = await during(box, byId("strict-result"), () => operate("app.set", { app, strict }));
  if (saved) show(byId("strict-result"), "success", text("apps", "saved"));
  else box.checked = !strict;
});

// Who sets aliases, and the backend's key for proofs

const aliases = byId("aliases");
aliases?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const change = { app, aliases: byId("alias-policy").value, protected_tags: byId("protected-tags").value.trim() };
  const saved = await during(aliases.querySelector(".primary"), byId("aliases-result"), () => operate("app.set", change));
  if (!saved) return;
  const isMissing = saved.aliases === "proved" && !saved.has_alias_key;
  show(byId("aliases-result"), "success", text("apps", isMissing ? "alias_key_missing" : "saved"));
});
byId("alias-key")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const rotate = aliases.dataset.hasKey === "true";
  if (rotate && !(await confirmed(text("apps", "alias_key_rotate"), text("apps", "alias_key_rotate_text"), text("apps", "alias_key_rotate")))) return;
  const made = await during(button, byId("aliases-result"), () => operate("app.alias_key", { app, rotate }));
  if (!made) return;
  aliases.dataset.hasKey = "true";
  button.textContent = text("apps", "alias_key_rotate");
  byId("alias-key-place").replaceChildren(
    element("p", { class: "warning" }, text("apps", "alias_key_text")),
    element("p", { class: "secret" }, element("span", {}, text("apps", "alias_key")), element("code", { id: "alias-key-value" }, made.alias_key), ...copyButton(made.alias_key)),
  );
});

// Quiet hours

const quiet = byId("quiet");
quiet?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const hours = {
    from: byId("quiet-from").value, to: byId("quiet-to").value, zone: byId("quiet-zone").value.trim() || "device",
    allow_time_sensitive: byId("quiet-time-sensitive").checked,
  };
  const saved = await during(quiet.querySelector(".primary"), byId("quiet-result"), () =>
    operate("app.set", { app, quiet_hours: hours }));
  if (!saved) return;
  byId("quiet-remove").disabled = false;
  show(byId("quiet-result"), "success", text("apps", "saved"));
});
byId("quiet-remove")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const saved = await during(button, byId("quiet-result"), () => operate("app.set", { app, quiet_hours: null }));
  if (!saved) return;
  for (const id of ["quiet-from", "quiet-to", "quiet-zone"]) byId(id).value = "";
  byId("quiet-time-sensitive").checked = false;
  button.disabled = true;
  show(byId("quiet-result"), "success", text("apps", "quiet_removed"));
});

// The name

byId("rename")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = byId("app-name").value;
  const renamed = await during(event.submitter, byId("rename-result"), () => operate("app.rename", { app, name }));
  if (!renamed) return;
  byId("app-name").value = renamed.name;
  document.querySelector("h1").textContent = renamed.name;
  show(byId("rename-result"), "success", text("apps", "saved"));
});

// The master secret

byId("rotate")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = byId("rotated");
  const overlap = Number(byId("overlap").value);
  const title = text("apps", "rotate_title");
  if (!(await confirmed(title, text("apps", overlap ? "rotate_overlap" : "rotate_at_once"), text("apps", "rotate")))) return;
  const rotated = await during(event.submitter, byId("rotate-result"), () => operate("app.rotate_secret", { app, overlap }));
  if (!rotated) return;
  byId("rotate-result").hidden = true;
  place.replaceChildren(
    element("p", { class: "warning" }, text("apps", "secret_text")),
    element("p", { class: "secret" }, element("span", {}, text("apps", "secret")), element("code", { id: "secret" }, rotated.master_secret), ...copyButton(rotated.master_secret)),
  );
  place.hidden = false;
  place.focus();
  await refresh("former");
});
document.querySelector("section:has(#rotate)")?.addEventListener("click", async ({ target }) => {
  const button = target.closest("#former-end");
  if (!button) return;
  const ended = await during(button, byId("rotate-result"), () => operate("app.end_secret", { app }));
  if (!ended) return;
  byId("former").hidden = true;
  show(byId("rotate-result"), "success", text("apps", "former_ended"));
});

// Deleting the app

byId("delete-app")?.addEventListener("click", async (event) => {
  const button = event.currentTarget;
  const result = byId("delete-result");
  const contents = await during(button, result, () => operate("app.contents", { app }));
  if (!contents) return;
  const kinds = ["devices", "pushes", "waiting", "schedules", "templates", "segments", "callbacks", "credentials", "groups"];
  const rows = kinds.map((kind) => element("tr", {}, element("th", { scope: "row" }, text("apps", `goes_${kind}`)), element("td", { class: "number" }, `${contents[kind]}`)));
  const fields = await ask({
    title: text("apps", "delete_title", { name: contents.name }),
    content: [
      element("p", {}, text("apps", "delete_text")),
      element("div", { class: "table" }, element("table", { id: "goes" }, element("tbody", {}, ...rows))),
      element("label", { for: "delete-name" }, text("apps", "delete_name")),
      element("input", { id: "delete-name", name: "name", required: true, autocomplete: "off", spellcheck: "false" }),
    ],
    submit: text("apps", "delete_app"),
    danger: true,
  });
  if (!fields) return;
  const gone = await during(button, result, () => operate("app.delete", { app, name: fields.name }));
  if (gone) location.href = "/portal";
});

// Removing a credential. The table is replaced after changes, so its section listens.

document.querySelector("section:has(#credentials)").addEventListener("click", async (event) => {
  const button = event.target.closest("[data-remove]");
  if (!button) return;
  const { remove: id, name } = button.dataset;
  const title = text("apps", "remove_title", { name });
  if (!(await confirmed(title, text("apps", "remove_text"), text("apps", "remove")))) return;
  const result = byId("credentials-result");
  const removed = await during(button, result, () => operate("credential.remove", { app, credential: Number(id) }));
  if (!removed) return;
  byId("trial").replaceChildren();
  await refresh("credentials", "sends", "replace");
  show(result, "success", text("apps", "removed"));
  result.focus();
});

// Trying the credentials

function trialTable(results) {
  const rows = results.map((result) => {
    const [key, kind] = result.accepted ? ["accepted", "good"] : result.temporary ? ["temporary", "warn"] : ["not_accepted", "bad"];
    return element(
      "tr", {},
      element("th", { scope: "row" }, element("span", { class: `environment ${result.environment}` }, environmentName(result.environment))),
      element("td", { class: `nowrap ${kind}` }, text("apps", key)),
      element("td", {}, result.credential ? `${result.credential}` : ""),
      element("td", {}, result.finding),
    );
  });
  const heads = ["environment", "result", "credential", "finding"].map((key) => element("th", { scope: "col" }, text("apps", key)));
  return element(
    "div", { class: "table", tabindex: "0", role: "region", "aria-label": text("apps", "try") },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
  );
}

/** Tries the app's credentials in both environments. */
async function tryCredentials() {
  const place = byId("trial");
  const waiting = element("p", {}, text("apps", "trying"));
  place.replaceChildren(waiting);
  const answer = await during(byId("try"), waiting, () => operate("credential.test", { app }));
  if (answer) place.replaceChildren(trialTable(answer.results));
}
byId("try")?.addEventListener("click", tryCredentials);
document.addEventListener("credential-stored", tryCredentials);

offerDoctor(byId("doctor"), byId("findings"));

ready("app");
