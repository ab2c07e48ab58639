import { approvalId } from "../domain/approval.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { CallContext } from "../domain/tool.ts";
import { newRun } from "../loop/index.ts";
import { callTool, lineOf, type Settlement } from "./call-tool.ts";
import { SignalboxError } from "./error.ts";
import { Nest } from "./nest.ts";
import { type Allowed, type DecideOutcome, decided, type Refused } from "./outside.ts";
import { type OutsideRuns, opened } from "./outside-run.ts";
import { settled } from "./outside-settle.ts";
import type { Parts } from "./parts.ts";
import { callOf, recordOf } from "./perform.ts";
import { type CheckedProposal, checkedProposal, type OutsideProposal } from "./proposed.ts";

/** What `guard` came to. */
export type GuardOutcome =
  | {
      readonly kind: "done";
      readonly result: Json;
      readonly line: string;
      /** Where it was done before and nothing was called now: by which step. */
      readonly receipt: { readonly run: string; readonly step: number } | null;
    }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "outcome_unknown"; readonly error: string }
  | ({ readonly kind: "denied" } & Omit<Extract<DecideOutcome, { outcome: "deny" }>, "outcome">)
  | ({ readonly kind: "staged" } & Omit<Extract<DecideOutcome, { outcome: "stage" }>, "outcome">);

/** What the caller of `guard` performs with: the checked params, and the moment's context. */
export type GuardCall = (call: { readonly params: JsonObject } & Omit<CallContext, "nested" | "emit">) => unknown;

/**
 * Decides, calls, and settles, whatever the call does. Two calls of `guard` with one and the same proposal at once are one:
 * the second hears what the first came to.
 */
export async function guardOutside(
  parts: Parts,
  runs: OutsideRuns,
  proposal: OutsideProposal,
  call: GuardCall,
): Promise<GuardOutcome> {
  const checked = checkedProposal(parts, proposal);
  if (checked.refused !== null) return guard(parts, runs, checked, call);
  const { run, step, principal, thread, customer, requests, tool, params, evidence } = checked;
  const name = canonicalJson([
    run,
    step,
    principal.id,
    thread,
    customer,
    requests && [...requests],
    tool,
    params,
    [...evidence],
  ]);
  const going = runs.guarded.get(name);
  if (going !== undefined) return going;
  const guarded = guard(parts, runs, checked, call).finally(() => runs.guarded.delete(name));
  runs.guarded.set(name, guarded);
  return guarded;
}

async function guard(
  parts: Parts,
  runs: OutsideRuns,
  checked: CheckedProposal,
  perform: GuardCall,
): Promise<GuardOutcome> {
  const { said, allowed } = await decided(parts, runs, checked);
  if (said.outcome === "deny") return doneBefore(parts, checked.tool, said) ?? { kind: "denied", ...rest(said) };
  if (said.outcome === "stage") return { kind: "staged", ...rest(said) };
  if (allowed === null || allowed.prepared.tool === null) throw new Error("an allowed proposal without its token");
  const id = approvalId(checked.run, checked.step);
  runs.guarding.add(id);
  try {
    const settlement = await called(parts, runs, checked, allowed, perform);
    const late = await settledLate(parts, runs, checked, said.attempt, settlement);
    if (late !== null) return late;
    const { outcome, result, error, line } = settlement;
    if (outcome === "done") return { kind: "done", result, line, receipt: null };
    return { kind: outcome, error: error ?? "" };
  } finally {
    runs.guarding.delete(id);
  }
}

/** Calls what the caller gave, behind the same last gate as an effect of our own loop. */
async function called(
  parts: Parts,
  runs: OutsideRuns,
  checked: CheckedProposal,
  { token, command, prepared }: Allowed,
  perform: GuardCall,
): Promise<Settlement> {
  const { began, journal } = await opened(parts, runs, checked);
  if (prepared.tool === null) throw new Error("an allowed proposal without its tool");
  const tool = {
    ...prepared.tool,
    execute: ({ params }: { readonly params: JsonObject }, { nested: _, emit: __, ...context }: CallContext) =>
      perform({ ...context, params }),
  };
  const theirs = callOf(parts, began, command, tool, token.params, recordOf(prepared));
  // A run of somebody else's loop has no runs inside it: a nest without an outer run begins none.
  return callTool(parts, token, theirs, new Nest(parts, newRun(journal.scope.rules), command.step), null);
}

/** Writes what a call came to. Where somebody said otherwise of the step meanwhile, that is told and not thrown: it happened. */
async function settledLate(
  parts: Parts,
  runs: OutsideRuns,
  { run, step, tool }: CheckedProposal,
  attempt: number,
  settlement: Settlement,
): Promise<GuardOutcome | null> {
  try {
    await settled(parts, runs, { run, step, attempt }, tool, () => settlement);
    return null;
  } catch (error) {
    if (!(error instanceof SignalboxError) || !SETTLED_CODES.has(error.code)) throw error;
    const came = settlement.outcome === "done" ? "it was done" : (settlement.error ?? settlement.outcome);
    return { kind: "outcome_unknown", error: `${came}, and meanwhile ${error.message}: look which is true` };
  }
}

const SETTLED_CODES: ReadonlySet<string> = new Set(["already_settled", "not_started"]);

/** A step that is done gives its receipt: nothing was called now, and it is no refusal. */
function doneBefore(parts: Parts, name: string, { code, receipt }: Refused): GuardOutcome | null {
  const tool = parts.tools.get(name);
  if (code !== "already_done" || receipt === null || tool === undefined) return null;
  const { run, step, result } = receipt;
  return { kind: "done", result, line: lineOf(tool, result), receipt: { run, step } };
}

function rest<T extends DecideOutcome>({ outcome: _, ...others }: T): Omit<T, "outcome"> {
  return others;
}
