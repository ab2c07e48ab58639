/** How often a cost that is linear may be sixteen times what a sixteenth of the work costs: quadratic would be 256 times. */
export const LINEAR_MAX = 100;

/** Milliseconds. What costs less is measured too coarsely for a quadratic cost to show. */
const BASE_MS_MIN = 2;
/** How often the size is doubled for that. */
const DOUBLINGS_MAX = 6;

/**
 * How many times more of the processor `work(16 * n)` takes than `work(n)`. The least of up to three each, counted in the time of
 * this process, so that others do not count: no further one is taken where it could change nothing. `n` is the least size; it is
 * doubled until the work takes long enough to be compared. Where it never does, it counts as if it took as long.
 */
export function growthOf(work: (n: number) => void, n: number): number {
  // Once for what is compiled only then.
  work(n);
  let size = n;
  let base = costOf(work, size, BASE_MS_MIN);
  for (let doublings = 0; base < BASE_MS_MIN && doublings < DOUBLINGS_MAX; doublings++) {
    size *= 2;
    base = costOf(work, size, BASE_MS_MIN);
  }
  const counted = Math.max(BASE_MS_MIN, base);
  return costOf(work, 16 * size, LINEAR_MAX * counted) / counted;
}

/** The least of three in milliseconds, or the first that is less than `enough`. */
function costOf(work: (n: number) => void, n: number, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least >= enough; i++) {
    const before = process.cpuUsage();
    work(n);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}
