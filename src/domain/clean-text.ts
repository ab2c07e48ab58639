import { HIDDEN } from "./hidden.ts";
import { isPrintable, wellFormed } from "./text.ts";
import { utf8Length, utf8Prefix } from "./utf8.ts";

export type CleanText = {
  readonly text: string;
  /** Whether something was cut off at the bound. */
  readonly cut: boolean;
  /** Whether half a surrogate pair was replaced: no encoder can write one. */
  readonly mended: boolean;
};

/**
 * A text of an interface as a map keeps it: white space as a screen shows it, within a bound, and such that it can be recorded.
 * Nothing else is changed: what is hidden in it stays, since the interface has it.
 */
export function cleanText(text: string, bytesMax: number): CleanText {
  if (text.length * 3 <= bytesMax && isPrintable(text) && !text.includes("  ")) {
    return { text: text.trim(), cut: false, mended: false };
  }
  const formed = wellFormed(text);
  const even = formed.replace(WHITE_SPACE, " ").trim();
  const cut = utf8Length(even) > bytesMax;
  return { text: cut ? utf8Prefix(even, bytesMax).trimEnd() : even, cut, mended: formed !== text };
}

/** Not `\s`: that has the byte order mark and the line separator, which nobody sees. */
const WHITE_SPACE = /[ \t\n\v\f\r]+/g;

/** The hidden code points of a text as `U+202E`, each once, at most `max`. A joiner between emoji is seen. */
export function hiddenPoints(text: string, max: number): readonly string[] {
  if (isPrintable(text) || !HIDDEN.test(text)) return [];
  const found = new Set<string>();
  for (const { 0: point } of text.replace(JOINED_EMOJI, "").matchAll(EACH_HIDDEN)) {
    found.add(`U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
    if (found.size === max) break;
  }
  return [...found];
}

const EACH_HIDDEN = new RegExp(HIDDEN.source, "gu");
const JOINED_EMOJI = /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;
