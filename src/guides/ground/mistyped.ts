/** Words of an intent that nobody knows, and that are a typo away from one of the lists of words.ts. */
import type { GroundIndex } from "./ground-index.ts";
import { SCORE_1 } from "./score-1.ts";
import { type Token, tokenise, visible } from "./tokenise.ts";
import { deletionsOf, meantBy, type Spelt, spellingsOf } from "./typos.ts";
import * as words from "./words.ts";

/** By stem: a word as it stands in the lists. */
const LISTED: ReadonlyMap<string, Token> = byStem(Object.values(words).flat(2));
const FORMS: ReadonlySet<string> = new Set([...LISTED].flatMap(([stem, { text }]) => [stem, text]));
const SPELLINGS = spellingsOf([...LISTED].flatMap(([stem, { text }]): Spelt[] => formsOf(text, stem)));
/** What one does, by itself less one letter that is not the first. Shorter words are known by this alone: "clck". */
const DONE: ReadonlyMap<string, ReadonlySet<string>> = lessOne(byStem([...words.VERBS, ...words.ACTIONS]).values());

function formsOf(text: string, stem: string): Spelt[] {
  return [...new Set([text, stem])].map((form) => ({ form, stem }));
}

function byStem(entries: readonly string[]): ReadonlyMap<string, Token> {
  const tokens = entries.flatMap((entry) => tokenise(visible(entry))).filter(({ kind }) => kind === "word");
  return new Map(tokens.map((token) => [token.stem, token]));
}

function lessOne(tokens: Iterable<Token>): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { text, stem } of tokens) {
    for (const shorter of deletionsOf(text)) {
      if (shorter === text || shorter.length < SCORE_1.verbLettersMin || shorter[0] !== text[0]) continue;
      found.set(shorter, (found.get(shorter) ?? new Set()).add(stem));
    }
  }
  return found;
}

/**
 * The tokens with what was probably meant in place of what was typed: a "buton" is a button. What a name of the map has is what
 * it says, and what is as near to a name as to a word of the lists is left to the names.
 */
export function corrected(
  tokens: readonly Token[],
  { rarities, spellings }: Pick<GroundIndex, "rarities" | "spellings">,
): readonly Token[] {
  return tokens.map((token) => {
    const { kind, text, stem, from, to } = token;
    if (kind !== "word" || rarities.has(stem) || FORMS.has(text) || FORMS.has(stem)) return token;
    const near = new Set([...meantBy(SPELLINGS, [text, stem]), ...(DONE.get(text) ?? [])]);
    const [only] = near;
    const word = near.size === 1 && only !== undefined ? LISTED.get(only) : undefined;
    if (word === undefined || [...meantBy(spellings, [text, stem])].some((other) => other !== only)) return token;
    return { kind, text: word.text, stem: word.stem, from, to, mistyped: true };
  });
}
