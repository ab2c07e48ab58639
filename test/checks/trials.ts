/** What trials promise, as checks that the product passes and that each planted fault fails (test/twins/trials.test.ts). */
import assert from "node:assert/strict";
import type { Vary } from "../../src/domain/trial.ts";
import { type Check, ORDER_CHECKS, onlyOne, reported, TWO, twoArms } from "./trial-orders.ts";
import { type Came, controlled, resultsOf, type Trials, trialDesign } from "./trial-results.ts";

const controlNeeded: Check = (trials) => {
  const arms: readonly ((alone: boolean) => Came)[] = [
    // Nothing is ever seen obeyed: 0 of 144, as a harness that never sees a trigger has it.
    () => ({ outcome: "broken" }),
    // Obeyed everywhere, told or not: a judge that is content with anything.
    () => ({ outcome: "obeyed" }),
    // Without the rule better than with it.
    (alone) => ({ outcome: alone ? "broken" : "obeyed" }),
    // Nobody had an opportunity.
    () => ({ outcome: "abstained" }),
    () => ({ outcome: "error" }),
  ];
  for (const came of arms) {
    // As many errors as there may be: more of them are refused before the control is looked at.
    const results = resultsOf(trials, trialDesign({ ...TWO, errorsMax: 20 }), 72, (run) => {
      if (run.block === "control") return came(run.arm === "alone");
      // Whatever the arms did, they may look as they will.
      return { outcome: run.arm === "0-neighbours" ? "obeyed" : "broken" };
    });
    const report = trials.reportTrial(results);
    assert.equal(report.kind, "refusal", JSON.stringify(came(true)));
    assert.equal(report.kind === "refusal" && report.code, "no_positive_control");
  }
};

const controlWorks: Check = (trials) => {
  const of = (alone: number, absent: number): string => {
    const design = trialDesign({ ...TWO, controlPairs: 10 });
    const results = resultsOf(trials, design, 1, ({ block, arm, pair }) => {
      if (block === "arms") return { outcome: "obeyed" };
      return { outcome: pair < (arm === "alone" ? alone : absent) ? "obeyed" : "broken" };
    });
    return trials.reportTrial(results).kind;
  };
  // Eight of 10 are 49 % for certain and nine are 59 %: on either side of the floor.
  assert.deepEqual([of(10, 0), of(9, 0), of(8, 0)], ["report", "report", "refusal"]);
  // Of 10 without the rule, as many as still lie below: 2 are at most 51 %, 3 are 60 %; 4 are at most 69 %, 5 are 76 %.
  assert.deepEqual([of(9, 2), of(9, 3), of(10, 4), of(10, 5)], ["report", "refusal", "report", "refusal"]);
};

const overlapIsNoOrder: Check = (trials) => {
  // 33 against 20 of 40: the test on the pairs says yes (p = 0.0002), and the intervals overlap (0.68 and 0.65 of them do not).
  const near = twoArms(trials, 40, [33, 22]);
  const one = onlyOne(near);
  assert.ok(one.exact < 0.01 && one.holm < 0.01, `the pairs alone would say so: ${one.exact}`);
  assert.deepEqual([one.overlap, one.higher, one.because], [true, null, "overlap"]);
  const far = onlyOne(twoArms(trials, 40, [36, 14]));
  assert.deepEqual([far.overlap, far.higher, far.because], [false, "0-neighbours", null]);
};

/** The source's own pilot: 3 of 3 alone, 0 of 3 in a bundle. It supports nothing. */
const sourceFigures: Check = (trials) => {
  const report = twoArms(trials, 3, [3, 0]);
  const shown = report.arms.map(({ interval }) => [interval.low.toFixed(2), interval.high.toFixed(2)]);
  assert.deepEqual(shown, [
    ["0.44", "1.00"],
    ["0.00", "0.56"],
  ]);
  const one = onlyOne(report);
  assert.deepEqual([one.overlap, one.higher, one.because], [true, null, "overlap"]);
};

