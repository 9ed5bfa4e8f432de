// The list of phones: adds one.
import { call, during } from "./portal.js";

const form = document.getElementById("add");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  during(form.querySelector("button"), document.getElementById("add-result"), async () => {
    const { name } = await call("POST", "/portal/api/phones", { system: form.elements.system.value, app: form.elements.app.value });
    location.assign(`/portal/phones/${encodeURIComponent(name)}`);
  });
});
if (form) form.querySelector("button").disabled = false;
