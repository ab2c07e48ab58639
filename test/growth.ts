/** How often a cost that is linear may be sixteen times what a sixteenth of the work costs: quadratic would be 256 times. */
export const LINEAR_MAX = 100;

/**
 * How many times more of the processor `work(16 * n)` takes than `work(n)`. The least of three each, counted in the time of this
 * process, so that others do not count; less than a millisecond counts as one.
 */
export function growthOf(work: (n: number) => void, n: number): number {
  // Once for what is compiled only then.
  work(n);
  return Math.max(1, costOf(work, 16 * n)) / Math.max(1, costOf(work, n));
}

function costOf(work: (n: number) => void, n: number): number {
  const costs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work(n);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}
