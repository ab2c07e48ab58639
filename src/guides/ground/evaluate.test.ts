import { expect, test } from "vitest";
import { wilson } from "../../domain/wilson.ts";
import { evaluate, type Pair } from "./evaluate.ts";

const pair = (id: string, expected: string | null, accept: readonly string[] = []): Pair => ({
  ...{ id, map: "m", intent: id, expected, accept, kind: "k", core: true },
});

test("counts, rates and intervals", () => {
  const binds: Readonly<Record<string, string | null>> = { a: "x", b: "y", c: "z", d: null, e: null, f: "q" };
  const pairs = [
    pair("a", "x"),
    pair("b", "x", ["y"]),
    pair("c", "x"),
    pair("d", "x"),
    pair("e", null),
    pair("f", null),
  ];
  const evaluation = evaluate(pairs, ({ id }) => binds[id] ?? null);
  expect(evaluation).toEqual({
    counts: { right: 2, wrong: 1, missed: 1, leftUnbound: 1, boundAnyway: 1 },
    // What was bound although nothing should be was bound wrongly as well.
    precision: { hits: 2, of: 4, rate: 0.5, interval: wilson(2, 4) },
    recall: { hits: 2, of: 4, rate: 0.5, interval: wilson(2, 4) },
    negatives: { hits: 1, of: 2, rate: 0.5, interval: wilson(1, 2) },
  });
});

test("of no pairs nothing is known", () => {
  const nothing = { hits: 0, of: 0, rate: null, interval: { low: 0, high: 1 } };
  expect(evaluate([], () => null)).toMatchObject({ precision: nothing, recall: nothing, negatives: nothing });
});
