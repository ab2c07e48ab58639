import { describe, expect, test } from "vitest";
import { someRule } from "../../test/checks/guide-rules.ts";
import { Part } from "./part.ts";
import { pin } from "./pin.ts";

const parts = (...bodies: readonly string[]): readonly Part[] =>
  bodies.map((body, i) => new Part(someRule(`s${i}`, { body, safety: true })));

describe("safety rules are pinned", () => {
  test("with the separators between them, and ordinary rules are not", () => {
    const dispatch = [...parts("abc", "漢字"), new Part(someRule("o", { body: "x".repeat(100) }))];
    expect(pin(dispatch, { name: "phone", bytes: 50 })).toEqual({
      kind: "pinned",
      taken: { rules: 2, bytes: 3 + 2 + 6 },
    });
    expect(pin([], { name: "phone", bytes: 0 })).toEqual({ kind: "pinned", taken: { rules: 0, bytes: 0 } });
  });

  test("the budget at the border", () => {
    const dispatch = parts("abc", "🦊");
    expect([8, 9, 10].map((bytes) => pin(dispatch, { name: "phone", bytes }).kind)).toEqual([
      "refusal",
      "pinned",
      "pinned",
    ]);
    expect(pin(dispatch, { name: "phone", bytes: 8 })).toEqual({
      kind: "refusal",
      code: "safety_exceeds_budget",
      detail: "the safety rules take 9 bytes and profile phone has 8",
      rules: ["s0", "s1"],
    });
  });

  test("a budget that is no number holds nothing", () => {
    expect(pin(parts("a"), { name: "phone", bytes: Number.NaN }).kind).toBe("refusal");
  });
});
