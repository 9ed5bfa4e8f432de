// Segments, A/B tests, templates and push plans.

import { api, app, during, element, languageName, loadTexts, show, text } from "./portal.js";
import { confirmed, ready } from "./pages.js";
import { JSONMistake, isObject, parse, write } from "./compose-json.js";
import { languageOptions } from "./compose-languages.js";
import { compare, conditions, fates, rowsOf, ruleOf, states } from "./campaign-rule.js";

await loadTexts("campaigns", "compose", "messages");

const find = (id) => document.getElementById(id);
const language = document.documentElement.lang;
const isSender = find("campaigns").hasAttribute("data-sender");
const number = new Intl.NumberFormat(language);
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
const list = new Intl.ListFormat(language, { type: "disjunction" });
const say = (key, values) => text("campaigns", key, values);
/** Milliseconds without a key before devices are counted. */
const pause = 250;

/** Runs `body`, whose refusal is shown at the end of the page. */
const attempt = (button, body) => during(button ?? {}, find("problem"), body);

function table(label, heads, rows, empty) {
  if (!rows.length) return element("p", { class: "empty" }, empty);
  const head = heads.map((name) => element("th", { scope: "col", class: name.isNumber && "number" }, name.text ?? name));
  return element(
    "div", { class: "table", tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)),
  );
}

const numeric = (key, section = "campaigns") => ({ text: text(section, key), isNumber: true });
const actions = (...buttons) => (isSender ? element("td", { class: "actions-cell" }, ...buttons) : null);
const actionsHead = () => (isSender ? [element("span", { class: "visually-hidden" }, say("actions"))] : []);

/** A button that says what it is for to those who do not see its row. */
const button = (key, name, onclick, kind = "") => element(
  "button", { type: "button", class: kind, onclick }, say(key), element("span", { class: "visually-hidden" }, `${text("layout", "colon")}${name}`),
);

const remove = (name, path, reload) => button("remove", name, async ({ currentTarget }) => {
  if (!(await confirmed(name, say("remove_text"), say("remove")))) return;
  if (await attempt(currentTarget, () => api("DELETE", path))) await reload();
}, "danger");

/** Lets a button open a form and another one close it; `open` fills the form. */
function bindForm(kind, open) {
  const form = find(`${kind}-form`);
  if (!form) return;
  const close = () => {
    form.hidden = true;
    find(`${kind}-new`).focus();
  };
  find(`${kind}-new`).addEventListener("click", () => openForm(kind, () => open?.()));
  find(`${kind}-cancel`).addEventListener("click", close);
}

function openForm(kind, fill) {
  find(`${kind}-form`).reset();
  find(`${kind}-result`).hidden = true;
  fill();
  find(`${kind}-form`).hidden = false;
  find(`${kind}-name`).focus();
}

// The app's pushes, by which conditions name them.

let pushes = [];

async function readPushes() {
  const answer = await attempt(null, () => api("GET", "/posthorn/v1/messages?limit=50"));
  pushes = (answer?.messages ?? []).map(({ msg_id: id, text: said }) => ({ id, said: said || text("messages", "no_text") }));
}

const nameOf = (id) => pushes.find((push) => push.id === id)?.said ?? id;

// Segments

let segments = [];

/** Says a condition in a sentence. */
function sentence(row) {
  const names = row.names && (
    row.kind === "push_state" ? row.names.map((state) => say(`state_${state}`))
      : row.kind === "language" ? row.names.map(languageName) : row.names
  );
  return say(row.kind === "push" ? `said_${row.was}` : `said_${row.kind}`, {
    names: names ? list.format(names) : "", days: row.days, from: row.from || "…", to: row.to || "…", name: row.name,
    push: row.push && nameOf(row.push),
  });
}

