import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../../test/seed.ts";
import { Needles } from "./needles.ts";

/** Where each needle is first found, so far as `endsAt` lets it; -1 for nowhere. */
function firstEnds(needles: Needles, count: number, text: string, endsAt?: (end: number) => boolean): number[] {
  const found = Array.from({ length: count }, () => -1);
  const note = (needle: number, end: number): boolean => {
    expect(found[needle]).toBe(-1);
    found[needle] = end;
    return true;
  };
  needles.pass(text, note, endsAt);
  return found;
}

/** Enough that the engine's own search is not used. */
const FAR = "#".repeat(4_000_000);

describe("many texts looked for in one pass", () => {
  const some = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 9,
  });
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", " "), maxLength: 60 });

  test("it finds what the engine's search finds, in the same place", () => {
    fc.assert(
      fc.property(some, text, (list, where) => {
        const near = firstEnds(new Needles(list), list.length, where);
        expect(near).toEqual(list.map((one) => (where.includes(one) ? where.indexOf(one) + one.length : -1)));
        expect(firstEnds(new Needles(list), list.length, where + FAR)).toEqual(near);
        const even = (end: number): boolean => end % 2 === 0;
        expect(firstEnds(new Needles(list), list.length, where + FAR, even)).toEqual(
          firstEnds(new Needles(list), list.length, where, even),
        );
      }),
      { seed, numRuns: 30 },
    );
  });

  test("what answers no is asked at each of its places", () => {
    for (const far of ["", FAR]) {
      const ends: string[] = [];
      new Needles(["aa", "a"]).pass(`aaa${far}`, (needle, end) => ends.push(`${needle}:${end}`) < 0);
      expect(ends.sort()).toEqual(["0:2", "0:3", "1:1", "1:2", "1:3"]);
    }
  });

  test.each([
    ["a tail that comes late", (i: number) => `${"a".repeat(380 + i)}b${"a".repeat(643 - i)}`],
    ["a first letter that is another", (i: number) => `b${"a".repeat(900 + i)}`],
    ["a last letter that is another", (i: number) => `${"a".repeat(900 + i)}b`],
    ["nothing but what is there", (i: number) => "a".repeat(900 + i)],
    ["two letters in turn", (i: number) => `${"ab".repeat(400 + i)}c`],
  ])("a pass takes two steps a character at most: %s", (_what, needleOf) => {
    const list = Array.from({ length: 60 }, (_, i) => needleOf(i));
    const chars = list.join("").length;
    for (const length of [500_000, 1_000_000]) {
      for (const unit of ["a", "ab", "aab"]) {
        const needles = new Needles(list);
        firstEnds(needles, list.length, unit.repeat(length / unit.length));
        expect(needles.steps).toBeLessThan(2 * (length + 2 * chars));
      }
    }
  });
});
