// Takes pushes as APNs does, with Node's own HTTP/2.
"use strict";
const fs = require("node:fs");
const http2 = require("node:http2");

const options = JSON.parse(process.argv[2]);
const server = http2.createSecureServer({
    key: fs.readFileSync(options.key), cert: fs.readFileSync(options.cert),
    settings: { maxConcurrentStreams: 500 },
});
server.on("session", (session) => {
    console.error("connection");
    let count = 0;
    session.on("error", () => {});
    session.on("stream", (stream, headers) => {
        count += 1;
        if (options.goAwayAfter && count === options.goAwayAfter) session.close();
        stream.on("error", () => {});
        stream.resume();
        stream.on("end", () => {
            if (stream.destroyed) return;
            const isPush = headers[":method"] === "POST" && headers[":path"].startsWith("/3/device/");
            const status = isPush ? options.status : 404;
            const answer = { ":status": status, "apns-id": headers["apns-id"] };
            if (options.large) answer["x-large"] = "x".repeat(options.large);
            stream.respond(answer);
            stream.end(status === 200 ? undefined : JSON.stringify({ reason: options.reason }));
        });
    });
});
server.listen(options.port, "127.0.0.1", () => console.log("ready"));
