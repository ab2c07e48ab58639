import { describe, expect, test } from "vitest";
import { someRule } from "../../test/checks/guide-rules.ts";
import { fit as fitted } from "./fit.ts";
import { Part } from "./part.ts";
import { NOTHING, type Taken } from "./taken.ts";

/** Rules of these sizes; one that is written as text is a safety rule. */
const parts = (...sizes: readonly (number | string)[]): readonly Part[] =>
  sizes.map(
    (size, i) => new Part(someRule(`r${i}`, { body: "x".repeat(Number(size)), safety: typeof size === "string" })),
  );

const ids = (kept: readonly Part[]): string => kept.map(({ id }) => id).join(" ");

function outcome(dispatch: readonly Part[], pinned: Taken, budget: number): readonly string[] {
  const { kept, dropped } = fitted(dispatch, pinned, budget);
  return [ids(kept), dropped.map(({ part, reason }) => `${part.id} ${reason}`).join(", ")];
}

describe("ordinary rules are walked in their order", () => {
  test("until one does not fit; the walk stops and does not skip", () => {
    expect(outcome(parts(10, 30, 5), NOTHING, 20)).toEqual(["r0", "r1 larger_than_budget, r2 after_the_stop"]);
    expect(outcome(parts(10, 15, 1), NOTHING, 20)).toEqual(["r0", "r1 after_the_stop, r2 after_the_stop"]);
  });

  test("the budget at the border, with a separator between two", () => {
    expect([21, 22, 23].map((budget) => outcome(parts(10, 10), NOTHING, budget)[0])).toEqual(["r0", "r0 r1", "r0 r1"]);
    expect([9, 10, 11].map((budget) => outcome(parts(10), NOTHING, budget)[0])).toEqual(["", "r0", "r0"]);
  });

  test("what can never be served is named so wherever it stands", () => {
    expect(outcome(parts(10, 15, 21, 20), NOTHING, 20)[1]).toBe(
      "r1 after_the_stop, r2 larger_than_budget, r3 after_the_stop",
    );
  });

  test("pinned rules keep their places, before and after the stop, and are counted first", () => {
    const pinned = { rules: 2, bytes: 12 };
    expect(outcome(parts(5, "5", 10, 1, "5"), pinned, 19)).toEqual([
      "r0 r1 r4",
      "r2 after_the_stop, r3 after_the_stop",
    ]);
    expect(outcome(parts(5, "5", 10, 1, "5"), pinned, 18)[0]).toBe("r1 r4");
  });

  test("a rule without a text takes its separator", () => {
    expect([1, 2, 3].map((budget) => outcome(parts(0, 0), NOTHING, budget)[0])).toEqual(["r0", "r0 r1", "r0 r1"]);
  });
});
