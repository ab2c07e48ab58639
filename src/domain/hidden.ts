import { isPrintable } from "./text.ts";

/**
 * Characters that nobody sees, or that change how their neighbours are seen: C1 controls and DEL, soft hyphen, zero width,
 * bidi controls, line and paragraph separator, Mongolian selectors, fillers, annotations, byte order mark, tags, the variation
 * selectors of the supplement; and the few that Unicode counts among letters and signs and that have no shape: the empty
 * cell of Braille, the empty notehead, and what joins hieroglyphs. The one list, for prompts, ledger lines and screens. The C0 controls are not in
 * it: JSON escapes them, and each place has its own way with line breaks and tabs.
 */
export const HIDDEN =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{13430}-\u{1343f}\u{1d159}\u{e0000}-\u{e01ef}]|[\u180b-\u180f]/u;
const HIDDEN_ALL = new RegExp(HIDDEN.source, "gu");

/** The text with every such character written out, as JSON would escape it: `\\u202e`. */
export function escapeHidden(text: string): string {
  return !isPrintable(text) && HIDDEN.test(text) ? text.replace(HIDDEN_ALL, escaped) : text;
}

/** Whether there is nothing to be seen in a text. */
export function isBlank(text: string): boolean {
  // One character that shows is enough, and most text begins with one.
  return !/[!-~]/.test(text) && text.replace(HIDDEN_ALL, "").trim() === "";
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}
