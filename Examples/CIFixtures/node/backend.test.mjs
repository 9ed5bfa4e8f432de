// A backend that pushes with node:http2, against an APNs that each test controls.

import assert from "node:assert/strict";
import test from "node:test";
import { Backend } from "./backend.mjs";
import { startAPNs, startSandbox } from "./posthorn.mjs";

function settings({ port, ca, key, keyID, teamID, topic }) {
    return { port, ca, key, keyID, teamID, topic };
}

function backend(t, apns, tokens, clock) {
    const { port, ca, key, keyID, teamID, topic } = settings(apns);
    const made = new Backend({ url: `https://localhost:${port}`, ca, key, keyID, teamID, topic, clock });
    for (const token of tokens) made.tokens.add(token);
    t.after(() => made.close());
    return made;
}

test("a push arrives", async (t) => {
    const apns = await startAPNs(t);
    const token = await apns.token();
    assert.deepEqual(await backend(t, apns, [token]).notify("Lunch is ready"), { [token]: "200" });
    const [push] = await apns.wait({ token });
    assert.deepEqual(push.payload, { aps: { alert: "Lunch is ready" } });
    assert.equal(push.headers["apns-topic"], apns.topic);
});

test("a dead token is forgotten", async (t) => {
    const apns = await startAPNs(t);
    const [alive, dead] = [await apns.token(), await apns.token()];
    await apns.unregister(dead);
    const made = backend(t, apns, [alive, dead]);
    assert.deepEqual(await made.notify("Lunch is ready"), { [alive]: "200", [dead]: "410 Unregistered" });
    assert.deepEqual([...made.tokens], [alive]);
});

test("an unavailable service is tried again", async (t) => {
    const apns = await startAPNs(t);
    const token = await apns.token();
    await apns.failNext(503, { count: 2 });
    assert.deepEqual(await backend(t, apns, [token]).notify("Lunch is ready"), { [token]: "200" });
    assert.deepEqual((await apns.wait({ count: 3 })).map((push) => push.status), [503, 503, 200]);
});

test("after GOAWAY the next push takes another connection", async (t) => {
    const apns = await startAPNs(t);
    await apns.goAway();
    const made = backend(t, apns, [await apns.token(), await apns.token()]);
    assert.deepEqual(Object.values(await made.notify("Lunch is ready")), ["200", "200"]);
    const pushes = await apns.wait({ count: 2 });
    assert.notEqual(pushes[0].connection, pushes[1].connection);
});

test("a provider token that has expired is made anew", async (t) => {
    const apns = await startAPNs(t);
    const token = await apns.token();
    let time = Date.now();
    const made = backend(t, apns, [token], () => time);
    assert.deepEqual(await made.notify("Lunch is ready"), { [token]: "200" });
    await apns.turnClock(61 * 60);
    time = (await apns.now()).getTime();
    assert.deepEqual(await made.notify("Dinner is ready"), { [token]: "200" });
    const answers = (await apns.wait({ count: 3 })).map((push) => push.reason ?? push.status);
    assert.deepEqual(answers, [200, "ExpiredProviderToken", 200]);
});

test("a push expires", async (t) => {
    const apns = await startAPNs(t);
    const expiration = Math.floor((await apns.now()).getTime() / 1000) + 3600;
    await backend(t, apns, [await apns.token()]).notify("Lunch is ready", { "apns-expiration": String(expiration) });
    const [push] = await apns.wait();
    assert.equal(await apns.state(push), "waiting");
    await apns.turnClock(3601);
    await apns.waitState(push, "expired");
});

test("a key is rotated without a lost push", async (t) => {
    const apns = await startAPNs(t);
    const token = await apns.token();
    const [old, next] = [await apns.makeKey(), await apns.makeKey()];
    const made = backend(t, { ...settings(apns), ...old }, [token]);
    assert.deepEqual(await made.notify("Breakfast is ready"), { [token]: "200" });
    made.use(next);
    await apns.revokeKey(old);
    assert.deepEqual(await made.notify("Lunch is ready"), { [token]: "200" });
    made.use(old);
    assert.deepEqual(await made.notify("Dinner is ready"), { [token]: "403 Forbidden" });
});

test("environments that are mixed up are noticed", async (t) => {
    const apns = await startAPNs(t);
    const [token, ofDevelopment] = [await apns.token(), await apns.token({ environment: "development" })];
    const { development, production, topic, secondTeam } = apns.keys;
    const answer = async (key, token) => (await backend(t, { ...settings(apns), ...key }, [token]).notify("Lunch is ready"))[token];
    assert.equal(await answer(production, token), "200");
    assert.equal(await answer(development, token), "403 BadEnvironmentKeyInToken");
    assert.equal(await answer(production, ofDevelopment), "400 BadDeviceToken");
    assert.equal(await answer(topic, token), "200");
    assert.equal(await answer(secondTeam, token), "400 TopicDisallowed");
});

test("the phone shows it, and tomorrow's push tomorrow", async (t) => {
    const sandbox = await startSandbox(t);
    const rest = async (path, body) => {
        const authorization = `Basic ${Buffer.from(`${sandbox.appKey}:${sandbox.masterSecret}`).toString("base64")}`;
        const answer = await fetch(sandbox.url + path, { method: "POST", headers: { authorization }, body: JSON.stringify(body) });
        assert.equal(answer.status, 200);
        return answer.json();
    };
    const push = { platform: "ios", audience: "all", notification: { alert: "Lunch is ready" }, options: { apns_production: true } };
    const { msg_id } = await rest("/v3/push", push);
    await sandbox.waitState(msg_id);
    // JPush's times are China's.
    const china = new Date((await sandbox.apns.now()).getTime() + (20 + 8) * 3_600_000);
    const time = china.toISOString().slice(0, 19).replace("T", " ");
    push.notification.alert = "Tomorrow's lunch is ready";
    await rest("/v3/schedules", { name: "Lunch", enabled: true, trigger: { single: { time } }, push });
    await sandbox.turnClock(20 * 3600 + 60);
    const [scheduled] = await sandbox.apns.wait({ text: "Tomorrow", within: 20 });
    await sandbox.waitState(scheduled, "shown", { within: 20 });
});
