/**
 * The laws of src/guides/parse-rule.ts, over random files. The law of the untouched bytes has twins: readers that do what is
 * easily done to a text on its way, each of which it must catch.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rule } from "../../src/domain/rule.ts";
import { parseRule, RULE_KEYS, type RuleParse } from "../../src/guides/index.ts";
import { decodeUtf8 } from "../../src/runtime/guides/decode-utf8.ts";
import { seed } from "../seed.ts";

const utf8 = new TextEncoder();

function read(text: string): RuleParse {
  return parseRule({ name: "a.md", text, digest: "0".repeat(64) });
}

/** Pieces of one to four bytes, line breaks of both kinds, blanks, and what looks like the end of a header. */
const piece = fc.constantFrom(
  "a",
  "é",
  "ロ",
  "😀",
  "👩‍👩‍👧",
  "\n",
  "\r\n",
  " ",
  "\t",
  "---",
  "\u00a0",
  "\u3000",
  "# b",
  "```",
);
const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
const newline = fc.constantFrom("\n", "\r\n");
const header = fc.constantFrom("id: x", "id: x # é", 'id: x{}app: "ロ😀"', "id: x{}task: [é, 'ロ a*']{}safety: true");

/** A file with a sound header, and whatever body. */
const file = fc
  .record({ newline, header, body })
  .map(({ newline, header, body }) => `---${newline}${header.replaceAll("{}", newline)}${newline}---${newline}${body}`);

/** What the law asks of a reader: that the body is exactly the bytes of the file that it names, and leaves out only blanks. */
function isUntouched(text: string, rule: Pick<Rule, "body" | "from" | "to">): boolean {
  const bytes = Buffer.from(utf8.encode(text));
  const [before, after] = [bytes.subarray(0, rule.from).toString(), bytes.subarray(rule.to).toString()];
  const rest = before.slice(before.lastIndexOf("\n---") + 4);
  return (
    bytes.subarray(rule.from, rule.to).equals(Buffer.from(utf8.encode(rule.body))) &&
    `${before}${rule.body}${after}` === text &&
    rule.body.trim() !== "" &&
    rule.body.trimEnd() === rule.body &&
    `${rest}${after}`.trim() === "" &&
    rest.endsWith("\n")
  );
}

describe("untouched-bytes", () => {
  test("the body is the bytes `from` to `to` of the file, whatever they are", () => {
    let rules = 0;
    fc.assert(
      fc.property(file, (text) => {
        const parsed = read(text);
        if (!parsed.ok) {
          // Nothing in these files is wrong but that there may be no text.
          expect(parsed.findings.map((one) => one.rule)).toEqual(["empty_body"]);
          return;
        }
        rules += 1;
        expect(isUntouched(text, parsed.rule)).toBe(true);
      }),
      { seed, numRuns: 2_000 },
    );
    expect(rules).toBeGreaterThan(1_000);
  });

  const twins: Readonly<Record<string, (text: string, rule: Rule) => Pick<Rule, "body" | "from" | "to">>> = {
    "line breaks made one": (_, rule) => ({ ...rule, body: rule.body.replaceAll("\r\n", "\n") }),
    "offsets in UTF-16 units": (text, { body }) => {
      const from = text.lastIndexOf(body);
      return { body, from, to: from + body.length };
    },
    "blanks of the first line taken off": (_, { body, from, to }) => {
      const lead = body.length - body.trimStart().length;
      return { body: body.trimStart(), from: from + utf8.encode(body.slice(0, lead)).length, to };
    },
    "a line break added at the end": (_, { body, from, to }) => ({ body: `${body}\n`, from, to: to + 1 }),
    "another normal form": (_, rule) => ({ ...rule, body: rule.body.normalize("NFD") }),
    "the end one byte early": (_, rule) => ({ ...rule, to: rule.to - 1 }),
  };
  test.each(Object.entries(twins))("catches: %s", (_, twin) => {
    const caught = fc.check(
      fc.property(file, (text) => {
        const parsed = read(text);
        return !parsed.ok || isUntouched(text, twin(text, parsed.rule));
      }),
      { seed, numRuns: 2_000 },
    );
    expect(caught.failed).toBe(true);
  });
});

/** Texts that are nearly headers, so that random ones get past the first line. */
const scrap = fc.constantFrom(
  ...[
    "---\n",
    "id: x\n",
    "app: ",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "&a ",
    "*a",
    "!t ",
    "<<: ",
    "|\n",
    ">\n",
    '"',
    "'",
    "#",
  ],
  ...[
    "\n",
    "\r\n",
    "  ",
    "\t",
    "when:\n",
    "task: {words: [a], least: 1}\n",
    "0x1F",
    "~",
    "\\u00ad",
    "é",
    "👩\u200d",
    "\u{e0041}",
  ],
  ...RULE_KEYS.map((key) => `${key}: a\n`),
);
const nearly = fc.array(scrap, { maxLength: 60 }).map((pieces) => `---\n${pieces.join("")}`);
const anything = fc.oneof(nearly, fc.string({ unit: "binary", maxLength: 200 }), fc.string({ unit: "grapheme" }), file);

describe("total and placed", () => {
  test("any text gives a rule or findings, each with its place in the file and in order", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = read(text);
        const lines = text.split("\n");
        const places = parsed.findings.map(({ where }) => {
          const [, line, column] = /^a\.md:(\d+):(\d+)$/.exec(where) ?? [];
          return [Number(line), Number(column)] as const;
        });
        for (const [line, column] of places) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column - 1).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1);
        }
        expect(places).toEqual(places.toSorted(([a, b], [c, d]) => a - c || b - d));
        expect(parsed.findings.some((one) => one.severity === "error")).toBe(!parsed.ok);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  test("any bytes do", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = decodeUtf8(bytes);
        if (text.ok) {
          expect(utf8.encode(text.value)).toEqual(bytes);
          read(text.value);
        } else expect(text.why.code).toBe("not_utf8");
      }),
      { seed, numRuns: 2_000 },
    );
  });

  test("what can be read once is read the same from its own pieces", () => {
    fc.assert(
      fc.property(file, (text) => {
        const parsed = read(text);
        if (!parsed.ok) return;
        const head = Buffer.from(text).subarray(0, parsed.rule.from).toString();
        const again = read(`${head}${parsed.rule.body}`);
        expect(again.ok && again.rule).toEqual(parsed.rule);
      }),
      { seed, numRuns: 1_000 },
    );
  });
});
