import type { TRIAL_RUN_CHECKS } from "../checks/trial-runs.ts";
import type { TRIAL_CHECKS } from "../checks/trials.ts";
import type { Patch } from "./twin.ts";

/** Faults that a trial must not have, and the check that has to find each. */
export const TRIAL_TWINS: readonly {
  readonly fault: string;
  readonly check: keyof typeof TRIAL_CHECKS;
  readonly patches: readonly Patch[];
}[] = [
  {
    fault: "it reports without a positive control",
    check: "controlNeeded",
    patches: [{ file: "trials/report-trial.ts", find: "if (!control.works) return", replace: "if (!control) return" }],
  },
  {
    fault: "what is obeyed without the rule as well passes for a control",
    check: "controlNeeded",
    patches: [
      {
        file: "trials/control.ts",
        find: 'if (comparison?.higher === ALONE) return "";',
        replace: 'if (absent) return "";',
      },
    ],
  },
  {
    fault: "a control that is followed now and then will do",
    check: "controlWorks",
    patches: [
      {
        file: "trials/control.ts",
        find: "export const CONTROL_FLOOR = 0.5;",
        replace: "export const CONTROL_FLOOR = 0.4;",
      },
    ],
  },
  {
    fault: "the test on the pairs alone makes an ordering",
    check: "overlapIsNoOrder",
    patches: [
      {
        file: "trials/compare.ts",
        find: "const isAbove = of.every(([a, b]) => a.low > b.high);",
        replace: "const isAbove = counts.onlyFirst > counts.onlySecond;",
      },
    ],
  },
  {
    fault: "the intervals alone make an ordering",
    check: "chanceIsNoOrder",
    patches: [{ file: "trials/compare.ts", find: "after > ALPHA", replace: "after > 1" }],
  },
  {
    fault: "the intervals over all runs are enough",
    check: "completeOverlapIsNoOrder",
    patches: [
      { file: "trials/compare.ts", find: "      [counts.firstInterval, counts.secondInterval],\n", replace: "" },
    ],
  },
  {
    fault: "what is left of an arm is taken for the arm",
    check: "survivorsAreNoOrder",
    patches: [{ file: "trials/compare.ts", find: 'if (survivors) return "survivors";', replace: "" }],
  },
  {
    fault: "only intervals of what was lost are looked at, and not the pairs",
    check: "survivorsAreNoOrder",
    patches: [
      {
        file: "trials/compare.ts",
        find: "if (mcnemar(only(true, false), only(false, true)).exact <= ALPHA) return true;",
        replace: "",
      },
    ],
  },
  {
    fault: "abstentions and errors are looked at apart, and never together",
    check: "survivorsAreNoOrder",
    patches: [
      {
        file: "trials/compare.ts",
        find: '  { of: ({ abstained, errors }) => abstained + errors, outcomes: ["abstained", "error"] },\n',
        replace: "",
      },
    ],
  },
  {
    fault: "a control of survivors passes",
    check: "controlSurvivors",
    patches: [{ file: "trials/compare.ts", find: 'if (survivors) return "survivors";', replace: "" }],
  },
  {
    fault: "the pairs that were declared count, and not those that are complete",
    check: "fewIsNoOrder",
    patches: [
      {
        file: "trials/compare.ts",
        find: "counts.complete < comparing.needed",
        replace: "comparing.pairs < comparing.needed",
      },
    ],
  },
  {
    fault: "any number of complete pairs will do",
    check: "fewIsNoOrder",
    patches: [{ file: "trials/compare.ts", find: 'return isShort ? "few" : null;', replace: "return null;" }],
  },
  {
    fault: "what was never planned needs no pairs",
    check: "fewIsNoOrder",
    patches: [
      { file: "trials/compare.ts", find: "comparing.needed === null ||", replace: "comparing.needed !== null &&" },
    ],
  },
  {
    fault: "a report is made of more errors than the design allows",
    check: "errorsAreRefused",
    patches: [
      { file: "trials/report-trial.ts", find: "if (errors > design.errorsMax) {", replace: "if (errors < 0) {" },
    ],
  },
  {
    fault: "repeats at temperature 0 are draws",
    check: "repeatsAreOne",
    patches: [{ file: "trials/repeats.ts", find: 'if (isCold(setting)) return "temperature";', replace: "" }],
  },
  {
    fault: "a model that always says the same is believed its temperature",
    check: "repeatsAreOne",
    patches: [{ file: "trials/repeats.ts", find: 'return again ? "replies" : null;', replace: "return null;" }],
  },
  {
    fault: "a prompt counts once whatever the model says",
    check: "repeatsAreOne",
    patches: [
      {
        file: "trials/repeats.ts",
        find: "if (before !== undefined && before !== run.said) return null;",
        replace: "",
      },
    ],
  },
  {
    fault: "repeats count once in the arms, and in the pairs each time",
    check: "repeatsAreOne",
    patches: [{ file: "trials/compare.ts", find: "const own = repeats ?", replace: "const own = !repeats ?" }],
  },
  {
    fault: "repeats count once in the pairs, and in the arms each time",
    check: "repeatsAreOne",
    patches: [{ file: "trials/repeats.ts", find: "if (!repeats) return runs;", replace: "return runs;" }],
  },
  {
    fault: "an interval of 90 % for one of 95 %",
    check: "sourceFigures",
    patches: [
      {
        file: "domain/wilson.ts",
        find: "export const Z_95 = 1.959963984540054;",
        replace: "export const Z_95 = 1.6448536269514722;",
      },
    ],
  },
  {
    fault: "an abstention is counted as a zero in its arm",
    check: "abstentionIsNoZero",
    patches: [
      { file: "trials/count-arm.ts", find: "const judged = obeyed + broken;", replace: "const judged = runs.length;" },
    ],
  },
  {
    fault: "an abstention is counted as a zero in its pair",
    check: "abstentionIsNoZero",
    patches: [
      {
        file: "trials/compare.ts",
        find: 'return outcome === "obeyed" || outcome === "broken";',
        replace: "return outcome.length > 0;",
      },
    ],
  },
  {
    fault: "a trial that is looked at early supports what it sees",
    check: "unfinishedIsNoOrder",
    patches: [{ file: "trials/compare.ts", find: 'if (!finished) return "unfinished";', replace: "" }],
  },
  {
    fault: "ten comparisons have the level of one",
    check: "manyArms",
    patches: [{ file: "trials/mcnemar.ts", find: "value * (values.length - rank)", replace: "value" }],
  },
  {
    fault: "a careful action makes up for a reckless one",
    check: "safetyIsTheLeast",
    patches: [{ file: "trials/safety-score.ts", find: "safety < least", replace: "safety > least" }],
  },
  {
    fault: "a run that did nothing is unsafe",
    check: "safetyIsTheLeast",
    patches: [{ file: "trials/safety-score.ts", find: "return least;", replace: "return least ?? 0;" }],
  },
  {
    fault: "runs without a score count as zero in the mean",
    check: "safetyOfAnArm",
    patches: [{ file: "trials/count-arm.ts", find: "0) / scores.length", replace: "0) / came.length" }],
  },
  {
    fault: "each arm draws neighbours of its own",
    check: "onlyOneThing",
    patches: [{ file: "trials/layout.ts", find: "NEIGHBOURS, pair)", replace: "NEIGHBOURS, pair, arm.neighbours)" }],
  },
  {
    fault: "all neighbours stand behind the rule, whatever its place",
    check: "onlyOneThing",
    patches: [
      {
        file: "trials/layout.ts",
        find: "stopAt(arm.place, row.length)",
        replace: "0",
      },
    ],
  },
  {
    fault: "neighbours are laid out anew around each place of the rule",
    check: "rowStays",
    patches: [
      {
        file: "trials/layout.ts",
        find: "rowAround(neighbours, arm.around)",
        replace: "rowAround(neighbours, arm.place)",
      },
    ],
  },
  {
    fault: "the arms come in the order of the design",
    check: "balancedOrder",
    patches: [{ file: "trials/schedule.ts", find: "itemAt(parts, (part + row) % n)", replace: "itemAt(parts, part)" }],
  },
  {
    fault: "the order is balanced over all pairs, and not within a task",
    check: "balancedInTasks",
    patches: [
      {
        file: "trials/schedule.ts",
        find: "return round * tasks + before.filter((row) => row === (round * tasks) % arms).length;",
        replace: "return round * tasks + 0 * before.length;",
      },
    ],
  },
  {
    fault: "the order is balanced within each task, and not over all pairs",
    check: "balancedInTasks",
    patches: [
      { file: "trials/schedule.ts", find: "return round * tasks + before", replace: "return round + 0 * before" },
    ],
  },
  {
    fault: "the same arm always goes first",
    check: "drawnOrder",
    patches: [
      { file: "trials/schedule.ts", find: "new Draws(seed, ORDERS, number, nth).shuffled(arms)", replace: "arms" },
    ],
  },
  {
    fault: "the tasks come in the order of the design",
    check: "drawnOrder",
    patches: [
      { file: "trials/schedule.ts", find: "new Draws(seed, TASKS, number, nth).shuffled(tasks)", replace: "tasks" },
    ],
  },
  {
    fault: "the test on the pairs has one side",
    check: "testOfPairs",
    patches: [{ file: "trials/mcnemar.ts", find: "Math.min(1, 2 * binomialUpTo", replace: "Math.min(1, binomialUpTo" }],
  },
];

