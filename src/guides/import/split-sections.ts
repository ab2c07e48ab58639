import { isBlank } from "../../domain/hidden.ts";
import type { ByteOffsets } from "./byte-offsets.ts";
import { type Heading, scanMarkdown } from "./markdown.ts";

/** A range of a text that becomes one rule, in UTF-16 units, and the last of the headings that it begins with. */
export type Section = { readonly from: number; readonly to: number; readonly title: string };

/** Headings go no deeper. */
const LEVEL_MAX = 6;

/**
 * Splits what stands in `text` from `start` on into sections of at most `budgetBytes`, where its headings allow it: at the
 * headings of the first level, and where a section is still too long at those of the next. The sections are ranges that
 * follow one another from `start` to the end, so that no byte is lost. A heading with nothing below it but another heading
 * stays with that one. What has no more headings stays whole, however long it is. Linear but for the halving of look-ups.
 */
export function splitSections(
  text: string,
  start: number,
  { budgetBytes, bytesBefore }: { readonly budgetBytes: number; readonly bytesBefore: ByteOffsets },
): readonly Section[] {
  const whole = { from: start, to: text.length };
  const body = { text, headings: [], bytesBefore, budgetBytes };
  if (fits(body, whole)) return [{ ...whole, title: "" }];
  const { headings } = scanMarkdown(text, start);
  const divided = { ...body, headings };
  return settled(divided, whole).map((range) => ({ ...range, title: leading(divided, range).at(-1)?.title ?? "" }));
}

type Range = { readonly from: number; readonly to: number };

type Body = {
  readonly text: string;
  readonly headings: readonly Heading[];
  readonly bytesBefore: ByteOffsets;
  readonly budgetBytes: number;
};

/** What was kept together for the sake of a neighbour that then went its own way is split as it would be on its own. */
function settled(body: Body, range: Range): readonly Range[] {
  const ranges = split(body, range, 1);
  return ranges.length === 1 ? ranges : ranges.flatMap((one) => settled(body, one));
}

function split(body: Body, range: Range, level: number): readonly Range[] {
  if (level > LEVEL_MAX || fits(body, range)) return [range];
  const inside = body.headings.slice(indexFrom(body, range.from), indexFrom(body, range.to));
  const cuts = inside.flatMap((heading) => (heading.level === level && heading.from > range.from ? heading.from : []));
  // What cannot be seen is no section: it stays with the first heading.
  const isHidden = isBlank(body.text.slice(range.from, cuts[0] ?? range.from));
  const starts = [range.from, ...(isHidden ? cuts.slice(1) : cuts)];
  const pieces = starts.map((from, i) => ({ from, to: starts[i + 1] ?? range.to }));
  return joined(body, pieces).flatMap((piece) => split(body, piece, level + 1));
}

/** Pieces that say nothing of their own go to the one behind them, unless that one fits only without. */
function joined(body: Body, pieces: readonly Range[]): readonly Range[] {
  const kept: Range[] = [];
  let idle: Range | null = null;
  for (const piece of pieces) {
    let whole = piece;
    if (idle !== null) {
      const both = { from: idle.from, to: piece.to };
      if (fits(body, both) || !fits(body, piece)) whole = both;
      else kept.push(idle);
    }
    idle = saysNothing(body, piece) ? whole : null;
    if (idle === null) kept.push(whole);
  }
  return idle === null ? kept : [...kept, idle];
}

/** Nothing but headings and empty lines. */
function saysNothing(body: Body, range: Range): boolean {
  const from = leading(body, range).at(-1)?.to ?? range.from;
  return body.text.slice(from, range.to).trim() === "";
}

/** The headings that a range begins with, with nothing but empty lines before and between them. */
function leading(body: Body, { from, to }: Range): readonly Heading[] {
  const found: Heading[] = [];
  let at = from;
  for (let i = indexFrom(body, from); i < body.headings.length; i++) {
    const heading = body.headings[i];
    if (heading === undefined || heading.from >= to || body.text.slice(at, heading.from).trim() !== "") break;
    found.push(heading);
    at = heading.to;
  }
  return found;
}

/** The first heading at or behind a place, found by halves. */
function indexFrom({ headings }: Body, from: number): number {
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headings[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a range has so few bytes, without the white space behind it; what stands before it is never much. */
function fits({ text, bytesBefore, budgetBytes }: Body, { from, to }: Range): boolean {
  const before = bytesBefore(from);
  return bytesBefore(to) - before <= budgetBytes || bytesBefore(endOfText(text, from, to)) - before <= budgetBytes;
}

function endOfText(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && /\s/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
