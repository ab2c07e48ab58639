import { type Io, paint, type Style, widthOf } from "./io.ts";
import { columnsOf, pad, wrap, wrapParts } from "./text.ts";

/** One line of a run's table: which turn, what kind of reply, what was proposed, the verdict, and what there is to say. */
export type Line = {
  /** null leaves the column empty: a further row of the same turn. */
  readonly turn: number | null;
  readonly kind: string;
  readonly what: string;
  readonly verdict: string;
  readonly style: Style;
  readonly rest: readonly string[];
};

const VERDICT_COLUMNS = 11;
/** Below this a row is written in two storeys: the verdict stands under what it is about. */
const TABLE_COLUMNS_MIN = 92;
const PLAIN_WHAT_COLUMNS = 72;
export const HEAD_COLUMNS = 15;

/** `  3  action    `: the turn and the kind of reply. */
export function headOf(turn: number | null, kind: string): string {
  return pad(`${(turn === null ? "" : String(turn)).padStart(3)}  ${kind}`, HEAD_COLUMNS - 1).concat(" ");
}

export function printLine(io: Io, line: Line): void {
  const head = headOf(line.turn, line.kind);
  const width = widthOf(io);
  const verdict = paint(io, line.style, line.verdict);
  const beside = " ".repeat(Math.max(1, VERDICT_COLUMNS - columnsOf(line.verdict)));
  if (!Number.isFinite(width)) {
    io.stdout.write(
      `${head}${pad(unglued(line.what), PLAIN_WHAT_COLUMNS)}  ${verdict}${beside}${line.rest.join(" · ")}\n`,
    );
    return;
  }
  const under = " ".repeat(HEAD_COLUMNS);
  const whatIn = (columns: number): readonly string[] => wrap(line.what, columns).map(unglued);
  if (width < TABLE_COLUMNS_MIN) {
    const rest = wrapParts(line.rest, width - HEAD_COLUMNS - VERDICT_COLUMNS);
    whatIn(width - HEAD_COLUMNS).forEach((text, i) => {
      io.stdout.write(`${i === 0 ? head : under}${text}\n`);
    });
    io.stdout.write(`${under}${verdict}${rest[0] === undefined ? "" : beside + rest[0]}\n`);
    for (const text of rest.slice(1)) io.stdout.write(`${under}${" ".repeat(VERDICT_COLUMNS)}${text}\n`);
    return;
  }
  const room = width - HEAD_COLUMNS - VERDICT_COLUMNS - 2;
  const left = Math.min(64, Math.floor(room / 2));
  const what = whatIn(left);
  const rest = wrapParts(line.rest, room - left);
  for (let i = 0; i < Math.max(what.length, rest.length); i += 1) {
    const cell = pad(what[i] ?? "", left);
    const middle = i === 0 ? verdict + beside : " ".repeat(VERDICT_COLUMNS);
    io.stdout.write(`${`${i === 0 ? head : under}${cell}  ${middle}${rest[i] ?? ""}`.trimEnd()}\n`);
  }
}

/** Glue is a space, once the lines are broken. */
export function unglued(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

/** What the model says to the operator: all of it, under its head, with its own line breaks. */
export function printSaid(io: Io, turn: number | null, kind: string, lines: readonly string[], style: Style): void {
  const room = widthOf(io) - HEAD_COLUMNS;
  lines
    .flatMap((line) => (Number.isFinite(room) ? wrap(line, room) : [line]))
    .forEach((line, i) => {
      const head = i === 0 ? headOf(turn, kind) : " ".repeat(HEAD_COLUMNS);
      io.stdout.write(`${`${head}${paint(io, style, line)}`.trimEnd()}\n`);
    });
}

/** A note in the margin of a run. */
export function printNote(io: Io, text: string, style: Style): void {
  const width = widthOf(io);
  const lines = Number.isFinite(width) ? wrap(text, width - 2) : [text];
  for (const line of lines) io.stdout.write(`  ${paint(io, style, line)}\n`);
}

/** A command to be copied: one line, whatever the width, since a line break of ours would be another command. */
export function printCommand(io: Io, command: string, style: Style): void {
  io.stdout.write(`  ${paint(io, style, command)}\n`);
}

/** A line that belongs to the one above it, further in; broken, it stays there. */
export function printUnder(io: Io, text: string, style: Style): void {
  const width = widthOf(io);
  const lines = Number.isFinite(width) ? wrap(text, width - UNDER.length) : [text];
  for (const line of lines) io.stdout.write(`${UNDER}${paint(io, style, unglued(line))}\n`);
}

const UNDER = "    ";
