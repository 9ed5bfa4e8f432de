// Changing one's own password.

import { call, during, loadTexts, show, text } from "./portal.js";
import { ready } from "./pages.js";

await loadTexts("users");

const byId = (id) => document.getElementById(id);

byId("change").addEventListener("submit", async (event) => {
  event.preventDefault();
  const result = byId("result");
  if (byId("password").value !== byId("again").value) return show(result, "problem", text("users", "not_same"));
  const body = { present: byId("present").value, password: byId("password").value };
  const changed = await during(event.submitter, result, () => call("POST", "/portal/api/account/password", body));
  if (!changed) return;
  event.target.reset();
  show(result, "success", text("users", "changed"));
});

ready("account");
