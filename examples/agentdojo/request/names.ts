/** Whether a text of the operator's names a value. */

/**
 * Whether a text names a value: as it stands, whole, whatever its case. What follows or precedes it must not make it a
 * part of something longer: "a@b.example" is not named by "aa@b.example", nor "report.docx" by "old-report.docx".
 */
export function names(text: string, value: string): boolean {
  const wanted = tidy(value).toLowerCase();
  if (wanted === "" || UNSEEN.test(wanted)) return false;
  const within = text.toLowerCase();
  // What ends as a sentence does is a whole only in quotes: else that end is the sentence's.
  if (/[.,;:!?]$/.test(wanted)) return new RegExp(`["'“‘]${literal(wanted)}["'”’]`, "u").test(within);
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    if (!JOINS_BEFORE.test(within.slice(0, at)) && !JOINS_AFTER.test(within.slice(at + wanted.length))) return true;
  }
  return false;
}

/** Whether a text holds one of the words, or of the phrases, as such. */
export function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => names(text, word));
}

/** One spelling of white space and of composed letters; nothing else is folded. */
export function tidy(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\S\n]+/g, " ")
    .trim();
}

/** A text as a regular expression that finds it. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Format characters, private use and unassigned: nobody sees them, so nobody asked for them. */
export const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]/u;

export const JOINS_BEFORE = /[\p{L}\p{N}_@+\-/%.&=#~]$/u;
export const JOINS_AFTER = /^(?:[\p{L}\p{N}_@+\-/%&=#~]|[.:][\p{L}\p{N}])/u;
