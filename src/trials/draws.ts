/**
 * Draws that a seed decides: the same on every machine, for as long as the version of the trial's format stands. Each purpose
 * draws from a stream of its own, named by whole numbers, so that a trial with more pairs begins with the same ones.
 *
 * Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64).
 */
export class Draws {
  #state: bigint;

  constructor(seed: number, ...stream: readonly number[]) {
    this.#state = BigInt(seed);
    for (const part of stream) this.#state = this.next() ^ BigInt(part);
  }

  /** The next 64 bits. */
  next(): bigint {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & BITS;
    let z = this.#state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & BITS;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & BITS;
    return z ^ (z >> 31n);
  }

  /** A whole number from 0 to `n - 1`, each as likely as the others. */
  below(n: number): number {
    const width = BigInt(n);
    // What does not divide evenly would make the first numbers likelier, and is drawn again.
    const even = (1n << 64n) - ((1n << 64n) % width);
    for (;;) {
      const bits = this.next();
      if (bits < even) return Number(bits % width);
    }
  }

  /** The items in an order in which each is as likely as the others (Fisher and Yates). */
  shuffled<T>(items: readonly T[]): readonly T[] {
    const left = [...items];
    const order: T[] = [];
    while (left.length > 0) order.push(...left.splice(this.below(left.length), 1));
    return order;
  }
}

const BITS = (1n << 64n) - 1n;
