// The rules of the compose page, without a page: run by `node --test`.

import assert from "node:assert/strict";
import test from "node:test";

const at = (name) => import(new URL(`../../../Sources/App/CPortalFiles/Scripts/${name}.js`, import.meta.url));
const { LongNumber, parse, write } = await at("compose-json");
const push = await at("compose-push");
const { payload, sizes } = await at("compose-bytes");
const { curl, python, pythonSDK, swift } = await at("compose-code");
const { look } = await at("compose-look");
const { areHeld, isQuiet, trigger } = await at("compose-trigger");

const { compare, rowsOf, ruleOf } = await at("campaign-rule");

const limits = { payload: 4096, ios: 3584, message: 4000, collapse_id: 64 };

test("JSON comes back as it was, also numbers that JavaScript would round, and a member called __proto__", () => {
  const texts = [
    '{"a":[1,2.5,-3e10,null,true,false,"ä\\n\\""],"b":{}}', '{"options":{"override_msg_id":2251799813685251999,"x":1.0}}',
    '{"__proto__":{"a":1}}', "[]", '"x"', "-0", "1E2",
  ];
  for (const text of texts) assert.equal(write(parse(text)), text);
  assert.ok(parse("2251799813685251999") instanceof LongNumber);
  assert.equal(parse("12"), 12);
});

test("a mistake in JSON has its place and its kind", () => {
  const table = [
    ['{\n  "a" 1}', 2, 7, "json_colon"], ['{"a":1,}', 1, 8, "json_key"], ['{"a":1 "b"', 1, 8, "json_comma"],
    ['{"a":"x', 1, 6, "json_string"], ["[1,2", 1, 5, "json_comma"], ["", 1, 1, "json_end"], ["{} x", 1, 4, "json_rest"],
    ['{"a":1,"a":2}', 1, 8, "json_twice"], ["[01]", 1, 3, "json_comma"], ["[nul]", 1, 2, "json_value"],
    ["[".repeat(200), 1, 102, "json_deep"],
  ];
  for (const [text, line, column, problem] of table) {
    assert.throws(() => parse(text), (mistake) => {
      assert.deepEqual([mistake.line, mistake.column, mistake.problem], [line, column, problem], text);
      return true;
    });
  }
});

test("a member is set and removed, and what is then empty goes with it; others stay", () => {
  const draft = parse('{"x":{"y":1},"options":{"time_to_live":5}}');
  push.set(draft, "notification.ios.thread-id", "deals");
  push.set(draft, "options.time_to_live", undefined);
  push.set(draft, "nowhere.to.be.found", undefined);
  assert.equal(write(draft), '{"x":{"y":1},"notification":{"ios":{"thread-id":"deals"}}}');
  push.set(draft, "notification.ios.thread-id", undefined);
  assert.equal(write(draft), '{"x":{"y":1}}');
  assert.equal(push.get(draft, "constructor.name"), undefined);
});

test("an alert is a text as long as it has only a body, and an object with anything else", () => {
  const draft = {};
  push.setAlertPart(draft, "body", "Hi");
  assert.deepEqual(draft.notification.ios.alert, "Hi");
  push.setAlertPart(draft, "title", "Title");
  assert.deepEqual(draft.notification.ios.alert, { body: "Hi", title: "Title" });
  assert.equal(push.alertPart(draft, "body"), "Hi");
  push.setAlertPart(draft, "loc-args", ["a", "b"]);
  push.setAlertPart(draft, "title", undefined);
  assert.deepEqual(draft.notification.ios.alert, { body: "Hi", "loc-args": ["a", "b"] });
  push.setAlertPart(draft, "loc-args", undefined);
  assert.deepEqual(draft.notification.ios.alert, "Hi");
  push.setAlertPart(draft, "body", undefined);
  assert.deepEqual(draft, {});
});

test("a sound is a name, or Apple's object for a critical alert, whose other members stay", () => {
  const draft = {};
  push.setSound(draft, { name: "bell.caf", isCritical: false });
  assert.equal(draft.notification.ios.sound, "bell.caf");
  push.setSound(draft, { ...push.sound(draft), isCritical: true, volume: 0.5 });
  assert.deepEqual(draft.notification.ios.sound, { critical: 1, name: "bell.caf", volume: 0.5 });
  draft.notification.ios.sound.other = 1;
  push.setSound(draft, { ...push.sound(draft), volume: undefined });
  assert.deepEqual(draft.notification.ios.sound, { critical: 1, name: "bell.caf", other: 1 });
  push.setSound(draft, { ...push.sound(draft), isCritical: false });
  assert.equal(draft.notification.ios.sound, "bell.caf");
});

