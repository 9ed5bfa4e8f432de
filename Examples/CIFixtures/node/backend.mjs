// The code under test: it pushes with node:http2, tries again when the service is unavailable, and forgets dead tokens.

import { createPrivateKey, sign } from "node:crypto";
import http2 from "node:http2";
import { setTimeout as pause } from "node:timers/promises";

export class Backend {
    tokens = new Set();
    #settings; #session; #providerToken;

    /** `url` is https://api.push.apple.com in production, which needs no `ca`. `clock` gives the time in milliseconds. */
    constructor({ url, ca, key, keyID, teamID, topic, clock = Date.now }) {
        this.#settings = { url, ca, key, keyID, teamID, topic, clock };
    }

    /** Sends a text to all tokens; the answer of each. */
    async notify(text, headers = {}) {
        const answers = {};
        for (const token of [...this.tokens]) answers[token] = await this.#send(token, text, headers);
        return answers;
    }

    /** Signs pushes with this key from now on, on a connection of its own. Those under way are answered as they were sent. */
    use({ key, keyID, teamID }) {
        this.#settings = { ...this.#settings, key, keyID, teamID };
        this.#providerToken = undefined;
        this.#session?.close();
        this.#session = undefined;
    }

    close() { this.#session?.close(); }

    async #send(token, text, headers) {
        let answer;
        for (const seconds of [10, 20, null]) {
            answer = await this.#request(token, text, headers);
            if (answer.reason === "ExpiredProviderToken") this.#providerToken = undefined;
            else if (answer.status !== 429 && answer.status !== 503) break;
            if (seconds !== null) await pause(seconds);
        }
        if (answer.status === 410) this.tokens.delete(token);
        return `${answer.status} ${answer.reason ?? ""}`.trim();
    }

    /** One connection, until the service says that it goes away. */
    #connection() {
        if (!this.#session || this.#session.closed || this.#session.destroyed) {
            const session = http2.connect(this.#settings.url, { ca: this.#settings.ca });
            const forget = () => { if (this.#session === session) this.#session = undefined; };
            session.on("goaway", forget).on("close", forget).on("error", forget);
            this.#session = session;
        }
        return this.#session;
    }

    #request(token, text, headers) {
        return new Promise((resolve, reject) => {
            const stream = this.#connection().request({
                ":method": "POST", ":path": `/3/device/${token}`, authorization: `bearer ${this.#bearer()}`,
                "apns-topic": this.#settings.topic, "apns-push-type": "alert", ...headers,
            });
            let status, body = "";
            stream.setEncoding("utf8");
            stream.on("response", (answer) => { status = answer[":status"]; });
            stream.on("data", (piece) => { body += piece; });
            // A stream above GOAWAY's last one was not processed: it may be sent again, over another connection.
            const { NGHTTP2_REFUSED_STREAM } = http2.constants;
            stream.on("error", (problem) => {
                if (stream.rstCode === NGHTTP2_REFUSED_STREAM) resolve({ status: 503, reason: "RefusedStream" });
                else reject(problem);
            });
            stream.on("end", () => resolve({ status, ...(body ? JSON.parse(body) : {}) }));
            stream.end(JSON.stringify({ aps: { alert: text } }));
        });
    }

    /** A provider token is good for an hour, and may not be made more often than every 20 minutes. */
    #bearer() {
        const { key, keyID, teamID, clock } = this.#settings;
        if (!this.#providerToken) {
            const encode = (part) => Buffer.from(JSON.stringify(part)).toString("base64url");
            const text = `${encode({ alg: "ES256", kid: keyID })}.${encode({ iss: teamID, iat: Math.floor(clock() / 1000) })}`;
            const signature = sign("sha256", Buffer.from(text), { key: createPrivateKey(key), dsaEncoding: "ieee-p1363" });
            this.#providerToken = `${text}.${signature.toString("base64url")}`;
        }
        return this.#providerToken;
    }
}
