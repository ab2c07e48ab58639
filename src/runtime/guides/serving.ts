import type { GuideTask } from "../../domain/rule.ts";
import type { Refusal, Served, WithheldRule } from "../../domain/served.ts";
import { guideTask, standingApprovals } from "../../guides/index.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import { isUnsound, readChain } from "./read-chain.ts";
import { planFor } from "./serve.ts";

/** What the corridor asks of the guides: what a run is told, and whether what it was told still holds. */
export type Serving = {
  /** What a run with this task is told: a receipt, or why there can be none. `app` null: the one of the config. */
  serve(task: GuideTask): Promise<ServedOrRefusal>;
  /** Why a run that was told this may not go on, in one line: an approval was taken back since. null: it may. */
  lost(served: Served): Promise<string | null>;
};

export type ServedOrRefusal =
  | { readonly kind: "served"; readonly served: Served }
  | (Refusal & { readonly withheld: readonly WithheldRule[] });

/** What runs act in and are about, for the rules' matchers. */
export type About = { readonly app: string | null; readonly paths: readonly string[] };

/** Serves the published rules of the store; null where no guides are configured. */
export function servingOf(parts: Parts): Serving | null {
  const { guides } = parts;
  if (guides === null) return null;
  return {
    serve: async ({ text, app, paths }) => {
      const task = guideTask(text, { app: app ?? guides.app, paths });
      if (!task.ok) throw new SignalboxError("bad_task", task.why.detail);
      const planned = await planFor(parts, task.value, guides.profile);
      return planned.kind === "refusal" ? planned : { kind: "served", served: planned.served };
    },
    lost: (served) => lostApproval(parts, served),
  };
}

/** A newer revision takes nothing from a run that was told the one before; a revocation does. */
async function lostApproval(parts: Parts, { report }: Served): Promise<string | null> {
  const state = await readChain(parts);
  if (isUnsound(state)) return `chain_broken: row ${state.seq} of the guides: ${state.detail}`;
  for (const { id, revision } of [...report.kept, ...report.routed]) {
    const standing = standingApprovals(state, { rule: id, revision });
    if (standing.length === 0) return `approval_revoked: nobody approves ${id} any more as this run was told it`;
  }
  return null;
}

/** A refusal in one line, as an ending's detail and an error say it. */
export function refusalText({ code, detail, rules }: Refusal): string {
  return `${code}: ${detail}${rules.length === 0 ? "" : ` (${rules.join(", ")})`}`;
}