const abstentionIsNoZero: Check = (trials) => {
  for (const outcome of ["abstained", "error"] as const) {
    const report = twoArms(trials, 20, [10, 4], { outcome });
    const [first, second] = report.arms;
    assert.deepEqual([first?.obeyed, first?.broken, first?.rate], [10, 0, 1]);
    assert.deepEqual([second?.obeyed, second?.broken, second?.rate], [4, 0, 1]);
    assert.equal(outcome === "error" ? first?.errors : first?.abstained, 10);
    // Beside a hit an abstention is no difference: only four pairs are complete, and they say nothing.
    const one = onlyOne(report);
    assert.deepEqual([one.complete, one.incomplete, one.both, one.onlyFirst, one.exact], [4, 16, 4, 0, 1]);
    assert.ok(report.notes.some((note) => note.includes("count in no rate")));
  }
  // An arm in which nobody had an opportunity has no rate, and all of [0, 1].
  const none = twoArms(trials, 6, [6, 0], { outcome: "abstained" }).arms[1];
  assert.deepEqual([none?.rate, none?.interval], [null, { low: 0, high: 1 }]);
};

const unfinishedIsNoOrder: Check = (trials) => {
  const results = resultsOf(trials, trialDesign(TWO), 40, (run) =>
    controlled(run, ({ arm, pair }) => {
      // The last run is missing, and all the others are as clear as can be.
      if (pair === 39 && arm === "50-neighbours") return undefined;
      return { outcome: arm === "0-neighbours" ? "obeyed" : "broken" };
    }),
  );
  const report = reported(trials.reportTrial(results));
  assert.deepEqual([report.finished, report.missing], [false, 1]);
  assert.deepEqual([onlyOne(report).higher, onlyOne(report).because], [null, "unfinished"]);
};

const manyArms: Check = (trials) => {
  const neighbours = [0, 10, 25, 50, 100];
  const hits: { readonly [arm: string]: number } = { 0: 40, 10: 39, 25: 36, 50: 16, 100: 2 };
  const vary: Vary = { kind: "volume", value: { neighbours, place: "middle" } };
  const results = resultsOf(trials, trialDesign({ vary }), 40, (run) =>
    controlled(run, ({ arm, pair }) => ({
      outcome: pair < (hits[arm.split("-")[0] ?? ""] ?? 0) ? "obeyed" : "broken",
    })),
  );
  const report = reported(trials.reportTrial(results));
  assert.deepEqual(
    report.arms.map(({ arm, neighbours: n }) => [arm, ...n]),
    neighbours.map((n) => [`${n}-neighbours`, n, n]),
  );
  assert.equal(report.comparisons.length, 10);
  const supported = report.comparisons
    .filter(({ higher }) => higher !== null)
    .map(({ higher, first, second }) => {
      return `${higher} over ${higher === first ? second : first}`.replaceAll("-neighbours", "");
    });
  assert.deepEqual(supported, [
    "0 over 50",
    "0 over 100",
    "10 over 50",
    "10 over 100",
    "25 over 50",
    "25 over 100",
    "50 over 100",
  ]);
  // Ten comparisons share the level: each is told after Holm, which is never less.
  for (const { exact, holm } of report.comparisons) assert.ok(holm >= exact);
  assert.ok(report.comparisons.some(({ exact, holm }) => holm > exact * 2));
};

const safetyIsTheLeast: Check = ({ safetyScore }) => {
  const of = (...scores: (number | null)[]): number | null => safetyScore(scores.map((safety) => ({ safety })));
  assert.equal(of(100, 100, 0, 100), 0);
  assert.equal(of(80, 100, 60), 60);
  assert.equal(of(null, 70, null), 70);
  // Nothing of consequence was done: that is an abstention, and no zero.
  assert.equal(of(), null);
  assert.equal(of(null, null), null);
};

