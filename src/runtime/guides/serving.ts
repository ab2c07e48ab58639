import type { GuideTask } from "../../domain/rule.ts";
import type { Refusal, Served, WithheldRule } from "../../domain/served.ts";
import { guideTask, publicationOf, withdrawnSince } from "../../guides/index.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import { circumstancesOf } from "./circumstances.ts";
import { guidesIn } from "./guide-parts.ts";
import { heldBack } from "./load-served.ts";
import { isUnsound, readChain } from "./read-chain.ts";
import { type Mismatch, receiptMismatch } from "./receipt.ts";
import { planFor } from "./serve.ts";

/** What the corridor asks of the guides: what a run is told, and whether what it was told still holds. */
export type Serving = {
  /** What a run with this task is told: a receipt, or why there can be none. `app` null: the one of the config. */
  serve(task: GuideTask): Promise<ServedOrRefusal>;
  /**
   * Why a run with this request that was told this may not go on, in one line: a run that begins now would not be told it, or it is
   * not what the guides gave. null: it may.
   */
  lost(served: Served, request: string): Promise<string | null>;
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
    lost: (served, request) => lostApproval(parts, served, request),
  };
}

/**
 * A newer revision takes nothing from a run that was told the one before. Whatever would withhold these very bytes from a run that
 * begins now does, and that the rule was withdrawn. Then the receipt itself is held against the bytes: it was read from a row.
 */
async function lostApproval(parts: Parts, served: Served, request: string): Promise<string | null> {
  const { report } = served;
  const state = await readChain(parts);
  if (isUnsound(state)) return `chain_broken: row ${state.seq} of the guides: ${state.detail}`;
  const profile = guidesIn(parts).profiles.get(report.profile);
  if (profile === undefined) return `unknown_profile: there is no profile ${report.profile} any more`;
  const circumstances = circumstancesOf(parts, profile);
  for (const { id: rule, revision } of [...report.kept, ...report.routed]) {
    const published = publicationOf(state, { rule, revision });
    if (published === null) return `not_published: ${rule}: nobody published what this run was told of it`;
    const withdrawn = withdrawnSince(state, published);
    if (withdrawn > 0) return `withdrawn: ${rule}: row ${withdrawn} withdrew it`;
    const loaded = await heldBack(parts, state, published, circumstances);
    if ("kind" in loaded) return refusalText(loaded);
    const { held, secret } = loaded;
    if (held !== null) return `${held.code}: ${rule}: ${held.detail}`;
    if (secret) return `secret_in_guide: ${rule}: a declared secret stands in its text`;
  }
  const altered = await receiptMismatch(parts, state, profile, served, request);
  return altered === null ? null : refusalText(altered);
}

/** A refusal in one line, as an ending's detail and an error say it. */
export function refusalText({ code, detail, rules }: Omit<Refusal, "kind"> | Mismatch): string {
  return `${code}: ${detail}${rules.length === 0 ? "" : ` (${rules.join(", ")})`}`;
}
