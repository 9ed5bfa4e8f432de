// For tests with node:test: an APNs, or a whole push service with an emulated iPhone, for the code that sends pushes.
//
//     test("a push arrives", async (t) => {
//         const apns = await startAPNs(t);
//
// The tests of a file share one process of each kind. A test sees only its own pushes, and its faults and the keys that it has
// made end with it. A process whose clock was turned, or whose own keys were revoked, is replaced before the next test. The program is
// that of the variable POSTHORN, or `posthorn` on the PATH.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";

// The reason that APNs gives with a status, for tests that only name the status.
const REASONS = {
    400: "BadDeviceToken", 403: "ExpiredProviderToken", 404: "BadPath", 405: "MethodNotAllowed", 410: "Unregistered",
    413: "PayloadTooLarge", 429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable",
};
// The most that the control endpoint waits for in one request, and the time for a start, in seconds.
const LONGEST_WAIT = 60;
const START_LIMIT = 60;

/** What a test waited for did not happen, or the program has refused something. The message says what happened instead. */
export class PosthornError extends Error {
    name = "PosthornError";
}

const running = new Map();

/**
 * An APNs for one test.
 * @param {import("node:test").TestContext} t the test; its faults end with it
 * @param {{options?: string[]}} settings more options of `posthorn gateway`; only those of the first call count
 * @returns {Promise<APNs>}
 */
export async function startAPNs(t, { options = [] } = {}) {
    const program = await started("gateway", (folder) => [
        "gateway", "--json", "--until-eof", "--data", path.join(folder, "data"), "--hand-out", path.join(folder, "out"),
        "--tokens", "1", "--development-port", "0", "--production-port", "0", "--courier-port", "0", "--control-port", "0", ...options,
    ]);
    const apns = new APNs(program, program.facts, path.join(program.folder, "out"));
    await apns._begin();
    t.after(() => apns._end());
    return apns;
}

/**
 * An APNs for one test in a container, where Docker is and the program is not. It needs the package `testcontainers`.
 * @param {import("node:test").TestContext} t the test; its faults end with it
 * @param {string} image that of a release, such as "posthorn:0.1.0"
 * @param {{options?: string[]}} settings more options of `posthorn gateway`; only those of the first call count
 * @returns {Promise<APNs>}
 */
export async function startAPNsContainer(t, image, { options = [] } = {}) {
    if (running.get(image)?.isSpent) {
        await running.get(image).stop();
        running.delete(image);
    }
    if (!running.has(image)) running.set(image, await Container.start(image, options));
    const container = running.get(image);
    const apns = new APNs(container, container.facts, container.folder);
    await apns._begin();
    t.after(() => apns._end());
    return apns;
}

/**
 * A push service with the JPush REST API, an APNs and emulated iPhones, for one test.
 * @param {import("node:test").TestContext} t the test; its faults end with it
 * @param {{options?: string[]}} settings more options of `posthorn sandbox`; only those of the first call count
 * @returns {Promise<Sandbox>}
 */
export async function startSandbox(t, { options = [] } = {}) {
    const program = await started("sandbox", (folder) => [
        "sandbox", "--json", "--until-eof", "--data", path.join(folder, "data"), ...options,
    ]);
    const sandbox = new Sandbox(program);
    await sandbox.apns._begin();
    t.after(() => sandbox.apns._end());
    return sandbox;
}

async function started(kind, words) {
    if (running.get(kind)?.isSpent) {
        running.get(kind).stop();
        running.delete(kind);
    }
    if (!running.has(kind)) {
        const folder = mkdtempSync(path.join(tmpdir(), `posthorn-${kind}-`));
        running.set(kind, await Program.start(words(folder), folder));
    }
    return running.get(kind);
}

/** A running `posthorn`. It ends when this process does, which closes its standard input. */
class Program {
    isSpent = false;