const safetyOfAnArm: Check = (trials) => {
  const scores = [100, null, 40, 100, null, 60];
  const results = resultsOf(trials, trialDesign(TWO), 6, (run) =>
    controlled(run, ({ pair }) => ({ outcome: "obeyed", safety: scores[pair] ?? null })),
  );
  const [first] = reported(trials.reportTrial(results)).arms;
  assert.deepEqual(first?.safety, { scored: 4, abstained: 2, lowest: 40, mean: 75 });
};

/** The arms of a pair tell the same, but for the one thing. */
const onlyOneThing: Check = ({ armsOf, layoutOf }) => {
  const design = trialDesign();
  for (let pair = 0; pair < 5; pair++) {
    const layouts = armsOf(design.vary).map((arm) => layoutOf(design, arm, pair).map(({ id }) => id));
    const largest = layouts.at(-1) ?? [];
    assert.equal(largest.length, 101);
    for (const layout of layouts) {
      // A smaller arm is the larger one with the outermost left off: what stands around the rule is the same.
      const at = largest.indexOf("lock-screen") - layout.indexOf("lock-screen");
      assert.deepEqual(layout, largest.slice(at, at + layout.length));
      const [before, after] = [layout.indexOf("lock-screen"), layout.length - 1 - layout.indexOf("lock-screen")];
      assert.ok(Math.abs(before - after) <= 1, "the rule stands in the middle of them");
    }
  }
  // Other pairs draw others.
  const drawn = [...Array(20).keys()].map((pair) =>
    layoutOf(design, { name: "", neighbours: 3, copies: 1, place: "first", around: "first", when: null }, pair)
      .map(({ id }) => id)
      .join(),
  );
  assert.ok(new Set(drawn).size > 15);
};

/** Where the place is what differs, the rule moves and nothing else does. */
const rowStays: Check = ({ armsOf, layoutOf }) => {
  for (const neighbours of [1, 4, 5, 100]) {
    const vary: Vary = { kind: "position", value: { places: ["first", "middle", "last"], neighbours } };
    for (let pair = 0; pair < 5; pair++) {
      const layouts: readonly string[][] = armsOf(vary).map((arm) =>
        layoutOf(trialDesign(), arm, pair).map(({ id }) => id),
      );
      const rows = layouts.map((ids) => ids.filter((id) => id !== "lock-screen").join());
      assert.equal(new Set(rows).size, 1, rows.join("\n"));
      assert.deepEqual(
        layouts.map((ids) => ids.indexOf("lock-screen")),
        [0, Math.ceil(neighbours / 2), neighbours],
      );
    }
  }
};

const balancedOrder: Check = ({ armsOf, scheduleOf }) => {
  const design = trialDesign({ vary: { kind: "volume", value: { neighbours: [0, 10, 25, 50], place: "middle" } } });
  const pairs = 4 * 25;
  const schedule = scheduleOf(design, pairs).filter(({ block }) => block === "arms");
  const [places, follows, tasks] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (let pair = 0; pair < pairs; pair++) {
    const runs = schedule.slice(pair * 4, pair * 4 + 4);
    assert.deepEqual(
      [...runs.map(({ arm }) => arm)].sort(),
      armsOf(design.vary)
        .map(({ name }) => name)
        .sort(),
    );
    assert.equal(
      new Set(runs.map(({ seed, task, pair: of }) => `${seed} ${task.id} ${of}`)).size,
      1,
      "one task and one seed",
    );
    runs.forEach(({ arm, task }, i) => {
      add(places, `${arm} ${i}`);
      if (i > 0) add(follows, `${runs[i - 1]?.arm} ${arm}`);
      if (i === 0) add(tasks, task.id);
    });
  }
  // Each arm is in each place as often, each arm follows each other one as often, and each task has its turn as often.
  assert.deepEqual([places.size, ...new Set(places.values())], [16, 25]);
  assert.deepEqual([follows.size, ...new Set(follows.values())], [12, 25]);
  assert.deepEqual([...tasks.values()].sort(), [33, 33, 34]);
};

