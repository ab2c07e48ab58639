import { type Profile, profileText } from "../../domain/profile.ts";
import type { GuideTask } from "../../domain/rule.ts";
import { planText, type Refusal, type Served, type Unselected } from "../../domain/served.ts";
import { compile, explainSelection, guideTask, type RuleSet } from "../../guides/index.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { ServeOutcome, ServeWanted } from "./api.ts";
import { guidesIn } from "./guide-parts.ts";
import { type LoadRefusal, loadServed } from "./load-served.ts";

/** What a run with this task would be told. @throws SignalboxError `no_guides`, `bad_task`. */
export async function serve(parts: Parts, wanted: ServeWanted): Promise<ServeOutcome> {
  const planned = await planFor(parts, taskOf(parts, wanted), wanted.profile ?? guidesIn(parts).profile);
  if (planned.kind === "refusal") return planned;
  const { served, set, task } = planned;
  const unselected: readonly Unselected[] = explainSelection(set, task, { name: served.report.profile });
  return { kind: "plan", served, report: served.report, unselected };
}

export function taskOf(parts: Parts, { app, paths, task: text }: ServeWanted): GuideTask {
  const task = guideTask(text, { app: app ?? guidesIn(parts).app, paths });
  if (task.ok) return task.value;
  throw new SignalboxError("bad_task", task.why.detail);
}

export type Planned = {
  readonly kind: "plan";
  readonly served: Served;
  readonly set: RuleSet;
  readonly task: GuideTask;
};

/** The plan for exactly this task, as the receipt of it, or why there is none. */
export async function planFor(parts: Parts, task: GuideTask, profileName: string): Promise<Planned | LoadRefusal> {
  const { profiles } = guidesIn(parts);
  const profile = profiles.get(profileName);
  if (profile === undefined) {
    const known = [...profiles.keys()].join(", ");
    return refused({
      kind: "refusal",
      code: "unknown_profile",
      detail: `there is no profile "${profileName.slice(0, 60)}": there is ${known}`,
      rules: [],
    });
  }
  const loaded = await loadServed(parts, profile);
  if (loaded.kind === "refusal") return loaded;
  const { secret, set, state, withheld } = loaded;
  const plan = compile(set, task, profile);
  if (plan.kind === "refusal") return { ...plan, withheld };
  const { report, slot, text } = plan;
  const spilt = [...report.kept, ...report.routed].map(({ id }) => id).filter((id) => secret.has(id));
  if (spilt.length > 0) {
    const detail = "a declared secret stands in the text of a rule, and approved bytes are not changed on the way";
    return { kind: "refusal", code: "secret_in_guide", detail, rules: spilt, withheld };
  }
  const chain = { seq: state.seq, hash: state.hash };
  return { kind: "plan", served: receiptOf(parts, profile, task, { report, slot, text, withheld, chain }), set, task };
}

function refused(refusal: Refusal): LoadRefusal {
  return { ...refusal, withheld: [] };
}

/** The receipt of a plan. */
export function receiptOf(
  parts: Parts,
  profile: Profile,
  { app, paths }: GuideTask,
  { report, slot, text, withheld, chain }: Pick<Served, "report" | "slot" | "text" | "withheld" | "chain">,
): Served {
  const plan = parts.hash(planText({ slot, text, report }));
  return { plan, profileDigest: parts.hash(profileText(profile)), chain, app, paths, slot, text, report, withheld };
}
