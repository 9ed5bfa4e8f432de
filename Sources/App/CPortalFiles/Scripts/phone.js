// A live phone: its state and timeline as they come, and the controls beside it.
import { call, element, follow, loadTexts, Refusal, show, text } from "./portal.js";
import { PhoneView, clock, row } from "./phone-view.js";
import { alertTime } from "./phone-activities.js";

await loadTexts("phone");

const page = document.getElementById("phone-page");
const result = document.getElementById("result");
const timeline = document.getElementById("timeline");
const box = document.getElementById("timeline-box");
const isSender = "sender" in page.dataset;
const field = (id) => document.getElementById(id);
let bundle = page.dataset.bundle;
let state = null;
let offset = 0;
/** The number of rows that the page keeps. */
const rows = 1000;

async function order(order, app = bundle) {
  result.hidden = true;
  try {
    await call("POST", `/portal/api/phones/${encodeURIComponent(page.dataset.name)}/order`, { order, app });
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    show(result, "problem", refusal.message);
  }
}

const view = new PhoneView(field("phone"), {
  act: isSender ? order : null,
  media: (notification, attachment) => `${page.dataset.path}/attachment?${new URLSearchParams({ notification, attachment })}`,
});

const now = () => new Date(Date.now() + offset);

const known = (entry) => timeline.querySelector(`[data-number="${entry.number}"]`);

function update({ state: next, entries }) {
  state = next;
  offset = new Date(state.date).getTime() - Date.now();
  view.now = now();
  // An alert of long ago is over, and a connection that is opened again repeats entries.
  for (const entry of entries) {
    if (new Date(state.date) - new Date(entry.date) < alertTime && !known(entry)) view.take(entry);
  }
  view.draw(state);
  view.tick(now());
  const names = Object.fromEntries(state.apps.map((app) => [app.id, app.name]));
  // Newest on top, where it is seen.
  for (const entry of entries) {
    if (known(entry)) continue;
    timeline.prepend(row(entry, state.timeZone, names));
  }
  while (timeline.rows.length > rows) timeline.lastElementChild.remove();
  if (entries.length) box.scrollTop = 0;
  if (isSender) controls();
}

function controls() {
  const app = state.apps.find((each) => each.id === bundle) ?? state.apps[0];
  if (!app) return;
  field("lock").disabled = state.isLocked;
  field("unlock").disabled = !state.isLocked;
  field("offline").disabled = !state.isConnected;
  field("online").disabled = state.isConnected;
  const next = [...state.apps.map((each) => each.nextFiring), state.nextSummary].filter(Boolean).sort()[0];
  field("to-firing").disabled = !next;
  field("next-firing").textContent = next
    ? text("phone", "next_firing", { time: clock(new Date(next), state.timeZone, { dateStyle: "medium", timeStyle: "medium" }) })
    : text("phone", "no_firing");
  field("allowed").checked = ["authorized", "provisional"].includes(app.permission);
  for (const name of ["sounds", "badges", "banners"]) field(name).checked = app[name];
  field("summarized").checked = app.summarized === true;
  field("summarized").disabled = app.summarized === null;
  field("live-activities").checked = app.liveActivities === true;
  field("live-activities").disabled = app.liveActivities === null;
  field("previews").value = app.previews;
  field("grouping").value = app.grouping;
  if (document.activeElement !== field("focus")) field("focus").value = state.focus ?? "";
  field("language").value = state.language;
  field("storefront").value = state.storefront;
  for (const [id, value] of [["zone", state.timeZone], ["summary", state.summaryTimes.join(" ")]]) {
    if (document.activeElement !== field(id)) field(id).value = value;
  }
  if (state.location) mark(state.location.latitude, state.location.longitude);
  choice();
}