    static async start(words, folder) {
        const program = new Program();
        const file = process.env.POSTHORN || "posthorn";
        program.folder = folder;
        program.log = path.join(folder, "log");
        const log = openSync(program.log, "w");
        program.child = spawn(file, words, { stdio: ["pipe", "pipe", log] });
        closeSync(log);
        process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
        const line = await new Promise((resolve, reject) => {
            const limit = setTimeout(() => program.child.kill("SIGKILL"), START_LIMIT * 1000);
            const done = (call) => (value) => { clearTimeout(limit); call(value); };
            program.child.once("error", done((problem) => reject(new PosthornError(
                problem.code === "ENOENT"
                    ? `'${file}' is not there. Unpack the tarball of posthorn and put bin/posthorn on the PATH or into the variable POSTHORN.`
                    : `'${file}' does not start: ${problem.message}`,
            ))));
            program.child.once("exit", done((status) => reject(new PosthornError(program.lastWords(status)))));
            createInterface({ input: program.child.stdout }).once("line", done(resolve));
        });
        program.facts = JSON.parse(line);
        // The process must not wait for its children.
        for (const handle of [program.child, program.child.stdin, program.child.stdout]) handle.unref();
        return program;
    }

    lastWords(status) {
        return `posthorn has ended with status ${status}. Its last words:\n${readFileSync(this.log, "utf8").slice(-2000)}`;
    }

    stop() {
        this.child.stdin.end();
    }

    async call(base, method, resource, body, authorization) {
        let answer;
        try {
            answer = await fetch(`${base}/${resource}`, {
                method,
                headers: { "content-type": "application/json", ...(authorization && { authorization }) },
                body: body && JSON.stringify(body),
                signal: AbortSignal.timeout((LONGEST_WAIT + 30) * 1000),
            });
        } catch (problem) {
            const status = this.child?.exitCode ?? null;
            throw new PosthornError(status === null ? `${method} ${resource}: ${problem.cause ?? problem}` : this.lastWords(status));
        }
        const text = await answer.text();
        if (!answer.ok) throw new PosthornError(`${method} ${resource}: ${answer.status} ${text}`);
        return text ? JSON.parse(text) : undefined;
    }
}

/** `posthorn gateway` in a container, which the package's watchdog removes after the tests. */
class Container extends Program {
    static async start(image, options) {
        const { GenericContainer, Wait } = await import("testcontainers");
        const container = new Container();
        const token = randomUUID();
        const home = "/var/lib/posthorn";
        const [development, production, control] = [2197, 2198, 2180];
        container.authorization = `Bearer ${token}`;
        container.started = await new GenericContainer(image)
            .withExposedPorts(development, production, control)
            .withEnvironment({ POSTHORN_CONTROL_TOKEN: token, POSTHORN_COURIER_TOKEN: token })
            .withCommand([
                "gateway", "--json", "--data", `${home}/gateway`, "--hand-out", `${home}/out`, "--tokens", "1", "--host", "0.0.0.0",
                "--development-port", `${development}`, "--production-port", `${production}`, "--control-host", "0.0.0.0",
                "--control-port", `${control}`, ...options,
            ])
            // The line of JSON that it prints when it is ready.
            .withWaitStrategy(Wait.forLogMessage(/"productionPort":/))
            .start();
        const folder = container.folder = mkdtempSync(path.join(tmpdir(), "posthorn-container-"));
        process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
        const tar = spawn("tar", ["-x", "--strip-components=1", "-C", folder], { stdio: ["pipe", "ignore", "inherit"] });
        const unpacked = new Promise((resolve) => tar.once("close", resolve));
        await pipeline(await container.started.copyArchiveFromContainer(`${home}/out`), tar.stdin);
        await unpacked;
        const port = (number) => container.started.getMappedPort(number);
        const read = (name) => readFileSync(path.join(folder, name), "utf8").trim();
        container.facts = {
            productionPort: port(production), developmentPort: port(development), ca: path.join(folder, "ca.pem"),
            keyFile: path.join(folder, "key.p8"), keyID: read("keyID"), teamID: read("teamID"),
            control: `http://${container.started.getHost()}:${port(control)}`,
        };
        return container;
    }

