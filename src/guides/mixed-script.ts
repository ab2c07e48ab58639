/**
 * Words that mix Latin letters with Cyrillic or Greek ones that look like them: such a word reads as one thing and is another
 * (UTS 39, claim S12). Only Greek letters that have a Latin twin count, so that a unit such as `μm` is not suspected.
 */
const WORD = /[\p{L}\p{M}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const TWIN = /\p{Script=Cyrillic}|[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧορνυχ]/u;

export type MixedWord = { readonly at: number; readonly word: string; readonly letter: string };

/** The mixed words of a text, at most `max` of them, and how many more there are. */
export function mixedWords(text: string, max: number): { readonly words: readonly MixedWord[]; readonly more: number } {
  const words: MixedWord[] = [];
  let more = 0;
  // Without such a letter there is no such word; most text has none.
  if (!TWIN.test(text)) return { words, more };
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const letter = LATIN.test(word) ? TWIN.exec(word)?.[0] : undefined;
    if (letter === undefined) continue;
    if (words.length < max) words.push({ at: index, word, letter });
    else more += 1;
  }
  return { words, more };
}
