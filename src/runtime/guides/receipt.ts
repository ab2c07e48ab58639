import { canonicalJson } from "../../domain/canonical.ts";
import { dayIn } from "../../domain/dates.ts";
import type { Cited } from "../../domain/guide-record.ts";
import type { Json } from "../../domain/json.ts";
import { type Profile, profileText } from "../../domain/profile.ts";
import type { Rule } from "../../domain/rule.ts";
import type { LostCode, Refusal, Served, WithheldRule } from "../../domain/served.ts";
import { compile, type GuideState, guideTask, NO_GUIDES, publishedAt, ruleSet } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import { loadRule } from "./load-served.ts";
import { receiptOf } from "./serve.ts";

export type Mismatch = Omit<Refusal, "kind" | "code"> & { readonly code: Refusal["code"] | LostCode };

/**
 * Why a receipt, read back from its row, is not what the guides gave: null where it is. It is made anew: the same request under the
 * same profile, from the bytes of what was published at the row of the chain that it names, less what it says was withheld. What is
 * published since plays no part.
 *
 * Of what depends on that day's config only this is known: a safety rule is withheld from no plan unless it has expired, which it has
 * on the same day as for a run that begins now.
 */
export async function receiptMismatch(
  parts: Parts,
  state: GuideState,
  profile: Profile,
  served: Served,
  request: string,
): Promise<Mismatch | null> {
  const { app, chain, paths, report, slot } = served;
  if (!stands(state, chain)) {
    return {
      code: "chain_broken",
      detail: "the row of the guides that this run was told from is not there",
      rules: [],
    };
  }
  const rules = await rulesThen(parts, state, served, chain.seq);
  if ("code" in rules) return rules;
  const task = guideTask(request, { app, paths });
  if (!task.ok) return mismatch(task.why.detail);
  const digest = parts.hash(profileText(profile));
  // What was told is stale under another profile, and only where nothing was may the profile have changed since.
  const isOther = report.kept.length + report.routed.length === 0 && served.profileDigest !== digest;
  const then = isOther ? { ...profile, slot, budgetBytes: report.budgetBytes } : profile;
  const plan = compile(ruleSet(rules), task.value, then);
  if (plan.kind === "refusal") {
    const { code, detail, rules: about } = plan;
    // How many bytes a token has may have been measured anew, so that the window holds less than it did.
    return code === "channel_b_exceeds_window" ? { code, detail, rules: about } : mismatch(detail, about);
  }
  const anew = receiptOf(parts, then, task.value, { ...plan, withheld: served.withheld, chain });
  return differenceOf(served, isOther ? { ...anew, profileDigest: served.profileDigest } : anew);
}

function stands(state: GuideState, chain: Cited | null): chain is Cited {
  const row = chain?.seq === 0 ? NO_GUIDES : state.records.get(chain?.seq ?? -1);
  return row !== undefined && row.hash === chain?.hash;
}

const NEEDED =
  "it was published when this run began, and without them nobody can say whether the run was to be told it";

/** The rules that there were to select from: whether a rule was rightly left out is in its bytes, so those of each are needed. */
async function rulesThen(
  parts: Parts,
  state: GuideState,
  served: Served,
  seq: number,
): Promise<readonly Rule[] | Mismatch> {
  const withheld = new Map(served.withheld.map((one) => [one.id, one]));
  const today = dayIn(parts.zone, parts.clock.now());
  const rules: Rule[] = [];
  for (const published of publishedAt(state, seq)) {
    const loaded = await loadRule(parts, published);
    if ("kind" in loaded) return { ...loaded, detail: `${loaded.detail}; ${NEEDED}` };
    const { rule } = loaded;
    const held = withheld.get(rule.id);
    withheld.delete(rule.id);
    if (held === undefined) rules.push(rule);
    else if (!mayBeWithheld(held, rule, today))
      return mismatch("it says that a rule was withheld that is not to be withheld", [rule.id]);
  }
  return withheld.size === 0
    ? rules
    : mismatch("it says that rules were withheld that nobody had published", [...withheld.keys()]);
}

function mayBeWithheld({ code, revision, safety }: WithheldRule, rule: Rule, today: string): boolean {
  if (revision !== rule.revision || safety !== rule.safety) return false;
  return code === "expired" ? rule.expires !== null && rule.expires <= today : !rule.safety;
}

/** The first thing that one receipt says otherwise. Where a profile's figures come from is not part of any plan. */
function differenceOf(served: Served, anew: Served): Mismatch | null {
  const [said, given] = [factsOf(served), factsOf(anew)];
  const names = [...new Set([...Object.keys(given), ...Object.keys(said)])];
  const other = names.find((name) => textOf(said[name]) !== textOf(given[name]));
  return other === undefined ? null : mismatch(`its \`${other}\` is not what the approved bytes give`);
}

type Facts = { readonly [name: string]: unknown };

function factsOf({ report, ...served }: Served): Facts {
  return { ...served, ...report, measured: null };
}

function textOf(fact: unknown): string {
  return fact === undefined ? "" : canonicalJson(fact as Json);
}

function mismatch(detail: string, rules: readonly string[] = []): Mismatch {
  return { code: "receipt_mismatch", detail, rules };
}
