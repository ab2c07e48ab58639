import { describe, expect, test } from "vitest";
import { readHeader } from "./read-header.ts";

/** A header of these lines above a body. */
function header(...lines: readonly string[]) {
  return readHeader(["---", ...lines, "---", "", "# Body", ""].join("\n"));
}

describe("globs, in every form that people write", () => {
  test.each([
    ["bare, which YAML takes for an alias", ["globs: **/*"], ["**/*"]],
    ["a list with spaces", ["globs: **/*.ts, src/**/*.js"], ["**/*.ts", "src/**/*.js"]],
    ["a list without spaces", ["globs: **/*.ts,src/**/*.js"], ["**/*.ts", "src/**/*.js"]],
    ["a list in quotes", ['globs: "**/*.ts, src/**/*.js"'], ["**/*.ts", "src/**/*.js"]],
    ["each item in quotes", ['globs: "**/*.ts", "src/**/*.js"'], ["**/*.ts", "src/**/*.js"]],
    ["a list in brackets", ['globs: ["**/*.ts", "src/**/*.js"]'], ["**/*.ts", "src/**/*.js"]],
    ["a list in brackets without quotes", ["globs: [**/*.ts, src/**/*.js]"], ["**/*.ts", "src/**/*.js"]],
    [
      "a list in brackets over lines",
      ["globs: [", '  "**/*.ts",', '  "src/**/*.js",', "]"],
      ["**/*.ts", "src/**/*.js"],
    ],
    ["a block list", ["globs:", '  - "**/*.ts"', "  - src/**/*.js"], ["**/*.ts", "src/**/*.js"]],
    ["a block list at the margin", ["globs:", "- **/*.ts", "- 'src/**/*.js'"], ["**/*.ts", "src/**/*.js"]],
    ["a block list of lists", ["globs:", "  - **/*.ts, src/**/*.js"], ["**/*.ts", "src/**/*.js"]],
    ["a comment behind it", ["globs: **/*.ts # the source"], ["**/*.ts"]],
    ["a comment behind quotes", ['globs: "**/#*.ts" # the source'], ["**/#*.ts"]],
    ["braces, whose commas separate nothing", ["globs: **/*.{js,ts}"], ["**/*.{js,ts}"]],
    ["braces in braces", ["globs: src/{a,b/{c,d}}/*.ts, x/*.{md,mdx}"], ["src/{a,b/{c,d}}/*.ts", "x/*.{md,mdx}"]],
    ["braces in quotes", ['globs: "**/*.{js,ts}"'], ["**/*.{js,ts}"]],
    ["a quote that nothing closes", ['globs: "**/*.ts, src/*.js'], ["**/*.ts", "src/*.js"]],
    ["commas too many", ["globs: , **/*.ts,, "], ["**/*.ts"]],
    ["a list with blanks alone", ["globs: **/*.ts src/**/*.js"], ["**/*.ts", "src/**/*.js"]],
    ["a path with a blank", ["globs: My Rooms/**"], ["My Rooms/**"]],
    ["no value", ["globs:"], []],
    ["no space behind the colon", ["globs:**/*.ts"], ["**/*.ts"]],
  ])("%s", (_name, lines, globs) => {
    const read = header(...lines);
    expect(read.globs).toEqual(globs);
    expect(read.faults).toEqual([]);
  });
});

describe("texts", () => {
  test.each([
    ["plain", ["description: Use when: the user asks, or not"], "Use when: the user asks, or not"],
    ["with what YAML takes for a comment", ["description: fixes issue #12 and # more"], "fixes issue #12 and # more"],
    ["in double quotes", ['description: "say \\"hi\\"\\tnow \\u00e9"'], 'say "hi"\tnow é'],
    ["in single quotes", ["description: 'it''s done: yes'"], "it's done: yes"],
    ["that begins and ends with quotes", ['description: "add" and "remove"'], '"add" and "remove"'],
    ["folded", ["description: >-", "  one", "  two", "", "  three"], "one two three"],
    ["kept by lines", ["description: |", "  a: b", "  - c"], "a: b - c"],
    ["over several lines", ["description: one", "  two", "  three"], "one two three"],
    ["over several lines at the margin", ["description: one", "two three"], "one two three"],
    ["in quotes over several lines", ['description: "one', '  two"'], "one two"],
    ["without a value", ["description:"], null],
    ["empty", ['description: ""'], null],
  ])("%s", (_name, lines, text) => {
    const read = header(...lines, "name: x");
    expect(read.description).toBe(text);
    expect(read.name).toBe("x");
    expect(read.faults).toEqual([]);
  });
});

