// Creating an app.

import { during, element, loadTexts, operate, text } from "./portal.js";
import { copyButton, facts, ready, refresh } from "./pages.js";

await loadTexts("apps");

const form = document.getElementById("create");
const place = document.getElementById("created");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const result = document.getElementById("create-result");
  result.hidden = true;
  const { name, bundle_id, environment, aliases } = Object.fromEntries(new FormData(form));
  const created = await during(form.querySelector("button"), result, () =>
    operate("app.create", { name, bundle_id, environment, aliases }));
  if (!created) return;
  form.reset();
  place.replaceChildren(
    element("h2", {}, text("apps", "created_title", { name: created.name })),
    facts([[text("apps", "key"), element("code", {}, created.app_key)]]),
    element("p", { class: "warning" }, text("apps", "secret_text")),
    element("p", { class: "secret" }, element("span", {}, text("apps", "secret")), element("code", { id: "secret" }, created.master_secret), ...copyButton(created.master_secret)),
    element("p", {}, element("a", { href: `/portal/apps/${created.app_key}` }, text("apps", "open"))),
  );
  place.hidden = false;
  place.focus();
  await refresh("all-apps");
});

ready("apps");
