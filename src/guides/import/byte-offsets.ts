import { utf8Length } from "../../domain/utf8.ts";

/** Tells how many UTF-8 bytes stand before a place of a text, given in UTF-16 units and never inside a surrogate pair. */
export type ByteOffsets = (at: number) => number;

/** One pass over the text; an answer is found by halves among its stretches that are not ASCII, which are few. */
export function byteOffsets(text: string): ByteOffsets {
  const starts: number[] = [];
  const ends: number[] = [];
  /** Bytes beyond one a unit, up to the end of each stretch. */
  const more: number[] = [];
  let extra = 0;
  for (const { 0: run, index } of text.matchAll(/[^\0-\x7f]+/g)) {
    extra += utf8Length(run) - run.length;
    starts.push(index);
    ends.push(index + run.length);
    more.push(extra);
  }
  return (at) => {
    // The first stretch that ends behind the place.
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const start = starts[low] ?? text.length;
    const inside = start < at ? utf8Length(text.slice(start, at)) - (at - start) : 0;
    return at + (more[low - 1] ?? 0) + inside;
  };
}