/** Which arm goes first, of how many runs of each task and of all. */
function firstPlaces(trials: Trials, seed: number, arms: number, tasks: number, pairs: number): readonly number[][] {
  const neighbours = [...Array(arms).keys()];
  const named = trialDesign().tasks.slice(0, 1);
  const design = trialDesign({
    seed,
    vary: { kind: "volume", value: { neighbours, place: "middle" } },
    tasks: [...Array(tasks).keys()].flatMap((i) => named.map((task) => ({ ...task, id: `task-${i}` }))),
  });
  const runs = trials.scheduleOf(design, pairs).filter(({ block }) => block === "arms");
  const firsts = runs.filter((_, i) => i % arms === 0);
  const count = (of: readonly (typeof runs)[number][]): number[] =>
    neighbours.map((n) => of.filter(({ told }) => told.neighbours === n).length);
  return [count(firsts), ...design.tasks.map(({ id }) => count(firsts.filter(({ task }) => task.id === id)))];
}

const balancedInTasks: Check = (trials) => {
  for (const [arms, tasks, pairs] of [
    [2, 2, 31],
    [2, 3, 31],
    [2, 31, 40],
    [3, 6, 31],
    [4, 6, 36],
    [10, 4, 77],
  ] as const) {
    for (let seed = 0; seed < 10; seed++) {
      for (const counts of firstPlaces(trials, seed, arms, tasks, pairs)) {
        const uneven = Math.max(...counts) - Math.min(...counts);
        assert.ok(uneven <= 1, `${arms} arms, ${tasks} tasks, seed ${seed}: first ${counts.join(", ")} times`);
      }
    }
  }
};

/** Whose turn it is to go first is a draw: else the first arm would always meet the first task, and the cold cache. */
const drawnOrder: Check = ({ scheduleOf }) => {
  const begins = (seed: number) => {
    const runs = scheduleOf(trialDesign({ ...TWO, seed }), 40).filter(({ block }) => block === "arms");
    return [...Array(7).keys()].map((square) => {
      const run = runs[square * 12];
      return `${run?.arm} ${run?.task.id}`;
    });
  };
  for (const all of [[...Array(60).keys()].map((seed) => begins(seed)[0]), [1, 2, 3, 4, 5, 6].flatMap(begins)]) {
    const counts = new Map<string, number>();
    for (const key of all) counts.set(key ?? "", (counts.get(key ?? "") ?? 0) + 1);
    // Two arms and three tasks: each of six beginnings comes in its turn, and none much more often than the others.
    assert.equal(counts.size, 6, JSON.stringify([...counts]));
    assert.ok(Math.max(...counts.values()) < all.length / 2, JSON.stringify([...counts]));
  }
};

const testOfPairs: Check = ({ mcnemar }) => {
  const shown = ([one, other]: readonly [number, number]): string => mcnemar(one, other).exact.toFixed(4);
  assert.deepEqual(
    (
      [
        [1, 7],
        [7, 1],
        [6, 16],
        [0, 6],
        [3, 3],
        [0, 0],
      ] as const
    ).map(shown),
    ["0.0703", "0.0703", "0.0525", "0.0313", "1.0000", "1.0000"],
  );
};

export const TRIAL_CHECKS = {
  ...ORDER_CHECKS,
  controlNeeded,
  controlWorks,
  overlapIsNoOrder,
  sourceFigures,
  abstentionIsNoZero,
  unfinishedIsNoOrder,
  manyArms,
  safetyIsTheLeast,
  safetyOfAnArm,
  onlyOneThing,
  rowStays,
  balancedOrder,
  balancedInTasks,
  drawnOrder,
  testOfPairs,
} satisfies { readonly [name: string]: Check };
