import { SCORE_1 } from "./score-1.ts";

const { typoLettersMin, missLettersMin, swapLettersMin, typoLettersMax } = SCORE_1;

/** A word as it is spelt, and what is compared of it. */
export type Spelt = { readonly form: string; readonly stem: string };

export function mayHaveTypo(form: string): boolean {
  return (
    form.length >= Math.min(missLettersMin, swapLettersMin) && form.length <= typoLettersMax && /^\p{L}+$/u.test(form)
  );
}

/** The word, and it less each one letter. Two words that are an edit apart have one of these in common. */
export function deletionsOf(form: string): readonly string[] {
  const found = new Set([form]);
  for (let i = 0; i < form.length; i++) found.add(form.slice(0, i) + form.slice(i + 1));
  return [...found];
}

/**
 * Whether one is the other with another letter (from `typoLettersMin` letters), with one more or less (from `missLettersMin`), or
 * with two neighbours swapped (from `swapLettersMin`). But for such a swap the first letter is the same: people seldom miss it,
 * and `mute` is not `cute`.
 */
export function isTypo(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwap = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  if (isSwap) return shorter >= swapLettersMin;
  if (same === 0) return false;
  if (a.slice(1) === b.slice(1)) return shorter >= typoLettersMin;
  return shorter >= missLettersMin && (a.slice(1) === b || b.slice(1) === a);
}

/** Words by what is left of them without one letter. */
export type Spellings = ReadonlyMap<string, readonly Spelt[]>;

export function spellingsOf(words: Iterable<Spelt>): Spellings {
  const found = new Map<string, Spelt[]>();
  for (const word of words) {
    if (!mayHaveTypo(word.form)) continue;
    for (const shorter of deletionsOf(word.form)) {
      const list = found.get(shorter);
      if (list === undefined) found.set(shorter, [word]);
      else list.push(word);
    }
  }
  return found;
}

/** The stems that a word may be meant for. */
export function meantBy(spellings: Spellings, forms: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const form of new Set(forms)) {
    if (!mayHaveTypo(form)) continue;
    for (const shorter of deletionsOf(form))
      for (const near of spellings.get(shorter) ?? []) if (isTypo(form, near.form)) found.add(near.stem);
  }
  return found;
}
