/** What an import must hold, asked of the product or of a copy with a fault planted in it (test/twins/import.test.ts). */
import assert from "node:assert/strict";
import type * as guides from "../../src/guides/index.ts";

export type Guides = Pick<typeof guides, "importAll" | "importFile" | "readForeignHeader">;

const WORDS = "Every guest has a room, and every room a door. ".repeat(3).trim();

/** A text with what is easily taken for a heading, and with every kind of line break and of character. */
export const HARD_TEXT = [
  "Before any heading: naïve text.",
  `# Hotel\n\n## Rooms\r\n\r\n${WORDS}\r\n`,
  "```sh\n# not a heading\n## nor this\n```\n",
  `### Keys\n\n${WORDS}\n\n<!--\n## in a comment\n-->\n\nDoors 🚪\n-----\n\n${WORDS}\n`,
  `## Rooms\n\n${WORDS}\n\n\n\n#### 予約\n\n${WORDS}\n`,
  `## Last\n\n- a\n---\n${WORDS}  \n\n`,
].join("\n");

export const IMPORT_CHECKS = {
  /** The bodies of a file's rules are its body, but for white space between them, in its order. */
  noByteLost({ importFile }: Guides): void {
    for (const header of ["", "---\nglobs: rooms/**\n---\n", "\ufeff---\r\nglobs: rooms/**\r\n---\r\n\r\n"]) {
      for (const budgetBytes of [1, 20, 100, 150, 200, 300, 400, 600, 5_000]) {
        const text = header + HARD_TEXT;
        const { rules } = importFile({ name: "hotel.mdc", text }, { budgetBytes });
        judgeWhole(text, Buffer.byteLength(header), rules);
      }
    }
  },

  /** Each file gives one line, and every line says one of three things. */
  oneLine({ importAll }: Guides): void {
    const texts = ["Text.", "", "---\na: b\n---\n", "\ufeff", "NEVER.", "Text."];
    const names = ["AGENTS.md", "web/AGENTS.md", "x.mdc", "x.mdc", "a/SKILL.md", "README.md"];
    const files = names.flatMap((name) => texts.map((text) => ({ name, text })));
    const failed = { code: "not_utf8", detail: "no UTF-8" } as const;
    const { files: lines, ...report } = importAll([...files, { name: "x.mdc", failed }]);
    assert.equal(lines.length, files.length + 1);
    assert.equal(report.seen, lines.length);
    assert.equal(report.imported + report.importedWithFindings + report.refused, report.seen);
    for (const { outcome, code, rules, findings } of lines) {
      assert.equal(code !== null, outcome === "refused");
      assert.equal(rules.length === 0, outcome === "refused");
      assert.ok(rules.every(({ body }) => body.trim() !== ""));
      assert.equal(findings.length > 0, outcome !== "imported");
    }
    const ids = report.rules.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, "two rules have one id");
  },

  /** Text of a rule is never taken for its header. */
  headerEndsInTime({ importFile, readForeignHeader }: Guides): void {
    const texts = [
      "---\nglobs: a\n\nDo this.\n\n---\n\nDo that.\n",
      "---\nDo this.\n---\nDo that.\n",
      "---\nglobs: a\n\n- Do this.\n\n---\nDo that.\n",
    ];
    for (const text of texts) {
      const [rule] = importFile({ name: "x.mdc", text }).rules;
      assert.match(rule?.body ?? "", /Do this\..*Do that\./s);
    }
    assert.equal(readForeignHeader(texts[0] ?? "").faults[0]?.code, "header_not_closed");
  },

  /** What people write for globs is read as they mean it. */
  globsAsMeant({ importFile }: Guides): void {
    const pathsOf = (value: string): string | undefined => {
      const [rule] = importFile({ name: "x.mdc", text: `---\nglobs:${value}\n---\ntext\n` }).rules;
      return /^paths: (.*)$/m.exec(rule?.text ?? "")?.[1];
    };
    const two = '["**/*.ts", "src/*.{js,jsx}"]';
    for (const value of [
      " **/*.ts, src/*.{js,jsx}",
      " **/*.ts,src/*.{js,jsx}",
      ' "**/*.ts, src/*.{js,jsx}"',
      ' ["**/*.ts", "src/*.{js,jsx}"]',
      "\n  - **/*.ts\n  - 'src/*.{js,jsx}'",
    ]) {
      assert.equal(pathsOf(value), two, value);
    }
    assert.equal(pathsOf(" **/*"), undefined);
    assert.equal(pathsOf(" **/*.{js,ts}"), '"**/*.{js,ts}"');
  },

  /** A guess has every distinctive word of the description, and is said to be one. */
  wholeGuess({ importFile }: Guides): void {
    const words = Array.from({ length: 400 }, (_, i) => `word${i}`);
    const text = `---\nname: hotel\ndescription: Use when ${words.join(" and ")}\n---\ntext\n`;
    const { rules, findings } = importFile({ name: "skills/hotel/SKILL.md", text });
    const written = /^ {2}words: \[(.*)\]$/m.exec(rules[0]?.text ?? "")?.[1]?.split(", ");
    assert.deepEqual(written, ["hotel", ...words]);
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ["guessed_matcher"],
    );
  },

  /** Globs that cannot be kept make no rule for every file. */
  neverWider({ importFile }: Guides): void {
    const { rules, findings } = importFile({ name: "hotel.mdc", text: "---\nglobs: '{a'\n---\ntext\n" });
    assert.match(rules[0]?.text ?? "", /^task:/m);
    assert.ok(findings.some(({ rule, severity }) => rule === "glob_not_kept" && severity === "error"));
  },

  /** What cannot be seen is named, and what may be safety is pointed at and not decided. */
  nothingQuiet({ importFile }: Guides): void {
    const text = "NEVER do\u200b this, see [that](that.md).\n";
    const { rules, findings } = importFile({ name: "AGENTS.md", text }, { budgetBytes: 10 });
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ["refers_to_file", "maybe_safety", "larger_than_budget", "hidden_code_point"],
    );
    assert.ok(!rules[0]?.text.includes("safety:"));
    assert.equal(rules[0]?.body, text.trim());
  },
} as const satisfies Readonly<Record<string, (guides: Guides) => void>>;

type Ranged = { readonly body: string; readonly from: number; readonly to: number; readonly text: string };

/** Whether rules, each a range of `text`, are all of it from the byte `start` on, but for white space between them. */
export function judgeWhole(text: string, start: number, rules: readonly Ranged[]): void {
  const bytes = Buffer.from(text);
  let at = start;
  for (const { body, from, to, text: file } of rules) {
    assert.ok(from >= at, "two rules overlap, or are out of order");
    assert.equal(bytes.subarray(at, from).toString().trim(), "", "text between two rules is lost");
    assert.equal(bytes.subarray(from, to).toString(), body, "a body is not its range of bytes");
    assert.ok(file.endsWith(`\n---\n\n${body}\n`), "a rule file does not end with its body");
    at = to;
  }
  assert.equal(bytes.subarray(at).toString().trim(), "", "text behind the last rule is lost");
}
