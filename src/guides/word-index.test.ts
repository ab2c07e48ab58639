import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import { occurring, wordIndex } from "./word-index.ts";
import { runsOf } from "./words.ts";

const found = (words: readonly string[], text: string): readonly string[] =>
  occurring(wordIndex(words), text)
    .map((number) => words[number] ?? "")
    .sort();

describe("which words occur", () => {
  test("whole words, and beginnings", () => {
    expect(found(["refund", "refund*", "ref*", "order", "orders"], "Refunded two orders")).toEqual([
      "orders",
      "ref*",
      "refund*",
    ]);
    expect(found(["refund", "refund*"], "refund")).toEqual(["refund", "refund*"]);
    expect(found(["fund*", "und"], "refund")).toEqual([]);
  });

  test("stretches of scripts without spaces, wherever they stand, also one in another", () => {
    expect(found(["退款", "款", "订单退", "单", "退货"], "请给订单退款吧")).toEqual(
      ["单", "订单退", "退款", "款"].sort(),
    );
    // A run ends where another script begins: what is not together does not occur together.
    expect(found(["退款"], "退 款 退x款")).toEqual([]);
    expect(found(["คืนเงิน"], "ช่วยคืนเงินให้ลูกค้า")).toEqual(["คืนเงิน"]);
  });

  test("the same as looking for each by itself", () => {
    const stretch = fc.string({ unit: fc.constantFrom("退", "款", "单"), minLength: 1, maxLength: 5 });
    const letters = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
    const word = fc.oneof(
      stretch,
      letters,
      letters.map((text) => `${text}*`),
    );
    const text = fc.string({ unit: fc.constantFrom("退", "款", "单", "a", "b", " "), maxLength: 30 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 12 }), text, (words, task) => {
        const runs = runsOf(task).map((run) => run.text);
        const slow = words.filter((one) =>
          one.endsWith("*")
            ? runs.some((run) => run.startsWith(one.slice(0, -1)))
            : /[ab]/.test(one)
              ? runs.includes(one)
              : runs.some((run) => run.includes(one)),
        );
        expect(found(words, task)).toEqual(slow.sort());
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

// Claim S9: the shapes that send a search which goes back into the powers.
describe("no phrase makes a text of a megabyte hang", () => {
  const MEGA = 1_000_000;
  const nested = (unit: string): readonly string[] => Array.from({ length: 200 }, (_, i) => unit.repeat(i + 1));
  const hostile: readonly (readonly [name: string, words: readonly string[], text: string])[] = [
    ["one letter, and beginnings of it", nested("a").map((word) => `${word}*`), "a".repeat(MEGA)],
    ["words of one letter", nested("a"), "a".repeat(MEGA)],
    ["one character, and stretches of it", nested("退"), "退".repeat(MEGA)],
    ["stretches that nearly fit", nested("退").map((word) => `${word}款`), "退".repeat(MEGA)],
    [
      "stretches that nearly fit, again and again",
      nested("退").map((word) => `${word}款`),
      `${"退".repeat(150)}单`.repeat(MEGA / 151),
    ],
    ["two characters in turn", nested("退款"), "退款".repeat(MEGA / 2)],
    ["short words", ["a*", "b*"], "a b ".repeat(MEGA / 4)],
    ["nothing but borders", ["a"], " ".repeat(MEGA)],
    ["marks", ["a"], "\u0301".repeat(MEGA)],
    ["characters that fold into eighteen", ["صلى"], "\ufdfa ".repeat(MEGA / 18)],
  ];
  test.each(hostile)("%s", (_, words, text) => {
    const steps = { count: 0 };
    const index = wordIndex(words);
    occurring(index, text, steps);
    const read = runsOf(text).reduce((units, run) => units + run.text.length, 0);
    expect(steps.count).toBeLessThanOrEqual(4 * read + words.length);
  });
});