test("fields are read as the API wants them", () => {
  const table = [
    ["integer", "60", 60], ["integer", "soon", "soon"], ["number", "0.5", 0.5], ["badge", "+1", "+1"], ["badge", "3", 3],
    ["list", "a, b，c", ["a", "b", "c"]], ["json", '{"a":1}', { a: 1 }], ["choice", "false", false], ["choice", "v1", "v1"],
    ["platform", "all", "all"], ["platform", "ios,android", ["ios", "android"]], ["text", "  ", undefined],
  ];
  for (const [kind, text, value] of table) assert.deepEqual(push.readField(kind, text), value, `${kind} ${text}`);
  assert.throws(() => push.readField("json", "{"), push.FieldProblem);
  assert.equal(push.readField("integer", "2251799813685251999").source, "2251799813685251999");
});

test("a push is silent with content-available alone", () => {
  const silent = (ios, shared) => push.isSilent({ notification: { ...shared, ios } });
  assert.ok(silent({ "content-available": true }));
  assert.ok(silent({ "content-available": 1, alert: "", sound: "", extras: { a: 1 } }));
  assert.ok(!silent({ "content-available": true, badge: 0 }));
  assert.ok(!silent({ "content-available": true, sound: "default" }));
  assert.ok(!silent({ "content-available": true }, { alert: "Hi" }));
  assert.ok(!silent({ "content-available": false }));
});

test("a test goes to one device in its environment, at once, for no plan, and leaves the draft alone", () => {
  const draft = { audience: "all", cid: "c", notification: { alert: "x" }, options: { big_push_duration: 5, business_operation_code: "spring", apns_production: true } };
  const before = write(draft);
  const one = push.forOneDevice(draft, { registration_id: "0a", environment: "development" });
  assert.deepEqual(one, { audience: { registration_id: ["0a"] }, notification: { alert: "x" }, options: { apns_production: false } });
  assert.equal(write(draft), before);
});

test("an audience can be counted when it names anything", () => {
  assert.ok(push.hasAudience({ audience: "all" }));
  assert.ok(push.hasAudience({ audience: { tag_not: ["a"] } }));
  assert.ok(push.hasAudience({ audience: { file: { file_id: "f" } } }));
  for (const audience of [undefined, {}, { tag: [] }, { file: { file_id: "" } }]) assert.ok(!push.hasAudience({ audience }));
  assert.equal(push.pathOf({ audience: { file: { file_id: "f" } } }), "/v3/push/file");
});

test("the payload is composed as the service does, with the largest ids", () => {
  const draft = {
    notification: { alert: "shared", ios: { badge: "+1", sound: "", extras: { aps: 1, _j_x: 2, id: 3 }, "thread-id": "t", "content-available": 1 } },
  };
  assert.equal(
    write(payload(draft)),
    '{"aps":{"alert":"shared","content-available":1,"thread-id":"t","badge":99999},"id":3,'
      + '"_j_msgid":9223372036854775807,"_j_uid":9223372036854775807,"_j_business":1}',
  );
  assert.equal(payload({ message: {} }), null);
});

test("sizes are counted in bytes of UTF-8, without nulls, but with those in extras", () => {
  const found = sizes({
    notification: { ios: { alert: "你", badge: null, extras: { a: null } } }, message: { msg_content: "x" },
    options: { apns_collapse_id: "键" },
  }, limits);
  assert.deepEqual(found.map(({ part, bytes }) => [part, bytes]).slice(1), [
    ["ios", '{"alert":"xxx","extras":{"a":null}}'.length], ["message", 19], ["collapse_id", 3],
  ]);
  assert.deepEqual(sizes({ message: {} }, limits), []);
});

test("code quotes what a shell, Python and Swift would read otherwise, and has no secret", () => {
  const body = { platform: "all", audience: { tag: ["it's"] }, notification: { alert: '""" \\# $HOME' }, options: { apns_production: false } };
  const call = { url: "http://localhost:1", appKey: "k", path: "/v3/push", body };
  assert.match(curl(call), /^curl -X POST 'http:\/\/localhost:1\/v3\/push' \\\n {2}-u "k:\$MASTER_SECRET"/);
  assert.ok(curl(call).includes("it'\\''s"));
  assert.equal(python({ a: [true, null, "x"] }), '{"a": [True, None, "x"]}');
  assert.ok(pythonSDK(call).includes('push.options = {"apns_production": False}'));
  assert.ok(pythonSDK({ ...call, path: "/v3/schedules", body: { name: "n" } }).includes('post_schedule({"name": "n"})'));
  assert.ok(swift(call).includes('"""##'));
  for (const text of [curl(call), pythonSDK(call), swift(call)]) assert.ok(text.includes("MASTER_SECRET"));
});