/** The choice of the app that the controls are about, if there are several. */
function choice() {
  const place = field("app-choice");
  if (state.apps.length < 2 || place.childElementCount) return;
  const select = element("select", { id: "app-of-controls", onchange: (event) => { bundle = event.currentTarget.value; controls(); } });
  for (const app of state.apps) select.append(element("option", { value: app.id, selected: app.id === bundle }, app.name));
  place.append(element("label", { for: "app-of-controls" }, text("phone", "app")), select);
}

const svg = (name, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

function drawMap() {
  const map = field("map");
  for (let degrees = -150; degrees < 180; degrees += 30) map.append(svg("line", { x1: degrees, x2: degrees, y1: -90, y2: 90, class: degrees === 0 ? "axis" : "" }));
  for (let degrees = -60; degrees < 90; degrees += 30) map.append(svg("line", { y1: degrees, y2: degrees, x1: -180, x2: 180, class: degrees === 0 ? "axis" : "" }));
  map.append(svg("circle", { id: "map-mark", r: 4, cx: 0, cy: 0, visibility: "hidden" }));
  map.addEventListener("click", (event) => {
    const bounds = map.getBoundingClientRect();
    const longitude = Math.round((((event.clientX - bounds.left) / bounds.width) * 360 - 180) * 100) / 100;
    const latitude = Math.round((90 - ((event.clientY - bounds.top) / bounds.height) * 180) * 100) / 100;
    order({ location: { latitude, longitude } });
  });
}

function mark(latitude, longitude) {
  const spot = field("map-mark");
  spot.setAttribute("cx", longitude);
  spot.setAttribute("cy", -latitude);
  spot.setAttribute("visibility", "visible");
  for (const [id, value] of [["latitude", latitude], ["longitude", longitude]]) {
    if (document.activeElement !== field(id)) field(id).value = value;
  }
}

function submits(id, body) {
  field(id).addEventListener("submit", (event) => {
    event.preventDefault();
    body(new FormData(event.currentTarget));
  });
}

function connectControls() {
  drawMap();
  for (const button of document.querySelectorAll("[data-order]")) {
    button.addEventListener("click", () => order(JSON.parse(button.dataset.order)));
  }
  const changes = (id, body) => field(id).addEventListener("change", (event) => body(event.currentTarget));
  changes("allowed", (each) => order(each.checked ? { allow: {} } : { deny: {} }));
  changes("live-activities", (each) => order({ activity: { _0: { allow: { _0: each.checked } } } }));
  changes("summarized", (each) => order({ summarize: { _0: each.checked } }));
  for (const each of document.querySelectorAll("[data-setting]")) {
    changes(each.id, () => order({ settings: { _0: { [each.id]: each.type === "checkbox" ? each.checked : each.value } } }));
  }
  changes("focus", (each) => order({ focus: { _0: each.value } }));
  changes("language", (each) => order({ language: { _0: each.value } }));
  changes("storefront", (each) => order({ storefront: { _0: each.value } }));
  changes("access", (each) => { if (each.value) order({ locationAccess: { _0: Number(each.value) } }); });
  submits("clock-form", (form) => order({ turnClockTo: { _0: new Date(form.get("date")).getTime() / 1000 } }));
  submits("zone-form", (form) => order({ timeZone: { _0: form.get("zone").trim() } }));
  submits("summary-form", (form) => {
    const times = form.get("times").trim().split(/\s+/).filter(Boolean).map((each) => each.split(":").map(Number));
    if (times.some(([hour, minute]) => !(hour >= 0 && hour < 24 && minute >= 0 && minute < 60))) return show(result, "problem", text("phone", "bad_times"));
    order({ summary: { times: times.map(([hour, minute]) => ({ hour, minute })) } });
  });
  submits("place-form", (form) => order({ location: { latitude: Number(form.get("latitude")), longitude: Number(form.get("longitude")) } }));
}

if (isSender) connectControls();
follow(`${page.dataset.path}/events`, { phone: update });
setInterval(() => view.tick(now()), 1000);
