import type { Point } from "../crash/child.ts";
import { EARLY_EFFECT, SPLIT } from "./transaction-twins.ts";
import type { Patch } from "./twin.ts";

/** A fault that only a dead process shows, and the points at which a kill must show it. */
export type CrashTwin = {
  readonly fault: string;
  readonly patches: readonly Patch[];
  /** `next` is the point after `point`: what the process was about to do when it died. */
  readonly at: (point: Point, next: Point | undefined) => boolean;
};

const RESUME = "runtime/resume.ts";
const RUN = "runtime/run.ts";
const STORE = "adapters/store-sqlite/store.ts";

function twin(fault: string, at: CrashTwin["at"], file: string, find: string, replace: string): CrashTwin {
  return { fault, at, patches: [{ file, find, replace }] };
}

const labelled =
  (label: string): CrashTwin["at"] =>
  (point) =>
    point.label === label;

/** Between two steps of a plan: the outcome of the one is on the disk, and no model is asked before the next. */
const betweenSteps: CrashTwin["at"] = (point, next) => point.label === "committed" && next?.label === "record: before";

export const CRASH_TWINS: readonly CrashTwin[] = [
  { fault: "an effect begins before its started row is written", at: labelled("refund: after"), patches: EARLY_EFFECT },
  twin(
    "a reply is not on the disk when the next one is asked for",
    // The re-ask, and the call after a short-circuit: before them nothing but a reply has to be written.
    ({ label, calls }) => label === "model: called" && (calls === 5 || calls === 11),
    RUN,
    'if (journal.pending.length > 0 && command.kind !== "perform") await flush',
    'if (journal.pending.length > 0 && command.kind === "retrieve") await flush',
  ),
  twin(
    "on resume the model is asked again for the reply whose steps are open",
    betweenSteps,
    RESUME,
    "    try {\n      open = await settleOpenStep(",
    `  if (journal.run.command?.kind === "perform" && journal.run.stepState.state === "proposed") {
    const { turn } = journal.run;
    journal.run = { ...journal.run, command: { kind: "ask_model", turn, call: 1, mode: { kind: "turn" } } };
  }
    try {
      open = await settleOpenStep(`,
  ),
  twin(
    "on resume the last event is forgotten",
    betweenSteps,
    "runtime/recorded.ts",
    "for (const event of events) {\n    journal.run",
    "for (const event of events.slice(0, -1)) {\n    journal.run",
  ),
  twin(
    "a once tool without a probe runs again",
    labelled("send: after"),
    RESUME,
    "if (probe === null) return unknown(",
    "if (probe === null) return again(parts, began, command, open, nest, cancel);\n  if (probe === null) return unknown(",
  ),
  twin(
    "an effect that the probe confirms happens again",
    labelled("refund: after"),
    RESUME,
    "return timed.value === null",
    "return timed.value !== undefined",
  ),
  twin(
    "an effect that the probe denies passes for done",
    labelled("refund: before"),
    RESUME,
    "return timed.value === null",
    "return timed.value === undefined",
  ),
  twin(
    "an effect that the probe confirms is called unknown",
    labelled("refund: after"),
    RESUME,
    "if (timed.value === undefined) return unknown(",
    "if (timed.value !== null) return unknown(",
  ),
  twin(
    "a second attempt has a key of its own",
    labelled("tag: after"),
    RESUME,
    "const call = callOf(parts, began, command, tool, decision.authorised.params, recordOf(prepared));",
    `const first = callOf(parts, began, command, tool, decision.authorised.params, recordOf(prepared));
  const call = { ...first, context: { ...first.context, idempotencyKey: \`\${first.context.idempotencyKey}-2\` } };`,
  ),
  twin(
    "an open step stays open",
    labelled("tag: before"),
    RESUME,
    'if (command?.kind !== "perform" || stepState.state !== "started"',
    'if (command?.kind === "perform" || stepState.state !== "started"',
  ),
  twin(
    "an unknown outcome is taken up again by the next resume",
    labelled("send: before"),
    RESUME,
    "if (ended !== null && !lapsed) return outcomeOf(",
    'if (ended !== null && !lapsed && ended !== "outcome_unknown") return outcomeOf(',
  ),
  twin(
    "a step's own reservation counts against it",
    labelled("refund: before"),
    RESUME,
    "parts.store.capUse(prepared.slots, { run: began.run, step: command.step })",
    "parts.store.capUse(prepared.slots, null)",
  ),
  twin(
    "the decision and its effect are written in two transactions",
    // The second commit of a turn: the head has not followed the rows yet.
    (point, next) => point.label === "committed" && next?.label === "insert effect",
    STORE,
    "started = this.#start(query, effect,",
    `${SPLIT}started = this.#start(query, effect,`,
  ),
];
