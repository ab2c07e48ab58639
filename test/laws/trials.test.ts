/** Laws of the trials: what no runs may change, and what no report may say. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TrialOutcome, TrialResults, TrialRun } from "../../src/domain/trial-run.ts";
import { wilson } from "../../src/domain/wilson.ts";
import * as trials from "../../src/trials/index.ts";
import { resultsOf, trialDesign } from "../checks/trial-results.ts";
import { TRIAL_CHECKS } from "../checks/trials.ts";
import { seed } from "../seed.ts";

describe("what trials promise", () => {
  for (const [name, check] of Object.entries(TRIAL_CHECKS)) test(name, () => check(trials));
});

const OUTCOMES: readonly TrialOutcome[] = ["obeyed", "broken", "abstained", "error"];
const DESIGN = trialDesign({
  vary: { kind: "volume", value: { neighbours: [0, 10, 50], place: "middle" } },
  controlPairs: 8,
  errorsMax: 100,
  // Seven pairs, so that orderings are supported here.
  expect: { high: 100, low: 0, discordance: null },
});

/** Any runs of a trial of 3 arms; what is not drawn was not made. */
const drawn = fc.record({
  pairs: fc.integer({ min: 1, max: 12 }),
  works: fc.boolean(),
  outcomes: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 60, maxLength: 60 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function resultsIn({ pairs, works, outcomes }: Drawn): TrialResults {
  let n = 0;
  return resultsOf(trials, DESIGN, pairs, (run) => {
    n += 1;
    if (run.block === "control" && works) return { outcome: run.arm === "alone" ? "obeyed" : "broken" };
    const outcome = OUTCOMES[outcomes[n % outcomes.length] ?? 0];
    return outcome === undefined ? undefined : { outcome };
  });
}

describe("laws of the report", () => {
  test("[trial-control] no-control-no-report: there is a report exactly where the control works", () => {
    fc.assert(
      fc.property(drawn, (draw) => {
        const results = resultsIn(draw);
        const report = trials.reportTrial(results);
        const own = results.runs.filter(({ block }) => block === "control");
        const works = trials.controlOf(
          results.design,
          own,
          trials.repeatsOf(results.conditions, results.runs) !== null,
        ).works;
        expect(report.kind).toBe(works ? "report" : "refusal");
        const of = (arm: string, outcome: TrialOutcome): number =>
          own.filter((run) => run.arm === arm && run.outcome === outcome).length;
        const [alone, absent] = [
          wilson(of("alone", "obeyed"), of("alone", "obeyed") + of("alone", "broken")),
          wilson(of("absent", "obeyed"), of("absent", "obeyed") + of("absent", "broken")),
        ];
        if (works) expect(alone.low >= 0.5 && alone.low > absent.high && own.length === 16).toBe(true);
      }),
      { seed, numRuns: 300 },
    );
  });

  test("[trial-abstention] abstention-is-no-zero: without the runs that say nothing every rate and every interval is the same", () => {
    fc.assert(
      fc.property(drawn, (draw) => {
        const results = resultsIn(draw);
        const report = trials.reportTrial(results);
        const says = ({ block, outcome }: TrialRun): boolean =>
          block === "control" || outcome === "obeyed" || outcome === "broken";
        const bare = trials.reportTrial({ ...results, runs: results.runs.filter(says) });
        expect(report.kind).toBe(bare.kind);
        if (report.kind === "refusal" || bare.kind === "refusal") return;
        expect(report.arms.map(({ rate, interval }) => [rate, interval])).toEqual(
          bare.arms.map(({ rate, interval }) => [rate, interval]),
        );
        const tested = ({ complete, exact, mid, holm }: (typeof report.comparisons)[number]) => [
          complete,
          exact,
          mid,
          holm,
        ];
        expect(report.comparisons.map(tested)).toEqual(bare.comparisons.map(tested));
      }),
      { seed, numRuns: 300 },
    );
  });

  test("order-is-nothing: the runs may come in any order", () => {
    fc.assert(
      fc.property(drawn, fc.infiniteStream(fc.nat()), (draw, keys) => {
        const results = resultsIn(draw);
        const shuffled = results.runs.map((run) => ({ run, key: keys.next().value })).sort((a, b) => a.key - b.key);
        const other = { ...results, runs: shuffled.map(({ run }) => run) };
        expect(trials.reportTrial(other)).toEqual(trials.reportTrial(results));
      }),
      { seed, numRuns: 200 },
    );
  });

  test("[trial-order] overlap-is-no-order: an ordering is never said where intervals overlap, pairs may be chance, are few or survivors, or runs are missing", () => {
    fc.assert(
      fc.property(drawn, (draw) => {
        const results = resultsIn(draw);
        const report = trials.reportTrial(results);
        if (report.kind === "refusal") return;
        for (const { first, second, higher, because, holm, exact } of report.comparisons) {
          expect(holm).toBeGreaterThanOrEqual(exact);
          expect(higher === null).toBe(because !== null);
          if (higher === null) continue;
          const [above, below] = [higher, higher === first ? second : first].map((arm) =>
            report.arms.find((one) => one.arm === arm),
          );
          expect(above?.interval.low).toBeGreaterThan(below?.interval.high ?? 1);
          expect(holm).toBeLessThanOrEqual(0.05);
          expect(report.finished).toBe(true);
          const one = report.comparisons.find((other) => other.first === first && other.second === second);
          expect([one?.survivors, one?.overlap]).toEqual([false, false]);
          expect(one?.complete).toBeGreaterThanOrEqual(report.plan?.needed.supported ?? Number.POSITIVE_INFINITY);
        }
      }),
      { seed, numRuns: 300 },
    );
  });

  test("mirror: arms that change places change places in the report, and nothing else", () => {
    const two = trialDesign({
      vary: { kind: "position", value: { places: ["first", "last"], neighbours: 4 } },
      expect: { high: 100, low: 0, discordance: null },
    });
    const hits = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }));
    fc.assert(
      fc.property(hits, ([a, b]) => {
        const of = (first: number, last: number) =>
          trials.reportTrial(
            resultsOf(trials, two, 30, ({ block, arm, pair }) => {
              if (block === "control") return { outcome: arm === "alone" ? "obeyed" : "broken" };
              return { outcome: pair < (arm === "first" ? first : last) ? "obeyed" : "broken" };
            }),
          );
        const [one, other] = [of(a, b), of(b, a)];
        if (one.kind === "refusal" || other.kind === "refusal") throw new Error("the control works");
        const [x, y] = [one.comparisons[0], other.comparisons[0]];
        expect([x?.exact, x?.mid, x?.overlap, x?.because]).toEqual([y?.exact, y?.mid, y?.overlap, y?.because]);
        const swap = { first: "last", last: "first" } as const;
        expect(x?.higher ?? null).toBe(y?.higher == null ? null : swap[y.higher as "first" | "last"]);
      }),
      { seed, numRuns: 200 },
    );
  });
});

