import { structuredPatch } from "diff";
import { type Io, paint } from "./io.ts";
import { exactLines } from "./text.ts";

/** As many lines that went or came as are sought out one by one: what that costs grows with their square. */
export const EDITS_MAX = 1_000;
/** What their number times that of all lines may be: each of them may cost a walk over the texts. */
export const STEPS_MAX = 50_000_000;

const CONTEXT = 2;

/** A part of a difference as `diff -u` has it: each line begins with `-`, `+` or a blank, and has no line break. */
export type Hunk = { readonly oldStart: number; readonly newStart: number; readonly lines: readonly string[] };

/**
 * What leads from one text to the other, whole and exact. With more edits than are sought out it is one hunk: everything between the
 * first line and the last that differ went, and what stands there now came.
 */
export function differenceOf(before: string, after: string, stepsMax: number = STEPS_MAX): readonly Hunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const maxEditLength = Math.min(EDITS_MAX, Math.floor(stepsMax / Math.max(1, old.length + now.length)));
  const patch = structuredPatch("", "", before, after, "", "", { context: CONTEXT, maxEditLength });
  return patch === undefined ? [wholeHunk(old, now)] : patch.hunks;
}

/** Lines that went, and lines that came, with a few around them. Carriage returns and hidden characters are written out. */
export function printDifference(io: Io, before: string, after: string): void {
  for (const { oldStart, newStart, lines } of differenceOf(before, after)) {
    io.stdout.write(`${paint(io, "dim", `  @@ line ${oldStart}, now ${newStart}`)}\n`);
    for (const line of lines) {
      const shown = exactLines(line).join("");
      const style = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "dim";
      io.stdout.write(`  ${paint(io, style, shown)}\n`);
    }
  }
}

function wholeHunk(old: readonly string[], now: readonly string[]): Hunk {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const start = Math.max(0, head - CONTEXT);
  const end = old.length - tail;
  const lines = [
    ...shownAs(" ", old.slice(start, head)),
    ...shownAs("-", old.slice(head, end)),
    ...shownAs("+", now.slice(head, now.length - tail)),
    ...shownAs(" ", old.slice(end, end + CONTEXT)),
  ];
  return { oldStart: start + 1, newStart: start + 1, lines };
}

function shownAs(mark: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n") ? `${mark}${line.slice(0, -1)}` : [`${mark}${line}`, "\\ No newline at end of file"],
  );
}

/** Each with its line break. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
