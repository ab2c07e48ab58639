import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Approved, Decided, Finished, Rejected, RunEvent, Staged } from "../../src/domain/event.ts";
import { NOTHING_SPENT } from "../../src/domain/event.ts";
import { type OutsideStep, stepAfter } from "../../src/loop/index.ts";
import { decided } from "../checks/drive.ts";
import { seed } from "../seed.ts";

const command = {
  kind: "perform",
  step: 1,
  tool: "pay",
  params: { n: 1 },
  evidence: [],
  route: "direct",
  receipt: null,
} as const;
const at = { at: 0, step: 1 };
const BOUND = { params: "p", evidence: "e", record: null, definition: "d", policy: "v", prompt: "s", role: "r" };

function decision(outcome: Decided["outcome"], n: number): Decided {
  return { ...decided(command, outcome === "permit"), outcome, params: { n } };
}
const staged: Staged = {
  kind: "staged",
  ...at,
  tool: "pay",
  role: "r",
  why: "",
  digest: "x",
  expiresAt: 9,
  bound: BOUND,
};
const approved: Approved = { kind: "approved", ...at, digest: "x", by: "user:sue", role: "r", why: null };
const rejected: Rejected = {
  kind: "rejected",
  ...at,
  digest: "x",
  code: "approval_rejected",
  by: "user:sue",
  why: "no",
};
const finished = (outcome: Finished["outcome"]): Finished => ({
  kind: "finished",
  ...at,
  tool: "pay",
  outcome,
  result: null,
  error: null,
  pass: true,
  line: "",
  events: [],
  spent: NOTHING_SPENT,
  resolved: null,
});

const event: fc.Arbitrary<RunEvent> = fc.oneof(
  fc
    .tuple(fc.constantFrom<Decided["outcome"]>("permit", "stage", "deny"), fc.nat(3))
    .map(([outcome, n]) => decision(outcome, n)),
  fc.constantFrom<RunEvent>(
    staged,
    approved,
    rejected,
    finished("done"),
    finished("failed"),
    finished("outcome_unknown"),
  ),
);

const digest = (text: string): string => text;

function folded(events: readonly RunEvent[]): readonly (OutsideStep | null)[] {
  const steps: (OutsideStep | null)[] = [];
  for (const one of events) steps.push(stepAfter(steps.at(-1) ?? null, one, digest));
  return steps;
}

describe("a step of another loop, whatever its rows are", () => {
  test("begun-stays-begun: what was begun and has no outcome stays so, with its params", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const steps = folded(events);
        events.forEach((one, i) => {
          const [before, after] = [steps[i - 1] ?? null, steps[i] ?? null];
          if (before?.state !== "started" || one.kind === "finished" || one.kind === "staged") return;
          expect(after?.state).toBe("started");
          if (one.kind !== "decided" || one.outcome !== "permit") expect(after?.proposal).toBe(before.proposal);
        });
      }),
      { seed, numRuns: 2_000 },
    );
  });

  test("approved-once: an approval is gone when the attempt that was begun with it is over", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        folded(events).forEach((step, i) => {
          const one = events[i];
          const over = one?.kind === "finished" || (one?.kind === "decided" && step?.state === "denied");
          if (step !== null && over) expect(step.approved).toBeNull();
        });
      }),
      { seed, numRuns: 2_000 },
    );
  });
});
