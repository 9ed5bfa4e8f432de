// Shared by all pages: calls to the service, texts, dialogs.

const meta = (name) => document.querySelector(`meta[name="${name}"]`);

/** The key of the app that the page is about; an empty string on other pages. */
export const app = meta("app")?.content ?? "";

/** The key under which the browser keeps something of the signed-in user for the app: others use the same browser. */
export const kept = (name) => `posthorn.${name}.${app}.${document.querySelector(".account a")?.textContent}`;

const texts = {};

/** Loads sections of the catalogue. A script awaits this before it shows a text of theirs. */
export async function loadTexts(...sections) {
  await Promise.all(sections.map(async (section) => {
    texts[section] ??= (await import(`./texts.${document.documentElement.lang}.${section}.js`)).default;
  }));
}

await loadTexts("layout", "problems", "sign_in");

/** Returns a text of the catalogue, in which each `{name}` is replaced. */
export function text(section, key, values = {}) {
  const found = texts[section]?.[key] ?? `${section}.${key}`;
  return found.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

const languageNames = new Intl.DisplayNames(document.documentElement.lang, { type: "language" });

/** Returns the name of a language in the page's. Apps also report `zh_CN`, and what is no tag at all, which stays as it is. */
export function languageName(tag) {
  try { return languageNames.of(tag.replaceAll("_", "-")); } catch { return tag; }
}

/** A refusal of the service, in its words. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function request(method, path, body) {
  const headers = { "X-CSRF-Token": meta("csrf")?.content ?? "" };
  const isForm = body instanceof FormData;
  // The browser names the boundary of a form.
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  let response;
  try {
    const isReady = body === undefined || typeof body === "string" || isForm;
    response = await fetch(path, { method, headers, body: isReady ? body : JSON.stringify(body) });
  } catch {
    throw new Refusal(0, "unreachable", text("problems", "unreachable"));
  }
  const raw = await response.text();
  let json = null;
  try { json = raw ? JSON.parse(raw) : {}; } catch { /* A proxy's page is not JSON. */ }
  if (response.ok && json !== null) return json;
  const error = json?.error ?? {};
  throw new Refusal(response.status, error.code ?? null, error.message ?? json?.message ?? `HTTP ${response.status}`);
}

/**
 * Calls the service, and asks for the password if it wants it again. A body that is a text is JSON already; one that is
 * `FormData` is an upload.
 *
 * @throws {Refusal} if the service refuses.
 */
export async function call(method, path, body) {
  try {
    return await request(method, path, body);
  } catch (refusal) {
    if (refusal.code !== "authenticate_again" || !(await authenticate())) throw refusal;
    return request(method, path, body);
  }
}

/** Calls the API as the page's app: `api("POST", "/v3/push", {…})`. */
export const api = (method, path, body) => call(method, `/portal/api/apps/${app}${path}`, body);

/** Performs an operation: `operate("app.create", {…})`. */
export const operate = (operation, parameters = {}) => call("POST", `/portal/api/operator/${operation}`, parameters);

/** Makes an element: `element("p", { class: "hint" }, "text", child)`. Text never becomes markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Shows a dialog with a form; returns its fields, or null if the user cancelled. */
export function ask({ title, content = [], submit, danger = false }) {
  return new Promise((resolve) => {
    const form = element(
      "form", { method: "dialog" },
      element("h2", { id: "dialog-title" }, title), ...content,
      element(
        "p", { class: "row" },
        element("button", { value: "submit", class: danger ? "danger" : "primary" }, submit),
        element("button", { value: "cancel", formnovalidate: true }, text("layout", "cancel")),
      ),
    );
    const dialog = element("dialog", { "aria-labelledby": "dialog-title" }, form);
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "submit" ? Object.fromEntries(new FormData(form)) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for the user's password. Returns whether it was right. */
async function authenticate(problem = null) {
  const fields = await ask({
    title: text("sign_in", "again"),
    content: [
      element("p", {}, text("sign_in", "again_text")),
      problem && element("p", { class: "problem", role: "alert" }, problem),
      element("label", { for: "again" }, text("sign_in", "password")),
      element("input", { id: "again", name: "password", type: "password", autocomplete: "current-password", required: true }),
    ],
    submit: text("sign_in", "confirm"),
  });
  if (!fields) return false;
  try {
    const { csrf } = await request("POST", "/portal/api/authenticate", { password: fields.password });
    for (const field of document.querySelectorAll('input[name="csrf"]')) field.value = csrf;
    meta("csrf").content = csrf;
    return true;
  } catch (refusal) {
    return authenticate(refusal.message);
  }
}

/**
 * Follows a stream of events; `listeners` are called by type, with the data. One that the portal refuses, because too many pages follow
 * something, is tried again after half a minute. Returns what ends it.
 */
export function follow(path, listeners) {
  let source;
  const open = () => {
    source = new EventSource(path);
    for (const [type, listener] of Object.entries(listeners)) source.addEventListener(type, (event) => listener(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 30_000);
    });
  };
  open();
  return () => source.close();
}

/** Shows a result in an element with `role="status"` or `role="alert"`; `kind` is `success`, `problem`, `warning` or `note`. */
export function show(place, kind, message) {
  place.className = kind;
  place.textContent = message;
  place.hidden = false;
}

/** Runs `body` while a button is disabled; a refusal is shown in `place`. */
export async function during(button, place, body) {
  button.disabled = true;
  try {
    return await body();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    show(place, "problem", refusal.message);
    return null;
  } finally {
    button.disabled = false;
  }
}
