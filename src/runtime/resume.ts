import type { Budgets } from "../domain/budgets.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Reservation } from "../domain/cap.ts";
import { ENDINGS } from "../domain/ending.ts";
import type { Began, RunEvent } from "../domain/event.ts";
import type { JsonObject } from "../domain/json.ts";
import { oneLine } from "../domain/result.ts";
import type { NestedOutcome, Tool } from "../domain/tool.ts";
import type { Run } from "../loop/index.ts";
import { StoreError } from "../ports/store.ts";
import type { Seen } from "../rails/index.ts";
import { checkAuthority } from "./authority.ts";
import { callTool, failed, messageOf, type Settlement, settlementOf, unknown } from "./call-tool.ts";
import { within } from "./deadline.ts";
import { Emissions } from "./emissions.ts";
import { SignalboxError } from "./error.ts";
import { eventsOf, type Journal, type Listeners, letGo, note } from "./journal.ts";
import { Nest, spentInside } from "./nest.ts";
import type { Parts } from "./parts.ts";
import { callOf, decideOn, type Perform, prepare, recordOf, settle } from "./perform.ts";
import { beganOf, journalOf, readVerified } from "./recorded.ts";
import { carry, outcomeOf, type RunOutcome, unrecorded } from "./run.ts";
import { approvalFor, withPromptToday } from "./staging.ts";
import { seenBy } from "./thread-seen.ts";

/** Takes up a run where its rows end: after a crash, a kill, or an unwritable ledger. A run that has ended stays ended. */
export async function resume(
  parts: Parts,
  id: string,
  listeners: Listeners,
  cancel: AbortSignal | null,
): Promise<RunOutcome> {
  return claimed(parts, id, async () => {
    const { journal, began } = await reopen(parts, id, listeners);
    const { ended } = journal.run;
    const lapsed = ended === "awaiting_approval" && lapse(parts, journal);
    if (ended !== null && !lapsed) return outcomeOf(journal, ended, "", await endedText(parts, id));
    checkAuthority(parts, began.principal);
    let open: StaysOpen | null;
    try {
      open = await settleOpenStep(parts, journal, cancel);
    } catch (error) {
      if (error instanceof StoreError) return unrecorded(journal, error);
      throw error;
    }
    if (open === null) await stopWhereLost(parts, journal, began);
    // What cannot be settled now stays open: nothing is written, and another resume can try again.
    return open === null
      ? carry(parts, journal, cancel)
      : outcomeOf(journal, open.ending, open.why, ENDINGS[open.ending].message);
  });
}

/** A proposal that nobody approved in time is refused, and its run goes on without it. */
function lapse(parts: Parts, journal: Journal): boolean {
  const { staged } = journal.run;
  const at = parts.clock.now();
  if (staged === null || at < staged.expiresAt) return false;
  const { step, digest } = staged;
  const why = `nobody with the role ${staged.role} approved it in time`;
  note(journal, { kind: "rejected", at, step, digest, code: "approval_expired", by: null, why });
  return true;
}

/** Lets an ended run go on from where it stopped, with fresh budgets (design 5.2.1). */
export async function continueRun(
  parts: Parts,
  id: string,
  budgets: Budgets,
  listeners: Listeners,
  cancel: AbortSignal | null,
): Promise<RunOutcome> {
  return claimed(parts, id, async () => {
    const { journal, began } = await reopen(parts, id, listeners);
    const { ended } = journal.run;
    if (ended === null) {
      throw new SignalboxError("not_ended", `run ${id} has not ended`, { hint: `signalbox resume ${id}` });
    }
    if (!ENDINGS[ended].continuable) {
      throw new SignalboxError("not_continuable", `run ${id} ended as ${ended} and cannot be continued`, {
        hint: "start another run in its thread instead: signalbox run --thread",
      });
    }
    checkAuthority(parts, began.principal);
    note(journal, { kind: "continued", at: parts.clock.now(), budgets });
    await stopWhereLost(parts, journal, began);
    return carry(parts, journal, cancel);
  });
}

