// Sends pushes with Node's own HTTP/2, all at once; prints how many were answered with which status. With `untilGoAway` it
// goes on with `count` at a time until the server says GOAWAY. `authorizations` are taken in turn.
"use strict";
const fs = require("node:fs");
const http2 = require("node:http2");

const options = JSON.parse(process.argv[2]);
const statuses = {};
const session = http2.connect(`https://localhost:${options.port}`, {
    ca: fs.readFileSync(options.ca), pfx: options.bundle && fs.readFileSync(options.bundle), passphrase: options.password,
});
session.on("error", (error) => { console.error(error); process.exit(1); });

let answered = 0;
let named = 0;
let sent = 0;
let isGoing = Boolean(options.untilGoAway);
session.on("goaway", () => { isGoing = false; });
function send(number) {
    sent += 1;
    const headers = {
        ":method": "POST", ":path": `/3/device/${options.tokens[number % options.tokens.length]}`,
        authorization: options.authorizations?.[number % options.authorizations.length] ?? options.authorization, "apns-topic": options.topic, "apns-push-type": "alert",
    };
    if (options.large) headers["x-large"] = "x".repeat(options.large);
    const stream = session.request(headers);
    stream.on("response", (answer) => {
        statuses[answer[":status"]] = (statuses[answer[":status"]] ?? 0) + 1;
        if (answer["apns-id"]) named += 1;
    });
    stream.on("error", (error) => { statuses[error.code] = (statuses[error.code] ?? 0) + 1; });
    stream.on("close", () => {
        answered += 1;
        if (options.untilGoAway && answered === 500) console.log("under way");
        if (isGoing) { send(sent); return; }
        if (answered < sent) return;
        console.log(JSON.stringify({ statuses, named }));
        session.close();
    });
    stream.resume();
    stream.end(options.body);
}
for (let number = 0; number < options.count; number += 1) send(number);
