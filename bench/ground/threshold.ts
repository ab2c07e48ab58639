import { type Evaluation, evaluate, type Pair } from "../../src/guides/index.ts";
import type { Ranked } from "./baselines.ts";

export type Threshold = { readonly bind: number; readonly lead: number };
export type Chosen = { readonly at: Threshold; readonly result: Evaluation };

/** Leads as parts of the best score. */
const LEADS = [0, 0.02, 0.05, 0.1, 0.2];
const STEPS = 100;

/** What comes of ranks under every threshold worth a try. The ranks are those of the pairs, in their order. */
export function tried(pairs: readonly Pair[], ranks: readonly (readonly Ranked[])[]): readonly Chosen[] {
  const scores = ranks.flatMap(([first]) => (first === undefined ? [] : [first.score])).sort((a, b) => a - b);
  const binds = Array.from({ length: STEPS }, (_, i) => scores[Math.floor((i * scores.length) / STEPS)] ?? 0);
  const bound = new Map(pairs.map((pair, i) => [pair, ranks[i] ?? []]));
  return [...new Set(binds)].flatMap((bind) =>
    LEADS.map((lead) => ({
      at: { bind, lead },
      result: evaluate(pairs, (pair) => boundBy(bound.get(pair) ?? [], { bind, lead })),
    })),
  );
}

function boundBy([first, second]: readonly Ranked[], { bind, lead }: Threshold): string | null {
  if (first === undefined || first.score < bind) return null;
  return second === undefined || first.score - second.score >= lead * first.score ? first.id : null;
}

/** The one with the best balance of precision and recall. */
export function mostBalanced(all: readonly Chosen[]): Chosen | null {
  return best(all, balance);
}

/** The one that finds most among those that leave at least so many of the negatives unbound. */
export function asCareful(all: readonly Chosen[], negatives: number): Chosen | null {
  return best(
    all.filter(({ result }) => (result.negatives.rate ?? 1) >= negatives),
    ({ recall, precision }) => (recall.rate ?? 0) + (precision.rate ?? 0) / 1_000,
  );
}

/** The harmonic mean of the two (F1). */
export function balance({ precision, recall }: Evaluation): number {
  const [p, r] = [precision.rate ?? 0, recall.rate ?? 0];
  return p + r === 0 ? 0 : (2 * p * r) / (p + r);
}

function best(all: readonly Chosen[], of: (result: Evaluation) => number): Chosen | null {
  return all.reduce<Chosen | null>((top, one) => (top === null || of(one.result) > of(top.result) ? one : top), null);
}
