import type { Condition, Rule } from "../domain/rule.ts";
import type { RuleRef, TrialDesign, TrialPlace } from "../domain/trial.ts";
import { unreachable } from "../domain/unreachable.ts";
import type { Arm } from "./arms.ts";
import { Draws } from "./draws.ts";

/** One text that an arm tells, by the exact bytes of its rule. `copy` counts the repetitions of one rule, from 0. */
export type LaidRule = RuleRef & { readonly copy: number; readonly when: Condition | null };

/** The stream of the draws of neighbours. */
const NEIGHBOURS = 1;

/**
 * What an arm tells in one pair, in this order. The neighbours are drawn once for a pair, and a smaller arm has the first of
 * them: so the arms of a pair differ by what is added and by nothing else. They are laid out from the rule outwards, so that
 * what stands next to the rule is the same in all of them, too. Where the place is what differs, the neighbours stand in one
 * row, and the rule alone moves in it.
 *
 * Repetitions stand evenly among the neighbours, and there is an odd number of them: the one in the middle stays where it is.
 */
export function layoutOf(
  design: Pick<TrialDesign, "seed" | "rule" | "fillers">,
  arm: Arm,
  pair: number,
): readonly LaidRule[] {
  const drawn = new Draws(design.seed, NEIGHBOURS, pair).shuffled(design.fillers).slice(0, arm.neighbours);
  const neighbours = drawn.map((filler) => ({ ...filler, copy: 0, when: null }));
  const row = rowAround(neighbours, arm.around);
  const laid: LaidRule[] = [];
  const stops = stopsOf(arm.copies, stopAt(arm.place, row.length), row.length);
  for (let at = 0; at <= row.length; at++) {
    for (const [copy, stop] of stops.entries()) {
      if (stop === at) laid.push({ ...design.rule, copy, when: arm.when });
    }
    const neighbour = row[at];
    if (neighbour !== undefined) laid.push(neighbour);
  }
  return laid;
}

/** The first drawn stands nearest to the place. */
function rowAround<T>(drawn: readonly T[], place: TrialPlace): readonly T[] {
  switch (place) {
    case "first":
      return drawn;
    case "last":
      return [...drawn].reverse();
    case "middle":
      return [...drawn.filter((_, i) => i % 2 === 0).reverse(), ...drawn.filter((_, i) => i % 2 === 1)];
    default:
      return unreachable(place);
  }
}

/** Behind how many of the neighbours the rule stands. */
function stopAt(place: TrialPlace, neighbours: number): number {
  switch (place) {
    case "first":
      return 0;
    case "last":
      return neighbours;
    case "middle":
      return Math.ceil(neighbours / 2);
    default:
      return unreachable(place);
  }
}

/** Before how many neighbours each copy stands. */
function stopsOf(copies: number, at: number, neighbours: number): readonly number[] {
  if (copies <= 1) return copies === 0 ? [] : [at];
  const half = (copies - 1) / 2;
  return [...Array(copies).keys()].map((copy) => {
    if (copy <= half) return Math.floor((at * copy) / half);
    return neighbours - Math.floor(((neighbours - at) * (copies - 1 - copy)) / half);
  });
}

/**
 * The rules of a layout, as compile takes them: the bytes as they are, an order of their own, and matchers that always fire,
 * since the arm says what is told and no matcher. Nothing of a rule that the model reads is touched. Copies have ids of their
 * own, since two rules with one id are refused. A neighbour's own `when` and `safety` are left off: it is volume.
 *
 * `rules` by revision. @throws Error for a revision that is not among them.
 */
export function laidRules(layout: readonly LaidRule[], rules: ReadonlyMap<string, Rule>): readonly Rule[] {
  return layout.map(({ id, revision, copy, when }, order) => {
    const rule = rules.get(revision);
    if (rule === undefined) throw new Error(`the revision ${revision} of ${id} was not read`);
    return {
      ...rule,
      id: copyId(id, copy),
      order,
      when,
      app: [],
      task: null,
      paths: [],
      profile: [],
      breach: null,
      escalate: null,
      safety: false,
      expires: null,
    };
  });
}

/** `lock-screen`, and its second copy `lock-screen#2`: no author can write such an id, so it is nobody else's. */
export function copyId(id: string, copy: number): string {
  return copy === 0 ? id : `${id}#${copy + 1}`;
}