describe("runs that are not of the trial", () => {
  const whole = resultsOf(trials, DESIGN, 4, ({ arm }) => ({ outcome: arm === "absent" ? "broken" : "obeyed" }));
  const [first] = whole.runs;
  const changed = (over: Partial<TrialRun>): TrialResults => ({
    ...whole,
    runs: whole.runs.map((run) => (run === first ? { ...run, ...over } : run)),
  });

  test.each([
    ["another arm", changed({ arm: "9-neighbours" }), "has no run"],
    ["a pair too many", changed({ pair: 8 }), "has no run"],
    ["another task", changed({ task: "other" }), "with another task or seed"],
    ["another seed", changed({ seed: 1 }), "with another task or seed"],
    [
      "told something else",
      changed({ told: { plan: "", bytes: 1, neighbours: 1, copies: 1 } }),
      "was told 1 neighbours",
    ],
    ["made twice", { ...whole, runs: [...whole.runs, ...whole.runs.slice(0, 1)] }, "was made twice"],
    [
      "made again after it was judged",
      { ...whole, runs: [...whole.runs, ...whole.runs.slice(0, 1).map((run) => ({ ...run, attempt: 2 }))] },
      "was made again after it was judged",
    ],
  ])("%s", (_, results, said) => {
    const report = trials.reportTrial(results);
    expect(report).toMatchObject({ kind: "refusal", code: "runs_do_not_fit", detail: expect.stringContaining(said) });
  });

  test("no runs at all", () => {
    expect(trials.reportTrial({ ...whole, runs: [] })).toMatchObject({ kind: "refusal", code: "no_runs" });
  });

  test("of several attempts the last counts, and the errors before it count nowhere", () => {
    const again = whole.runs.flatMap((run): readonly TrialRun[] =>
      run === first
        ? [
            { ...run, outcome: "error" },
            { ...run, attempt: 2 },
          ]
        : [run],
    );
    expect(trials.reportTrial({ ...whole, runs: again })).toEqual(trials.reportTrial(whole));
  });
});
