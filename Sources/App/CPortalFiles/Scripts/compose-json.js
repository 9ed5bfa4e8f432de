// JSON with the place of each mistake, and with numbers that a browser would round kept as they were written.

/** A number that JavaScript would write in another way, such as 1.0 or a msg_id of 19 digits. */
export class LongNumber {
  constructor(source) {
    this.source = source;
  }
}

/** A mistake in a JSON text: `problem` is a key of the texts, `line` and `column` count from 1. */
export class JSONMistake extends Error {
  constructor(problem, text, offset) {
    super(problem);
    const before = text.slice(0, offset).split("\n");
    this.problem = problem;
    this.offset = offset;
    this.line = before.length;
    this.column = before.at(-1).length + 1;
  }
}

const number = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const blank = /[ \t\r\n]*/y;
const depth = 100;

/**
 * Parses a JSON text.
 *
 * @throws {JSONMistake} at the first mistake.
 */
export function parse(text) {
  let place = 0;
  const fail = (problem, at = place) => { throw new JSONMistake(problem, text, at); };
  const match = (pattern) => {
    pattern.lastIndex = place;
    const found = pattern.exec(text)?.[0] ?? "";
    place += found.length;
    return found;
  };

  function string() {
    const start = place++;
    while (text[place] !== '"') {
      if (place >= text.length || text[place] === "\n") fail("json_string", start);
      place += text[place] === "\\" ? 2 : 1;
    }
    place++;
    try { return JSON.parse(text.slice(start, place)); } catch { return fail("json_string", start); }
  }

  function readNumber() {
    const start = place;
    const source = match(number);
    if (!source) fail("json_value", start);
    const value = Number(source);
    return String(value) === source ? value : new LongNumber(source);
  }

  function members(level) {
    const object = {};
    place++;
    match(blank);
    if (text[place] === "}") { place++; return object; }
    while (true) {
      match(blank);
      if (text[place] !== '"') fail("json_key");
      const start = place;
      const key = string();
      if (Object.hasOwn(object, key)) fail("json_twice", start);
      match(blank);
      if (text[place] !== ":") fail("json_colon");
      place++;
      // As a member of its own even if it is called __proto__.
      Object.defineProperty(object, key, { value: value(level), enumerable: true, writable: true, configurable: true });
      match(blank);
      if (text[place] === "}") { place++; return object; }
      if (text[place] !== ",") fail("json_comma");
      place++;
    }
  }

  function elements(level) {
    const array = [];
    place++;
    match(blank);
    if (text[place] === "]") { place++; return array; }
    while (true) {
      array.push(value(level));
      match(blank);
      if (text[place] === "]") { place++; return array; }
      if (text[place] !== ",") fail("json_comma");
      place++;
    }
  }

  function value(level) {
    if (level > depth) fail("json_deep");
    match(blank);
    switch (text[place]) {
      case "{": return members(level + 1);
      case "[": return elements(level + 1);
      case '"': return string();
      case undefined: return fail("json_end");
    }
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]]) {
      if (text.startsWith(word, place)) { place += word.length; return meaning; }
    }
    return readNumber();
  }

  const found = value(0);
  match(blank);
  if (place < text.length) fail("json_rest");
  return found;
}

/** Writes a value as JSON: compact, or with `indent` spaces a level. */
export function write(value, indent = 0, level = 0) {
  if (value instanceof LongNumber) return value.source;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((each) => write(each, indent, level + 1))
    : Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([key, each]) => `${JSON.stringify(key)}:${indent ? " " : ""}${write(each, indent, level + 1)}`);
  const [open, close] = isArray ? "[]" : "{}";
  if (!parts.length) return open + close;
  // Short lists of plain values stay on one line.
  const isShort = isArray && parts.join(", ").length < 60 && value.every((each) => each === null || typeof each !== "object");
  if (!indent || isShort) return open + parts.join(indent ? ", " : ",") + close;
  const margin = "\n" + " ".repeat(indent * (level + 1));
  return open + margin + parts.join("," + margin) + "\n" + " ".repeat(indent * level) + close;
}

export const isObject = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof LongNumber);