/** A run does not go on with rules whose approval was taken back since, nor with a receipt that is not what was approved. */
async function stopWhereLost(parts: Parts, journal: Journal, { guides, request }: Began): Promise<void> {
  if (guides === null || parts.serving === null || journal.run.command?.kind === "end") return;
  const why = await parts.serving.lost(guides, request);
  if (why === null) return;
  note(journal, { kind: "interrupted", at: parts.clock.now(), ending: "guide_refused", detail: oneLine(why) });
}

/** Carries a run that exists, as its only carrier: one that is still being carried is left to whoever carries it. */
async function claimed(parts: Parts, id: string, work: () => Promise<RunOutcome>): Promise<RunOutcome> {
  await parts.store.claim(id);
  try {
    return await work();
  } finally {
    await letGo(parts, id);
  }
}

/** Reads, verifies and folds a run's rows. */
export async function reopen(
  parts: Parts,
  id: string,
  listeners: Listeners,
): Promise<{ readonly journal: Journal; readonly began: Began }> {
  const rows = await readVerified(parts, id);
  const events = eventsOf(rows);
  const began = beganOf(events, id);
  if (began.outside) {
    throw new SignalboxError("outside_run", `run ${id} is carried by a loop of its own`, {
      hint: "it goes on when that loop calls decide() or guard() again",
    });
  }
  const journal = journalOf(parts, began, rows, events, listeners);
  checkOpenStep(journal.run, events);
  return { journal, began };
}

/** The rows that say where the newest step stands. */
const STEP_KINDS: ReadonlySet<string> = new Set([
  "started",
  "finished",
  "staged",
  "approved",
  "rejected",
  "edited",
  "continued",
]);

function holds(run: Run, last: RunEvent): boolean {
  switch (last.kind) {
    case "started":
      return run.command?.kind === "perform" && run.command.step === last.step && run.stepState.state === "started";
    case "staged":
      return run.staged?.step === last.step;
    case "approved":
      return run.approved?.step === last.step || run.staged === null;
    default:
      return true;
  }
}

/**
 * The rows say which effect is open; the fold must say the same. Where a tool is declared differently today, it may not, and
 * then nothing is closed over an open effect.
 */
function checkOpenStep(run: Run, events: readonly RunEvent[]): void {
  const last = events.findLast((event) => STEP_KINDS.has(event.kind));
  if (last === undefined || !("step" in last) || holds(run, last)) return;
  throw new SignalboxError(
    "declaration_changed",
    `step ${last.step} is open, and today's declaration of its tool leads elsewhere`,
    { exitCode: 1, hint: "declare the tool as it was when the run began, and resume again" },
  );
}

async function endedText(parts: Parts, id: string): Promise<string> {
  return (await parts.store.readRun(id))?.text ?? "";
}

/** Why an open step stays open: cancelled, or not to be known at this moment. */
type StaysOpen = { readonly ending: "cancelled" | "outcome_unknown"; readonly why: string };

/**
 * A step that was started and has no outcome (design 6.5): `read` and `idempotent` are decided again and run again under
 * the same key; `once` is probed; what nobody can tell is `outcome_unknown`.
 */
async function settleOpenStep(parts: Parts, journal: Journal, cancel: AbortSignal | null): Promise<StaysOpen | null> {
  const { command, stepState, began } = journal.run;
  if (command?.kind !== "perform" || stepState.state !== "started" || began === null) return null;
  const already = await spentInside(parts, journal.scope.rules, journal.id, command.step);
  const nest = new Nest(parts, journal.run, command.step, already);
  const seen = journal.witness === null ? null : await seenBy(parts, journal.witness, began);
  const emissions = new Emissions(parts.redaction);
  const open = { ...stepState, seen, emissions };
  const settlement = await recover(parts, journal, began, command, open, nest, cancel);
  if ("why" in settlement) return settlement;
  // What a probe saw is kept whatever it says.
  await settle(parts, journal, command, { events: emissions.taken(), ...settlement }, nest.spent());
  return null;
}

