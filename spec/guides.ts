/**
 * The compiler of guides said again, slowly and plainly (design 7.2): what a run is told, and what becomes of each rule. It
 * keeps no index and remembers nothing between two rules. What it imports are types, so that it cannot lean on what it
 * judges; what its words and patterns match is said in spec/guides-matchers.ts.
 */
import type { Profile, Slot } from "../src/domain/profile.ts";
import type { GuideTask, Rule } from "../src/domain/rule.ts";
import type { DroppedRule, Refusal, RoutedRule, ServedRule, ServeReport, Unselected } from "../src/domain/served.ts";
import { nameMatches, pathMatches, phraseOccurs, wordOccurs } from "./guides-matchers.ts";

export type SpecPlan = {
  readonly kind: "plan";
  readonly slot: Slot;
  readonly text: string;
  readonly report: ServeReport;
};

export function specCompile(rules: readonly Rule[], task: GuideTask, profile: Profile): SpecPlan | Refusal {
  const twice = rules.filter((rule) => rules.some((other) => other !== rule && other.id === rule.id));
  if (twice.length > 0) return duplicateIds(twice);

  const selected = inOrder(rules).filter((rule) => whyNot(rule, task, profile) === null);
  const routed = selected.filter((rule) => rule.when !== null);
  const dispatch = selected.filter((rule) => rule.when === null);
  const safety = dispatch.filter((rule) => rule.safety);
  const ordinary = dispatch.filter((rule) => !rule.safety);

  const least = bytesOf(textOf(safety));
  if (least > profile.budgetBytes) {
    return refusal(
      "safety_exceeds_budget",
      `the safety rules take ${least} bytes and profile ${profile.name} has ${profile.budgetBytes}`,
      safety,
    );
  }

  // As many of the first ordinary rules as there is room for beside the safety rules.
  let many = 0;
  const withFirst = (count: number): Rule[] => dispatch.filter((rule) => rule.safety || ordinary.indexOf(rule) < count);
  while (many < ordinary.length && bytesOf(textOf(withFirst(many + 1))) <= profile.budgetBytes) many += 1;
  const kept = withFirst(many);
  const text = textOf(kept);

  const channel = routed.map((rule) => bytesOf(`\n\n${rule.body}`)).reduce((sum, bytes) => sum + bytes, 0);
  const window = Math.floor(profile.contextTokens * profile.bytesPerToken);
  if (bytesOf(text) + channel > window) {
    return refusal(
      "channel_b_exceeds_window",
      `the text takes ${bytesOf(text)} bytes and channel B ${channel}, and the window of profile ${profile.name} has ${window}`,
      routed,
    );
  }

  return {
    kind: "plan",
    slot: profile.slot,
    text,
    report: {
      given: rules.length,
      unselected: rules.length - selected.length,
      selected: selected.length,
      kept: kept.map(served),
      routed: routed.map(onChannelB),
      dropped: ordinary.slice(many).map((rule) => dropped(rule, profile)),
      assumed: selected.filter((rule) => rule.paths.length > 0 && isAboutAll(task)).map((rule) => rule.id),
      bytes: bytesOf(text),
      budgetBytes: profile.budgetBytes,
      profile: profile.name,
      measured: profile.measured,
    },
  };
}

/** Of each rule that is not selected, in authored order, the first matcher that does not fire. */
export function specUnselected(rules: readonly Rule[], task: GuideTask, profile: Profile): readonly Unselected[] {
  return inOrder(rules).flatMap(({ id, ...rule }) => {
    const because = whyNot({ id, ...rule }, task, profile);
    return because === null ? [] : [{ id, because }];
  });
}

function whyNot(rule: Rule, task: GuideTask, profile: Profile): Unselected["because"] | null {
  if (rule.task !== null) {
    const { phrases, words, least } = rule.task;
    const phrase = phrases.some((one) => phraseOccurs(one, task.text));
    const enough = words.length > 0 && words.filter((word) => wordOccurs(word, task.text)).length >= least;
    if (!phrase && !enough) return "task";
  }
  const { app } = task;
  if (rule.app.length > 0 && (app === null || !rule.app.some((glob) => nameMatches(glob, app)))) return "app";
  const isNamed = (glob: string): boolean => task.paths.some((path) => pathMatches(glob, path));
  if (rule.paths.length > 0 && !isAboutAll(task) && !rule.paths.some(isNamed)) return "paths";
  if (rule.profile.length > 0 && !rule.profile.some((glob) => nameMatches(glob, profile.name))) return "profile";
  return null;
}

/** More files than anybody looks at: then it is about every file. */
function isAboutAll(task: GuideTask): boolean {
  return task.paths.length > 1_000;
}

/** Each time the first of those that are left: by order, then by id, then by file, as code units. */
function inOrder(rules: readonly Rule[]): readonly Rule[] {
  const left = [...rules];
  const sorted: Rule[] = [];
  while (left.length > 0) {
    let first = 0;
    for (const [i, rule] of left.entries()) {
      const best = left[first];
      if (best === undefined) continue;
      const byId = rule.id < best.id || (rule.id === best.id && rule.file < best.file);
      if (rule.order < best.order || (rule.order === best.order && byId)) first = i;
    }
    sorted.push(...left.splice(first, 1));
  }
  return sorted;
}

function textOf(rules: readonly Rule[]): string {
  return rules.map((rule) => rule.body).join("\n\n");
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function served({ id, revision, body, safety, breach, escalate }: Rule): ServedRule {
  return { id, revision, bytes: bytesOf(body), safety, breach, escalate };
}

function onChannelB(rule: Rule): RoutedRule {
  if (rule.when === null) throw new Error(`${rule.id} is not for channel B`);
  return { ...served(rule), when: rule.when, text: rule.body };
}

function dropped({ id, revision, body }: Rule, profile: Profile): DroppedRule {
  const bytes = bytesOf(body);
  return { id, revision, bytes, reason: bytes > profile.budgetBytes ? "larger_than_budget" : "after_the_stop" };
}

function duplicateIds(rules: readonly Rule[]): Refusal {
  const ids = [...new Set(rules.map((rule) => rule.id))].sort();
  const files = (id: string): string[] =>
    rules
      .filter((rule) => rule.id === id)
      .map((rule) => rule.file)
      .sort();
  const detail = ids.map((id) => `${id} is the id of ${files(id).join(" and ")}`).join("; ");
  return { kind: "refusal", code: "duplicate_id", detail, rules: ids };
}

function refusal(code: Refusal["code"], detail: string, rules: readonly Rule[]): Refusal {
  return { kind: "refusal", code, detail, rules: rules.map((rule) => rule.id) };
}
