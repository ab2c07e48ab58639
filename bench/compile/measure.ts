import type { Profile } from "../../src/domain/profile.ts";
import type { Rule } from "../../src/domain/rule.ts";
import { RULE_SEPARATOR } from "../../src/domain/served.ts";
import { compile, ruleSet, type ServePlan } from "../../src/guides/index.ts";
import { median } from "../figures/median.ts";
import { rulesOf, TASK, type Text } from "./workload.ts";

/** One case: so many rules, so many of them selected, and a budget; null: as large as they are. */
export type Case = {
  readonly name: string;
  readonly rules: number;
  readonly matching: number;
  readonly budgetBytes: number | null;
};

export type Measured = Case & {
  readonly loadMs: number;
  readonly firstMs: number;
  /** Medians of the rounds. `copyMs`: the kept texts, one after the other, written into a buffer, and nothing else. */
  readonly compileMs: number;
  /** Putting the text together, which happens when it is first read. */
  readonly textMs: number;
  readonly copyMs: number;
  /** Compile and the same writing of its text, over the bare copy, each of one round: the median. */
  readonly ratio: number;
  readonly selected: number;
  readonly kept: number;
  readonly keptBytes: number;
};

const ROUNDS = 41;

export function measure(texts: readonly Text[], one: Case, seed: number): Measured {
  const rules = rulesOf(texts, one.rules, one.matching, seed);
  const began = performance.now();
  const set = ruleSet(rules);
  const loadMs = performance.now() - began;
  const profile: Profile = {
    name: "figure",
    budgetBytes: one.budgetBytes ?? Number.MAX_SAFE_INTEGER,
    slot: "system_end",
    contextTokens: Number.MAX_SAFE_INTEGER,
    bytesPerToken: 1,
    measured: "unmeasured",
  };
  const task = { text: TASK, app: "com.example.shop", paths: ["src/orders/refund.ts"] };
  const served = (): ServePlan => {
    const plan = compile(set, task, profile);
    if (plan.kind === "refusal") throw new Error(plan.detail);
    return plan;
  };
  const firstBegan = performance.now();
  const plan = served();
  plan.text.charCodeAt(0);
  const firstMs = performance.now() - firstBegan;
  const bodies = keptBodies(rules, plan);
  const buffer = Buffer.alloc(plan.report.bytes + 16);

  const compiles: number[] = [];
  const joins: number[] = [];
  const copies: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [compileMs, compiled] = timed(served);
    const [textMs] = timed(() => compiled.text.charCodeAt(0));
    const [writeMs, written] = timed(() => buffer.write(compiled.text));
    const [copyMs, copied] = timed(() => copy(bodies, buffer));
    if (written !== copied || written !== plan.report.bytes) throw new Error(`${written} bytes beside ${copied}`);
    compiles.push(compileMs);
    joins.push(textMs);
    copies.push(copyMs);
    ratios.push((compileMs + textMs + writeMs) / copyMs);
  }
  const { selected, kept, bytes } = plan.report;
  return {
    ...one,
    loadMs,
    firstMs,
    compileMs: median(compiles),
    textMs: median(joins),
    copyMs: median(copies),
    ratio: median(ratios),
    selected,
    kept: kept.length,
    keptBytes: bytes,
  };
}

function timed<T>(what: () => T): readonly [ms: number, value: T] {
  const began = performance.now();
  const value = what();
  return [performance.now() - began, value];
}

function keptBodies(rules: readonly Rule[], plan: ServePlan): readonly string[] {
  const byId = new Map(rules.map(({ id, body }) => [id, body]));
  return plan.report.kept.map(({ id }) => byId.get(id) ?? "");
}

/** The least that anybody can do who serves these texts. */
function copy(bodies: readonly string[], buffer: Buffer): number {
  let at = 0;
  for (let i = 0; i < bodies.length; i++) {
    if (i > 0) at += buffer.write(RULE_SEPARATOR, at);
    at += buffer.write(bodies[i] ?? "", at);
  }
  return at;
}