async function recover(
  parts: Parts,
  journal: Journal,
  began: Began,
  command: Perform,
  open: Open,
  nest: Nest,
  cancel: AbortSignal | null,
): Promise<Settlement | StaysOpen> {
  if (cancel?.aborted === true) return { ending: "cancelled", why: `step ${command.step} is still open` };
  const tool = parts.tools.get(command.tool);
  if (tool === undefined) return unknown({ name: command.tool }, "the tool is no longer declared");
  if (tool.effect !== "once") return again(parts, journal, began, command, open, nest, cancel, "perhaps");
  const probe = tool.probe;
  if (probe === null) return unknown(tool, "the process stopped between the start of the effect and its outcome");
  const call = { ...callOf(parts, began, command, tool, open.checked, null), emissions: open.emissions };
  const ms = tool.deadlineMs ?? began.budgets.toolMs;
  const timed = await within(parts.clock, ms, cancel, (signal) => {
    const nested = (request: string): Promise<NestedOutcome> => nest.run(request, signal);
    const { emit } = call.emissions;
    return probe(open.checked, { ...parts.services, ...call.context, emit, nested, signal } as Parameters<
      typeof probe
    >[1]);
  });
  await nest.close();
  switch (timed.kind) {
    case "cancelled":
      return { ending: "cancelled", why: `step ${command.step} is still open` };
    case "timeout":
      return { ending: "outcome_unknown", why: `the probe gave no answer within ${ms} ms; resume again` };
    case "threw":
      return { ending: "outcome_unknown", why: `the probe failed, resume again: ${messageOf(timed.error, parts)}` };
    case "value":
      break;
  }
  if (timed.value === undefined) return unknown(tool, "the probe could not tell");
  // null: it did not happen, and no living process is at it. Then it may be done, once, after it has been decided again.
  return timed.value === null
    ? again(
        parts,
        journal,
        began,
        command,
        open,
        new Nest(parts, nest.outer, command.step, nest.spent()),
        cancel,
        "not",
      )
    : settlementOf(parts, tool, timed.value, began.budgets);
}

type Open = {
  readonly checked: JsonObject;
  readonly reservations: readonly Reservation[];
  readonly seen: Seen | null;
  readonly emissions: Emissions;
};

/**
 * Decides the open step again and, where that says the same, calls the tool again under the same idempotency key.
 * `happened`: what is known of the first time.
 */
async function again(
  parts: Parts,
  journal: Journal,
  began: Began,
  command: Perform,
  open: Open,
  nest: Nest,
  cancel: AbortSignal | null,
  happened: "perhaps" | "not",
): Promise<Settlement | StaysOpen> {
  const prepared = await withPromptToday(
    parts,
    journal,
    command,
    await prepare(parts, began, command, open.seen, cancel),
  );
  const tool = prepared.tool;
  if (tool === null) return unknown({ name: command.tool }, "the tool is no longer declared");
  if (!prepared.facts.ok && prepared.facts.denial.retryable) {
    const ending = cancel?.aborted === true ? "cancelled" : "outcome_unknown";
    return { ending, why: `step ${command.step} is still open, resume again: ${prepared.facts.denial.detail}` };
  }
  const capUse = await parts.store.capUse(prepared.slots, { run: began.run, step: command.step });
  const approval = approvalFor(parts, journal, command, prepared);
  const decision = decideOn(parts, command, prepared, { capUse }, approval);
  if (decision.outcome !== "permit") {
    const why =
      decision.outcome === "deny" ? `${decision.denial.code}: ${decision.denial.detail}` : "it now needs an approval";
    return notAgain(tool, happened, `not run again after the restart: ${why}`);
  }
  // What the step holds of its caps was reserved before the crash, in the window of that moment. It must still be enough.
  if (asHeld(decision.checked, decision.reservations) !== asHeld(open.checked, open.reservations)) {
    return notAgain(tool, happened, "not run again after the restart: its params or amounts now read differently");
  }
  const call = callOf(parts, began, command, tool, decision.authorised.params, recordOf(prepared));
  return callTool(parts, decision.authorised, { ...call, emissions: open.emissions }, nest, cancel);
}

function asHeld(checked: JsonObject, reservations: readonly Reservation[]): string {
  return canonicalJson([checked, reservations.map(({ cap, key, amount }) => [cap, key, amount])]);
}

/**
 * A read that is not allowed any more simply failed, and so did what the probe says did not happen: its caps are given
 * back. Of anything else nobody knows whether it happened the first time.
 */
function notAgain(tool: Tool, happened: "perhaps" | "not", why: string): Settlement {
  return tool.effect === "read" || happened === "not" ? failed(tool, why) : unknown(tool, why);
}