test("the preview shows texts, keys of localized texts, or says that there is nothing to see", () => {
  assert.deepEqual([look({ notification: { alert: "Hi" } })].map(({ kind, body }) => [kind, body]), [["alert", "Hi"]]);
  const localized = look({ notification: { ios: { alert: { "loc-key": "K", "loc-args": ["a", 1], title: "T" } } } });
  assert.deepEqual([localized.title, localized.body], ["T", "K (a, 1)"]);
  assert.equal(look({ notification: { ios: { "content-available": true } } }).kind, "silent");
  assert.equal(look({ notification: { ios: { alert: "", badge: 1 } } }).kind, "badge");
  assert.equal(look({}).kind, "none");
});

test("a trigger is written as the API wants it", () => {
  const base = { date: "2027-03-27", time: "02:30", end: "2027-04-10", zone: "Europe/Berlin" };
  assert.deepEqual(trigger({ ...base, repeat: "single", zone: "" }), { single: { time: "2027-03-27 02:30:00" } });
  assert.deepEqual(trigger({ ...base, repeat: "week", points: ["FRI", "MON"], frequency: "2" }), {
    periodical: {
      start: "2027-03-27 00:00:00", end: "2027-04-10 23:59:59", time: "02:30:00", time_unit: "week", frequency: 2, point: ["MON", "FRI"],
    },
    zone: "Europe/Berlin",
  });
  assert.deepEqual(trigger({ ...base, repeat: "month", days: "15, 1 1" }).periodical.point, ["01", "15"]);
  const wrong = [
    [{ repeat: "single", date: "" }, "date"], [{ repeat: "day", end: "" }, "end"], [{ repeat: "day", frequency: "0" }, "frequency"],
    [{ repeat: "week", points: [] }, "points"], [{ repeat: "month", days: "32" }, "days"], [{ repeat: "day", time: "" }, "time"],
  ];
  for (const [fields, field] of wrong) assert.throws(() => trigger({ ...base, ...fields }), { field });
});

test("quiet hours may end on the next day, and hold only what disturbs", () => {
  const night = { from: "22:00", to: "07:00", allow_time_sensitive: true };
  assert.deepEqual(["21:59", "22:00", "06:59", "07:00"].map((time) => isQuiet(night, time)), [false, true, true, false]);
  assert.ok(isQuiet({ from: "12:00", to: "14:00" }, "13:00"));
  const shown = { isSilent: false, hasNotification: true };
  assert.ok(areHeld(night, shown));
  for (const change of [{ isSilent: true }, { hasNotification: false }, { choice: false }, { level: "critical" }]) {
    assert.ok(!areHeld(night, { ...shown, ...change }));
  }
  assert.ok(!areHeld(null, shown));
});

test("a segment's rule is rows and a rule again, with what no row can say", () => {
  const rule = {
    audience: { tag: ["a", "b"], x_pushes: [{ msg_id: "12", was: "opened" }, { msg_id: "13", was: "not_got" }], x_opened_nothing_for_days: 7 },
    app_version: { from: "2.0" }, push_state: ["reachable"], attributes: { plan: ["pro"] }, share: { test: "t", from: 0, to: 50 },
  };
  assert.deepEqual(ruleOf(rowsOf(rule), rule), rule);
  assert.deepEqual(ruleOf([], rule), { share: rule.share });
  assert.deepEqual(ruleOf([{ kind: "tag", names: [] }, { kind: "seen_within_days", days: "" }, { kind: "push", push: "", was: "got" }]), {});
  assert.deepEqual(ruleOf([{ kind: "tag", names: ["a"] }, { kind: "tag", names: ["b", "a"] }]), { audience: { tag: ["a", "b"] } });
});

test("the difference of two shares has an interval, wider with fewer people, and none without any", () => {
  assert.equal(compare({ count: 0, of: 0 }, { count: 1, of: 2 }), null);
  // Newcombe 1998, table II, example (a): 56/70 and 48/80, difference 0.2000, interval 0.0524 to 0.3339.
  const found = compare({ count: 48, of: 80 }, { count: 56, of: 70 });
  for (const [key, expected] of [["difference", 0.2], ["low", 0.0524], ["high", 0.3339]]) assert.ok(Math.abs(found[key] - expected) < 5e-4, `${key} ${found[key]}`);
  const few = compare({ count: 0, of: 10 }, { count: 0, of: 20 });
  assert.ok(few.low < 0 && few.high > 0);
});
