/** Holes planted in the house, each of which a fuzz must find. */
import type { Patch } from "../twins/twin.ts";

export type FuzzTwin = { readonly fault: string; readonly patches: readonly Patch[] };

function hole(
  fault: string,
  ...patches: readonly (readonly [file: string, find: string, replace: string])[]
): FuzzTwin {
  return { fault, patches: patches.map(([file, find, replace]) => ({ file, find, replace })) };
}

export const FUZZ_TWINS: readonly FuzzTwin[] = [
  hole("whoever proposed it may approve it", [
    "runtime/approvals.ts",
    "if (by.id === entry.proposer || by.id === entry.principal) {",
    'if (by.id === "" && by.id === entry.proposer) {',
  ]),
  hole("whoever edited it may approve it", [
    "runtime/approvals.ts",
    "if (by.id === entry.proposer || by.id === entry.principal) {",
    "if (by.id === entry.principal) {",
  ]),
  hole("anybody may approve, whatever the role", [
    "runtime/approvals.ts",
    "if (!by.roles.includes(entry.role)) {",
    "if (by.roles.length === 0) {",
  ]),
  hole("the digest that a person saw is not compared", [
    "runtime/approvals.ts",
    "given.length >= DIGEST_DIGITS_MIN && digest.startsWith(given)",
    "given !== digest || digest.startsWith(given)",
  ]),
  hole("what failed is done again on the same approval", [
    "loop/outside-step.ts",
    'event.outcome === "failed" ? { staged: null, approved: null } : {}',
    'event.outcome === "failed" ? {} : {}',
  ]),
  hole("what was approved is not compared with what is done", [
    "rails/decide.ts",
    "const stale = staleParts(approval, role);",
    "const stale = staleParts({ ...approval, today: { ...approval.approved } }, role);",
  ]),
  hole("the record may change after the approval", [
    "domain/approval.ts",
    "BOUND_PARTS.filter((part) =>",
    'BOUND_PARTS.filter((part) => part !== "record" &&',
  ]),
  hole(
    "other params are done than were approved",
    [
      "runtime/outside.ts",
      '["denied", "failed", "settled_before"]',
      '["denied", "failed", "settled_before", "approved"]',
    ],
    ["domain/approval.ts", "BOUND_PARTS.filter((part) =>", 'BOUND_PARTS.filter((part) => part !== "params" &&'],
  ),
  hole("what a person refused is proposed again, and waits again", [
    "runtime/outside.ts",
    'return refusal("approval", denial("approval_rejected", why ?? ""));',
    "return null;",
  ]),
  hole(
    "a refused step runs on its old approval",
    ["runtime/outside.ts", 'return refusal("approval", denial("approval_rejected", why ?? ""));', "return null;"],
    [
      "loop/outside-step.ts",
      "return { ...step, state, approved: null, why: event.why };",
      "return { ...step, state, why: event.why };",
    ],
  ),
  hole("an approval that came to its end works", [
    "rails/decide.ts",
    "if (now >= approval.expiresAt)",
    "if (now >= approval.expiresAt * 2)",
  ]),
  hole("what came to its end can be approved", [
    "runtime/approval-entry.ts",
    "&& now >= expiresAt",
    "&& now >= expiresAt * 2",
  ]),
  hole("a cap is given back twice", [
    "adapters/store-memory/cap-books.ts",
    "this.#move(own, -own.amount, finished);",
    "this.#move(own, -2 * own.amount, finished);",
  ]),
  hole("what nobody knows the end of gives its cap back", [
    "adapters/store-memory/cap-books.ts",
    'if (outcome === "failed") {',
    'if (outcome !== "done") {',
  ]),
  hole("guard performs what is denied", [
    "runtime/outside.ts",
    'if (said.outcome === "deny") return { kind: "denied", ...rest(said) };',
    'if (said.outcome === "deny") {\n    await perform({ params: checked.params, run: checked.run, step: checked.step } as never);\n    return { kind: "denied", ...rest(said) };\n  }',
  ]),
  hole("guard does not wait for a person", [
    "runtime/outside.ts",
    'if (said.outcome === "stage") return { kind: "staged", ...rest(said) };',
    'if (said.outcome === "stage") {\n    await perform({ params: checked.params, run: checked.run, step: checked.step } as never);\n    return { kind: "staged", ...rest(said) };\n  }',
  ]),
  hole("what is done in the conversation is done again", [
    "runtime/perform.ts",
    "const settled = seen.settled;",
    "const settled = [seen.settled].find((one) => one === null) ?? null;",
  ]),
  hole("what is done already is told of another proposal too", [
    "runtime/outside.ts",
    '    case "done": {\n',
    '    case "settled_before":\n      return saidBy(id, step, await eventsOfStep(parts, id, step));\n    case "done": {\n',
  ]),
  hole("a denial takes the outcome from what has begun", [
    "loop/outside-step.ts",
    '|| step?.state === "started"',
    '|| step?.state === "nothing"',
  ]),
  hole("a denial for want of the record is not written", [
    "runtime/outside.ts",
    'known?.state === "approved" && !prepared.facts.ok',
    "!prepared.facts.ok",
  ]),
  hole("what two settle at once breaks", [
    "runtime/outside.ts",
    '  if (state === "started") return;\n',
    '  if (state !== "denied") return;\n',
  ]),
];
