/** Which orderings a report supports, as checks that the product passes and that each planted fault fails. */
import assert from "node:assert/strict";
import type { TrialDesign } from "../../src/domain/trial.ts";
import type { Comparison, TrialReport } from "../../src/domain/trial-run.ts";
import type { ScheduledRun } from "../../src/trials/index.ts";
import { type Came, controlled, resultsOf, type Trials, trialDesign } from "./trial-results.ts";

export type Check = (trials: Trials) => void;

export const TWO = { vary: { kind: "volume", value: { neighbours: [0, 50], place: "middle" } } } as const;

/** Rates that the fewest pairs tell apart: six. */
const FEWEST = { expect: { high: 100, low: 0, discordance: null } } as const;

/** The report of two arms of which the first `hits[0]`, the second `hits[1]` pairs follow the rule; the first pairs do. */
export function twoArms(trials: Trials, pairs: number, hits: readonly [number, number], rest: Came = {}): TrialReport {
  const results = resultsOf(trials, trialDesign({ ...TWO, ...FEWEST, errorsMax: 100 }), pairs, (run) =>
    controlled(run, ({ arm, pair }) => {
      const follows = pair < hits[arm === "0-neighbours" ? 0 : 1];
      return follows ? { outcome: "obeyed" } : { outcome: "broken", ...rest };
    }),
  );
  return reported(trials.reportTrial(results));
}

export function reported(report: ReturnType<Trials["reportTrial"]>): TrialReport {
  assert.equal(report.kind, "report", JSON.stringify(report));
  return report as TrialReport;
}

export function onlyOne(report: TrialReport): Comparison {
  assert.equal(report.comparisons.length, 1);
  return report.comparisons[0] as Comparison;
}

/** The report of two arms, of whose pairs each comes out as `came` says for its run in the first and in the second arm. */
function pairwise(
  trials: Trials,
  design: Partial<TrialDesign>,
  pairs: number,
  came: (pair: number) => readonly [Came, Came],
): ReturnType<Trials["reportTrial"]> {
  const results = resultsOf(trials, trialDesign({ ...TWO, ...design }), pairs, (run) =>
    controlled(run, ({ arm, pair }) => came(pair)[arm === "0-neighbours" ? 0 : 1]),
  );
  return trials.reportTrial(results);
}

const [OBEYED, BROKEN, ABSTAINED, ERROR] = (["obeyed", "broken", "abstained", "error"] as const).map((outcome) => ({
  outcome,
})) as [Came, Came, Came, Came];

const chanceIsNoOrder: Check = (trials) => {
  // 5 of 5 and 0 of 5: the intervals do not overlap, and five pairs that all differ are chance in one of sixteen cases.
  const five = onlyOne(twoArms(trials, 5, [5, 0]));
  assert.deepEqual([five.overlap, five.higher, five.because], [false, null, "chance"]);
  assert.equal(five.exact, 0.0625);
  const six = onlyOne(twoArms(trials, 6, [6, 0]));
  assert.deepEqual([six.higher, six.exact], ["0-neighbours", 0.03125]);
  // 7 of 8 and 1 of 8, with pairs enough: the one that went the other way makes it chance.
  const report = pairwise(trials, FEWEST, 8, (pair) => (pair < 7 ? [OBEYED, BROKEN] : [BROKEN, OBEYED]));
  const eight = onlyOne(reported(report));
  assert.deepEqual([eight.overlap, eight.higher, eight.because], [false, null, "chance"]);
};

const completeOverlapIsNoOrder: Check = (trials) => {
  // Of 30 complete pairs 20 and 10: those intervals overlap. Over all runs, 25 and 10 of 35, they do not.
  const report = pairwise(trials, FEWEST, 40, (pair) => {
    if (pair < 30) return [pair < 20 ? OBEYED : BROKEN, pair < 10 ? OBEYED : BROKEN];
    return pair < 35 ? [OBEYED, ABSTAINED] : [ABSTAINED, BROKEN];
  });
  const one = onlyOne(reported(report));
  const [first, second] = reported(report).arms;
  assert.ok((first?.interval.low ?? 0) > (second?.interval.high ?? 1), "over all runs they are apart");
  assert.ok(one.holm < 0.05 && one.complete === 30 && !one.survivors, "and nothing else is against it");
  assert.deepEqual([one.overlap, one.higher, one.because], [true, null, "overlap"]);
};

