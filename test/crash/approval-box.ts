import { createSignalbox, defineTool, type OutsideProposal, type Signalbox, stage, z } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";

/** A box whose one tool needs a person, over a file that several processes have open. */
export function openApprovalBox(path: string, execute: () => unknown): Signalbox {
  const pay = defineTool({
    name: "pay",
    description: "pays",
    placement: "irreversible",
    effect: "once",
    params: z.strictObject({ amountMinor: z.int().min(1) }),
    record: () => ({ events: [{ id: "e1" }] }),
    evidence: { min: 1, from: (record) => record.events },
    authorise: () => stage("supervisor"),
    caps: [{ name: "paid", limit: 100, window: "per_run", amount: (params) => params.amountMinor }],
    execute: () => 1,
    summarise: () => "paid",
  });
  const { step: _, run: __, ...call } = proposal("");
  return createSignalbox({
    model: scriptedModel({ replies: [{ kind: "action", ...call } as never, { kind: "conversation", text: "paid" }] }),
    // Every process has the same declaration, or the approval would be stale: what differs is what is called.
    tools: [{ ...pay, execute: Object.assign(() => execute(), { toString: () => "execute" }) }],
    approvers: { "user:sue": { roles: ["supervisor"] } },
    store: path,
  });
}

export function proposal(run: string): OutsideProposal {
  return { run, step: 1, tool: "pay", params: { amountMinor: 5 }, evidence: ["e1"] };
}
