import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type WrittenHeader, writeRule } from "./write-rule.ts";

/** What YAML reads of the header. */
function read(header: WrittenHeader, notes?: readonly string[]): unknown {
  return parse(writeRule(header, "x", notes).split("---\n")[1] ?? "");
}

const ALL: WrittenHeader = {
  expires: "2027-01-31",
  order: 20,
  safety: true,
  escalate: "end",
  breach: { tool: "tap", target: ["yes", "a b"] },
  when: { event: "screen_locked", attempts: [1, 2.5], urgent: true },
  profile: ["phone-*"],
  paths: ["**/*.{js,ts}", "src/**"],
  task: { least: 2, words: ["unlock", "pin", "true"], any: ["lock screen"] },
  app: ["com.example.*"],
  id: "lock-screen",
};

test("every key in the order of the design, whatever order it comes in", () => {
  expect(writeRule(ALL, "Swipe up.")).toBe(`---
id: lock-screen
app: "com.example.*"
task:
  any: "lock screen"
  words: [unlock, pin, "true"]
  least: 2
paths: ["**/*.{js,ts}", "src/**"]
profile: "phone-*"
when:
  event: screen_locked
  attempts: [1, 2.5]
  urgent: true
breach:
  tool: tap
  target: ["yes", "a b"]
escalate: end
safety: true
order: 20
expires: "2027-01-31"
---

Swipe up.
`);
});

test("YAML reads what was written", () => {
  const { app, profile, task, ...rest } = ALL;
  expect(read(ALL)).toEqual({ ...rest, app: app?.[0], profile: profile?.[0], task: { ...task, any: "lock screen" } });
});

test("lists that are empty are left out, and a list of phrases stands as one", () => {
  expect(writeRule({ id: "a", app: [], paths: [], task: { any: [], words: [] } }, "x\n")).toBe(
    "---\nid: a\n---\n\nx\n",
  );
  expect(read({ id: "a", task: ["one", "two words"] })).toEqual({ id: "a", task: ["one", "two words"] });
});

describe("texts that YAML would take for something else", () => {
  test.each([
    "true",
    "No",
    "null",
    "~",
    "1",
    "1.5",
    "1e3",
    "0x1f",
    "a: b",
    "a #b",
    "*a",
    "&a",
    "!a",
    "- a",
    "",
    " a ",
    '"',
    "\\",
    "[a]",
    "a,b",
    "ä",
    "<<",
    "a\nb",
    "x-",
    "y",
  ])("%j", (text) => {
    expect(read({ id: "a", paths: [text, "b"] })).toEqual({ id: "a", paths: [text, "b"] });
  });
});

test("notes are comments of one line, with everything to be seen", () => {
  const written = writeRule({ id: "a" }, "x", ["one\n---\ntwo\u202e\u00ad\u034f\ud800"]);
  expect(written).toBe("---\n# one --- two\\u202e\\u00ad\\u034f\ufffd\nid: a\n---\n\nx\n");
});

test("the body stays as it is", () => {
  const body = "    code\r\n\r\n---\r\nnaïve \u2028 text";
  expect(writeRule({ id: "a" }, body)).toBe(`---\nid: a\n---\n\n${body}\n`);
});
