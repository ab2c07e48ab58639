/**
 * What is measured, and the goals of the figure `loop` as arithmetic over it. Every goal is a ratio within one run: the
 * median of the ratios of the rounds, since what a busy machine does to one of two neighbours it does to the other.
 */
import { median } from "../figures/median.ts";
import type { VariantId } from "./variants.ts";

export const SIZES = [10, 100, 500] as const;
export type Size = (typeof SIZES)[number];

/** Microseconds a turn, and the bytes that one run leaves on disk. */
export type Cost = { readonly cpu: number; readonly wall: number; readonly storedBytes: number };
/** By variant and size the rounds, in their order. */
export type Costs = ReadonlyMap<VariantId, ReadonlyMap<Size, readonly Cost[]>>;

export type Judgement = {
  readonly goal: string;
  readonly ratio: number | null;
  readonly limit: number;
  /** null: cannot be judged, since something that it compares with was not measured. */
  readonly holds: boolean | null;
};

const FLAT_MAX = 1.2;
const DURABLE_MAX = 1.3;
const LINEAR_MAX = 5.5;
const OWN_BYTES_MAX = 3;

export function judge(costs: Costs, ownBytes: number): readonly Judgement[] {
  const rounds = (id: VariantId, size: Size, kind: keyof Cost): readonly number[] =>
    (costs.get(id)?.get(size) ?? []).map((cost) => cost[kind]);
  const kinds = ["wall", "cpu"] as const;
  const stored = rounds("ours-sqlite", 500, "storedBytes");
  return [
    ...SIZES.flatMap((size) =>
      kinds.map((kind) =>
        below(
          `in memory / pi's loop function, ${size} turns, ${kind}`,
          rounds("ours", size, kind),
          rounds("pi-loop", size, kind),
        ),
      ),
    ),
    ...kinds.map((kind) =>
      atMost(`in memory, 500 turns / 10 turns, ${kind}`, rounds("ours", 500, kind), rounds("ours", 10, kind), FLAT_MAX),
    ),
    ...SIZES.map((size) =>
      atMost(
        `durable / bare loop with two transactions, ${size} turns, wall`,
        rounds("ours-sqlite", size, "wall"),
        rounds("bare-sqlite", size, "wall"),
        DURABLE_MAX,
      ),
    ),
    atMost("bytes on disk, 500 turns / 100 turns", stored, rounds("ours-sqlite", 100, "storedBytes"), LINEAR_MAX),
    atMost(
      "bytes on disk / the run's own bytes, 500 turns",
      stored,
      stored.map(() => ownBytes),
      OWN_BYTES_MAX,
    ),
  ];
}

/** The middle of the rounds in each respect. */
export function costOver(rounds: readonly Cost[]): Cost {
  const middle = (kind: keyof Cost): number => median(rounds.map((cost) => cost[kind]));
  return { cpu: middle("cpu"), wall: middle("wall"), storedBytes: middle("storedBytes") };
}

/** Faster means below, not the same. */
function below(goal: string, ours: readonly number[], theirs: readonly number[]): Judgement {
  const ratio = ratioOf(ours, theirs);
  return { goal, ratio, limit: 1, holds: ratio === null ? null : ratio < 1 };
}

function atMost(goal: string, ours: readonly number[], theirs: readonly number[], limit: number): Judgement {
  const ratio = ratioOf(ours, theirs);
  return { goal, ratio, limit, holds: ratio === null ? null : ratio <= limit };
}

/** Over the rounds that both took part in; null: none. */
function ratioOf(ours: readonly number[], theirs: readonly number[]): number | null {
  const shared = Math.min(ours.length, theirs.length);
  const ratios = ours.slice(0, shared).map((value, i) => value / (theirs[i] ?? Number.NaN));
  return shared === 0 ? null : median(ratios);
}
