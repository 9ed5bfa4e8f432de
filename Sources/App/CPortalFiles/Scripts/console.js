// The gateway's console: shows pushes as they come, opens one, and calls the control endpoint when something is clicked.

const body = document.body;
const words = body.dataset;
const find = (selector) => document.querySelector(selector);

/** Calls the control endpoint; returns the answer as JSON, null if it has no body. Throws an error with its words. */
async function call(method, path, json) {
  const options = { method };
  if (json !== undefined) {
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(json);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error(words.textUnreachable);
  }
  const text = await response.text();
  let answer = null;
  try { answer = text ? JSON.parse(text) : null; } catch { /* Not an answer of the gateway. */ }
  if (!response.ok) throw new Error(answer?.error ?? `HTTP ${response.status}`);
  return answer;
}

/** Reads a page of the console. */
async function read(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// MARK: Pushes and other parts that change

/** Puts new rows into the table and takes out old ones; rows that stay are left as they are, with the focus in them. */
function mergeRows(table, fresh) {
  const known = new Map([...table.rows].map((row) => [row.dataset.key, row]));
  const isFirst = known.size === 0;
  let added = 0;
  const rows = [...fresh.rows].map((row) => {
    const old = known.get(row.dataset.key);
    if (old) {
      known.delete(row.dataset.key);
      return old;
    }
    if (!isFirst) row.classList.add("fresh");
    added += 1;
    return document.adoptNode(row);
  });
  for (const row of known.values()) row.remove();
  rows.forEach((row, place) => { if (table.rows[place] !== row) table.insertBefore(row, table.rows[place] ?? null); });
  return added;
}

/** Shows the page's parts as they are now; returns the number of the latest push. */
async function refresh(forgets = false) {
  const page = await read(location.href);
  if (forgets) find("[data-merge=pushes]")?.replaceChildren();
  for (const part of document.querySelectorAll("[data-merge]")) {
    const fresh = page.querySelector(`[data-merge="${part.dataset.merge}"]`);
    if (!fresh) continue;
    if (part.dataset.merge === "pushes") {
      const added = mergeRows(part, fresh);
      find("#empty").hidden = page.querySelector("#empty").hidden;
      if (added) find("#news").textContent = words.textNew.replace("{count}", added);
    } else if (part.innerHTML !== fresh.innerHTML) {
      const key = part.contains(document.activeElement) ? document.activeElement.dataset.key : null;
      part.replaceChildren(...document.adoptNode(fresh).childNodes);
      const again = key && part.querySelector(`[data-key="${CSS.escape(key)}"]`);
      if (key) (again ?? find("#main")).focus();
    }
  }
  return Number(page.querySelector("#split")?.dataset.last ?? 0);
}

let paused = null;
let resume = () => {};

function tell(state, text) {
  const place = find("#live");
  if (place.textContent === text) return;
  place.className = state;
  place.textContent = text;
}

/** Waits for pushes, and shows them as they come. */
async function follow() {
  const split = find("#split");
  let last = Number(split?.dataset.last ?? 0);
  // Faults, links and counts change without a push too.
  const wait = split ? 25 : 2;
  while (true) {
    if (paused) await paused;
    try {
      const { pushes } = await call("GET", `/pushes?after=${last}&limit=1&wait=${wait}${split?.dataset.query ?? ""}`);
      if (paused) continue;
      if (pushes.length) last = pushes[0].number;
      if (pushes.length || !split) await refresh();
      tell("", words.textLive);
    } catch {
      tell("lost", words.textLost);
      await new Promise((done) => setTimeout(done, 1000));
      // A gateway that was started again counts from 1.
      try {
        last = await refresh(true);
        tell("", words.textLive);
      } catch { /* It is still away. */ }
    }
  }
}

if ("live" in words) {
  const button = find("#pause");
  button.parentElement.hidden = false;
  tell("", words.textLive);
  button.addEventListener("click", () => {
    if (paused) {
      paused = null;
      resume();
      tell("", words.textLive);
    } else {
      paused = new Promise((done) => { resume = done; });
      tell("paused", words.textPaused);
    }
    button.textContent = paused ? words.textResume : words.textPause;
  });
  follow();
}

// MARK: One push

/** Shows the push of an address beside the list, or none. */
async function open(address, keeps = true) {
  const page = await read(address);
  const [split, fresh] = [find("#split"), page.querySelector("#split")];
  if (!split || !fresh) return location.assign(address);
  split.classList.toggle("open", fresh.classList.contains("open"));
  find("#detail").replaceChildren(...document.adoptNode(page.querySelector("#detail")).childNodes);
  const number = new URL(address, location.href).searchParams.get("push");
  for (const row of find("[data-merge=pushes]").rows) {
    row.classList.toggle("chosen", row.dataset.key === number);
    const link = row.querySelector("[data-open]");
    if (row.dataset.key === number) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (keeps) history.pushState(null, "", address);
}

document.addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const row = event.target.closest(".pushes tbody tr");
  const link = event.target.closest("[data-open], [data-close]") ?? (event.target.closest("a") ? null : row?.querySelector("[data-open]"));
  if (!link || String(getSelection())) return;
  event.preventDefault();
  const before = new URL(location.href).searchParams.get("push");
  try {
    await open(link.href);
  } catch {
    return location.assign(link.href);
  }
  if (link.matches("[data-open]")) find("#detail").focus();
  else find(`tr[data-key="${CSS.escape(before ?? "")}"] [data-open]`)?.focus();
});

addEventListener("popstate", () => { if (words.view === "pushes") open(location.href, false).catch(() => location.reload()); });

// MARK: Faults, tokens, keys and connections

const result = find("#result");

function show(kind, text) {
  result.className = kind;
  result.textContent = text;
  result.hidden = false;
}

/** Asks whether to go on. */
function confirmed(question) {
  const dialog = find("#confirm");
  find("#confirm-text").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

/** Calls the control endpoint for a button, and shows what has changed. */
async function perform(button, method, path, json) {
  button.disabled = true;
  try {
    const answer = await call(method, path, json);
    show("success", answer?.tokens ? words.textIssued.replace("{token}", answer.tokens.join(" ")) : words.textDone);
    await refresh();
  } catch (problem) {
    show("problem", problem.message);
  } finally {
    button.disabled = false;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-path]");
  if (!button) return;
  if (button.dataset.confirm && !(await confirmed(button.dataset.confirm))) return;
  const json = button.dataset.body === undefined ? undefined : JSON.parse(button.dataset.body);
  await perform(button, button.dataset.method, button.dataset.path, json);
});

/** The fields of a form as JSON, without those that are empty. */
function fields(form) {
  const json = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || field.value.trim() === "") continue;
    const value = field.value.trim();
    json[field.name] = { number: () => Number(value), boolean: () => value === "true" }[field.dataset.json]?.() ?? value;
  }
  return json;
}

for (const form of document.querySelectorAll("form[data-post]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    perform(event.submitter ?? form.querySelector("button"), "POST", form.dataset.post, fields(form));
  });
}

/** Shows the fields of the chosen kind of fault. */
function chooseKind() {
  const kind = find("#kind").value;
  for (const place of document.querySelectorAll("[data-kinds]")) {
    const isWanted = place.dataset.kinds.split(" ").includes(kind);
    place.hidden = !isWanted;
    for (const field of place.querySelectorAll("input, select")) field.disabled = !isWanted;
  }
}

if (find("#kind")) {
  find("#kind").addEventListener("change", chooseKind);
  chooseKind();
}
