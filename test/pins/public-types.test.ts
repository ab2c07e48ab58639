/** The types that `box.guides` gives can be named by whoever calls it: a wrapper around it declares what it returns. */
import { expect, test } from "vitest";
import type {
  Breach,
  Condition,
  ControlMap,
  DroppedRule,
  DropReason,
  Explained,
  GateVerdict,
  GroundedGuide,
  GroundFinding,
  Guide,
  GuideEvent,
  Guides,
  Judgement,
  judgeRun,
  KeptRevision,
  LeftOut,
  NamedMap,
  Parsed,
  PlannedGuide,
  planTrial,
  Rates,
  RefusalCode,
  RoutedRule,
  Rule,
  RuleGuide,
  RuleStatus,
  RunAction,
  RunEvent,
  readTrialRuns,
  reportTrial,
  Served,
  ServedRule,
  ServeOutcome,
  ShownRule,
  safetyScore,
  screenEvent,
  TaskMatcher,
  TrialJudge,
  TrialPlan,
  TrialRefusal,
  TrialReport,
  TrialResults,
  Unselected,
  Withheld,
  WithheldCode,
} from "../../src/index.ts";

/** Whether two types are one: each can stand for the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Of<Name extends keyof Guides> = Awaited<ReturnType<Guides[Name]>>;
type Plan = Extract<ServeOutcome, { readonly kind: "plan" }>;

type Args<F extends (...args: never[]) => unknown> = Parameters<F>;

test("what the functions of screens and trials take and give has names of its own", () => {
  const same: readonly true[] = [
    true satisfies Same<Args<typeof screenEvent>, [map: ControlMap, screen: string]>,
    true satisfies Same<ReturnType<typeof screenEvent>, GuideEvent>,
    true satisfies Same<Args<typeof reportTrial>, [results: TrialResults]>,
    true satisfies Same<ReturnType<typeof readTrialRuns>, TrialResults>,
    true satisfies Same<ReturnType<typeof reportTrial>, TrialReport | TrialRefusal>,
    true satisfies Same<ReturnType<typeof planTrial>, Parsed<TrialPlan>>,
    true satisfies Same<Args<typeof planTrial>[0], Rates>,
    true satisfies Same<Args<typeof judgeRun>, [judge: TrialJudge, events: readonly RunEvent[]]>,
    true satisfies Same<ReturnType<typeof judgeRun>, Judgement>,
    true satisfies Same<Args<typeof safetyScore>, [actions: readonly RunAction[]]>,
  ];
  expect(new Set(same)).toEqual(new Set([true]));
});

test("what the methods of box.guides return has names of its own", () => {
  const same: readonly true[] = [
    true satisfies Same<Of<"explain">, Explained>,
    true satisfies Same<Of<"show">, ShownRule>,
    true satisfies Same<Of<"revision">, KeptRevision>,
    true satisfies Same<Of<"plan">, PlannedGuide>,
    true satisfies Same<Of<"map">, NamedMap>,
    true satisfies Same<Of<"ground">, GroundedGuide>,
    true satisfies Same<Of<"status">, readonly RuleStatus[]>,
    true satisfies Same<RuleStatus["withheld"], Withheld | null>,
    true satisfies Same<PlannedGuide["leftOutOn"], readonly LeftOut[]>,
    true satisfies Same<Plan["unselected"], readonly Unselected[]>,
    true satisfies Same<Served["report"]["kept"], readonly ServedRule[]>,
    true satisfies Same<Served["report"]["routed"], readonly RoutedRule[]>,
    true satisfies Same<Served["report"]["dropped"], readonly DroppedRule[]>,
    true satisfies Same<DroppedRule["reason"], DropReason>,
    true satisfies Same<Served["withheld"][number]["code"], WithheldCode>,
    true satisfies Same<Exclude<ServeOutcome, Plan>["code"], RefusalCode>,
    true satisfies Same<Explained["breaches"], readonly Breach[]>,
    true satisfies Same<Rule["task"], TaskMatcher | null>,
    true satisfies Same<Rule["when"], Condition | null>,
    true satisfies Same<Rule["guide"], RuleGuide | null>,
    true satisfies Same<PlannedGuide["guide"], Guide | null>,
    true satisfies Same<PlannedGuide["grounded"], GroundedGuide | null>,
    true satisfies Same<PlannedGuide["verdict"], GateVerdict | null>,
    true satisfies Same<GroundedGuide["findings"], readonly GroundFinding[]>,
    true satisfies Same<NamedMap["map"], ControlMap>,
  ];
  expect(new Set(same)).toEqual(new Set([true]));
});