async function showSegments() {
  const answer = await attempt(null, () => api("GET", "/posthorn/v1/segments"));
  if (!answer) return;
  segments = answer.segments;
  const plain = segments.filter(({ rule }) => !rule.share);
  const rows = plain.map(({ name, rule, counts, problem }) => element(
    "tr", {},
    element("th", { scope: "row", class: "name" }, name),
    element("td", {}, ...(rowsOf(rule).length
      ? [element("ul", { class: "plain" }, ...rowsOf(rule).map((row) => element("li", {}, sentence(row))))] : [say("everyone")])),
    element("td", { class: "number" }, counts ? number.format(counts.devices) : element("span", { class: "bad" }, problem)),
    actions(
      button("edit", name, () => openForm("segment", () => rules.open(name, rule))),
      button("copy", name, () => openForm("segment", () => rules.open("", rule))),
      remove(name, `/posthorn/v1/segments/${encodeURIComponent(name)}`, showSegments),
    ),
  ));
  find("segments").replaceChildren(table(say("segments"), [say("name"), say("conditions"), numeric("devices"), ...actionsHead()], rows, say("no_segments")));
  showTests(segments.filter(({ rule }) => rule.share));
}

/** The form of a segment: rows of conditions and the JSON, each a view on one rule, and the number of devices. */
class Rules {
  #rows = [];
  #rule = {};
  #timer = null;
  #asked = null;

  constructor() {
    const choice = find("add-condition");
    choice.append(element("option", { value: "" }, say("choose")), ...Object.keys(conditions).map(
      (kind) => element("option", { value: kind }, say(`kind_${kind}`)),
    ));
    choice.addEventListener("change", () => {
      const kind = choice.value;
      if (!kind) return;
      choice.value = "";
      const empty = { names: { names: [] }, states: { names: [] }, days: { days: "7" }, range: { from: "", to: "" }, push: { push: pushes[0]?.id ?? "", was: "opened" }, attribute: { name: "", names: [] } };
      this.#rows.push({ kind, ...structuredClone(empty[conditions[kind].form]) });
      this.#draw();
      this.#changed();
      find("rows").lastElementChild.querySelector("input, select").focus();
    });
    find("segment-json").addEventListener("input", ({ target }) => {
      try {
        const rule = JSON.parse(write(parse(target.value)));
        if (!isObject(rule)) throw new JSONMistake("json_rule", target.value, 0);
        this.#rule = rule;
        this.#rows = rowsOf(rule);
        this.#draw();
        this.#count();
        target.removeAttribute("aria-invalid");
        find("segment-result").hidden = true;
      } catch (mistake) {
        if (!(mistake instanceof JSONMistake)) throw mistake;
        target.setAttribute("aria-invalid", "true");
        show(find("segment-result"), "problem", text("compose", "not_json", { problem: text("compose", mistake.problem) }));
      }
    });
    find("segment-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const name = find("segment-name").value.trim();
      const saved = await during(event.submitter, find("segment-result"), () => api("PUT", `/posthorn/v1/segments/${encodeURIComponent(name)}`, this.#rule));
      if (!saved) return;
      find("segment-form").hidden = true;
      await showSegments();
    });
  }

  open(name, rule) {
    find("segment-name").value = name;
    this.#rule = rule;
    this.#rows = rowsOf(rule);
    this.#draw();
    this.#changed();
  }

  /** A field of a row, which changes the rule as one types. */
  #field(row, key, label, attributes = {}, read = (typed) => typed) {
    const name = attributes.list ? "input" : attributes.options ? "select" : "input";
    const { options = [], value, ...rest } = attributes;
    const field = element(name, { "aria-label": label, autocapitalize: "none", spellcheck: "false", ...rest }, ...options);
    field.value = value ?? row[key];
    field.addEventListener(name === "select" ? "change" : "input", () => {
      row[key] = read(field.value);
      this.#changed();
    });
    return field;
  }

