/**
 * The seed of every property test in this run: SIGNALBOX_SEED if it is set, otherwise the clock's. Given to fc.assert as
 * `{ seed }`, so that a run that failed can be run again as it was.
 */
export const seed: number = chooseSeed(process.env.SIGNALBOX_SEED);

/**
 * The seed of a planted fault, which a campaign must find: it was found with this one, so it will be. With the seed of the
 * run the rarest would now and then not come up, and the test of a test would fail by chance.
 */
export const TWIN_SEED = 3;

console.log(`seed ${seed} (rerun with SIGNALBOX_SEED=${seed})`);

function chooseSeed(given: string | undefined): number {
  if (given === undefined || given === "") return Date.now() % 2 ** 31;
  const number = Number(given);
  // A seed that cannot be read must not pass for the one that was asked for.
  if (!Number.isInteger(number)) throw new RangeError(`SIGNALBOX_SEED must be a whole number, found "${given}"`);
  return number;
}
