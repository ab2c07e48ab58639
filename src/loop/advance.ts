import type { Command } from "../domain/command.ts";
import { ENDINGS } from "../domain/ending.ts";
import type {
  Continued,
  Decided,
  Finished,
  Interrupted,
  Replied,
  RunEvent,
  SettledBefore,
  Started,
} from "../domain/event.ts";
import { NOTHING_SPENT } from "../domain/event.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { Reply } from "../domain/reply.ts";
import { summariseBuiltIn } from "../domain/result.ts";
import { unreachable } from "../domain/unreachable.ts";
import { type RoutedStep, routeStep } from "./guardrails/auto-correction.ts";
import { isTooLong, nextStreak, type Streak } from "./guardrails/repetition.ts";
import { nextShortCircuits, settledBy, shortCircuitsSpent } from "./guardrails/short-circuit.ts";
import { brokenByProposal } from "./guardrails/watchdog.ts";
import { charge, noteLine, remember, settle } from "./keep.ts";
import { afterModelFailure, spend } from "./model-failure.ts";
import { afterClosing, afterRetrieval } from "./retrieval.ts";
import type { Run, StepState } from "./run.ts";
import { sign } from "./sign.ts";
import { isFor, isSame, settleKeyOf, signatureOf } from "./step-keys.ts";
import { afterEvents, afterInjection, planStopped, teachFirst, withBreaches } from "./teach.ts";
import { bug, end, nextTurn, spentBudget } from "./turns.ts";
import { afterResolution, afterStaged, afterWord, takenUp } from "./waiting.ts";

/** Turns in a row without a readable reply after which a run ends. */
export const MALFORMED_MAX = 3;

/**
 * One step of the state machine: what a run is after `event`, with the next command in `run.command` (design 4.2).
 * Pure and total: an event that cannot follow ends the run as `failed`, so every sequence of events comes to an end.
 *
 * Laws, tested in test/laws/loop.test.ts:
 *   always-ends          whatever events arrive, the run ends within its budgets
 *   decision-first       a step is started only after a decision that permits those exact params
 *   fold-is-state        folding a run's events gives its state
 */
export function advance(before: Run, event: RunEvent): Run {
  const run = next(before, event);
  return run.due === null ? run : teachFirst(run);
}

function next(before: Run, event: RunEvent): Run {
  // A clock that was set back must not give a run more time.
  const later: Run = event.at > before.lastAt ? { ...before, lastAt: event.at } : before;
  const run = before.lying ? takenUp(before, later) : later;
  // Somebody else's loop carries it (runtime/outside.ts): what happens in it is folded step by step (outside-step.ts).
  if (run.began?.outside === true) return run;
  if (run.ended !== null) return afterEnd(before, run, event);
  switch (event.kind) {
    case "began":
      if (run.began !== null) return bug(run, "a run begins once");
      if (event.outside) return { ...run, began: event };
      return nextTurn({ ...run, began: event, used: { ...run.used, since: event.at } });
    case "probed":
      return { ...run, probed: event };
    case "replied":
      return afterReply(run, event);
    case "model_failed":
      return afterModelFailure(run, event);
    case "decided":
      return afterDecision(run, event);
    case "staged":
      return afterStaged(run, event);
    case "approved":
    case "rejected":
    case "edited":
      return afterWord(before, run, event);
    case "started":
      return afterStart(run, event);
    case "finished":
      return event.resolved === null ? afterOutcome(run, event) : afterResolution(before, run, event);
    case "settled_before":
      return afterSettledBefore(run, event);
    case "injected":
      return afterInjection(run, event);
    case "retrieved":
      return afterRetrieval(run, event);
    case "interrupted":
      return afterInterruption(run, event);
    case "continued":
      return bug(run, "only an ended run can be continued");
    case "ended":
      if (run.command?.kind === "await_approval") return { ...run, ended: event.ending };
      if (run.command?.kind !== "end") return bug(run, "a run ends by its own command");
      return { ...run, ended: event.ending };
    default:
      return unreachable(event);
  }
}

