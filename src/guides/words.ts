/**
 * The words of a text: what task matchers are made of, and what a task is read as (design 7.1).
 *
 * NFKC, lower-cased; a word is a maximal run of letters, marks and digits. Scripts that are written without spaces have no
 * such borders: there a run is a stretch of text, and a word of theirs occurs wherever it stands in one. One pass over the
 * text and no pattern that can go back, so reading is linear whatever the text.
 */
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";

/** What a matcher's word begins with is all that counts: `refund*` occurs in `refunded`. */
export const BEGINNING = "*";

/** A maximal run of one kind of text. */
export type Run = { readonly text: string; readonly spaced: boolean };

/** The runs of a text in their order, as they are compared. */
export function runsOf(text: string): readonly Run[] {
  return read(folded(text));
}

/**
 * The words of a phrase, each of which has to occur in a task for the phrase to. A word that ends in `*` is a beginning.
 * Codes: `no_word`, `star_without_word`.
 */
export function parsePhrase(phrase: string): Parsed<readonly string[]> {
  const text = folded(phrase);
  const runs = read(text);
  let stars = 0;
  const said = new Set<string>();
  for (const [i, { text: word, spaced, to }] of runs.entries()) {
    const star = text[to] === BEGINNING;
    if (star && runs[i + 1]?.from === to + 1) {
      return unparsed("star_without_word", `a * ends a word, and cannot stand inside one: ${quote(phrase)}`);
    }
    if (star) stars += 1;
    // A stretch of a script without spaces is found wherever it stands, so its star says nothing more.
    said.add(star && spaced ? word + BEGINNING : word);
  }
  if (text.split(BEGINNING).length - 1 !== stars) {
    return unparsed("star_without_word", `a * ends a word, and there is none before it: ${quote(phrase)}`);
  }
  if (said.size === 0) return unparsed("no_word", `there is no word in ${quote(phrase)}`);
  return parsed([...said]);
}

/** One word, for a matcher that counts words. Codes: those of `parsePhrase`, and `several_words`. */
export function parseWord(text: string): Parsed<string> {
  const words = parsePhrase(text);
  if (!words.ok) return words;
  const [word = "", ...more] = words.value;
  if (more.length === 0) return parsed(word);
  return unparsed("several_words", `${quote(text)} is ${more.length + 1} words: ${words.value.join(", ")}`);
}

/** Whether a code point belongs to a script that is written without spaces. */
export function isUnspaced(point: number): boolean {
  return kindOf(point) === UNSPACED;
}

/**
 * Compatibility forms are one, case is none. Composed again after lower-casing, since that takes some letters apart, and
 * with one sigma, since a lower-cased word has another at its end: so what is folded twice is what is folded once.
 */
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}

type Placed = Run & { readonly from: number; readonly to: number };

function read(text: string): readonly Placed[] {
  const runs: Placed[] = [];
  let [from, kind]: [number, number] = [0, OTHER];
  const close = (to: number): void => {
    if (kind !== OTHER) runs.push({ text: text.slice(from, to), spaced: kind === SPACED, from, to });
  };
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i) ?? 0;
    const own = kindOf(point);
    // An accent belongs to what it stands on.
    const here = own === MARK ? (kind === OTHER ? SPACED : kind) : own;
    if (here !== kind) {
      close(i);
      [from, kind] = [i, here];
    }
    i += point > 0xffff ? 2 : 1;
  }
  close(text.length);
  return runs;
}

const OTHER = 1;
const SPACED = 2;
const UNSPACED = 3;
const MARK = 4;

const IN_A_WORD = /^[\p{L}\p{M}\p{N}]/u;
const WITHOUT_SPACES =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** What the two patterns said of each code point of the basic plane that was asked for; 0: not asked yet. */
const KNOWN = new Uint8Array(0x10000);

function kindOf(point: number): number {
  const known = KNOWN[point];
  if (known !== undefined && known !== 0) return known;
  const text = String.fromCodePoint(point);
  const kind = !IN_A_WORD.test(text)
    ? OTHER
    : WITHOUT_SPACES.test(text)
      ? UNSPACED
      : /^\p{M}/u.test(text)
        ? MARK
        : SPACED;
  if (point < KNOWN.length) KNOWN[point] = kind;
  return kind;
}

/** For a message: long enough to be found, and no longer. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}
