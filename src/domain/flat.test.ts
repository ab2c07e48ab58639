import { describe, expect, test } from "vitest";
import { isFlat, mended, onlyOf, unwrapped } from "./flat.ts";
import type { Json } from "./json.ts";

const INNER = { kind: "retrieve", query: "a" };

describe("flat replies and what is around them", () => {
  test.each<[Json, boolean]>([
    [INNER, false],
    [[INNER], true],
    [{ reply: INNER }, true],
    [[{ reply: INNER }], true],
    [{ reply: [INNER] }, true],
  ])("%j is unwrapped: %s", (value, wrapped) => {
    expect(unwrapped(value)).toEqual({ value: INNER, wrapped });
  });

  test.each<[Json]>([
    [[INNER, INNER]],
    [[[[INNER]]]],
    [{ reply: INNER, more: 1 }],
    [{ text: INNER }],
    [{ reply: { query: "a" } }],
    [{ reply: "a" }],
    [[]],
    [{}],
    [null],
  ])("%j is left as it is", (value) => {
    expect(unwrapped(value)).toEqual({ value, wrapped: false });
  });

  test("the kind's spelling and params in text are mended, and nothing else", () => {
    const flat = { kind: "PLAN", steps: [{ actor: "A", params: "{'a':1}" }, "x", { params: "{" }], text: "{'a':1}" };
    expect(mended(flat, 1_000)).toEqual({
      flat: { kind: "plan", steps: [{ actor: "A", params: { a: 1 } }, "x", { params: "{" }], text: "{'a':1}" },
      names: ["kind_case", "single_quotes"],
    });
    for (const kind of ["plans", "p lan", 7, null])
      expect(mended({ kind }, 1_000)).toEqual({ flat: { kind }, names: [] });
  });

  test("one value, or several that are the same", () => {
    expect(
      onlyOf([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual({ ok: true, value: { a: 1, b: 2 } });
    expect(onlyOf([1, 1, 2])).toMatchObject({ ok: false, why: { code: "two_objects" } });
    expect(onlyOf([])).toMatchObject({ ok: false, why: { code: "not_json" } });
    expect([isFlat(INNER), isFlat({ query: "a" }), isFlat({ ...INNER, x: 1 }), isFlat(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
