import { type Io, paint, type Style, widthOf } from "./io.ts";
import { unglued } from "./print-row.ts";
import { columnsOf, exactLines, wrap, wrapParts } from "./text.ts";

const INDENT = "  ";

/** The head of a section: what it holds, and what there is to say of it. */
export function printHead(io: Io, what: string, facts: readonly string[] = [], style: Style = "bold"): void {
  const lines = headLines(what, facts, widthOf(io) - 2 * INDENT.length);
  lines.forEach((line, i) => {
    const bold = i === 0 ? what.length : 0;
    const indent = i === 0 ? INDENT : INDENT.repeat(2);
    const rest = unglued(line.slice(bold));
    io.stdout.write(`${indent}${paint(io, style, line.slice(0, bold))}${rest}\n`);
  });
}

/** Broken between facts; in the middle of one only where it would stand alone under its head, or fits no line. */
function headLines(what: string, facts: readonly string[], room: number): readonly string[] {
  const whole = [what, ...facts].join(" · ");
  if (!Number.isFinite(room)) return [whole];
  const parts = [[what, ...facts.slice(0, 1)].join(" · "), ...facts.slice(1)];
  if (parts.every((part) => columnsOf(part) <= room)) return wrapParts(parts, room);
  return wrap(whole, room, !WHOLE_DIGEST.test(whole));
}

/** A digest that is shown whole is there to be compared and copied: where it fits no line, the terminal breaks it. */
const WHOLE_DIGEST = / [0-9a-f]{64}$/;

/**
 * A text whose every byte counts, whole, in a frame of its own: each of its lines begins with a bar, so that nothing in it
 * can pass for a line of ours. A line that the terminal's width breaks goes on behind a broken bar.
 */
export function printFramed(io: Io, text: string): void {
  const room = widthOf(io) - INDENT.length - 2;
  for (const line of exactLines(text)) {
    const pieces = Number.isFinite(room) ? wrap(line, room) : [line];
    pieces.forEach((piece, i) => {
      io.stdout.write(`${INDENT}${paint(io, "dim", i === 0 ? "│" : "┊")}${piece === "" ? "" : ` ${piece}`}\n`);
    });
  }
}
