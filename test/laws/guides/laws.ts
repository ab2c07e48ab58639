/**
 * The laws of compile (design 7.2), each over random worlds. They take the room that they judge, so that twins of it are
 * judged by the same words. What is selected, and in which order, they have from spec/guides.ts.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { specCompile, specUnselected } from "../../../spec/guides.ts";
import type { Rule } from "../../../src/domain/rule.ts";
import { DROP_REASONS, MATCHERS, planText, type Refusal } from "../../../src/domain/served.ts";
import type * as Door from "../../../src/guides/index.ts";
import { ON_LOCK, onWords, someRule } from "../../checks/guide-rules.ts";
import { seed } from "../../seed.ts";
import { rekeyed, shuffled, type World, world } from "./draws.ts";

export type Guides = Pick<typeof Door, "ruleSet" | "compile" | "explainSelection" | "isServePlan">;
type Plan = Door.ServePlan;

/** How many worlds, drawn from which seed (the run's if none is named), and whether one that breaks a law is made small. */
export type Effort = { readonly numRuns: number; readonly seed?: number; readonly endOnFailure?: boolean };

const SEPARATOR = "\n\n";
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const ids = (rules: readonly { readonly id: string }[]): readonly string[] => rules.map(({ id }) => id);

function compiled(guides: Guides, { rules, task, profile }: World): Plan | Refusal {
  return guides.compile(guides.ruleSet(rules), task, profile);
}

/** Holds `law` over random worlds. What throws has broken it as well. */
function forWorlds(effort: Effort, law: (world: World) => void): void {
  const result = fc.check(fc.property(world, law), { seed, ...effort });
  assert.ok(
    !result.failed,
    `SIGNALBOX_SEED=${effort.seed ?? seed}\n${result.failed ? fc.defaultReportMessage(result) : ""}`,
  );
}

function forPlans(guides: Guides, effort: Effort, law: (plan: Plan, world: World) => void): void {
  forWorlds(effort, (drawn) => {
    const made = compiled(guides, drawn);
    if (made.kind === "plan") law(made, drawn);
  });
}

