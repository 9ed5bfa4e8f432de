// The push as a command and as code, to copy. The secret is never in it.

import { LongNumber, write } from "./compose-json.js";

const secret = "$MASTER_SECRET";

/** Quotes a text for a POSIX shell. */
export const shell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a curl command. */
export function curl({ url, appKey, path, body }) {
  return [
    `curl -X POST ${shell(url + path)}`,
    `-u "${appKey}:${secret}"`,
    "-H 'Content-Type: application/json'",
    `-d ${shell(write(body, 2))}`,
  ].join(" \\\n  ");
}

/** Writes a value as a literal of Python. */
export function python(value, level = 0) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof LongNumber) return value.source;
  if (typeof value !== "object") return JSON.stringify(value);
  const margin = "\n" + "    ".repeat(level + 1);
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((each) => python(each, level + 1))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${python(each, level + 1)}`);
  const [open, close] = isArray ? "[]" : "{}";
  const line = open + parts.join(", ") + close;
  if (line.length < 70 && !line.includes("\n")) return line;
  return open + margin + parts.join("," + margin) + ",\n" + "    ".repeat(level) + close;
}

/** Returns a call of JPush's library for Python, which needs the address of this service as a zone. */
export function pythonSDK({ url, appKey, path, body }) {
  const client = (zone, hosts) => [
    "import os", "import jpush", "from jpush import common", "",
    `common.ZONES["${zone.toUpperCase()}"] = ${hosts}`,
    `client = jpush.JPush("${appKey}", os.environ["MASTER_SECRET"], zone="${zone}")`,
  ];
  if (path === "/v3/schedules") {
    const hosts = `{"SCHEDULE": ${JSON.stringify(url + "/v3/schedules/")}}`;
    return [...client("posthorn", hosts), `print(client.create_schedule().post_schedule(${python(body)}))`].join("\n");
  }
  const known = ["platform", "audience", "notification", "message", "options", "cid", "sms_message"];
  const lines = known
    .filter((key) => body[key] !== undefined)
    .map((key) => `push.${key === "sms_message" ? "smsmessage" : key} = ${python(body[key])}`);
  const others = Object.keys(body).filter((key) => !known.includes(key));
  const warning = others.length ? [`# The library has no attribute for: ${others.join(", ")}`] : [];
  const call = path === "/v3/push/file" ? "push.end_point = \"push/file\"\n" : "";
  return [
    ...client("posthorn", `{"PUSH": ${JSON.stringify(url + "/v3/")}}`),
    "push = client.create_push()",
    ...warning,
    ...lines,
    `${call}print(push.send())`,
  ].join("\n");
}

/** Returns the same call in Swift, with nothing but Foundation. */
export function swift({ url, appKey, path, body }) {
  const text = write(body, 2);
  let fence = "#";
  while (text.includes(`"""${fence}`) || text.includes(`\\${fence}`)) fence += "#";
  return [
    "import Foundation",
    "",
    "let secret = ProcessInfo.processInfo.environment[\"MASTER_SECRET\"] ?? \"\"",
    `var request = URLRequest(url: URL(string: ${JSON.stringify(url + path)})!)`,
    "request.httpMethod = \"POST\"",
    `let credentials = Data("${appKey}:\\(secret)".utf8).base64EncodedString()`,
    "request.setValue(\"Basic \\(credentials)\", forHTTPHeaderField: \"Authorization\")",
    "request.setValue(\"application/json\", forHTTPHeaderField: \"Content-Type\")",
    `request.httpBody = Data(${fence}"""`,
    ...text.split("\n").map((line) => `    ${line}`),
    `    """${fence}.utf8)`,
    "let (answer, _) = try await URLSession.shared.data(for: request)",
    "print(String(decoding: answer, as: UTF8.self))",
  ].join("\n");
}
