import { canonicalJson } from "../domain/canonical.ts";
import type { Outcome } from "../domain/effect.ts";
import { NOTHING_SPENT } from "../domain/event.ts";
import { frozenJson } from "../domain/plain.ts";
import { redactJson } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import type { Tool } from "../domain/tool.ts";
import type { OutsideStep } from "../loop/index.ts";
import { checkedId } from "./authority.ts";
import { failed, messageOf, type Settlement, settlementOf, unknown } from "./call-tool.ts";
import { SignalboxError } from "./error.ts";
import { atomically, checkNewest, eventsOfStep, type OutsideRuns, opened } from "./outside-run.ts";
import type { Parts } from "./parts.ts";
import { settle } from "./perform.ts";
import { checkStep } from "./proposed.ts";

/** How a step that was allowed came out. */
export type Settling = {
  readonly run: string;
  readonly step: number;
  /** Which attempt this is about, as `decide` gave it. Left out, the newest. */
  readonly attempt?: number;
  readonly outcome: Outcome;
  /** For `done`: plain JSON. */
  readonly result?: unknown;
  /** For `failed` and `outcome_unknown`: one line. */
  readonly error?: string;
};

/** Writes how a step came out. The same word twice is one; another word about a step that is settled is refused. */
export async function settleOutside(parts: Parts, runs: OutsideRuns, settling: Settling): Promise<void> {
  const run = checkedId("run", settling.run);
  checkStep(settling.step);
  const known = (await opened(parts, runs, { run })).steps.get(settling.step)?.tool ?? "";
  await settled(parts, runs, settling, known, (tool) => settlementFor(parts, tool, settling));
}

type About = Pick<Settling, "run" | "step" | "attempt">;

/** Judged where nobody else writes: what was said of the step until then counts. */
export async function settled(
  parts: Parts,
  runs: OutsideRuns,
  { run: id, step: number, attempt }: About,
  named: string,
  settlementOn: (tool: Tool | Pick<Tool, "name">) => Settlement,
): Promise<void> {
  await atomically(parts, runs, { run: id }, async (run) => {
    const step = run.steps.get(number);
    const newest = attempt === undefined || attempt === step?.attempts;
    // What this process knows may be old: somebody else may have begun the step, once more, or settled it.
    if (step?.state !== "started" || !newest) await checkNewest(parts, run);
    if (step === undefined) throw new SignalboxError("unknown_step", `step ${number} of run ${id} was never decided`);
    const name = step.tool === "" ? named : step.tool;
    const settlement = settlementOn(parts.tools.get(name) ?? { name });
    if (step.state === "started" && newest) {
      await settle(parts, run.journal, { step: number, tool: name }, settlement, NOTHING_SPENT);
      return;
    }
    if (newest && step.state === settlement.outcome && (await wasSettledSo(parts, id, number, settlement))) return;
    throw unsettled(id, number, step, newest);
  });
}

function unsettled(run: string, number: number, { state, attempts }: OutsideStep, newest: boolean): SignalboxError {
  const was = state === "done" || state === "failed" || state === "outcome_unknown" || !newest;
  const now = newest ? state : `at its attempt ${attempts}, ${state}`;
  const hint = state === "outcome_unknown" ? `a person settles it: signalbox outcomes resolve ${run}-${number}` : "";
  const code = was ? "already_settled" : "not_started";
  return new SignalboxError(code, `step ${number} of run ${run} is ${now}`, { hint, exitCode: 1 });
}

function settlementFor(
  parts: Parts,
  tool: Tool | Pick<Tool, "name">,
  { outcome, result, error }: Settling,
): Settlement {
  switch (outcome) {
    case "done":
      return "execute" in tool ? settlementOf(parts, tool, result, parts.budgets) : doneOf(parts, tool, result);
    case "failed":
      return failed(tool, messageFrom(parts, error, "it failed"));
    case "outcome_unknown":
      return unknown(tool, messageFrom(parts, error, "nobody can tell whether it happened"));
    default:
      throw new SignalboxError("bad_outcome", "the outcome is done, failed or outcome_unknown");
  }
}

/** The result of a tool that is declared no more: what it did is done all the same. */
function doneOf(parts: Parts, { name }: Pick<Tool, "name">, value: unknown): Settlement {
  const plain = frozenJson(value ?? null);
  const result = plain.ok ? redactJson(plain.value, parts.redaction) : { unreadable: plain.why.code };
  return { outcome: "done", result, error: null, pass: plain.ok, line: oneLine(`${name}: done`) };
}

/** Whether a step was settled by this very word before: a caller that did not hear of it says it again. */
async function wasSettledSo(parts: Parts, run: string, step: number, said: Settlement): Promise<boolean> {
  const events = await eventsOfStep(parts, run, step);
  const finished = events.findLast((event) => event.kind === "finished");
  return finished?.kind === "finished" && sameness(finished) === sameness(said);
}

function sameness({ outcome, result, error }: Pick<Settlement, "outcome" | "result" | "error">): string {
  return canonicalJson([outcome, outcome === "done" ? result : error]);
}

function messageFrom(parts: Parts, error: unknown, otherwise: string): string {
  return typeof error === "string" && error.trim() !== "" ? messageOf(error, parts) : otherwise;
}
