import { expect, test } from "vitest";
import { ON_LOCK, someRule } from "../../test/checks/guide-rules.ts";
import { Part } from "./part.ts";
import { route } from "./route.ts";

test("rules with a condition leave for channel B, safety rules too, and both lists keep the order", () => {
  const parts = [
    someRule("a"),
    someRule("b", { when: ON_LOCK }),
    someRule("c", { safety: true }),
    someRule("d", { when: ON_LOCK, safety: true }),
    // What counts as a breach alone puts a rule nowhere else.
    someRule("e", { breach: ON_LOCK, escalate: "warn" }),
  ].map((rule) => new Part(rule));
  const { routed, dispatch } = route(parts);
  expect(routed.map(({ id }) => id)).toEqual(["b", "d"]);
  expect(dispatch.map(({ id }) => id)).toEqual(["a", "c", "e"]);
});
