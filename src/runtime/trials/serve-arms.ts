import type { Served } from "../../domain/served.ts";
import type { TrialDesign } from "../../domain/trial.ts";
import type { ToldFacts } from "../../domain/trial-run.ts";
import { checkTold, layoutOf, type ScheduledRun, toldFacts } from "../../trials/index.ts";
import { SignalboxError } from "../error.ts";
import { refusalText } from "../guides/serving.ts";
import type { TrialWorld } from "./trial-world.ts";

export type ToldArm = { readonly served: Served; readonly told: ToldFacts };

/** What one scheduled run is told. Throws `arm_not_as_declared` where that is not what its arm says. */
export async function serveRun(world: TrialWorld, design: TrialDesign, run: ScheduledRun): Promise<ToldArm> {
  const layout = layoutOf(design, run.told, run.pair);
  const answer = await world.serveArm(layout, run.task);
  if (answer.kind === "refusal") throw notAsDeclared(run, refusalText(answer));
  const why = checkTold(design, layout, answer.served);
  if (why !== null) throw notAsDeclared(run, why);
  return { served: answer.served, told: toldFacts(layout, design.rule, answer.served) };
}

/**
 * Serves every arm of every pair once before the first run is made, and gives the digest of the profile that all of them
 * are served for. A trial of which one arm cannot be told as declared costs nothing.
 */
export async function serveAll(
  world: TrialWorld,
  design: TrialDesign,
  schedule: readonly ScheduledRun[],
): Promise<string> {
  let first: Served | null = null;
  for (const run of schedule) {
    const { served } = await serveRun(world, design, run);
    first ??= served;
    const isSame =
      served.profileDigest === first.profileDigest &&
      served.slot === first.slot &&
      served.report.budgetBytes === first.report.budgetBytes;
    if (!isSame) throw notAsDeclared(run, "it is served for another profile than the arms before it");
  }
  if (first === null) throw new Error("a trial has runs");
  return first.profileDigest;
}

function notAsDeclared({ arm, pair }: ScheduledRun, why: string): SignalboxError {
  return new SignalboxError("arm_not_as_declared", `${arm}, pair ${pair + 1}: ${why}`, {
    hint: "a profile with a larger budget, or fewer and shorter fillers",
  });
}
