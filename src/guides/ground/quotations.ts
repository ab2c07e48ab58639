import type { Token } from "./tokenise.ts";

const MARKS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["\u201c", "\u201d"],
  ["\u201e", "\u201c"],
  ["\u00ab", "\u00bb"],
  ["\u300c", "\u300d"],
  ["\u300e", "\u300f"],
  ["\u2039", "\u203a"],
  ["\u203a", "\u2039"],
  ["\u00bb", "\u00ab"],
  ["\u201d", "\u201d"],
  ["\u201f", "\u201d"],
  // In a text that was made visible the single marks that face each other are apostrophes.
  ["\u201a", "'"],
  ["\u201b", "'"],
  ["\u3008", "\u3009"],
  ["\u300a", "\u300b"],
  ["\u3010", "\u3011"],
  ["\u3014", "\u3015"],
  ["\u3016", "\u3017"],
  ["\u301d", "\u301e"],
  ["\u275d", "\u275e"],
]);
const LETTER = /[\p{L}\p{N}]/u;

/**
 * By token: the place of the quotation that it stands in, or -1. A mark inside of a word is an apostrophe, and one that is not
 * closed quotes nothing.
 */
export function quotationsOf(text: string, tokens: readonly Token[]): readonly number[] {
  const spans = spansOf(text);
  let span = 0;
  return tokens.map(({ from, to }) => {
    while (span < spans.length && (spans[span]?.to ?? 0) <= from) span += 1;
    const { from: start = 0, to: end = 0 } = spans[span] ?? {};
    return from >= start && to <= end && end > 0 ? span : -1;
  });
}

/** Without the marks around what is quoted. */
export function withoutMarks(text: string): string {
  const marks = new Set(spansOf(text).flatMap(({ from, to }) => [from - 1, to]));
  return text
    .split("")
    .map((unit, at) => (marks.has(at) ? " " : unit))
    .join("");
}

function spansOf(text: string): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  // Where a kind of mark closes no more, it is not looked for again: the time stays linear.
  const gone = new Set<string>();
  let at = 0;
  while (at < text.length) {
    const mark = text.charAt(at);
    const close = MARKS.get(mark);
    if (close === undefined || gone.has(mark) || LETTER.test(text.charAt(at - 1))) {
      at += 1;
      continue;
    }
    const end = endOf(text, at + 1, close);
    if (end === -1) gone.add(mark);
    else if (end > at + 1) spans.push({ from: at + 1, to: end });
    at = end === -1 ? at + 1 : end + 1;
  }
  return spans;
}

function endOf(text: string, from: number, close: string): number {
  let end = text.indexOf(close, from);
  while (end !== -1 && close === "'" && LETTER.test(text.charAt(end + 1))) end = text.indexOf(close, end + 1);
  return end;
}