  #fields(row) {
    const label = say(`kind_${row.kind}`);
    const names = (key = "names", aria = label) => this.#field(
      row, key, aria, { value: row.names.join(", "), placeholder: say("names_hint") },
      (typed) => typed.split(/[,，\n]/).map((name) => name.trim()).filter(Boolean),
    );
    switch (conditions[row.kind].form) {
      case "names": {
        if (row.kind !== "language") return [names()];
        const field = names();
        const add = element("select", { "aria-label": text("compose", "language_add") }, ...languageOptions());
        add.addEventListener("change", () => {
          row.names = [...new Set([...row.names, add.value])].filter(Boolean);
          field.value = row.names.join(", ");
          add.value = "";
          this.#changed();
        });
        return [field, add];
      }
      case "days": return [this.#field(row, "days", label, { type: "number", min: "1", max: "10000" }), say("days")];
      case "range": return [this.#field(row, "from", say("from"), { placeholder: say("from") }), this.#field(row, "to", say("to"), { placeholder: say("to") })];
      case "attribute": return [this.#field(row, "name", say("attribute_name"), { placeholder: say("attribute_name") }), names("names", say("attribute_values"))];
      case "push": {
        const known = pushes.some(({ id }) => id === row.push) || !row.push ? pushes : [{ id: row.push, said: row.push }, ...pushes];
        return [
          this.#field(row, "push", label, { options: known.map(({ id, said }) => element("option", { value: id }, `${said.slice(0, 60)} · ${id}`)) }),
          this.#field(row, "was", say("fate"), { options: fates.map((fate) => element("option", { value: fate }, say(`fate_${fate}`))) }),
        ];
      }
      default: return states.map((state) => {
        const box = element("input", { type: "checkbox", checked: row.names.includes(state) });
        box.addEventListener("change", () => {
          row.names = states.filter((each) => (each === state ? box.checked : row.names.includes(each)));
          this.#changed();
        });
        return element("label", { class: "check" }, box, say(`state_${state}`));
      });
    }
  }

  #draw() {
    find("rows").replaceChildren(...this.#rows.map((row, index) => element(
      "li", {}, element("span", { class: "condition" }, say(`kind_${row.kind}`)), element("span", { class: "inline" }, ...this.#fields(row)),
      button("remove", say(`kind_${row.kind}`), () => {
        this.#rows.splice(index, 1);
        this.#draw();
        this.#changed();
        find("add-condition").focus();
      }),
    )));
  }

  #changed() {
    this.#rule = ruleOf(this.#rows, this.#rule);
    find("segment-json").value = write(this.#rule, 2);
    this.#count();
  }

  #count() {
    const question = write({ x_segment: this.#rule });
    this.#asked = question;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const place = find("segment-count");
      try {
        const { devices } = await api("POST", "/posthorn/v1/audience", question);
        if (question !== this.#asked) return;
        place.textContent = text("compose", devices === 1 ? "count_one" : "count_devices", { count: number.format(devices) });
      } catch (refusal) {
        if (question === this.#asked) place.textContent = refusal.message;
      }
    }, pause);
  }
}

const rules = isSender ? new Rules() : null;
bindForm("segment", () => rules.open("", {}));

// A/B tests

function showTests(groups) {
  const tests = Map.groupBy(groups, ({ rule }) => rule.share.test);
  const parts = [...tests].sort().map(([name, members]) => {
    members.sort((one, other) => one.rule.share.from - other.rule.share.from);
    const rows = members.map(({ name: group, rule, counts }) => element(
      "tr", {}, element("th", { scope: "row", class: "name" }, group),
      element("td", { class: "number" }, percent.format((rule.share.to - rule.share.from) / 100)),
      element("td", { class: "number" }, counts ? number.format(counts.devices) : "–"),
      actions(element("a", { class: "button", href: `/portal/apps/${app}/compose?abtest=${encodeURIComponent(group)}` }, say("push_to"),
        element("span", { class: "visually-hidden" }, `${text("layout", "colon")}${group}`))),
    ));
    const gone = isSender && button("remove", name, async ({ currentTarget }) => {
      if (!(await confirmed(name, say("remove_text"), say("remove")))) return;
      const all = () => Promise.all(members.map((group) => api("DELETE", `/posthorn/v1/segments/${encodeURIComponent(group.name)}`)));
      if (await attempt(currentTarget, all)) await showSegments();
    }, "danger");
    return element("article", { class: "card" }, element("h3", {}, name),
      table(name, [say("group"), numeric("share"), numeric("devices"), ...actionsHead()], rows, ""), gone && element("p", { class: "row end" }, gone));
  });
  find("tests").replaceChildren(...(parts.length ? parts : [element("p", { class: "empty" }, say("no_tests"))]));
}

/** The groups of the form, `{ name, share }` in percent. */
let groups = [];
const letters = "ABCDEFGH";

