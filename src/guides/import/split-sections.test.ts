import { describe, expect, test } from "vitest";
import { utf8Length } from "../../domain/utf8.ts";
import { byteOffsets } from "./byte-offsets.ts";
import { scanMarkdown } from "./markdown.ts";
import { splitSections } from "./split-sections.ts";

const LONG = "word ".repeat(20).trim();

/** The sections as their titles and texts; put together they are the text. */
function split(text: string, budgetBytes: number) {
  const sections = splitSections(text, 0, { budgetBytes, bytesBefore: byteOffsets(text) });
  expect(sections.map(({ from, to }) => text.slice(from, to)).join("")).toBe(text);
  return sections.map(({ title, from, to }) => [title, text.slice(from, to).trim()]);
}

function titles(text: string, budgetBytes: number) {
  return split(text, budgetBytes).map(([title]) => title);
}

test("what fits stays whole, to the byte", () => {
  const text = "# A\n\nä\n\n## B\n\nb\n";
  expect(split(text, 16)).toEqual([["", text.trim()]]);
  expect(titles(text, 15)).toEqual(["A", "B"]);
});

test("sections are cut at the first level that divides, and deeper only where one is still too long", () => {
  const text = `# Top\n\nintro\n\n## A\n\n${LONG}\n\n## B\n\nb\n\n### B1\n\n${LONG}\n\n### B2\n\n${LONG}\n`;
  expect(titles(text, 120)).toEqual(["Top", "A", "B", "B1", "B2"]);
  expect(titles(text, 240)).toEqual(["Top", "A", "B"]);
});

test("headings that were kept together for what is behind them are cut when that is a section of its own", () => {
  expect(split("a\n---\nbbbbbbbbbb\n---\n###### F", 14)).toEqual([
    ["a", "a\n---"],
    ["bbbbbbbbbb", "bbbbbbbbbb\n---"],
    ["F", "###### F"],
  ]);
});

test("text before the first heading is a section of its own", () => {
  expect(split(`${LONG}\n\n## A\n\n${LONG}\n`, 110)).toEqual([
    ["", LONG],
    ["A", `## A\n\n${LONG}`],
  ]);
});

test("a heading with nothing below it stays with the next one", () => {
  const text = `# Top\n\n## A\n\n### A1\n\n${LONG}\n\n### A2\n\n${LONG}\n`;
  expect(split(text, 130)).toEqual([
    ["A1", `# Top\n\n## A\n\n### A1\n\n${LONG}`],
    ["A2", `### A2\n\n${LONG}`],
  ]);
});

test("unless that one fits only without it", () => {
  const text = `# Top\n\n## A\n\n${LONG}\n\n## B\n\n${LONG}\n`;
  expect(titles(text, 106)).toEqual(["Top", "A", "B"]);
  expect(titles(text, 113)).toEqual(["A", "B"]);
});

test("a section without headings stays whole, however long it is", () => {
  expect(titles(`## A\n\n${LONG}\n${LONG}\n\n## B\n\nb\n`, 50)).toEqual(["A", "B"]);
});

test("levels that are left out are no hindrance", () => {
  expect(titles(`# A\n\na\n\n#### B\n\n${LONG}\n\n#### C\n\nc\n`, 60)).toEqual(["A", "B", "C"]);
});

describe("what is no heading", () => {
  const levels = (text: string) => scanMarkdown(text, 0).headings.map(({ level, title }) => `${level} ${title}`);

  test.each([
    ["a comment in a shell script", "```sh\n# no\n```\n# yes\n", ["1 yes"]],
    ["in tildes, with backquotes inside", "~~~\n```\n# no\n```\n~~~\n# yes\n", ["1 yes"]],
    ["in a longer fence", "````\n```\n# no\n````\n# yes\n", ["1 yes"]],
    ["in a fence within a list", "- a\n  ```\n  # no\n# no\n  ```\n# yes\n", ["1 yes"]],
    ["in a fence that follows a list's mark", "- ```\n# no\n  ```\n# yes\n", ["1 yes"]],
    ["in a fence that never ends", "# yes\n```\n# no\n", ["1 yes"]],
    ["in a comment", "<!--\n# no\n-->\n# yes\n", ["1 yes"]],
    ["in a comment that never ends", "# yes\n<!--\n# no\n", ["1 yes"]],
    ["behind a comment of one line", "<!-- a -->\n# yes\n", ["1 yes"]],
    ["indented as code", "a\n\n    # no\n", []],
    ["without a blank", "#no\n#5 bolt\n", []],
    ["seven marks", "####### no\n", []],
    ["code between backquotes in a line", "```not a fence``` x\n# yes\n", ["1 yes"]],
    ["dashes below a list", "- a\n---\n", []],
    ["dashes below an empty line", "a\n\n---\n", []],
    ["dashes below a table", "| a |\n---\n", []],
    ["dashes below a quote and its lazy line", "> a\nb\n---\n", []],
    ["dashes below dashes", "---\n---\n", []],
    ["dashes with blanks between", "a\n- - -\n", []],
  ])("%s", (_name, text, headings) => {
    expect(levels(text)).toEqual(headings);
  });

  test.each([
    ["up to three blanks before", "   ## yes\n", ["2 yes"]],
    ["closed", "## yes ##\n", ["2 yes"]],
    ["with Windows line breaks", "## yes\r\n\r\ntext\r\n", ["2 yes"]],
    ["with marks of emphasis", "## **1.** `run` it\n", ["2 1. run it"]],
    ["empty", "##\n", ["2 "]],
    ["underlined", "yes\n===\n\ntext\n\nalso\n---\n", ["1 yes", "2 also"]],
    ["underlined by one sign", "yes\n-\n", ["2 yes"]],
    ["underlined, of two lines", "yes\nand more\n---\n", ["2 yes and more"]],
  ])("%s", (_name, text, headings) => {
    expect(levels(text)).toEqual(headings);
  });

  test("an underlined heading begins with its text", () => {
    expect(split(`a\n\nFirst\n-----\n${LONG}\n\nSecond\n------\n${LONG}\n`, 120)).toEqual([
      ["", "a"],
      ["First", `First\n-----\n${LONG}`],
      ["Second", `Second\n------\n${LONG}`],
    ]);
  });
});

test("bytes before any place, as Node counts them", () => {
  const text = "aé\u3000 b 予約🚪\ufeff c\ud800 d\n";
  const before = byteOffsets(text);
  for (const at of text.split("").keys()) {
    const isInside = /[\ud800-\udbff]$/.test(text.slice(0, at)) && /^[\udc00-\udfff]/.test(text.slice(at));
    if (!isInside) expect(before(at), `at ${at}`).toBe(utf8Length(text.slice(0, at)));
  }
  expect(before(text.length)).toBe(Buffer.byteLength(text));
});
