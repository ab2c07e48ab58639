/** Chance that can be had again: the same seed draws the same. */
export type Draw = {
  /** A whole number from 0 to `end - 1`. */
  readonly below: (end: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  /** True `times` of `of` times. */
  readonly odds: (times: number, of: number) => boolean;
};

/** Small and quick, and each seed its own sequence (the sfc32 generator, seeded through a multiplicative mix). */
export function drawFrom(seed: number, stream: number): Draw {
  let [a, b, c, n] = [mix(seed), mix(stream ^ 0x9e3779b9), mix(seed ^ Math.imul(stream, 0x85ebca6b)), 1];
  const next = (): number => {
    const sum = (a + b + n) | 0;
    n = (n + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  // The upper bits are the better ones, and 2^32 possibilities are enough for what is drawn here.
  const below = (end: number): number => Math.floor((next() / 4_294_967_296) * end);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[below(list.length)];
    if (one === undefined) throw new RangeError("nothing to pick from");
    return one;
  };
  return { below, pick, odds: (times, of) => below(of) < times };
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) | 0;
}