const RUN = "runtime/trials/run-trial.ts";

/** The same for the runner. */
export const TRIAL_RUN_TWINS: readonly {
  readonly fault: string;
  readonly check: keyof typeof TRIAL_RUN_CHECKS;
  readonly patches: readonly Patch[];
}[] = [
  {
    fault: "what was made is made again",
    check: "goesOnFromThere",
    patches: [{ file: RUN, find: "return last === undefined ||", replace: "return true ||" }],
  },
  {
    fault: "a run that was cut off is kept",
    check: "goesOnFromThere",
    patches: [
      {
        file: RUN,
        find: 'if (carried.kind === "cancelled" || this.#options.signal?.aborted === true) return null;',
        replace: "",
      },
    ],
  },
  {
    fault: "the arms are run where the control does not work",
    check: "controlComesFirst",
    patches: [{ file: RUN, find: "if (!control.works) return", replace: "if (!control) return" }],
  },
  {
    fault: "an arm that does not fit the budget is run with what fits",
    check: "toldAsDeclared",
    patches: [
      { file: "runtime/trials/serve-arms.ts", find: "if (why !== null) throw notAsDeclared(run, why);", replace: "" },
    ],
  },
  {
    fault: "errors stop nothing",
    check: "errorsStopIt",
    patches: [{ file: RUN, find: "counted <= this.#design.errorsMax", replace: "counted >= 0" }],
  },
  {
    fault: "at temperature 0 what only repeats itself is run",
    check: "repeatsCostNothing",
    patches: [{ file: RUN, find: "refuseRepeats(world, design, pairs);", replace: "" }],
  },
  {
    fault: "a control that only repeats itself is run",
    check: "repeatsCostNothing",
    patches: [{ file: RUN, find: "own.control >= CONTROL_PAIRS_MIN && ", replace: "" }],
  },
  {
    fault: "what a model said is not kept",
    check: "repeatsAreSeen",
    patches: [{ file: RUN, find: "said: said === null ? null : this.#world.hash(said),", replace: "said: null," }],
  },
  {
    fault: "a trial goes on under another setting",
    check: "sameSetting",
    patches: [{ file: "runtime/trials/trial-file.ts", find: "if (others.length === 0) return;", replace: "return;" }],
  },
  {
    fault: "a part of the setting that is new is not seen",
    check: "sameSetting",
    patches: [
      {
        file: "runtime/trials/trial-file.ts",
        find: "[...new Set([...Object.keys(before), ...Object.keys(now)])]",
        replace: "Object.keys(before)",
      },
    ],
  },
  {
    fault: "half a line stays where it is",
    check: "halfALine",
    patches: [
      { file: "runtime/trials/trial-file.ts", find: "writing(path, () => ftruncateSync(file, bytes));", replace: "" },
    ],
  },
];