/** What can still happen to a run that has ended; anything else leaves it as it is. */
function afterEnd(before: Run, run: Run, event: RunEvent): Run {
  switch (event.kind) {
    case "continued":
      return continueRun(run, event);
    case "approved":
    case "rejected":
    case "edited":
      return afterWord(before, run, event);
    case "finished":
      return afterResolution(before, run, event);
    default:
      return run;
  }
}

function afterReply(run: Run, event: Replied): Run {
  const asked = run.command;
  if (asked?.kind !== "ask_model" || asked.turn !== event.turn || asked.call !== event.call) {
    return bug(run, "a reply that nobody asked for");
  }
  const next = spend(run, event.usage);
  if (asked.mode.kind === "closing") return afterClosing(next, event);
  if (event.reply === null) return afterMalformed(next, event, asked.call);
  return afterReadable(next.malformedInARow === 0 ? next : { ...next, malformedInARow: 0 }, event.reply, event);
}

/** One re-ask with the validator's message; then the turn counts as malformed. */
function afterMalformed(run: Run, event: Replied, call: number): Run {
  const why = event.why ?? { code: "not_json", detail: "no reply" };
  if (call === 1 && spentBudget(run) === null) {
    return {
      ...run,
      used: { ...run.used, modelCalls: run.used.modelCalls + 1 },
      command: { kind: "ask_model", turn: event.turn, call: 2, mode: { kind: "reask", why } },
    };
  }
  const malformedInARow = run.malformedInARow + 1;
  const line = summariseBuiltIn({ kind: "unreadable", code: why.code, detail: why.detail });
  const noted = remember(
    { ...run, malformedInARow },
    { tool: "reply", line, json: JSON.stringify({ code: why.code, detail: why.detail }) },
  );
  if (malformedInARow >= MALFORMED_MAX) return end(noted, "malformed", `${why.code}: ${why.detail}`);
  const signed = sign(noted, { text: `malformed ${event.raw.slice(0, 2_000)}`, mayRepeat: false });
  return signed.command?.kind === "end" ? signed : nextTurn(signed);
}

function afterReadable(run: Run, reply: Reply, event: Replied): Run {
  switch (reply.kind) {
    case "conversation":
      return end(run, "answered", "", reply.text);
    case "retrieve":
      return { ...run, command: { kind: "retrieve", query: reply.query } };
    case "action": {
      const step: RoutedStep = { tool: reply.tool, params: reply.params, evidence: reply.evidence, route: "direct" };
      return event.notRun.length === 0 ? beginQueue(run, [step]) : beginFirst(run, step, event);
    }
    case "plan": {
      const alone = reply.steps.length === 1;
      return beginQueue(
        run,
        reply.steps.map((step) => routeStep(step, run.rules.tools, alone)),
      );
    }
    default:
      return unreachable(reply);
  }
}

/** Guardrails 3 and 2 on what was routed. A turn of one step is judged here; a plan's turn by the set of its steps. */
function beginQueue(run: Run, steps: readonly RoutedStep[]): Run {
  const queued: Run = { ...run, queue: { steps, next: 0, plan: steps.length > 1 } };
  if (steps.length === 1) return attemptStep(queued);
  const signatures = steps.map((step) => signatureOf(run, step));
  const text = `plan ${signatures
    .map((signature) => signature.text)
    .sort()
    .join(" ")}`;
  const signed = sign(queued, { text, mayRepeat: signatures.every((signature) => signature.mayRepeat) });
  return signed.command?.kind === "end" ? signed : attemptStep(signed);
}

/**
 * One action a turn: the first call of several is run, and the model is told of the others that they were not. The turn is
 * judged by the set of its calls, so that their order hides no repetition.
 */
function beginFirst(run: Run, step: RoutedStep, { calls, notRun }: Replied): Run {
  const told = noteLine(run, `not run, since a turn takes one action: ${notRun.join(", ")}`);
  const others = calls.length > 1 ? calls.slice(1).map(({ name, args }) => `${name} ${args}`) : notRun;
  const first = signatureOf(run, step);
  // A native call's own text is compared with the others' own texts, whichever of them comes first.
  const own = calls[0] === undefined ? first.text : `${calls[0].name} ${calls[0].args}`;
  const tools = [step.tool, ...notRun];
  const mayRepeat = tools.every((name) => run.rules.tools.get(name)?.mayRepeat === true);
  const signed = sign(told, { text: `calls ${[own, ...others].sort().join(" ")}`, mayRepeat });
  if (signed.command?.kind === "end") return signed;
  return attemptStep({ ...signed, queue: { steps: [step], next: 0, plan: true } });
}

