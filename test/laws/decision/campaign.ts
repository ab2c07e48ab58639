/** Decides random cases twice, by the rails and by the slow ones, and counts what came up. */
import { drawFrom } from "../../hostile/draw.ts";
import { type Counts, count } from "../../hostile/tally.ts";
import { differenceIn } from "./agreement.ts";
import { Builder, type Tried } from "./build.ts";
import { CASES_PER_WORLD, drawCase, drawWorld } from "./worlds.ts";

export type Order = {
  readonly house: Tried;
  readonly seed: number;
  readonly cases: number;
  /** The campaign ends with so many faults. */
  readonly faultsMax: number;
  readonly progress?: (cases: number) => void;
};

export type Report = { readonly cases: number; readonly counts: Counts; readonly faults: readonly string[] };

export function decideTwice({ house, seed, cases, faultsMax, progress }: Order): Report {
  const counts: Counts = new Map();
  const faults: string[] = [];
  const builder = new Builder(house);
  let done = 0;
  for (let n = 0; done < cases && faults.length < faultsMax; n++) {
    const draw = drawFrom(seed, n);
    const world = drawWorld(draw);
    for (let i = 0; i < CASES_PER_WORLD && done < cases && faults.length < faultsMax; i++) {
      done += 1;
      const about = drawCase(draw, world);
      const { said, fault } = differenceIn(about, builder, house);
      count(counts, `outcome ${said.outcome}${about.approval === null ? "" : " approved"}`);
      if (said.outcome === "deny") count(counts, `denial ${said.code}`);
      count(counts, `rule ${ruleKind(said.rule)}`);
      if (fault !== null) faults.push(`case ${done} (world ${n}): ${fault}`);
    }
    if (n % 50 === 0) progress?.(done);
  }
  return { cases: done, counts, faults };
}

function ruleKind(rule: string): string {
  if (rule.startsWith("rule_")) return "of the operator";
  const [, kind] = rule.split(".");
  return kind ?? rule.split(":")[0] ?? rule;
}
