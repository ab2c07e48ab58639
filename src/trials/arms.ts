import type { Condition } from "../domain/rule.ts";
import type { TrialPlace, Vary } from "../domain/trial.ts";
import { unreachable } from "../domain/unreachable.ts";

/**
 * An arm of a trial, in full. Of all arms of one trial everything is the same but the one thing that the trial varies.
 * `copies` 0: the rule is not told at all, which only the control does. `when` null: it is told at dispatch.
 *
 * `around`: from where the row of neighbours is laid out, the first drawn nearest to it. Where the rule's place is what is
 * varied the row stays as it is and the rule alone moves, so this is not the place.
 */
export type Arm = {
  readonly name: string;
  readonly neighbours: number;
  readonly copies: number;
  readonly place: TrialPlace;
  readonly around: TrialPlace;
  readonly when: Condition | null;
};

const STILL = { copies: 1, place: "middle", around: "middle", when: null } as const;

/** The arms in the order of the design; the first is the one that others are read against. */
export function armsOf(vary: Vary): readonly Arm[] {
  switch (vary.kind) {
    case "volume": {
      const { neighbours, place } = vary.value;
      return neighbours.map((n) => ({
        ...STILL,
        name: `${n}-neighbours`,
        neighbours: n,
        place,
        around: place,
      }));
    }
    case "position": {
      const { places, neighbours } = vary.value;
      return places.map((place) => ({ ...STILL, name: place, neighbours, place }));
    }
    case "channel": {
      const { when, neighbours, place } = vary.value;
      return [
        { ...STILL, name: "dispatch", neighbours, place, around: place },
        { ...STILL, name: "event", neighbours, place, around: place, when },
      ];
    }
    case "repeated": {
      const { times, neighbours } = vary.value;
      return times.map((copies) => ({ ...STILL, name: copies === 1 ? "once" : `${copies}-times`, neighbours, copies }));
    }
    default:
      return unreachable(vary);
  }
}

export const ALONE = "alone";
export const ABSENT = "absent";

/** The two arms of the positive control: the rule and nothing around it, and the same tasks with nothing told at all. */
export const CONTROL_ARMS: readonly Arm[] = [
  { ...STILL, name: ALONE, neighbours: 0 },
  { ...STILL, name: ABSENT, neighbours: 0, copies: 0 },
];

/** How many comparisons so many arms make: each with each. */
export function comparisonsOf(arms: number): number {
  return (arms * (arms - 1)) / 2;
}