/** The next step of the queue: already done (guardrail 3), once too often (guardrail 2), over the budget, or performed. */
function attemptStep(run: Run): Run {
  const queue = run.queue;
  const step = queue?.steps[queue.next];
  if (queue === null || step === undefined) return nextTurn(run);
  const done = settledBy(settleKeyOf(run, step), run.lastSettled, run.receipts);
  if (done !== null) return giveReceipt(run, step, done);
  const signature = signatureOf(run, step);
  const streak = nextStreak(run.streak, signature);
  if (isTooLong(streak)) return end({ ...run, streak }, "repetition");
  // A plan was signed as a whole; the turn of a single step is signed here, so that one already done counts only there.
  const judged = queue.plan ? run : sign(run, signature);
  return judged.command?.kind === "end" ? judged : performStep(judged, step, streak);
}

const PROPOSED: StepState = { state: "proposed" };

function performStep(run: Run, step: RoutedStep, streak: Streak | null): Run {
  const began = run.began;
  if (began === null) return bug(run, "nothing happens before a run begins");
  if (run.used.steps >= began.budgets.steps) return end({ ...run, streak, shortCircuits: null }, "step_budget");
  if (run.lastAt - run.used.since >= began.budgets.wallMs)
    return end({ ...run, streak, shortCircuits: null }, "deadline");
  const number = run.step + 1;
  const { tool, params, evidence, route } = step;
  // A rule that was taught and is broken all the same: the watchdog stands before the step, where it may end the run.
  const watched = withBreaches(run, brokenByProposal(run, tool, params, number));
  if (watched.command?.kind === "end") return watched;
  return {
    ...watched,
    streak,
    shortCircuits: null,
    step: number,
    stepState: PROPOSED,
    staged: null,
    approved: null,
    proposer: null,
    used: { ...run.used, steps: run.used.steps + 1 },
    command: { kind: "perform", step: number, tool, params, evidence, route, receipt: null },
  };
}

/** The existing result goes back instead of a second effect. Such a turn counts here and not under repetition. */
function giveReceipt(run: Run, step: RoutedStep, receipt: Receipt): Run {
  const number = run.step + 1;
  const { tool, params, evidence, route } = step;
  const command: Command = { kind: "perform", step: number, tool, params, evidence, route, receipt };
  return { ...run, step: number, stepState: { state: "proposed" }, command };
}

/** On to the plan's next step, or to the next turn. */
function stepDone(run: Run): Run {
  const queue = run.queue;
  if (queue === null || queue.next + 1 >= queue.steps.length) return nextTurn(run);
  return attemptStep({ ...run, queue: { ...queue, next: queue.next + 1 } });
}

/** A step that is not done stops its plan; the results before it stand. */
function stepNotDone(run: Run): Run {
  return nextTurn(run);
}

function afterDecision(before: Run, event: Decided): Run {
  const run: Run = event.outcome === "deny" ? { ...before, denied: before.denied + 1 } : before;
  const command = run.command;
  const proposed = command?.kind === "perform" && run.stepState.state === "proposed" && command.receipt === null;
  if (!proposed || !isFor(command, event)) {
    return bug(run, "a decision that belongs to no proposal");
  }
  switch (event.outcome) {
    case "permit":
      if (event.checked === null) return bug(run, "a permit without checked params");
      return { ...run, stepState: { state: "permitted", checked: event.checked, reservations: event.reservations } };
    case "stage":
      return { ...run, command: { kind: "await_approval", step: event.step, role: event.role ?? "" } };
    case "deny": {
      const denial = event.denial ?? { code: "policy_error", detail: "a denial without a reason" };
      const facts = { kind: "denied" as const, tool: event.tool, code: denial.code, detail: denial.detail };
      const noted = remember(
        { ...run, lastSettled: null, staged: null, approved: null },
        {
          tool: event.tool,
          line: summariseBuiltIn(facts),
          json: JSON.stringify({ denied: denial.code, why: denial.detail }),
        },
      );
      return stepNotDone(noted);
    }
    default:
      return unreachable(event.outcome);
  }
}

