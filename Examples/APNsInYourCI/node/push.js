// Pushes with Node's own http2 and crypto to the APNs whose files are in the folder $APNS.
"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const http2 = require("node:http2");
const path = require("node:path");

const read = (name) => fs.readFileSync(path.join(process.env.APNS, name), "utf8").trim();

// Good for an hour: sign one every 20 to 60 minutes, not one for each push.
function providerToken() {
    const encode = (object) => Buffer.from(JSON.stringify(object)).toString("base64url");
    const head = encode({ alg: "ES256", kid: read("keyID") });
    const text = `${head}.${encode({ iss: read("teamID"), iat: Math.floor(Date.now() / 1000) })}`;
    const signature = crypto.sign("sha256", Buffer.from(text), { key: read("key.p8"), dsaEncoding: "ieee-p1363" });
    return `${text}.${signature.toString("base64url")}`;
}

function send(session, headers, payload) {
    return new Promise((resolve, reject) => {
        const stream = session.request(headers);
        let status = 0;
        let body = "";
        stream.setEncoding("utf8");
        stream.setTimeout(10_000, () => stream.destroy(new Error("no answer within 10 s")));
        stream.on("response", (answer) => { status = answer[":status"]; });
        stream.on("data", (text) => { body += text; });
        stream.on("end", () => resolve({ status, ...(body ? JSON.parse(body) : {}) }));
        stream.on("error", reject);
        stream.end(JSON.stringify(payload));
    });
}

async function main() {
    // In production: https://api.push.apple.com, and no `ca`.
    const session = http2.connect(`https://localhost:${read("port")}`, { ca: read("ca.pem") });
    const failed = new Promise((_, reject) => session.on("error", reject));
    const authorization = `bearer ${providerToken()}`;

    async function push(name, expected) {
        const headers = {
            ":method": "POST", ":path": `/3/device/${read(name).split("\n")[0]}`, authorization,
            "apns-topic": read("topic"), "apns-push-type": "alert",
        };
        const answer = await Promise.race([send(session, headers, { aps: { alert: "Lunch is ready" } }), failed]);
        const got = `${answer.status} ${answer.reason ?? ""}`.trim();
        console.log(`${name}: ${got}`);
        // Here your code forgets the token, unless the app has registered it again since.
        if (answer.status === 410) console.log(`  dead since ${new Date(answer.timestamp).toISOString()}`);
        if (got !== expected) throw new Error(`${name}: expected ${expected}, got ${got}`);
    }

    await push("tokens", "200");
    await push("unregistered", "410 Unregistered");
    await push("otherEnvironment", "400 BadDeviceToken");
    session.close();
}

main().catch((error) => { console.error(error); process.exit(1); });