function drawGroups() {
  const rest = () => 100 - groups.reduce((sum, { share }) => sum + share, 0);
  const update = () => {
    for (const [index, row] of [...find("groups").children].entries()) {
      row.querySelector("output").textContent = percent.format(groups[index].share / 100);
      row.querySelector("input[type=range]").value = groups[index].share;
    }
    find("test-rest").textContent = say("rest", { share: percent.format(rest() / 100) });
    find("group-add").disabled = groups.length >= letters.length || rest() < 1;
  };
  find("groups").replaceChildren(...groups.map((group, index) => {
    const name = element("input", { "aria-label": say("group"), value: group.name, maxlength: "40", required: true, spellcheck: "false", autocapitalize: "none" });
    name.addEventListener("input", () => { group.name = name.value.trim(); });
    const slider = element("input", { type: "range", min: "1", max: "100", value: `${group.share}`, "aria-label": say("share_of", { name: group.name }) });
    slider.addEventListener("input", () => {
      group.share = Math.min(Number(slider.value), group.share + rest());
      update();
    });
    return element("li", {}, element("span", { class: "inline" }, name, slider, element("output", {})), button("remove", group.name, () => {
      groups.splice(index, 1);
      drawGroups();
    }));
  }));
  update();
}

function openTest() {
  groups = ["A", "B"].map((name) => ({ name, share: 50 }));
  drawGroups();
}

bindForm("test", openTest);
find("group-add")?.addEventListener("click", () => {
  const share = 100 - groups.reduce((sum, each) => sum + each.share, 0);
  groups.push({ name: letters[groups.length], share });
  drawGroups();
});
find("test-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const test = find("test-name").value.trim();
  const saved = await during(event.submitter, find("test-result"), async () => {
    let from = 0;
    for (const { name, share } of groups) {
      const group = `${test}_${name}`;
      await api("PUT", `/posthorn/v1/segments/${encodeURIComponent(group)}`, { share: { test, from, to: from + share } });
      from += share;
    }
    return true;
  });
  if (!saved) return;
  find("test-form").hidden = true;
  await showSegments();
});

// Templates

async function showTemplates() {
  const answer = await attempt(null, () => api("GET", "/posthorn/v1/templates"));
  if (!answer) return;
  const said = ({ notification: { alert, ios } = {}, message }) => {
    const own = ios?.alert ?? alert ?? message?.msg_content ?? "";
    return isObject(own) ? [own.title, own.body].filter(Boolean).join(" · ") : own;
  };
  const rows = answer.templates.map(({ id, name, push, variables }) => element(
    "tr", {}, element("th", { scope: "row", class: "name" }, name), element("td", {}, said(push)),
    element("td", {}, ...variables.map((variable) => element("code", { class: "tag" }, variable))),
    actions(
      element("a", { class: "button", href: `/portal/apps/${app}/compose?template=${id}` }, say("use"), element("span", { class: "visually-hidden" }, `${text("layout", "colon")}${name}`)),
      remove(name, `/posthorn/v1/templates/${id}`, showTemplates),
    ),
  ));
  find("templates").replaceChildren(table(say("templates"), [say("name"), say("text"), say("variables"), ...actionsHead()], rows, say("no_templates")));
}

// Plans

async function showPlans() {
  const answer = await attempt(null, () => api("GET", "/v3/push_plan/list?page_size=100"));
  if (!answer) return;
  const rows = answer.data.detail.map(({ name, description, push_count: count, last_used_time: used }) => element(
    "tr", {}, element("th", { scope: "row", class: "name" }, name, description && element("p", { class: "hint" }, description)),
    element("td", { class: "number" }, number.format(count)), element("td", {}, used ?? ""),
    element("td", { class: "actions-cell" }, button("show_results", name, ({ currentTarget }) => attempt(currentTarget, () => showResults(name))),
      isSender && element("a", { class: "button", href: `/portal/apps/${app}/compose?plan=${encodeURIComponent(name)}` }, say("push_to_plan"), element("span", { class: "visually-hidden" }, `${text("layout", "colon")}${name}`)),
      isSender && remove(name, `/posthorn/v1/plans/${encodeURIComponent(name)}`, showPlans)),
  ));
  find("plans").replaceChildren(table(say("plans"), [say("name"), numeric("pushes"), say("last_used"), element("span", { class: "visually-hidden" }, say("actions"))], rows, say("no_plans")));
}