/** The selected rules in authored order, by what the specification says of them. */
function selectedOf({ rules, task, profile }: World): readonly Rule[] {
  const not = new Set(ids(specUnselected(rules, task, profile)));
  return rules
    .filter(({ id }) => !not.has(id))
    .toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

export const LAWS = {
  "the text is within its budget": (guides, effort) =>
    forPlans(guides, effort, ({ text, report }, { profile }) => {
      assert.ok(bytesOf(text) <= profile.budgetBytes, `${bytesOf(text)} bytes of ${profile.budgetBytes}`);
      assert.equal(report.bytes, bytesOf(text));
      assert.equal(report.budgetBytes, profile.budgetBytes);
    }),

  "text and channel B are within the window": (guides, effort) =>
    forPlans(guides, effort, ({ text, report }, { profile }) => {
      const channel = report.routed
        .map((rule) => bytesOf(SEPARATOR + rule.text))
        .reduce((sum, bytes) => sum + bytes, 0);
      assert.ok(bytesOf(text) + channel <= profile.contextTokens * profile.bytesPerToken);
    }),

  "a selected safety rule is in the text or on channel B": (guides, effort) =>
    forWorlds(effort, (drawn) => {
      const made = compiled(guides, drawn);
      if (made.kind === "refusal") return;
      for (const { id, safety, when, body } of selectedOf(drawn)) {
        if (!safety) continue;
        const there = when === null ? made.report.kept : made.report.routed;
        assert.ok(ids(there).includes(id), `safety rule ${id} is nowhere`);
        assert.ok(
          (when === null ? made.text : made.report.routed.find((rule) => rule.id === id)?.text)?.includes(body),
        );
      }
    }),

  "every given rule is accounted for": (guides, effort) =>
    forPlans(guides, effort, ({ report }, drawn) => {
      const { given, unselected, selected, kept, routed, dropped } = report;
      assert.equal(given, drawn.rules.length);
      assert.equal(selected + unselected, given);
      assert.equal(kept.length + routed.length + dropped.length, selected);
      assert.deepEqual([...ids(kept), ...ids(routed), ...ids(dropped)].sort(), ids(selectedOf(drawn)).toSorted());
      const explained = guides.explainSelection(guides.ruleSet(drawn.rules), drawn.task, drawn.profile);
      assert.equal(explained.length, unselected);
      for (const list of [kept, routed, dropped]) {
        for (const { id, bytes, revision } of list) {
          const rule = drawn.rules.find((one) => one.id === id);
          assert.deepEqual([bytes, revision], [bytesOf(rule?.body ?? ""), rule?.revision]);
        }
      }
    }),

  "kept ordinary rules are the first of the ordinary rules, and as many as fit": (guides, effort) =>
    forPlans(guides, effort, ({ report }, drawn) => {
      const dispatch = selectedOf(drawn).filter(({ when }) => when === null);
      const ordinary = dispatch.filter(({ safety }) => !safety);
      const kept = report.kept.filter(({ safety }) => !safety);
      assert.deepEqual(ids(kept), ids(ordinary.slice(0, kept.length)));
      assert.deepEqual(ids(report.dropped), ids(ordinary.slice(kept.length)));
      const next = ordinary[kept.length];
      if (next === undefined) return;
      const withNext = dispatch.filter(({ id, safety }) => safety || id === next.id || ids(kept).includes(id));
      assert.ok(bytesOf(withNext.map(({ body }) => body).join(SEPARATOR)) > report.budgetBytes, `${next.id} would fit`);
      for (const { bytes, reason } of report.dropped) {
        assert.equal(reason, bytes > report.budgetBytes ? "larger_than_budget" : "after_the_stop");
      }
    }),

  "the text is the kept texts, byte for byte": (guides, effort) =>
    forPlans(guides, effort, ({ text, report }, drawn) => {
      const kept = selectedOf(drawn).filter(({ id }) => ids(report.kept).includes(id));
      assert.deepEqual(ids(report.kept), ids(kept));
      assert.equal(text, kept.map(({ body }) => body).join(SEPARATOR));
      assert.ok(text.isWellFormed());
    }),

  "order is nothing: of the rules, and of the keys in them": (guides, effort) =>
    forWorlds(effort, (drawn) => {
      const other = {
        ...drawn,
        rules: shuffled(drawn.rules, drawn.salt).map((rule, i) => rekeyed(rule, drawn.salt + i)),
        task: rekeyed(drawn.task, drawn.salt),
        profile: rekeyed(drawn.profile, drawn.salt),
      };
      const [made, again] = [compiled(guides, drawn), compiled(guides, other)];
      if (made.kind === "plan" && again.kind === "plan") assert.equal(planText(again), planText(made));
      else assert.deepEqual(again, made);
    }),

  "a rule that is not selected changes nothing but the counts": (guides, effort) =>
    forWorlds(effort, (drawn) => {
      const stranger = someRule("stranger", {
        safety: true,
        order: -9,
        body: "x".repeat(999),
        task: onWords("unsaid"),
      });
      const [made, more] = [compiled(guides, drawn), compiled(guides, { ...drawn, rules: [stranger, ...drawn.rules] })];
      if (made.kind === "refusal" || more.kind === "refusal") return assert.deepEqual(more, made);
      assert.equal(planText(more), planText(made));
      const { given, unselected, selected } = made.report;
      assert.deepEqual(
        [more.report.given, more.report.unselected, more.report.selected],
        [given + 1, unselected + 1, selected],
      );
    }),

  "without the dropped rules the same text is served": (guides, effort) =>
    forPlans(guides, effort, ({ text, report }, drawn) => {
      const rules = drawn.rules.filter(({ id }) => !ids(report.dropped).includes(id));
      const less = compiled(guides, { ...drawn, rules });
      assert.ok(less.kind === "plan");
      assert.deepEqual([less.text, less.report.dropped], [text, []]);
    }),

  "a larger budget keeps what a smaller one kept": (guides, effort) =>
    forPlans(guides, effort, ({ report }, drawn) => {
      const budgetBytes = drawn.profile.budgetBytes + (drawn.salt % 50);
      const larger = compiled(guides, { ...drawn, profile: { ...drawn.profile, budgetBytes, contextTokens: 1e6 } });
      assert.ok(larger.kind === "plan");
      for (const id of ids(report.kept)) assert.ok(ids(larger.report.kept).includes(id), `${id} is gone`);
    }),

  "a rule behind all others takes the place of none": (guides, effort) =>
    forPlans(guides, effort, ({ report }, drawn) => {
      const last = someRule("last", { order: 9, body: "y".repeat(drawn.salt % 40) });
      const more = compiled(guides, {
        ...drawn,
        rules: [last, ...drawn.rules],
        profile: { ...drawn.profile, contextTokens: 1e6 },
      });
      assert.ok(more.kind === "plan");
      assert.deepEqual(
        more.report.kept.filter(({ id }) => id !== "last"),
        report.kept,
      );
    }),

  "a rule of channel B spends nothing of the budget": (guides, effort) =>
    forPlans(guides, effort, ({ text, report }, drawn) => {
      const event = someRule("event", { order: -9, safety: true, when: ON_LOCK, body: "z".repeat(500) });
      const more = compiled(guides, {
        ...drawn,
        rules: [event, ...drawn.rules],
        profile: { ...drawn.profile, contextTokens: 1e6 },
      });
      assert.ok(more.kind === "plan");
      assert.deepEqual([more.text, more.report.kept, more.report.dropped], [text, report.kept, report.dropped]);
      assert.equal(more.report.routed.length, report.routed.length + 1);
    }),

  "the house and the specification come to the same": (guides, effort) =>
    forWorlds(effort, (drawn) => {
      const { rules, task, profile } = drawn;
      const set = guides.ruleSet(shuffled(rules, drawn.salt).map((rule, i) => rekeyed(rule, drawn.salt + i)));
      const made = guides.compile(set, rekeyed(task, drawn.salt), rekeyed(profile, drawn.salt));
      const said = specCompile(rules, task, profile);
      assert.equal(guides.isServePlan(made), said.kind === "plan");
      // A plan is of a class of its own; what it says is what is compared.
      assert.deepEqual(made.kind === "plan" ? { ...made } : made, said);
      assert.deepEqual(guides.explainSelection(set, task, profile), specUnselected(rules, task, profile));
    }),
} as const satisfies Record<string, (guides: Guides, effort: Effort) => void>;

/** What has to come up among the worlds, so that a law which is never tried does not pass for one that holds. */
export function seenIn(numRuns: number): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  const see = (what: string, is: boolean): void => void seen.set(what, (seen.get(what) ?? 0) + (is ? 1 : 0));
  forWorlds({ numRuns }, ({ rules, task, profile }) => {
    const made = specCompile(rules, task, profile);
    for (const code of ["duplicate_id", "safety_exceeds_budget", "channel_b_exceeds_window"]) {
      see(code, made.kind === "refusal" && made.code === code);
    }
    const because = specUnselected(rules, task, profile);
    for (const matcher of MATCHERS)
      see(
        `not for its ${matcher}`,
        because.some((one) => one.because === matcher),
      );
    if (made.kind === "refusal") return;
    const { text, report } = made;
    const { kept, routed, dropped, bytes, budgetBytes } = report;
    for (const reason of DROP_REASONS)
      see(
        reason,
        dropped.some((rule) => rule.reason === reason),
      );
    see("full to the last byte", bytes === budgetBytes && dropped.length > 0);
    see("a text of several rules", kept.length > 2);
    see("pinned behind the stop", dropped.length > 0 && kept.at(-1)?.safety === true);
    see("channel B", routed.length > 0);
    see("more bytes than characters", bytes > text.length);
    see("told unasked", report.assumed.length > 0);
    see("nothing served", rules.length > 0 && kept.length + routed.length === 0);
    see(
      "selected by its words",
      rules.some((rule) => rule.task !== null && kept.some(({ id }) => id === rule.id)),
    );
    see(
      "selected by its globs",
      rules.some((rule) => rule.paths.length > 0 && kept.some(({ id }) => id === rule.id)),
    );
  });
  return seen;
}

export type LawName = keyof typeof LAWS;
