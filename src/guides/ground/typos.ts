import { SCORE_1 } from "./score-1.ts";

const { typoLettersMin, swapLettersMin, typoLettersMax } = SCORE_1;

export function mayHaveTypo(stem: string): boolean {
  return stem.length >= swapLettersMin && stem.length <= typoLettersMax && /^\p{L}+$/u.test(stem);
}

/** The stem, and it less each one letter. Two stems that are an edit apart have one of these in common. */
export function deletionsOf(stem: string): readonly string[] {
  const found = new Set([stem]);
  for (let i = 0; i < stem.length; i++) found.add(stem.slice(0, i) + stem.slice(i + 1));
  return [...found];
}

/**
 * Whether one is the other with a letter more, less or another (from `typoLettersMin` letters), or with two neighbours swapped
 * (from `swapLettersMin`). The first letter is the same: people seldom miss it, and `mute` is not `cute`.
 */
export function isTypo(one: string, other: string): boolean {
  if (one === other || one[0] !== other[0] || Math.abs(one.length - other.length) > 1) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)) return true;
  if (Math.min(one.length, other.length) < typoLettersMin) return false;
  return a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1);
}
