/** What an order is done to: the direct object of its verb, and not any name that happens to stand in the clause. */
import { JOINS_AFTER, JOINS_BEFORE, literal, tidy } from "./names.ts";
import { withoutQuotes } from "./sentences.ts";

/** Stands for what a rule asks after, once it was found in a clause: one character, so that its own words are no grammar. */
export const MARK = "◆";
const OTHER = "◇";
/** A request that holds one of the marks itself is not read. */
export const MARKS = /[◆◇●]/;

/** Puts the mark in place of each whole occurrence of a value, with the quotes around it. */
export function marked(text: string, value: string, isCased = false): string {
  const wanted = tidy(value);
  if (wanted === "") return text;
  const form = new RegExp(`["'“‘]${literal(wanted)}["'”’](?![\\p{L}])|${literal(wanted)}`, isCased ? "gu" : "giu");
  return text.replace(form, (match, at: number) => {
    const isWhole = !JOINS_BEFORE.test(text.slice(0, at)) && !JOINS_AFTER.test(text.slice(at + match.length));
    return isWhole ? MARK : match;
  });
}

const STOP =
  /(?<![\p{L}\p{N}])(?:to|from|in|on|at|with|for|into|onto|of|by|about|as|via|off|out|until|between|during|through|over|under|that|which|who|whose|where|because|since|saying|asking|telling|containing|so|using|based|together|accordingly|there|titled|starting|beginning)(?![\p{L}\p{N}])|[:;.!?](?=\s|$)|\(/iu;

export type Phrases = { readonly object: string; readonly tail: string };

/** What follows the verb up to the first preposition, conjunction or mark, and the rest. Other quotes count as names. */
export function phrasesOf(verb: string, clause: string): Phrases {
  const after = withoutQuotes(clause.slice(verb.length), OTHER).replace(
    /(?<![\p{L}])with (?:the )?(?:subject|title|name)(?: line)?(?![\p{L}])/giu,
    "called",
  );
  const stop = STOP.exec(after)?.index ?? after.length;
  return { object: after.slice(0, stop).trim(), tail: after.slice(stop).trim() };
}

const AROUND =
  "the|a|an|my|our|your|his|her|their|this|that|these|those|all|both|and|also|new|old|entire|whole|existing|following|upcoming|next|scheduled|planned|" +
  "called|named|titled|entitled|please|now|again|right|away|immediately|back|just|long|whole";

/** What may stand behind a name and say what it is; any other noun there makes it the name of something else. */
const KIND = /^(?:event|appointment|entry|file|document|user|member|channel|mail|e-?mail|hotel|restaurant|company)s?$/i;

function isAnother(phrase: string): boolean {
  const [, ...behind] = phrase.split(MARK);
  return behind.some((words) => {
    const [next = ""] = words.trim().split(/[\s,]+/);
    return /^ /.test(words) && /^\p{Ll}/u.test(next) && !KIND.test(next) && !new RegExp(`^(?:${AROUND})$`).test(next);
  });
}

/**
 * Whether a phrase is made of the mark and of names beside it, and else only of articles and of the words that say what
 * kind of thing it is: "the file MARK", "MARK and b.docx"; not "the second paragraph", not "MARK's owner".
 */
export function isOnly(phrase: string, nouns: readonly string[]): boolean {
  return phrase.includes(MARK) && !isAnother(phrase) && restOf(phrase, nouns, false) === "";
}

/** Whether a phrase is the mark and nothing else is named beside it. */
export function isSole(phrase: string, nouns: readonly string[]): boolean {
  return phrase.split(MARK).length === 2 && !isAnother(phrase) && restOf(phrase, nouns, true) === "";
}

/** The words of a phrase that are neither the mark, nor a name, nor an article, nor one of the nouns. */
export function restOf(phrase: string, nouns: readonly string[], isStrict: boolean): string {
  const known = new RegExp(`^(?:${[AROUND, ...nouns.map(literal)].join("|")})$`, "iu");
  return phrase
    .replaceAll(MARK, ` ${MARK} `)
    .split(/[\s,]+/)
    .filter((word) => {
      if (word === "" || word === MARK || known.test(word)) return false;
      if (/['’]s$/u.test(word) || word.startsWith("'")) return true;
      return isStrict || !(word.includes(OTHER) || /[@.\d_#]/.test(word) || /^\p{Lu}/u.test(word));
    })
    .join(" ");
}