bindForm("plan");
find("plan-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const saved = await during(event.submitter, find("plan-result"), () => api("POST", "/v3/push_plan/create", { name: find("plan-name").value.trim(), description: find("plan-description").value.trim() }));
  if (!saved) return;
  find("plan-form").hidden = true;
  await showPlans();
});

const columns = ["target", "sent", "display", "click"];

/** Cells with the counts, and the share of those who opened the push among those who were sent it. */
function countCells(counts) {
  const cells = columns.map((column) => element("td", { class: "number" }, number.format(counts[column] ?? 0)));
  return [...cells, element("td", { class: "number" }, counts.sent ? percent.format(counts.click / counts.sent) : "–")];
}

const countHeads = () => [...["target", "sent", "displayed", "opened"].map((key) => numeric(key, "messages")), numeric("open_rate")];
const add = (sum, counts) => Object.fromEntries(columns.map((column) => [column, (sum?.[column] ?? 0) + (counts[column] ?? 0)]));

/** Shows what became of the pushes of a plan: each, by variant with the differences, and by language. */
async function showResults(name) {
  const report = await api("GET", `/posthorn/v1/plans/${encodeURIComponent(name)}`);
  const entries = await Promise.all(report.messages.map(async ({ msg_id: id, details }) => {
    const { push, text: said } = await api("GET", `/posthorn/v1/messages/${id}`);
    return { id, said: said || text("messages", "no_text"), variant: push.audience?.abtest?.[0], counts: details.notification };
  }));
  const place = find("results");
  const parts = [element("h3", {}, say("results_of", { name }))];
  parts.push(table(say("results"), [say("push"), say("variant"), ...countHeads()], entries.map(({ id, said, variant, counts }) => element(
    "tr", {}, element("th", { scope: "row", class: "name" }, element("a", { href: `/portal/apps/${app}/messages/${id}` }, said)),
    element("td", {}, variant ?? ""), ...countCells(counts),
  )), say("no_results")));
  if (report.msg_ids.length > entries.length) parts.push(element("p", { class: "hint" }, say("newest", { count: number.format(entries.length), all: number.format(report.msg_ids.length) })));
  const variants = [...Map.groupBy(entries.filter(({ variant }) => variant), ({ variant }) => variant)]
    .map(([variant, members]) => ({ variant, counts: members.reduce((sum, { counts }) => add(sum, counts), null) }))
    .sort((one, other) => (one.variant < other.variant ? -1 : 1));
  if (variants.length > 1) {
    parts.push(element("h4", {}, say("by_variant")));
    parts.push(table(say("by_variant"), [say("variant"), ...countHeads()], variants.map(({ variant, counts }) => element("tr", {}, element("th", { scope: "row", class: "name" }, variant), ...countCells(counts))), ""));
    const [base, ...others] = variants;
    for (const other of others) {
      const found = compare({ count: base.counts.click, of: base.counts.sent }, { count: other.counts.click, of: other.counts.sent });
      if (!found) continue;
      const points = (value) => `${value > 0 ? "+" : ""}${number.format(Math.round(value * 1000) / 10)}`;
      const key = found.low > 0 ? "difference_better" : found.high < 0 ? "difference_worse" : "difference_open";
      parts.push(element("p", { class: "difference" }, say(key, { first: base.variant, second: other.variant, difference: points(found.difference), low: points(found.low), high: points(found.high) })));
    }
  }
  if (entries.length) {
    const { languages } = await api("GET", `/posthorn/v1/reports/languages?msg_ids=${report.msg_ids.slice(0, 100).join(",")}`);
    parts.push(element("h4", {}, say("by_language")));
    parts.push(table(say("by_language"), [say("language"), ...countHeads()], languages.map((counts) => element("tr", {}, element("th", { scope: "row", class: "name" }, counts.language ? languageName(counts.language) : say("no_language")), ...countCells(counts))), ""));
  }
  place.replaceChildren(...parts);
  place.hidden = false;
  place.focus();
  return true;
}

await readPushes();
await Promise.all([showSegments(), showTemplates(), showPlans()]);
ready("campaigns");
