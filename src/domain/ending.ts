/** An Ending: the one reason why a run stopped. No run ends without one, and none but `answered` and `retrieved` exits 0 (design 5.2).
 * `continuable`: the operator may let the run go on from that state with fresh budgets. */
export const ENDINGS = {
  answered: { exitCode: 0, continuable: false, trigger: "the model replied with a conversation", message: "Answered." },
  retrieved: {
    exitCode: 0,
    continuable: false,
    trigger: "the model asked for a retrieval and its passages were returned",
    message: "Retrieved.",
  },
  turn_budget: {
    exitCode: 3,
    continuable: true,
    trigger: "the run had used all of its turns at the top of a turn",
    message: "I reached the maximum number of steps. Here's where I left off.",
  },
  call_budget: {
    exitCode: 3,
    continuable: true,
    trigger: "the run had used all of its model calls, re-asks included",
    message: "I reached the maximum number of model calls. Here's where I left off.",
  },
  step_budget: {
    exitCode: 3,
    continuable: true,
    trigger: "the run had performed all of the steps that its budget allows",
    message: "I reached the maximum number of performed steps. Here's where I left off.",
  },
  repetition: {
    exitCode: 3,
    continuable: true,
    trigger: "the third identical proposal in a row",
    message: "Repetition detected: the same action was repeated 3 times.",
  },
  cycle: {
    exitCode: 3,
    continuable: true,
    trigger: "proposals that go round in a circle: period 2 three times, period 3 or 4 twice",
    message: "Cycle detected: the same actions went round in a circle.",
  },
  short_circuit: {
    exitCode: 3,
    continuable: true,
    trigger: "the third proposal in a row for something that is already done",
    message: "Short-circuit: the same finished work was proposed 3 times.",
  },
  malformed: {
    exitCode: 3,
    continuable: true,
    trigger: "three turns in a row without a readable reply",
    message: "The model's replies could not be read 3 turns in a row.",
  },
  awaiting_approval: {
    exitCode: 4,
    continuable: false,
    trigger: "a proposal was staged for a person",
    message: "A person has to approve the proposed action.",
  },
  cancelled: {
    exitCode: 1,
    continuable: true,
    trigger: "the caller aborted the run",
    message: "The run was cancelled.",
  },
  deadline: {
    exitCode: 3,
    continuable: true,
    trigger: "the run's wall-clock budget was used up",
    message: "I ran out of time. Here's where I left off.",
  },
  budget_exhausted: {
    exitCode: 3,
    continuable: true,
    trigger: "the run's token or cost budget was used up",
    message: "I used up the token or cost budget. Here's where I left off.",
  },
  outcome_unknown: {
    exitCode: 1,
    continuable: false,
    trigger: "an effect was started and nobody can say whether it happened",
    message: "It is not known whether the last action happened. A person has to look.",
  },
  watchdog: {
    exitCode: 3,
    continuable: false,
    trigger: "a taught rule was broken",
    message: "A rule was broken after it was taught.",
  },
  guide_refused: {
    exitCode: 1,
    continuable: false,
    trigger: "no plan of the approved rules can exist, or no prompt that holds the mandatory text fits the window",
    message: "The model cannot be told what it has to be told.",
  },
  model_unreachable: {
    exitCode: 5,
    continuable: true,
    trigger: "the model's server could not be reached or gave no usable answer",
    message: "The model could not be reached.",
  },
  ledger_unavailable: {
    exitCode: 1,
    // The ledger does not know of this ending: it could not be written. So the run is open, and is resumed.
    continuable: false,
    trigger: "the ledger could not be written, so nothing further was allowed; resume the run when it can be",
    message: "The ledger could not be written; nothing was done without a record.",
  },
  failed: {
    exitCode: 1,
    continuable: false,
    trigger: "a bug in the house or in a tool's declaration",
    message: "The run failed.",
  },
} as const;

export type Ending = keyof typeof ENDINGS;

export function isEnding(name: string): name is Ending {
  return Object.hasOwn(ENDINGS, name);
}
