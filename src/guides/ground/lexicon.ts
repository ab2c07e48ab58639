/** The lists of words.ts, made to be looked up: by the stem of a token, or of the two tokens that are one. */
import { SCORE_1 } from "./score-1.ts";
import { type Token, tokenise, visible } from "./tokenise.ts";
import {
  ACTIONS,
  NOUN_PHRASES,
  NOUNS,
  OPPOSITES,
  PHRASES,
  STATES,
  STOP,
  SYNONYMS,
  VERB_PHRASES,
  VERBS,
} from "./words.ts";

export type WordClass = "content" | "action" | "verb" | "noun" | "stop" | "symbol";

/** Words that say little by themselves. */
export const LIGHT: ReadonlySet<WordClass> = new Set(["verb", "noun", "stop"]);

export function stemsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => tokenise(visible(word)).map(({ stem }) => stem)));
}

/** The stem of a phrase's token. */
function phraseStem(phrase: string): string {
  return tokenise(visible(phrase))
    .map(({ stem }) => stem)
    .join(" ");
}

const CLASSES: ReadonlyMap<string, WordClass> = new Map<string, WordClass>([
  ...[...stemsOf(ACTIONS)].map((stem) => [stem, "action"] as const),
  ...[...stemsOf(VERBS)].map((stem) => [stem, "verb"] as const),
  ...VERB_PHRASES.map((phrase) => [phraseStem(phrase), "verb"] as const),
  ...[...stemsOf(NOUNS), ...NOUN_PHRASES.map(phraseStem)].map((stem) => [stem, "noun"] as const),
]);
const STOPS: ReadonlySet<string> = new Set(STOP);
const PHRASE_STEMS: ReadonlySet<string> = new Set([...PHRASES, ...VERB_PHRASES, ...NOUN_PHRASES].map(phraseStem));
const MEANINGS: ReadonlyMap<string, readonly string[]> = meanings();
const CONTRARY: ReadonlyMap<string, readonly string[]> = contraries();
const STATE_STEMS: ReadonlySet<string> = new Set(STATES.map(phraseStem));
const NOTHING: readonly string[] = [];

function meanings(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const group of SYNONYMS) {
    // The group's key is no stem: it begins with a character that no token has.
    for (const stem of new Set(group.map(phraseStem))) append(found, stem, `\u0000${group[0]}`);
  }
  return found;
}

function contraries(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [one = "", other = ""] of OPPOSITES.map((pair) => pair.map(phraseStem))) {
    append(found, one, other);
    append(found, other, one);
  }
  return found;
}

/** Appends to the list of a key. */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The groups of synonyms that a token is in, each by a key that is no stem. */
export function meaningsOf(stem: string): readonly string[] {
  return MEANINGS.get(stem) ?? NOTHING;
}

export function oppositesOf(stem: string): readonly string[] {
  return CONTRARY.get(stem) ?? NOTHING;
}

/** Whether a word says how a switch stands. */
export function isState(stem: string): boolean {
  return STATE_STEMS.has(stem);
}

/** Marks that hang sentences together. A name that has any letter or digit is compared without them. */
const PUNCTUATION =
  /^[.,:;!?'"()[\]{}/\\|`_\-\u00ab\u00b7\u00bb\u2010-\u2015\u201c-\u201f\u2022\u2026\u3001\u3002\u300c\u300d]$/u;

export function isPunctuation({ kind, text }: Token): boolean {
  return kind === "symbol" && PUNCTUATION.test(text);
}

export function classOf(token: Token): WordClass {
  if (token.kind === "symbol") return "symbol";
  if (STOPS.has(token.text)) return "stop";
  return CLASSES.get(token.stem) ?? "content";
}

export function weightOf(token: Token, as: WordClass): number {
  return isPunctuation(token) ? 0 : SCORE_1[as];
}

/** Two tokens as one, in the forms in which that may be said; of a symbol or of none, nothing. */
export function joinedKeys(one: Token, next: Token | undefined): readonly string[] {
  if (next === undefined || one.kind === "symbol" || next.kind === "symbol") return NOTHING;
  const [stems, texts] = [one.stem + next.stem, one.text + next.text];
  return stems === texts ? [stems] : [stems, texts];
}

const HYPHEN = /^[-\u2010\u2011]$/u;

/** The tokens, with two words that are one as one token. */
export function joinPhrases(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [first, second, third] = tokens.slice(i, i + 3);
    if (first === undefined) break;
    const hyphen = second !== undefined && HYPHEN.test(second.text);
    const next = hyphen ? third : second;
    const stem = `${first.stem} ${next?.stem}`;
    if (next !== undefined && PHRASE_STEMS.has(stem)) {
      const mistyped = first.mistyped === true || next.mistyped === true ? { mistyped: true as const } : {};
      joined.push({
        kind: "word",
        text: `${first.text} ${next.text}`,
        stem,
        from: first.from,
        to: next.to,
        ...mistyped,
      });
      i += hyphen ? 2 : 1;
    } else joined.push(first);
  }
  return joined;
}
