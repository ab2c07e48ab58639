/**
 * Characters of a rule that a reviewer does not see and a model does. What is approved is bytes, and a person approves them
 * by reading them: so nothing may stand there that does not show (claim S12).
 *
 * That is HIDDEN, everything that Unicode calls default-ignorable, and the controls, except tab, line feed, and carriage
 * return before a line feed. What makes an emoji is seen and allowed: joiners between emoji, one selector after an emoji,
 * keycaps, and the three flags that are written with tags. Joiners inside words are refused in every script, also where
 * Persian and the scripts of India use them properly: a reader cannot tell such a word from the same word without.
 */
import { HIDDEN } from "../domain/hidden.ts";
import { nameOfPoint } from "./point-names.ts";

/** Hidden characters that stand side by side. `at`: where they begin, in UTF-16 units. */
export type HiddenRun = { readonly at: number; readonly message: string };

const TAG_FLAG = ["gbeng", "gbsct", "gbwls"]
  .map((region) => [...region].map((letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join(""))
  .join("|");
const EMOJI = String.raw`(?=\p{Emoji})\p{Extended_Pictographic}`;
/** What cannot be seen and may stand there. Each is told by its neighbours alone, so that no text can make it take long. */
const PART_OF_EMOJI = [
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=${EMOJI})[\ufe0e\ufe0f]`,
  String.raw`(?<=${EMOJI}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=${EMOJI})`,
  String.raw`\u{1f3f4}(?:${TAG_FLAG})\u{e007f}`,
].join("|");
const CONTROL = String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f]|\r(?!\n)`;
const SCAN = new RegExp(
  `(?:${PART_OF_EMOJI})|(?<hidden>${HIDDEN.source}|${CONTROL}|\\p{Default_Ignorable_Code_Point})`,
  "gu",
);
/** Most text is printable ASCII and line breaks, which needs no closer look. */
const SUSPECT = /[^\t\n\r -~]|\r(?!\n)/;

/** The hidden runs of a text, at most `max` of them, and how many more there are. */
export function hiddenRuns(text: string, max: number): { readonly runs: readonly HiddenRun[]; readonly more: number } {
  const spans: { readonly from: number; to: number }[] = [];
  let more = 0;
  let end = -1;
  for (const match of SUSPECT.test(text) ? text.matchAll(SCAN) : []) {
    const hidden = match.groups?.hidden;
    if (hidden === undefined) continue;
    const last = spans.at(-1);
    const goesOn = match.index === end;
    end = match.index + hidden.length;
    if (goesOn && more === 0 && last !== undefined) last.to = end;
    else if (!goesOn && spans.length < max) spans.push({ from: match.index, to: end });
    else if (!goesOn) more += 1;
  }
  return {
    runs: spans.map(({ from, to }) => ({ at: from, message: describe(text.slice(from, to), from === 0) })),
    more,
  };
}

/** Kinds of points that one message names; a run may have millions. */
const NAMED_MAX = 4;

function describe(run: string, atStart: boolean): string {
  // A run is looked at as far as a message can tell of it.
  const points = [...run.slice(0, 4_096)].map((character) => character.codePointAt(0) ?? 0);
  const kinds = [...new Set(points.map(nameOfPoint))];
  const named = `${kinds.slice(0, NAMED_MAX).join(", ")}${kinds.length > NAMED_MAX ? ", ..." : ""}`;
  if (run === "\ufeff" && atStart) return `${named} at the start of the file: save it as UTF-8 without one`;
  const what = points.length === 1 ? `${named} cannot be seen` : `characters that cannot be seen: ${named}`;
  return `${what}${payload(points)}; take ${points.length === 1 ? "it" : "them"} out${advice(points)}`;
}

function advice(points: readonly number[]): string {
  if (points.some((point) => point === 0x200c || point === 0x200d)) {
    return " (also where a script uses it inside words: a reader cannot tell such a word from one without it)";
  }
  if (points.includes(0x0d)) return " (a carriage return stands before a line feed, or not at all)";
  return "";
}

/** Characters of a payload that a message repeats. */
const PAYLOAD_MAX = 200;

/** What tag characters spell, or what the selectors after a character carry as bytes. */
function payload(points: readonly number[]): string {
  const tags = points.filter((point) => point >= 0xe0020 && point <= 0xe007e);
  if (tags.length > 0) return `, which spell ${repeated(tags.map((point) => point - 0xe0000))} in tags`;
  const bytes = points.map(selectorByte).filter((byte) => byte !== null);
  const isText = bytes.length > 1 && bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
  return isText ? `, which carry the bytes ${repeated(bytes)}` : "";
}

function selectorByte(point: number): number | null {
  if (point >= 0xfe00 && point <= 0xfe0f) return point - 0xfe00;
  return point >= 0xe0100 && point <= 0xe01ef ? point - 0xe0100 + 16 : null;
}

function repeated(printable: readonly number[]): string {
  const text = JSON.stringify(String.fromCharCode(...printable.slice(0, PAYLOAD_MAX)));
  return printable.length > PAYLOAD_MAX ? `${text} and more` : text;
}
