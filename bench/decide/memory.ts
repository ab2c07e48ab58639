/** The rails alone: the pure decision, with the output rail, the evidence, the tool's own rule and its caps. */
import { deepFreeze } from "../../src/domain/json.ts";
import { capDemand, checkOutput, type DecideInput, decide } from "../../src/rails/index.ts";
import { CUSTOMER, NOW, refund, refundOf } from "./workload.ts";

const RECORDS = 64;

/** Decisions a second of processor time, in each of so many rounds. */
export function rates(rounds: number, roundMs: number): readonly number[] {
  const decideMany = decider();
  // Until everything is compiled: the compiler's threads are not this one's time, but their work begins on it.
  spend(decideMany, 3 * roundMs);
  return Array.from({ length: rounds }, () => {
    const before = process.threadCpuUsage();
    const done = spend(decideMany, roundMs);
    const { user, system } = process.threadCpuUsage(before);
    return done / ((user + system) / 1e6);
  });
}

export type Flat = { readonly decisions: number; readonly heapBytes: number };

/** The heap after a collection, each time so many decisions were made. */
export function heaps(decisions: number, looks: number): readonly Flat[] {
  const decideMany = decider();
  decideMany(decisions / looks);
  const flat: Flat[] = [];
  for (let i = 0; i <= looks; i++) {
    if (i > 0) decideMany(decisions / looks);
    globalThis.gc?.();
    flat.push({ decisions: (i * decisions) / looks, heapBytes: process.memoryUsage().heapUsed });
  }
  return flat;
}

function spend(decideMany: (count: number) => void, ms: number): number {
  const until = performance.now() + ms;
  let done = 0;
  for (; performance.now() < until; done += 1_000) decideMany(1_000);
  return done;
}

function decider(): (count: number) => void {
  const principal = deepFreeze({ id: "agent:desk", tools: ["refund"], attributes: {} });
  // Records are loaded and frozen before the rails see them; that is the loader's work and not theirs.
  const records = Array.from({ length: RECORDS }, (_, i) => deepFreeze(refundOf(i).record));
  const fixed = deepFreeze({
    principal,
    customer: CUSTOMER,
    thread: "t",
    run: "r",
    outermost: "r",
    requests: ["Please."],
    provenance: {},
  });
  const first = input(0);
  const checked = checkOutput(refund, first.proposal.params);
  if (!checked.ok || !first.facts.ok) throw new Error("the workload does not fit");
  const demand = capDemand(refund, checked.params, first.facts.record, first.context);
  if (!demand.ok) throw new Error("the workload has no caps");
  const capUse = demand.slots.map(({ cap, key, window }) => ({ cap, key, window, used: 0 }));
  let n = 0;

  function input(step: number): DecideInput {
    const { params, evidence } = refundOf(step);
    const record = records[step % RECORDS] ?? null;
    const context = { ...fixed, step: step + 1, now: NOW, today: "2026-03-16" };
    return {
      proposal: { tool: "refund", params, evidence: Object.freeze(evidence) as readonly string[] },
      ...{ route: "direct", tool: refund, policies: [], facts: { ok: true, record }, context, capUse: [] },
    };
  }

  return (count) => {
    for (let i = 0; i < count; i++) {
      n += 1;
      const decision = decide({ ...input(n), capUse });
      if (decision.outcome !== "permit") throw new Error(`it was decided as ${JSON.stringify(decision)}`);
    }
  };
}
