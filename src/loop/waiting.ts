import type { Approved, Edited, Finished, Rejected, Staged } from "../domain/event.ts";
import { oneLine, summariseBuiltIn } from "../domain/result.ts";
import type { RoutedStep } from "./guardrails/auto-correction.ts";
import { remember, settle } from "./keep.ts";
import type { Run } from "./run.ts";
import { bug, end, nextTurn } from "./turns.ts";

/** What people do with a run that waits for them: approve, refuse, edit, or say how an unknown outcome came out. */

export function afterStaged(run: Run, event: Staged): Run {
  const waits = run.command?.kind === "await_approval" && run.command.step === event.step && run.staged === null;
  return waits ? { ...run, staged: event } : bug(run, "a proposal that waits without having been staged");
}

/**
 * A person's word about a run that has ended. `before` is the run before the event's clock was taken over: the time that it
 * waited does not count against its budgets. What does not fit changes nothing.
 */
export function afterWord(before: Run, run: Run, event: Approved | Rejected | Edited): Run {
  const { staged } = run;
  if (staged === null || staged.step !== event.step || staged.digest !== event.digest) return run;
  // A process that died before it wrote the end of the run leaves it waiting all the same.
  const waits = run.ended === "awaiting_approval" || (run.ended === null && run.command?.kind === "await_approval");
  // An approval can be taken back as long as it was not used.
  const approved = run.ended === null && run.approved !== null && run.stepState.state === "proposed";
  if (!waits && !(approved && event.kind === "rejected")) return run;
  const open = waits ? reopened(before, run) : { ...run, lying: true };
  switch (event.kind) {
    case "approved":
      return performed({ ...open, approved: event }, event.step);
    case "edited": {
      const { queue } = open;
      const step = queue?.steps[queue.next];
      if (queue === null || step === undefined || event.next !== open.step + 1) return run;
      const edited: RoutedStep = { ...step, params: event.params, evidence: event.evidence };
      const steps = queue.steps.with(queue.next, edited);
      const next: Run = { ...open, queue: { ...queue, steps }, staged: null, proposer: event.by, step: event.next };
      return performed({ ...next, used: { ...next.used, steps: next.used.steps + 1 } }, event.next);
    }
    default:
      return refused(open, staged, event);
  }
}

/** The person's reason goes back to the model, as a denial does; a plan stops there. */
function refused(run: Run, { tool }: Staged, { code, why }: Rejected): Run {
  const line = oneLine(summariseBuiltIn({ kind: "denied", tool, code, detail: why }));
  const next: Run = { ...run, staged: null, approved: null, denied: run.denied + 1, lastSettled: null };
  return nextTurn(remember(next, { tool, line, json: JSON.stringify({ denied: code, why }) }));
}

/**
 * A person looked, and said how the step came out that nobody knew of: after the end of the run, or where its process died
 * before it wrote that end.
 */
export function afterResolution(before: Run, run: Run, event: Finished): Run {
  const { command, ended } = run;
  const unknown = ended ?? (command?.kind === "end" ? command.ending : null);
  const fits = unknown === "outcome_unknown" && event.resolved !== null && event.step === run.step;
  if (!fits || event.outcome === "outcome_unknown") return run;
  const open = performed(reopened(before, run), event.step);
  if (open.command?.kind !== "perform") return run;
  const result = event.outcome === "done" ? event.result : { error: event.error, outcome: event.outcome };
  const done = event.outcome === "done";
  const newest = { tool: event.tool, line: event.line, json: JSON.stringify(result) };
  const noted = remember(open, newest, done ? open.performed + 1 : open.performed);
  const settled = done ? settle(noted, event, event.result) : { ...noted, lastSettled: null };
  // What the step's own events broke ends the run now that its outcome is known.
  const last = settled.breaches.find(({ escalate, step }) => escalate === "end" && step === event.step);
  if (last !== undefined) return end(settled, "watchdog", `rule ${last.rule} was broken by ${last.by}`);
  // The rest of a plan stays undone: it was stopped, and the model is asked what is still to do.
  return nextTurn(settled);
}

/** An ended run as it was before its end, with the time that it lay still taken out of its clock. */
function reopened(before: Run, run: Run): Run {
  const lay = Math.max(0, run.lastAt - before.lastAt);
  return { ...run, ended: null, lying: true, used: { ...run.used, since: run.used.since + lay } };
}

/** Whatever happens next takes the run up again; until then it lay still, and its clock with it. */
export function takenUp(before: Run, run: Run): Run {
  const lay = Math.max(0, run.lastAt - before.lastAt);
  return { ...run, lying: false, used: { ...run.used, since: run.used.since + lay } };
}

/** The step that is at the head of the queue, to be decided (again). */
function performed(run: Run, step: number): Run {
  const routed = run.queue?.steps[run.queue.next];
  if (routed === undefined) return bug(run, "a step that waits, and is in no queue");
  const { tool, params, evidence, route } = routed;
  return {
    ...run,
    stepState: { state: "proposed" },
    command: { kind: "perform", step, tool, params, evidence, route, receipt: null },
  };
}
