import type { TrialDesign } from "../../src/domain/trial.ts";
import type { TrialResults, TrialRun } from "../../src/domain/trial-run.ts";
import type { ScheduledRun } from "../../src/trials/index.ts";

/** The room that is checked: the product's, or a copy's with a planted fault. */
export type Trials = typeof import("../../src/trials/index.ts");

export const DIGEST = "0123456789abcdef".repeat(4);

export function revisionOf(n: number): string {
  return n.toString(16).padStart(64, "0");
}

/** A design as the reader gives it. */
export function trialDesign(over: Partial<TrialDesign> = {}): TrialDesign {
  return {
    name: "lock screen, drowned",
    seed: 7,
    rule: { id: "lock-screen", revision: DIGEST },
    profile: "qwen3-8b-16k",
    as: "operator",
    customer: null,
    tasks: ["open", "dark", "wifi"].map((id) => ({ id, text: id, app: null, paths: [] })),
    fillers: [...Array(100).keys()].map((i) => ({ id: `filler-${i}`, revision: revisionOf(i + 1) })),
    vary: { kind: "volume", value: { neighbours: [0, 10, 25, 50, 100], place: "middle" } },
    judge: { obeyed: [{ kind: "ended", value: ["answered"] }], opportunity: [], actions: [] },
    results: [],
    records: [],
    expect: { high: 90, low: 50, discordance: null },
    pairs: null,
    controlPairs: 10,
    errorsMax: 10,
    runMs: 60_000,
    ...over,
  };
}

/** What a model said that says something else each time. */
export function saidAs(n: number): string {
  return (n + 1).toString(16).padStart(64, "f");
}

export type Came = Partial<Pick<TrialRun, "outcome" | "safety" | "why" | "said" | "told">>;

/** Every run of a trial, with what each came to. `undefined`: that run was not made. */
export function resultsOf(
  trials: Trials,
  design: TrialDesign,
  pairs: number,
  came: (run: ScheduledRun) => Came | undefined,
): TrialResults {
  const runs = trials.scheduleOf(design, pairs).flatMap((run, n): readonly TrialRun[] => {
    const given = came(run);
    if (given === undefined) return [];
    const { block, pair, arm, task, seed, told } = run;
    const { neighbours, copies } = told;
    const facts = { plan: DIGEST, bytes: copies * 700 + neighbours * 40, neighbours, copies };
    const ended = { run: null, ending: "answered", outcome: "obeyed", why: "", said: saidAs(n), safety: null } as const;
    const named = { block, pair, arm, attempt: 1, task: task.id, seed, at: 1_790_000_000_000 + n, ms: 5, told: facts };
    return [{ ...named, ...ended, ...given }];
  });
  return {
    design,
    conditions: { trial: DIGEST, model: "scripted", profile: DIGEST, setting: { zone: "UTC" } },
    pairs,
    runs,
  };
}

/** A control that works: followed alone, and not where nobody was told it. */
export function controlled(run: ScheduledRun, arms: (run: ScheduledRun) => Came | undefined): Came | undefined {
  if (run.block === "arms") return arms(run);
  return { outcome: run.arm === "alone" ? "obeyed" : "broken" };
}
