// One push: its progress while it runs, and its withdrawal.

import { api, ask, during, element, follow, loadTexts, show, text } from "./portal.js";
import { ready, refresh } from "./pages.js";

await loadTexts("messages");

const live = document.getElementById("live");
const id = live.dataset.message;
const figure = (name) => document.querySelector(`[data-figure="${name}"]`);

let last = null;

/** Shows the rate since the state before. */
function showRate(done, at) {
  const place = document.getElementById("rate");
  if (last && at > last.at && done > last.done) place.textContent = text("messages", "per_second", { number: Math.round(((done - last.done) * 1000) / (at - last.at)) });
  last = { done, at };
}

/** Shows a state that the stream has sent. */
async function draw(state) {
  const { devices, sent, ended, waiting } = state.progress;
  const done = sent + ended;
  for (const [name, value] of Object.entries({ devices, sent, ended, waiting, done })) figure(name).textContent = value;
  const bar = document.getElementById("bar");
  bar.max = devices || 1;
  bar.value = done;
  showRate(done, state.at);
  const withdrawal = document.getElementById("withdrawal");
  if (withdrawal && waiting) withdrawal.hidden = false;
  await refresh("counts", "outcomes", "state", "taken-back");
}

if (live.dataset.live !== undefined) {
  // One after the other, so that an older answer never comes last.
  let turn = Promise.resolve();
  const end = follow(`${location.pathname}/live`, {
    state: (state) => { turn = turn.then(() => draw(state)).catch(() => {}); },
    ended: () => end(),
  });
}

const button = document.getElementById("withdraw");
button?.addEventListener("click", async () => {
  const wanted = await ask({
    title: text("messages", "withdraw_title"),
    content: [element("p", {}, text("messages", "withdraw_text"))],
    submit: text("messages", "withdraw"),
    danger: true,
  });
  if (!wanted) return;
  const result = document.getElementById("withdraw-result");
  await during(button, result, async () => {
    await api("DELETE", `/v3/push/${id}`);
    const { progress, outcomes, taken_back: order } = await api("GET", `/posthorn/v1/messages/${id}`);
    const left = outcomes.filter(({ event, part }) => event === "withdrawn" && part === "notification").reduce((sum, each) => sum + each.devices, 0);
    // A custom message goes to devices as they connect.
    const key = progress.devices === 0 ? "withdrawn" : left ? "withdrawn_left" : "withdrawn_none";
    const others = progress.devices - left - progress.sent;
    const sentences = [text("messages", key, { left, ...progress })];
    if (others > 0) sentences.push(text("messages", "withdrawn_others", { count: others }));
    if (order) sentences.push(text("messages", "asked", { count: order.removed + order.absent + order.waiting }));
    show(result, left || order || progress.devices === 0 ? "success" : "warning", sentences.join(" "));
    await refresh("progress", "counts", "outcomes", "taken-back");
    document.getElementById("withdrawal").hidden = true;
    result.focus();
  });
});

ready("message");
