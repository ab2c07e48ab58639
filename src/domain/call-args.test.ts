import { expect, test } from "vitest";
import { flatOfCall, isPseudoTool, type KnownTools, readArgs } from "./call-args.ts";

const known: KnownTools = {
  has: (tool) => tool === "pay",
  takesNothing: () => false,
  evidenceField: (tool) => (tool === "pay" ? "evidence_ids" : null),
};

test("evidence is taken out of the arguments, under the tool's own name for it and no other", () => {
  const args = { evidence: "mine", evidence_ids: ["e1"] };
  expect(flatOfCall({ name: "pay", args }, known, 1_000)).toEqual({
    ok: true,
    value: {
      value: { kind: "action", tool: "pay", params: { evidence: "mine" }, evidence: ["e1"] },
      names: [],
    },
  });
  expect(flatOfCall({ name: "ghost", args }, known, 1_000)).toMatchObject({
    value: { value: { params: args, evidence: null } },
  });
});

test("plan and retrieve stand for those replies, with their one field and nothing beside it", () => {
  expect(["plan", "retrieve", "pay", "toString"].map(isPseudoTool)).toEqual([true, true, false, false]);
  expect(flatOfCall({ name: "retrieve", args: '{"query":"a"}' }, known, 1_000)).toMatchObject({
    value: { value: { kind: "retrieve", query: "a" } },
  });
  expect(flatOfCall({ name: "plan", args: { steps: [], text: "a" } }, known, 1_000)).toMatchObject({
    ok: false,
    why: { code: "unknown_key" },
  });
});

test("the text of arguments is bounded, at the bound and beyond it", () => {
  expect(readArgs('{"a":1}', 7).ok).toBe(true);
  expect(readArgs('{"a":1}', 6)).toMatchObject({ ok: false, why: { code: "too_large" } });
});
