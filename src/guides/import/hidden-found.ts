import { HIDDEN } from "../../domain/hidden.ts";

/** What makes an emoji is seen: joiners between emoji, the selector behind one, keycaps. */
const EMOJI_PART = [
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})`,
].join("|");
const CONTROL = String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\r(?!\n)`;
const SCAN = new RegExp(
  `(?:${EMOJI_PART})|(?<hidden>${HIDDEN.source}|${CONTROL}|\\p{Default_Ignorable_Code_Point})`,
  "gu",
);
/** Most text is printable ASCII and line breaks. */
const SUSPECT = /[^\t\n\r -~]|\r(?!\n)/;

/**
 * The code points of a text that cannot be seen, each with how often it is there: `U+200B (2)`. The verification of the rule will
 * refuse them one by one, with their places.
 */
export function hiddenFound(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const match of SUSPECT.test(text) ? text.matchAll(SCAN) : []) {
    const hidden = match.groups?.hidden;
    if (hidden === undefined) continue;
    const point = `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    counts.set(point, (counts.get(point) ?? 0) + 1);
  }
  return [...counts].map(([point, count]) => `${point} (${count})`);
}