function afterStart(run: Run, event: Started): Run {
  const command = run.command;
  const permitted = run.stepState;
  if (command?.kind !== "perform" || permitted.state !== "permitted" || command.step !== event.step) {
    return bug(run, "a step that starts without a decision");
  }
  if (event.tool !== command.tool || !isSame(event.params, permitted.checked)) {
    return bug(run, "a step that starts with other params than were decided");
  }
  return { ...run, stepState: { ...permitted, state: "started" } };
}

function afterOutcome(run: Run, event: Finished): Run {
  const command = run.command;
  if (command?.kind !== "perform" || run.stepState.state !== "started" || command.step !== event.step) {
    return bug(run, "an outcome of a step that was not started");
  }
  const result = event.outcome === "done" ? event.result : { error: event.error, outcome: event.outcome };
  const noted = remember(
    charge(run, event.spent),
    { tool: event.tool, line: event.line, json: JSON.stringify(result) },
    event.outcome === "done" ? run.performed + 1 : run.performed,
  );
  const seen = afterEvents(
    event.outcome === "done" ? settle(noted, event, event.result) : { ...noted, lastSettled: null },
    event,
  );
  // The watchdog may have ended the run; an effect of which nobody knows comes before that.
  if (seen.command?.kind === "end" && event.outcome !== "outcome_unknown") return seen;
  switch (event.outcome) {
    case "done":
      // The rest of a plan was proposed before the rule was known: the model is told of it, and asked again.
      return seen.due === null ? stepDone(seen) : stepNotDone(planStopped(seen));
    case "failed":
      return stepNotDone(seen);
    case "outcome_unknown":
      return end(seen, "outcome_unknown", event.error ?? "");
    default:
      return unreachable(event.outcome);
  }
}

/** What was proposed is done already: this run's receipt went back, or the one that the store found in the thread. */
function afterSettledBefore(run: Run, event: SettledBefore): Run {
  const command = run.command;
  if (command?.kind !== "perform" || run.stepState.state !== "proposed" || command.step !== event.step) {
    return bug(run, "a receipt that belongs to no proposal");
  }
  const kept = command.receipt === null ? settle(run, event, event.result) : run;
  const key = command.receipt?.key ?? settleKeyOf(run, command) ?? `${event.tool} ${event.step}`;
  const line = summariseBuiltIn({ kind: "already_done", tool: event.tool, line: event.line });
  const shortCircuits = nextShortCircuits(run.shortCircuits, key);
  const noted = remember(
    { ...kept, shortCircuits, staged: null, approved: null },
    { tool: event.tool, line, json: JSON.stringify(event.result) },
  );
  return shortCircuitsSpent(shortCircuits) ? end(noted, "short_circuit") : stepDone(noted);
}

function afterInterruption(run: Run, event: Interrupted): Run {
  if (run.command?.kind === "perform" && run.stepState.state === "started") {
    return bug(run, "an interruption with an effect still open");
  }
  return end(run, event.ending, event.detail);
}

/** Goes on from where the run stopped: open steps of a plan first, else a fresh turn. */
function continueRun(run: Run, event: Continued): Run {
  if (run.began === null || run.ended === null || !ENDINGS[run.ended].continuable) return run;
  const next: Run = {
    ...run,
    began: { ...run.began, budgets: event.budgets },
    used: { ...NOTHING_SPENT, since: event.at },
    lastAt: event.at,
    command: null,
    ended: null,
    malformedInARow: 0,
    recent: [],
    streak: null,
    shortCircuits: null,
    promptBytesMax: null,
    overflowed: null,
    stepState: { state: "proposed" },
    staged: null,
    approved: null,
    proposer: null,
  };
  const openSteps = next.queue !== null && next.queue.next < next.queue.steps.length;
  const stopped = run.ended === "repetition" || run.ended === "cycle" || run.ended === "short_circuit";
  return openSteps && !stopped ? attemptStep(next) : nextTurn(next);
}
