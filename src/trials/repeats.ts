import type { TrialDesign } from "../domain/trial.ts";
import type { TrialConditions, TrialRepeats, TrialRun } from "../domain/trial-run.ts";
import { layoutOf } from "./layout.ts";
import { scheduleOf } from "./schedule.ts";

/**
 * Whether a prompt that was there before is a draw of its own. A model that leaves nothing to chance says of the same prompt
 * the same again, and forty such runs are one. So a prompt counts once where the temperature is 0, and where the model was
 * never seen to say two things of one prompt: then it may not heed its temperature, and nobody can tell. null: each run counts.
 */
export function repeatsOf({ setting }: TrialConditions, runs: readonly TrialRun[]): TrialRepeats | null {
  if (isCold(setting)) return "temperature";
  const saidOf = new Map<string, string | null>();
  let again = false;
  // What a run said that came to an error may be half of a reply.
  for (const run of runs.filter(({ outcome }) => outcome !== "error")) {
    const before = saidOf.get(promptOf(run));
    if (before !== undefined && before !== run.said) return null;
    again ||= before !== undefined;
    saidOf.set(promptOf(run), run.said);
  }
  return again ? "replies" : null;
}

/** Known before the first run. */
export function isCold(setting: TrialConditions["setting"]): boolean {
  return setting["model.temperature"] === 0;
}

/** A run's task and what it was told: runs with the same had the same prompt. */
export function promptOf({ task, told }: Pick<TrialRun, "task" | "told">): string {
  return `${told.plan} ${task}`;
}

/** The runs of an arm that are draws of their own: of those with one prompt the first. An error is no reply, so it stays. */
export function drawsOf(runs: readonly TrialRun[], repeats: boolean): readonly TrialRun[] {
  if (!repeats) return runs;
  const known = new Set<string>();
  return runs
    .toSorted((a, b) => a.pair - b.pair)
    .filter((run) => run.outcome === "error" || isNew(known, promptOf(run)));
}

function isNew(known: Set<string>, key: string): boolean {
  return !known.has(key) && known.add(key) !== null;
}

/** Of pairs of prompts in their order those of which neither was there before: fewer are no draws of their own, in either arm. */
export function freshPairs<T>(pairs: readonly T[], promptsOf: (pair: T) => readonly [string, string]): readonly T[] {
  const [firsts, seconds] = [new Set<string>(), new Set<string>()];
  return pairs.filter((pair) => {
    const [first, second] = promptsOf(pair);
    if (firsts.has(first) || seconds.has(second)) return false;
    firsts.add(first);
    seconds.add(second);
    return true;
  });
}

/** How many pairs have prompts of their own, in the comparison that has the fewest: known before the first run. */
export type OwnPairs = { readonly control: number; readonly arms: number };

export function ownPairsOf(design: TrialDesign, pairs: number): OwnPairs {
  const schedule = scheduleOf(design, pairs);
  const least = (block: "control" | "arms", of: number): number => {
    const byArm = new Map<string, string[]>();
    for (const { arm, pair, task, told } of schedule.filter((run) => run.block === block)) {
      const layout = layoutOf(design, told, pair).map(
        ({ copy, id, when }) => `${id}#${copy}${when === null ? "" : "@"}`,
      );
      const prompts = byArm.get(arm) ?? [];
      prompts.push([task.id, ...layout].join(" "));
      byArm.set(arm, prompts);
    }
    const arms = [...byArm.values()];
    const counts = arms.flatMap((first, i) =>
      arms.slice(i + 1).map((second) => {
        const both = first.map((prompt, pair) => [prompt, second[pair] ?? ""] as const);
        return freshPairs(both, (prompts) => prompts).length;
      }),
    );
    return Math.min(of, ...counts);
  };
  return { control: least("control", design.controlPairs), arms: least("arms", pairs) };
}
