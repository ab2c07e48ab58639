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
    "if (!hasRole(by.roles, entry.role)) {",
    "if (by.roles.length === 0) {",
  ]),
  hole("of several roles one is enough", [
    "domain/approval.ts",
    "role.split(AND).every((one) => roles.includes(one))",
    "role.split(AND).some((one) => roles.includes(one))",
  ]),
  hole("of several rules that ask for somebody one is heard", [
    "rails/policy.ts",
    "role: joinRoles(stages.map(({ role }) => role))",
    "role: joinRoles([first.role])",
  ]),
  hole("whoever may not approve any more carries the commit", [
    "runtime/bound.ts",
    "hasRole(parts.approvers.get(by)?.roles ?? [], staged.role)",
    "parts.approvers.has(by)",
  ]),
  hole("the digest that a person saw is not compared", [
    "domain/approval.ts",
    "given.length >= DIGEST_DIGITS_MIN && digest.startsWith(given.toLowerCase())",
    "given !== digest || digest.startsWith(given)",
  ]),
  hole("what failed is done again on the same approval", [
    "loop/outside-step.ts",
    "{ ...step, state: event.outcome, staged: null, approved: null }",
    "{ ...step, state: event.outcome }",
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
  hole("what was done elsewhere leaves the approval where it is", [
    "loop/outside-step.ts",
    "const before = { ...(step ?? NEW), staged: null, approved: null };",
    "const before = step ?? NEW;",
  ]),
  hole("what is no data uses an approval up", [
    "runtime/outside.ts",
    "if (refused === null && known.proposal === ",
    "if (known.proposal === ",
  ]),
  hole("what came of a later attempt is told of the approval", [
    "runtime/approval-entry.ts",
    'return decision?.approvedBy === null ? null : { ...entry, outcome: "started" };',
    'return { ...entry, outcome: "started" };',
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
    "runtime/guard.ts",
    'if (said.outcome === "deny") return doneBefore',
    'if (said.outcome === "deny")\n    await perform({ params: checked.params, run: checked.run, step: checked.step } as never);\n  if (said.outcome === "deny") return doneBefore',
  ]),
  hole("guard does not wait for a person", [
    "runtime/guard.ts",
    'if (said.outcome === "stage") return {',
    'if (said.outcome === "stage")\n    await perform({ params: checked.params, run: checked.run, step: checked.step } as never);\n  if (said.outcome === "stage") return {',
  ]),
  hole("guard tells as done what was only begun", [
    "runtime/guard.ts",
    'if (code !== "already_done" || receipt === null || tool === undefined) return null;',
    'if (code !== "outcome_open" || tool === undefined) return null;\n  if (receipt === null) return { kind: "done", result: null, line: "", receipt: null };',
  ]),
  hole("guard tells a refusal where it was done before", [
    "runtime/guard.ts",
    'return doneBefore(parts, checked.tool, said) ?? { kind: "denied", ...rest(said) };',
    'return doneBefore(parts, "", said) ?? { kind: "denied", ...rest(said) };',
  ]),
  hole("two different guards of one step are one", [
    "runtime/guard.ts",
    "    tool,\n    params,\n    [...evidence],\n  ]);",
    "  ]);",
  ]),
  hole("what guard is at is resolved under its hands", [
    "runtime/guard.ts",
    "runs.guarding.add(id);",
    "runs.guarding.delete(id);",
  ]),
  hole("what somebody said meanwhile is not told", [
    "runtime/guard.ts",
    "if (late !== null) return late;",
    "if (late === undefined) return late;",
  ]),
  hole("what is done in the conversation is done again", [
    "runtime/perform.ts",
    "const settled = seen.settled;",
    "const settled = [seen.settled].find((one) => one === null) ?? null;",
  ]),
  hole("what is done already is told of another proposal too", [
    "runtime/outside.ts",
    '["denied", "failed", "settled_before"]',
    '["denied", "failed", "settled_before", "done"]',
  ]),
  hole("what has begun begins again without a word", [
    "runtime/outside.ts",
    "return retry ? null : openStep",
    "return !retry || retry ? null : openStep",
  ]),
  hole("what may happen once begins again at a word", [
    "runtime/outside.ts",
    '(parts.tools.get(tool)?.effect ?? "once") === "once"',
    '(parts.tools.get(tool)?.effect ?? "once") === "never"',
  ]),
  hole("with a retry other params may begin", [
    "runtime/outside.ts",
    '["denied", "failed", "settled_before"]',
    '["denied", "failed", "settled_before", "started"]',
  ]),
  hole("a retry that now needs a person is staged over what has begun", [
    "runtime/outside.ts",
    'const begun = known?.state === "started" ? BEGUN : null;',
    'const begun = known?.state === "nothing" ? BEGUN : null;',
  ]),
  hole("a denial takes the outcome from what has begun", [
    "loop/outside-step.ts",
    'if (step?.state === "started" && outcome !== "permit") return step;',
    'if (step?.state === "nothing" && outcome !== "permit") return step;',
  ]),
  hole("an attempt is not counted", ["loop/outside-step.ts", "attempts: before.attempts + 1", "attempts: 1"]),
  hole("an attempt that is over settles the one after it", [
    "runtime/outside-settle.ts",
    "const newest = attempt === undefined || attempt === step?.attempts;",
    "const newest = attempt !== -1;",
  ]),
  hole("an attempt of another process cannot be settled", [
    "runtime/outside-settle.ts",
    'if (step?.state !== "started" || !newest) await checkNewest(parts, run);',
    'if (step?.state !== "started") await checkNewest(parts, run);',
  ]),
  hole("another word about what is settled is taken", [
    "runtime/outside-settle.ts",
    'return finished?.kind === "finished" && sameness(finished) === sameness(said);',
    'return finished?.kind === "finished" || sameness(said) === null;',
  ]),
  hole("the same word twice is two", [
    "runtime/outside-settle.ts",
    "if (newest && step.state === settlement.outcome && (await",
    "if (!newest && step.state === settlement.outcome && (await",
  ]),
  hole("what two settle at once breaks", [
    "runtime/outside-settle.ts",
    'if (step.state === "started" && newest) {',
    'if (step.state !== "denied" && newest) {',
  ]),
  hole("what a living loop is at is resolved", [
    "runtime/outcomes.ts",
    "!(open.outside && gone)",
    "!(open.outside || gone)",
  ]),
  hole("a denial for want of the record is not written", [
    "runtime/outside.ts",
    "if (keeps && !prepared.facts.ok",
    "if (!prepared.facts.ok",
  ]),
  hole("a record that cannot be loaded uses an approval up", [
    "runtime/outside.ts",
    'const keeps = known.state === "approved" || known.state === "started";',
    'const keeps = known.state === "started";',
  ]),
  hole("more wait than a person can look at", [
    "runtime/outside.ts",
    "return waiting >= WAITING_MAX;",
    "return waiting > WAITING_MAX;",
  ]),
  hole("what the output rail refuses is taken for an edit", [
    "runtime/approvals.ts",
    "if (fit?.ok === false) throw",
    "if (fit?.ok === null) throw",
  ]),
  hole("a cancel uses an approval up", [
    "runtime/perform.ts",
    "if (unready !== null) return unready;",
    "if (unready === undefined) return unready;",
  ]),
];