const survivorsAreNoOrder: Check = (trials) => {
  const design = { ...FEWEST, errorsMax: 100 };
  const kinds: readonly (readonly [string, (pair: number) => Came])[] = [
    ["abstained", (pair) => (pair < 40 ? ABSTAINED : BROKEN)],
    ["came to an error", (pair) => (pair < 40 ? ERROR : BROKEN)],
    ["both, each of them as seldom as chance has it", (pair) => (pair < 5 ? ABSTAINED : pair < 9 ? ERROR : BROKEN)],
    ["just so many that the pairs tell it", (pair) => (pair < 6 ? ABSTAINED : BROKEN)],
  ];
  for (const [name, second] of kinds) {
    const report = reported(pairwise(trials, design, 48, (pair) => [OBEYED, second(pair)]));
    const one = onlyOne(report);
    assert.ok(one.exact < 0.05 && !one.overlap, `${name}: what is left of them would be an ordering`);
    assert.deepEqual([one.survivors, one.higher, one.because], [true, null, "survivors"], name);
    assert.ok(report.notes.some((note) => note.includes("survivors, and comparing those supports nothing")));
    assert.ok(trials.verdictText(report).includes("only survivors were compared"));
  }
  // Where both arms lose them alike, those that are left are no survivors.
  const alike = pairwise(trials, design, 48, (pair) => (pair < 20 ? [ABSTAINED, ABSTAINED] : [OBEYED, BROKEN]));
  assert.deepEqual([onlyOne(reported(alike)).survivors, onlyOne(reported(alike)).higher], [false, "0-neighbours"]);
  const [first, second] = reported(
    pairwise(trials, design, 48, (pair) => [OBEYED, pair < 40 ? ABSTAINED : ERROR]),
  ).arms;
  const shown = [first?.abstainedInterval, second?.abstainedInterval, second?.errorsInterval].map((interval) =>
    [interval?.low, interval?.high].map((end) => end?.toFixed(2)),
  );
  assert.deepEqual(shown, [
    ["0.00", "0.07"],
    ["0.70", "0.91"],
    ["0.09", "0.30"],
  ]);
};

const controlSurvivors: Check = (trials) => {
  const came = (absent: (pair: number) => Came) => {
    const design = trialDesign({ ...TWO, controlPairs: 16 });
    const results = resultsOf(trials, design, 1, ({ block, arm, pair }) =>
      block === "arms" || arm === "alone" ? OBEYED : absent(pair),
    );
    return trials.reportTrial(results);
  };
  assert.equal(came(() => BROKEN).kind, "report");
  const report = came((pair) => (pair < 8 ? ABSTAINED : BROKEN));
  assert.equal(report.kind === "refusal" && report.code, "no_positive_control");
  assert.ok(report.kind === "refusal" && report.detail.includes("absent 8 abstained"), JSON.stringify(report));
};

const fewIsNoOrder: Check = (trials) => {
  // 90 % against 50 % takes 31 pairs. So many were declared, and more; what counts is how many are complete.
  const of = (complete: number, pairs: number): readonly [TrialReport, Comparison] => {
    const report = reported(
      pairwise(trials, {}, pairs, (pair) => (pair < complete ? [OBEYED, BROKEN] : [ABSTAINED, ABSTAINED])),
    );
    return [report, onlyOne(report)];
  };
  const [report, few] = of(30, 48);
  assert.ok(few.exact < 1e-6 && !few.overlap && !few.survivors, "nothing else is against it");
  assert.deepEqual([few.complete, few.higher, few.because], [30, null, "few"]);
  assert.ok(report.notes.some((note) => /takes 31 complete pairs.*0-neighbours and 50-neighbours have 30$/.test(note)));
  const [enough, many] = of(31, 48);
  assert.deepEqual([many.complete, many.higher, many.because], [31, "0-neighbours", null]);
  assert.ok(!enough.notes.some((note) => note.includes("complete pairs")), "then nothing is said of it");
  // The same where no more were declared.
  assert.equal(of(8, 8)[1].because, "few");
  // What no number of pairs tells apart is not told apart by any.
  const hopeless = { expect: { high: 51, low: 50, discordance: null } };
  const none = onlyOne(reported(pairwise(trials, hopeless, 48, () => [OBEYED, BROKEN])));
  assert.deepEqual([none.higher, none.because], [null, "few"]);
};

