import type { Signature } from "./repetition.ts";

/** Cycles, the detector beside guardrail 2: period 2 ends a run after three rounds, periods 3 and 4 after two. */
const ROUNDS: readonly (readonly [period: number, rounds: number])[] = [
  [2, 3],
  [3, 2],
  [4, 2],
];

/** How many of the newest turns the detector looks at. */
export const RECENT_TURNS = 8;

/** The period of the cycle that the newest turn completes, or null. A circle of tools that may all repeat is not one. */
export function cyclePeriod(recent: readonly Signature[]): number | null {
  for (const [period, rounds] of ROUNDS) {
    const span = period * rounds;
    // Most turns are not what was proposed a period ago, and then there is no circle to look for.
    if (recent.length < span || recent.at(-1)?.text !== recent.at(-1 - period)?.text) continue;
    const tail = recent.slice(-span);
    const goesRound = tail.every((entry, i) => i < period || entry.text === tail[i - period]?.text);
    if (goesRound && tail.some((entry) => !entry.mayRepeat)) return period;
  }
  return null;
}