    async stop() { await this.started.stop(); }
    async call(base, method, resource, body) { return super.call(base, method, resource, body, this.authorization); }
}

export class APNs {
    #program; #facts; #folder; #after = 0; #faults = []; #madeKeys = [];

    constructor(program, facts, folder) {
        this.#program = program;
        this.#facts = facts;
        this.#folder = folder;
    }

    /** The name in the server's certificate. */
    get host() { return "localhost"; }
    /** The port for production. */
    get port() { return this.#facts.productionPort ?? this.#facts.port; }
    /** The port for development; undefined in the sandbox, which has one environment. */
    get developmentPort() { return this.#facts.developmentPort; }
    /** The authority that a client has to trust, in PEM. */
    get ca() { return readFileSync(this.#facts.ca, "utf8"); }
    /** The signing key, in PEM as from Apple. */
    get key() { return readFileSync(this.#facts.keyFile, "utf8"); }
    get keyID() { return this.#facts.keyID; }
    get teamID() { return this.#facts.teamID; }
    /** The bundle id of the tokens. */
    get topic() { return this.#facts.topic ?? this.#read("topic"); }
    /** A signed `bearer` value, valid for an hour; only of the gateway. */
    get authorization() { return this.#read("authorization"); }
    /** The address of the control endpoint. */
    get controlURL() { return this.#facts.control; }

    /**
     * Signing keys of each kind, each with `key`, `keyID` and `teamID`; only of the gateway. `development` and `production` are for one
     * environment alone, `topic` is for the APNs' topic alone, in production, and `related` is its related key: tokens of both may be
     * used on one connection. `secondTeam` is of another team, whose only app is `secondTeamTopic`.
     */
    get keys() {
        const key = (name, teamID = this.teamID) => ({ key: this.#read(`${name}Key.p8`), keyID: this.#read(`${name}KeyID`), teamID });
        return {
            development: key("development"), production: key("production"), topic: key("topic"), related: key("related"),
            secondTeam: key("secondTeam", this.#read("secondTeamID")), secondTeamTopic: this.#read("secondTeamTopic"),
        };
    }

    /**
     * Makes a key as Apple's site does, until the end of this test: for both environments and all topics unless said otherwise.
     * `relatedTo` is the key for certain topics that it is related to.
     */
    async makeKey({ environments, topics, relatedTo, teamID = this.teamID } = {}) {
        const made = await this.#call("POST", "keys", { team: teamID, environments, topics, relatedTo: relatedTo?.keyID });
        this.#madeKeys.push(made.id);
        return { key: made.p8, keyID: made.id, teamID: made.team };
    }

    /**
     * Revokes a key: pushes with it get 403 `Forbidden` from now on. After one of the APNs' own, another process serves the next test.
     */
    async revokeKey({ keyID }) {
        if (!this.#madeKeys.includes(keyID)) this.#program.isSpent = true;
        await this.#call("DELETE", `keys/${keyID}`);
    }

    /** Issues a device token. It belongs to no device; pushes to it are judged and stored. */
    async token({ environment = "production", topic = this.topic } = {}) {
        return (await this.#call("POST", "tokens", { topic, environment })).tokens[0];
    }

    /** Lets the app be removed: pushes to the token get 410 `Unregistered` from now on. `since` is a Date. */
    async unregister(token, { since } = {}) {
        await this.#call("PUT", `tokens/${token}`, { state: "unregistered", ...(since && { since: since.getTime() }) });
    }

    /** Lets the token expire: pushes to it get 410 `ExpiredToken` from now on. `since` is a Date. */
    async expire(token, { since } = {}) {
        await this.#call("PUT", `tokens/${token}`, { state: "expired", ...(since && { since: since.getTime() }) });
    }

    /**
     * The pushes of this test so far, refused ones too. The conditions are `token`, `topic`, `collapseID`, `apnsID`, `environment`,
     * `status`, `reason` and `text`, which is looked for in the payload.
     */
    async pushes(conditions = {}) { return this.#pushes(conditions, {}); }

    /** Waits until so many pushes of this test meet the conditions, at most `within` seconds, and returns them. */
    async wait({ count = 1, within = 5, ...conditions } = {}) {
        const deadline = performance.now() + within * 1000;
        for (;;) {
            const rest = Math.max(0, (deadline - performance.now()) / 1000);
            const found = await this.#pushes(conditions, { count, wait: Math.min(rest, LONGEST_WAIT) });
            if (found.length >= count) return found;
            if (performance.now() >= deadline) {
                const wanted = Object.entries(conditions).map(([name, value]) => `, ${name} ${JSON.stringify(value)}`).join("");
                const pushes = count === 1 ? "a push" : `${count} pushes`;
                throw new PosthornError(`waited ${within} s for ${pushes}${wanted}; found ${found.length}.\n${await this.story()}`);
            }
        }
    }

    async #pushes(conditions, more) {
        const names = { collapseID: "collapse-id", apnsID: "apns-id" };
        const query = new URLSearchParams({ ...more, after: this.#after, limit: 1000 });
        for (const [name, value] of Object.entries(conditions)) query.set(names[name] ?? name, value);
        return (await this.#call("GET", `pushes?${String(query).replaceAll("+", "%20")}`)).pushes.map((push) => ({
            ...push, apnsID: push["apns-id"], headers: Object.fromEntries(push.headers),
        }));
    }

    /** What became of a push after its answer: `waiting`, `delivered`, `expired` … */
    async state(push) { return (await this.#call("GET", `pushes/${push.apnsID}`)).state; }

    /** Waits until a push is in this state, at most `within` seconds. */
    async waitState(push, state, { within = 5 } = {}) {
        const deadline = performance.now() + within * 1000;
        for (let found; (found = await this.state(push)) !== state; await pause(20)) {
            if (performance.now() < deadline) continue;
            throw new PosthornError(`waited ${within} s for push #${push.number} to be ${state}; it is ${found}.\n${await this.story()}`);
        }
    }

    /**
     * Answers the next pushes with a status such as 410 or a reason such as "TooManyRequests", and does not accept them. `where` is
     * `token`, `topic`, `environment` or `path`; or `timestamp` for a 410, in milliseconds since 1970.
     */
    async failNext(answer, { count = 1, ...where } = {}) {
        const reason = typeof answer === "number" ? REASONS[answer] : answer;
        if (!reason) throw new PosthornError(`status ${answer} has no usual reason; give one of Apple's reasons, or use fault()`);
        return this.fault("answer", { reason, next: count, ...where });
    }

    /** Processes each push, or the next `count`, so many seconds later. */
    async delay(seconds, { count, ...where } = {}) { return this.fault("latency", { seconds, next: count, ...where }); }

    /** Sends GOAWAY with the next push: `last` is "this" if it is still answered, "before" if not. */
    async goAway({ count = 1, last = "this", ...where } = {}) {
        return this.fault("goAway", { reason: "Shutdown", lastStreamID: last, next: count, ...where });
    }

    /** Resets the stream of the next push, which is not accepted. */
    async reset({ count = 1, ...where } = {}) { return this.fault("reset", { next: count, ...where }); }

    /** Closes the connection at the next push, which is not accepted. */
    async close({ count = 1, ...where } = {}) { return this.fault("close", { next: count, ...where }); }

    /** Sets any fault of the control endpoint, until the end of this test. Returns its number. */
    async fault(kind, keys = {}) {
        const fault = await this.#call("POST", "faults", { kind, ...keys });
        this.#faults.push(fault);
        return fault.id;
    }

    /** How often a fault of this test has occurred. */
    async times(fault) {
        return (await this.#call("GET", "log")).entries.filter((entry) => entry.fault === fault).length;
    }

    /** Ends all faults before the test does. */
    async endFaults() { await this.#call("DELETE", "faults"); }

    /** The APNs' time. */
    async now() { return new Date((await this.#call("GET", "clock")).seconds * 1000); }

    /** Advances the clock, in the sandbox those of service and devices too. Another process serves the next test. */
    async turnClock(seconds) {
        this.#program.isSpent = true;
        await this.#call("POST", "clock", { turn: seconds });
    }

    /** What happened in this test, for people. */
    async story() {
        const pushes = await this.#pushes({}, {});
        const lines = [pushes.length ? "Pushes of this test:" : "No push of this test has arrived."];
        for (const push of pushes) {
            const answer = push.status === null ? "no answer" : `${push.status} ${push.reason ?? ""}`.trim();
            const kind = push.headers["apns-push-type"] ?? "no apns-push-type";
            const payload = (JSON.stringify(push.payload) ?? "not JSON").slice(0, 200);
            lines.push(`#${push.number} at ${push.at}: ${answer}, ${kind}, token ${push.token ?? push.path}, payload ${payload}`);
            if (push.reason) lines.push(`    ${push.meaning} ${push.remedy}`);
        }
        for (const { id, met, carriedOut, seed, ...asked } of this.#faults) {
            lines.push(`Fault ${JSON.stringify(asked)}: ${await this.times(id)} times so far.`);
        }
        return lines.join("\n");
    }

    async _begin() {
        this.#after = (await this.#call("GET", "pushes?limit=1")).pushes[0]?.number ?? 0;
        // Those that earlier tests have signed.
        await this.#call("DELETE", "provider-tokens");
    }

    async _end() {
        if (this.#program.isSpent) return;
        await this.endFaults();
        for (const id of this.#madeKeys) await this.#call("DELETE", `keys/${id}`);
    }

    async #call(...words) { return this.#program.call(this.controlURL, ...words); }

    #read(name) {
        if (!this.#folder) throw new PosthornError(`the sandbox has no ${name}; startAPNs has`);
        return readFileSync(path.join(this.#folder, name), "utf8").trim();
    }
}

export class Sandbox {
    #program; #api;

    constructor(program) {
        this.#program = program;
        this.#api = program.facts.api;
        this.apns = new APNs(program, program.facts.apns);
        /** The emulated iPhones, each with `name`, `registrationID` and `token`. */
        this.devices = program.facts.devices;
    }

    /** The address of the JPush REST API: the pushes of your code go to `${url}/v3/push`. */
    get url() { return this.#api.url; }
    get appKey() { return this.#api.appKey; }
    get masterSecret() { return this.#api.masterSecret; }
    /** The first device. */
    get device() { return this.devices[0]; }

    /**
     * What became of a push on one device: `verdict` with `state` and `sentence`, and `events`. `push` is the `msg_id` of the REST
     * API, or a push that has arrived at the APNs, which is for one device.
     */
    async journey(push, { device = this.device } = {}) {
        const resource = push.apnsID ? `apns/${push.apnsID}` : `journeys/${push}/${device.registrationID}`;
        const login = Buffer.from(`${this.appKey}:${this.masterSecret}`).toString("base64");
        return this.#program.call(this.url, "GET", `posthorn/v1/${resource}`, undefined, `Basic ${login}`);
    }

    /** Waits until a push is `shown` on a device, or in another state, at most `within` seconds. Returns the journey. */
    async waitState(push, state = "shown", { device = this.device, within = 5 } = {}) {
        const deadline = performance.now() + within * 1000;
        for (;; await pause(50)) {
            const journey = await this.journey(push, { device });
            if (journey.verdict.state === state) return journey;
            if (performance.now() < deadline) continue;
            const events = journey.events.map((event) => event.event).join(", ");
            throw new PosthornError(
                `waited ${within} s for the push to be ${state}; it is ${journey.verdict.state}: ${journey.verdict.sentence}\n`
                + `So far: ${events}.\n${await this.apns.story()}`,
            );
        }
    }

    /** Advances the clocks of service, APNs and devices. Another process serves the next test. */
    async turnClock(seconds) { await this.apns.turnClock(seconds); }
}
