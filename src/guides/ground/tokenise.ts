/** Texts into tokens, names of controls and intents alike: where `score/1` begins. */
import { HIDDEN } from "../../domain/hidden.ts";
import { WHOLE } from "./words.ts";

export type Token = {
  /** `pair`: two characters that stand together, in a script that leaves no space between words. */
  readonly kind: "word" | "number" | "pair" | "symbol";
  /** Case folded. */
  readonly text: string;
  /** What is compared: the text without the endings of English. */
  readonly stem: string;
  /** Where it stands in the text that was tokenised. */
  readonly from: number;
  readonly to: number;
  /** It is not what was said, but what was probably meant. */
  readonly mistyped?: true;
};

const BREAKS = /[\u0085\u2028\u2029]/g;
const UNSEEN = new RegExp(`${HIDDEN.source}|[\\0-\\x08\\x0e-\\x1f]|\\p{Co}|\\p{Cs}`, "gu");
const SPACELESS =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u30fc";
const LETTER = `(?![${SPACELESS}])\\p{L}`;
const TOKEN = new RegExp(
  `(?<spaceless>[${SPACELESS}][${SPACELESS}\\p{M}]*)|(?<word>${LETTER}(?:${LETTER}|\\p{M})*)|(?<number>\\p{N}+)|[^\\s\\p{M}]`,
  "gu",
);
/** `camelCase` and `HTTPServer`, and not `GIFs`. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u;

/**
 * A text as it is compared: composed and in compatible characters (NFKC), without what nobody sees (hidden characters, private
 * use such as the glyphs of icon fonts, lone surrogates), apostrophes as one, white space as single spaces. The case stays.
 */
export function visible(text: string): string {
  return text
    .replace(BREAKS, " ")
    .replace(UNSEEN, "")
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Without case, the same everywhere: no locale has a say. */
export function fold(text: string): string {
  return text.toUpperCase().toLowerCase().normalize("NFKC");
}

/** The tokens of a text that `visible` gave, in its order. */
export function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index, groups } of text.matchAll(TOKEN)) {
    if (groups?.spaceless !== undefined) addPairs(found, index, tokens);
    else if (groups?.word !== undefined) addWords(found, index, tokens);
    else {
      const folded = fold(found);
      const kind = groups?.number === undefined ? "symbol" : "number";
      tokens.push({ kind, text: folded, stem: folded, from: index, to: index + found.length });
    }
  }
  return withoutApostrophes(tokens);
}

function addPairs(run: string, at: number, tokens: Token[]): void {
  const characters = [...run];
  let from = at;
  for (let i = 0; i < Math.max(1, characters.length - 1); i++) {
    const pair = (characters[i] ?? "") + (characters[i + 1] ?? "");
    const text = fold(pair);
    tokens.push({ kind: "pair", text, stem: text, from, to: from + pair.length });
    from += characters[i]?.length ?? 0;
  }
}

function addWords(run: string, at: number, tokens: Token[]): void {
  let from = at;
  for (const part of run.split(HUMP)) {
    const text = fold(part);
    tokens.push({ kind: "word", text, stem: stemOf(text), from, to: from + part.length });
    from += part.length;
  }
}

/** `Bob's` is Bob, and `don't` one word. */
function withoutApostrophes(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [word, mark, end] = tokens.slice(i, i + 3);
    if (word === undefined) break;
    const joined = mark?.text === "'" && word.kind === "word" && mark.from === word.to && end?.from === mark.to;
    if (joined && end.text === "s") {
      kept.push(word);
      i += 2;
    } else if (joined && end.text === "t" && word.text.endsWith("n")) {
      kept.push({ ...word, text: `${word.text}t`, stem: `${word.text}t`, to: end.to });
      i += 2;
    } else kept.push(word);
  }
  return kept;
}

const WHOLES: ReadonlySet<string> = new Set(WHOLE);

/** A word of basic Latin letters without plural, `-ing`, `-ed` and a last `-e`. Any other word stays as it is. */
export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word) || WHOLES.has(word)) return word;
  const one = withoutForm(singular(word));
  return one.length > 4 && one.endsWith("e") ? one.slice(0, -1) : one;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

/** At least four letters are left, one of them a vowel: `sort` of `sorting`, and `string` and `setting` stay. */
function withoutForm(word: string): string {
  const bare = /^(.{4,})(?:ing|ed)$/.exec(word)?.[1];
  if (bare === undefined || !/[aeiouy]/.test(bare)) return word;
  if (!/([bdgmnprt])\1$/.test(bare)) return bare;
  return bare.length > 4 ? bare.slice(0, -1) : word;
}