test.each([
  ["true", true],
  ["True", true],
  ['"true"', true],
  ["yes # always", true],
  ["false", false],
  ["no", false],
  ["", null],
])("alwaysApply: %s", (value, is) => {
  const read = header(`alwaysApply: ${value}`);
  expect(read.alwaysApply).toBe(is);
  expect(read.faults).toEqual([]);
});

test("a value that is neither is named, with its line", () => {
  const read = header("name: x", "alwaysApply: sometimes");
  expect(read.alwaysApply).toBeNull();
  expect(read.faults).toMatchObject([{ code: "header_value_unread", line: 3 }]);
});

test("keys without a meaning are named, whatever they hold, and their lines are not read as ours", () => {
  const read = header(
    "allowed-tools: Bash, Read",
    "metadata:",
    "  name: not ours",
    "  globs: x",
    "model: fast",
    "name: x",
  );
  expect(read.unknown).toEqual(["allowed-tools", "metadata", "model"]);
  expect(read.name).toBe("x");
  expect(read.globs).toBeNull();
  expect(read.faults).toEqual([]);
});

test("a key that stands twice counts once, and is named", () => {
  const read = header("globs: a/*", "name: x", "globs: b/*");
  expect(read.globs).toEqual(["a/*"]);
  expect(read.faults).toMatchObject([{ code: "duplicate_key", line: 4 }]);
});

test("keys are known in any case, in quotes, and where all of them are indented", () => {
  const read = header('  "applyto": "**/*.rb"', "  alwaysapply: true", "  Description: x");
  expect(read).toMatchObject({ applyTo: ["**/*.rb"], alwaysApply: true, description: "x", unknown: [], faults: [] });
});

test("a line that says nothing is named with its number", () => {
  const read = header("name: x", "this says nothing", "globs: a/*");
  expect(read.faults).toMatchObject([{ code: "header_line_unread", line: 3 }]);
  expect(read.globs).toEqual(["a/*"]);
});

describe("where the body begins", () => {
  const body = (text: string) => text.slice(readHeader(text).bodyFrom);

  test.each([
    ["no header", "# Title\n\ntext\n", "# Title\n\ntext\n", false],
    ["a header", "---\nname: x\n---\n# Title\n", "# Title\n", true],
    ["Windows line breaks", "---\r\nname: x\r\n---\r\n# Title\r\n", "# Title\r\n", true],
    ["a byte order mark", "\ufeff---\nname: x\n---\nbody", "body", true],
    ["a byte order mark alone", "\ufeffbody", "body", false],
    ["empty lines before", "\n\n---\nname: x\n---\nbody", "body", true],
    ["dots at the end", "---\nname: x\n...\nbody", "body", true],
    ["blanks behind the dashes", "---  \nname: x\n---\t\nbody", "body", true],
    ["an empty header", "---\n---\nbody", "body", true],
    ["nothing behind it", "---\nname: x\n---", "", true],
    [
      "a rule across the page",
      "---\n\nText of the rule.\n\n---\n\nMore.\n",
      "---\n\nText of the rule.\n\n---\n\nMore.\n",
      false,
    ],
    [
      "a rule across the page at once",
      "---\nText of the rule.\n---\nMore.\n",
      "---\nText of the rule.\n---\nMore.\n",
      false,
    ],
    [
      "prose with a colon between two rules",
      "---\nText of the rule.\nNote: this.\n---\n",
      "---\nText of the rule.\nNote: this.\n---\n",
      false,
    ],
    ["nothing but dashes", "---\n", "---\n", false],
  ])("%s", (_name, text, rest, present) => {
    expect(body(text)).toBe(rest);
    expect(readHeader(text).present).toBe(present);
    expect(readHeader(text).faults).toEqual([]);
  });

  test.each([
    ["to the end", "---\nname: x\nglobs: a/*\n", ""],
    ["up to an empty line", "---\nname: x\nglobs: a/*\n\nText.\n", "\nText.\n"],
    ["up to a heading", "---\nname: x\nglobs: a/*\n# Title\n\nText.\n", "# Title\n\nText.\n"],
    [
      "with a rule across the page later",
      "---\nname: x\nglobs: a/*\n\n# T\n\nText.\n\n---\n\nMore.\n",
      "\n# T\n\nText.\n\n---\n\nMore.\n",
    ],
    [
      "with a list and a rule across the page",
      "---\nname: x\nglobs: a/*\n\n- Text.\n\n---\n\nMore.\n",
      "\n- Text.\n\n---\n\nMore.\n",
    ],
  ])("a header that never ends, %s: no text of the rule is taken for it", (_name, text, rest) => {
    const read = readHeader(text);
    expect(body(text)).toBe(rest);
    expect(read).toMatchObject({ name: "x", globs: ["a/*"], faults: [{ code: "header_not_closed", line: 1 }] });
  });
});
