// The users: creating, roles, passwords, removing.

import { ask, during, element, loadTexts, operate, show, text } from "./portal.js";
import { confirmed, ready, refresh } from "./pages.js";

await loadTexts("apps", "users");

const form = document.getElementById("create");
const result = document.getElementById("result");
const table = document.querySelector("div:has(> #users)");

async function done(sentence) {
  await refresh("users");
  show(result, "success", sentence);
  result.focus();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = document.getElementById("create-result");
  place.hidden = true;
  const { name, role, password } = Object.fromEntries(new FormData(form));
  const created = await during(event.submitter, place, () => operate("user.create", { name, role, password }));
  if (!created) return;
  form.reset();
  await done(text("users", "created_user", { name, role }));
});

table.addEventListener("change", async (event) => {
  const { user } = event.target.dataset;
  if (!user) return;
  const role = event.target.value;
  if (await during(event.target, result, () => operate("user.set", { name: user, role }))) {
    await done(text("users", "role_set", { name: user, role }));
  } else {
    await refresh("users");
    result.focus();
  }
});

async function setPassword(button, name) {
  const fields = await ask({
    title: text("users", "set_password_of", { name }),
    content: [
      element("label", { for: "set-password" }, text("users", "password")),
      element("input", { id: "set-password", name: "password", type: "password", autocomplete: "new-password", minlength: "10", required: true, "aria-describedby": "set-password-hint" }),
      element("p", { class: "hint", id: "set-password-hint" }, text("users", "set_password_hint")),
    ],
    submit: text("users", "set_password"),
  });
  if (!fields) return;
  const { password } = fields;
  if (await during(button, result, () => operate("user.set", { name, password }))) await done(text("users", "password_set", { name }));
}

async function remove(button, name) {
  const sentence = text("users", "remove_text");
  if (!(await confirmed(text("users", "remove_title", { name }), sentence, text("apps", "remove")))) return;
  if (await during(button, result, () => operate("user.remove", { name }))) await done(text("users", "removed", { name }));
}

table.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.password) await setPassword(button, button.dataset.password);
  if (button?.dataset.remove) await remove(button, button.dataset.remove);
});

ready("users");
