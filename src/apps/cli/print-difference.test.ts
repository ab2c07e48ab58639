import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf, EDITS_MAX, type Hunk } from "./print-difference.ts";

const NO_BREAK = "\\ No newline at end of file";

/** The text that a difference leads to. Throws where it does not fit the one that it leads from. */
function applied(before: string, hunks: readonly Hunk[]): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let [at, made] = [0, ""];
  for (const { oldStart, lines } of hunks) {
    // A hunk of an empty text begins at line 1 or 0.
    while (at < oldStart - 1) made += old[at++] ?? "";
    lines.forEach((line, i) => {
      if (line === NO_BREAK) return;
      const text = line.slice(1) + (lines[i + 1] === NO_BREAK ? "" : "\n");
      if (!line.startsWith("+")) expect(old[at++]).toBe(text);
      if (!line.startsWith("-")) made += text;
    });
  }
  return made + old.slice(at).join("");
}

const texts = fc.array(fc.constantFrom("a", "b", "c\r", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

test("a difference is whole and exact, however little may be spent on it", () => {
  fc.assert(
    fc.property(texts, texts, fc.constantFrom(0, 10, 40, 1e6), (before, after, stepsMax) => {
      expect(applied(before, differenceOf(before, after, stepsMax))).toBe(after);
    }),
    { numRuns: 500 },
  );
});

/** Texts that differ in every tenth line; `changes` lines go, and as many come. */
function changed(changes: number): readonly [string, string] {
  const lines = Array.from({ length: changes * 10 }, (_, i) => `line ${i}\n`);
  return [lines.join(""), lines.map((line, i) => (i % 10 === 5 ? `now ${line}` : line)).join("")];
}

test("edits are sought out one by one up to a bound, and beyond it the whole part is said to go and to come", () => {
  const edits = EDITS_MAX / 2;
  expect(differenceOf(...changed(edits - 1))).toHaveLength(edits - 1);
  expect(differenceOf(...changed(edits))).toHaveLength(edits);
  const [before, after] = changed(edits + 1);
  const hunks = differenceOf(before, after);
  expect(hunks).toHaveLength(1);
  expect(hunks[0]).toMatchObject({ oldStart: 4, newStart: 4 });
  expect(hunks[0]?.lines.slice(0, 4)).toEqual([" line 3", " line 4", "-line 5", "-line 6"]);
  expect(hunks[0]?.lines.slice(-4)).toEqual(["+line 5004", "+now line 5005", " line 5006", " line 5007"]);
  expect(applied(before, hunks)).toBe(after);
});

test("in a long text fewer are sought out", () => {
  const [before, after] = changed(10);
  expect(differenceOf(before, after, 20 * 200)).toHaveLength(10);
  expect(differenceOf(before, after, 20 * 200 - 1)).toHaveLength(1);
});

test("the same text has no difference, and a line break at the end is one", () => {
  expect(differenceOf("a\n", "a\n", 0)).toEqual([]);
  expect(differenceOf("a\nb", "a\nb\n", 0)).toEqual([
    { oldStart: 1, newStart: 1, lines: [" a", "-b", NO_BREAK, "+b"] },
  ]);
  expect(differenceOf("", "a\n", 0)).toEqual([{ oldStart: 1, newStart: 1, lines: ["+a"] }]);
});