const errorsAreRefused: Check = (trials) => {
  const of = (errors: number) =>
    pairwise(trials, { errorsMax: 3 }, 48, (pair) => (pair < errors ? [ERROR, OBEYED] : [OBEYED, BROKEN]));
  assert.equal(of(3).kind, "report");
  const report = of(4);
  assert.deepEqual([report.kind, report.kind === "refusal" && report.code], ["refusal", "too_many_errors"]);
  assert.ok(report.kind === "refusal" && report.detail.includes("4 of 116 runs came to an error"), report.kind);
};

/** Twelve tasks, each told the same in every pair of its own: twelve prompts an arm, however many runs. */
function repeating(
  trials: Trials,
  temperature: number | null,
  said: (run: ScheduledRun) => string,
  tasks = 12,
  fails: (run: ScheduledRun) => boolean = () => false,
): ReturnType<Trials["reportTrial"]> {
  const [task] = trialDesign().tasks;
  const design = trialDesign({
    ...TWO,
    ...FEWEST,
    tasks: [...Array(tasks).keys()].flatMap((i) => (task === undefined ? [] : [{ ...task, id: `task-${i}` }])),
  });
  const results = resultsOf(trials, design, 40, (run) => {
    const { arm, told } = run;
    const facts = { plan: arm, bytes: 1, neighbours: told.neighbours, copies: told.copies };
    const outcome = arm === "alone" || arm === "0-neighbours" ? "obeyed" : "broken";
    return { outcome, said: said(run), told: facts, ...(fails(run) ? ERROR : {}) };
  });
  const setting = { ...results.conditions.setting, "model.temperature": temperature };
  return trials.reportTrial({ ...results, conditions: { ...results.conditions, setting } });
}

const repeatsAreOne: Check = (trials) => {
  const anew = ({ pair, arm }: ScheduledRun): string => `${arm} ${pair}`;
  const same = ({ task, arm }: ScheduledRun): string => `${arm} ${task.id}`;
  for (const [why, report] of [
    ["temperature", repeating(trials, 0, anew)],
    ["replies", repeating(trials, 0.7, same)],
    ["replies", repeating(trials, null, same)],
  ] as const) {
    const { arms, comparisons, control, notes, repeats } = reported(report);
    assert.equal(repeats, why);
    assert.deepEqual(
      [control.alone, ...arms].map(({ runs, obeyed, broken, repeats: again }) => [runs, obeyed + broken, again]),
      [
        [10, 10, 0],
        [40, 12, 28],
        [40, 12, 28],
      ],
    );
    assert.deepEqual(
      comparisons.map(({ complete, repeated, onlyFirst, exact }) => [complete, repeated, onlyFirst, exact]),
      [[12, 28, 12, 2 / 2 ** 12]],
    );
    assert.ok(notes.some((note) => note.includes("so each prompt counts once")));
  }
  // Once seen to say two things of one prompt, a model leaves something to chance.
  const warm = reported(repeating(trials, 0.7, (run) => (run.pair === 39 ? anew(run) : same(run))));
  assert.deepEqual([warm.repeats, onlyOne(warm).complete, warm.arms[0]?.repeats], [null, 40, 0]);
  // An error is no reply: it is neither a second word of the model's nor a repeat that is left out.
  const failing = (run: ScheduledRun): boolean => run.block === "arms" && run.pair >= 38 && run.told.neighbours === 0;
  const failed = reported(repeating(trials, 0.7, (run) => (failing(run) ? anew(run) : same(run)), 12, failing));
  assert.deepEqual([failed.repeats, failed.arms[0]?.errors, failed.arms[0]?.repeats], ["replies", 2, 26]);
  // Three prompts support nothing, and are no control.
  const three = repeating(trials, 0, same, 3);
  assert.equal(three.kind === "refusal" && three.code, "no_positive_control");
};

export const ORDER_CHECKS = {
  chanceIsNoOrder,
  completeOverlapIsNoOrder,
  survivorsAreNoOrder,
  controlSurvivors,
  fewIsNoOrder,
  errorsAreRefused,
  repeatsAreOne,
} satisfies { readonly [name: string]: Check };
