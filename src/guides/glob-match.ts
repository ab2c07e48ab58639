/**
 * Runs a glob's program over a text: every place of the program that can be reached is held at once, so nothing is ever
 * tried again. A text of n characters costs at most n + 1 times the length of the program, whatever the pattern; and since
 * both are bounded, no match takes more than GLOB_STEPS_MAX steps (claim S9).
 */
import { unreachable } from "../domain/unreachable.ts";
import { GLOB_UNITS_MAX, type Glob, type Op } from "./glob.ts";

/** What an app, a profile or a file can be called. No system has longer paths. */
export const NAME_UNITS_MAX = 4_096;

/** A program has a place for each character of its pattern, and three more. */
export const GLOB_STEPS_MAX = (NAME_UNITS_MAX + 1) * (GLOB_UNITS_MAX + 3);

/**
 * Counts the steps of one match or of many. Beyond `max` no text is looked at to its end, and what was not looked at counts
 * as a match: a rule that is told too much is seen, and one that quietly is not told is not.
 */
export type Steps = { count: number; readonly max?: number };

export function isSpent({ count, max }: Steps): boolean {
  return max !== undefined && count > max;
}

/**
 * Whether a pattern matches a name, such as an app's or a profile's: the whole of it, and a slash is nothing special. The
 * name is composed (NFC).
 */
export function matchesName(glob: Glob, name: string, steps: Steps = { count: 0 }): boolean {
  return matches(glob, glob.nameStart, name, false, steps);
}

/**
 * Whether a pattern of `parsePathGlob` matches a path as `normalPath` leaves it. `*`, `?` and sets stop at a slash; a pattern
 * without a slash matches the last segment; one that ends in a slash matches what is in that folder. Case is something.
 */
export function matchesPath(glob: Glob, path: string, steps: Steps = { count: 0 }): boolean {
  return matches(glob, glob.pathStart, path, true, steps);
}

const SLASH = 0x2f;

type Machine = {
  readonly ops: readonly Op[];
  readonly path: boolean;
  /** For each place of the program, the last position of the text at which it was reached. */
  readonly reached: Int32Array;
  readonly steps: Steps;
};

function matches({ head, ops, tail }: Glob, start: number, text: string, path: boolean, steps: Steps): boolean {
  // guideTask refuses such a task. Here it would be a matcher that quietly does not fire, or one that takes its time.
  if (text.length > NAME_UNITS_MAX) throw new RangeError(`a name or path of ${text.length} units is not matched`);
  steps.count += 1;
  if (!text.endsWith(tail)) return false;
  // A program that begins behind its first place begins with the head, or with what follows the lead of a path in it.
  if (start > 0 && !text.startsWith(head.slice(start - 1))) return false;
  const machine: Machine = { ops, path, reached: new Int32Array(ops.length).fill(-1), steps };
  let [here, next]: [number[], number[]] = [[], []];
  reach(machine, start, 0, path, here);
  for (let i = 0; i < text.length && here.length > 0; ) {
    if (isSpent(steps)) return true;
    const point = text.codePointAt(i) ?? 0;
    i += point > 0xffff ? 2 : 1;
    const folderStart = point === SLASH;
    for (let k = 0; k < here.length; k++) {
      const at = here[k] ?? 0;
      const op = ops[at];
      if (op === undefined || !takes(op, point, path)) continue;
      const stays = op.op === "run" || op.op === "cross" || op.op === "folders" || op.op === "below";
      reach(machine, stays ? at : at + 1, i, folderStart, next);
    }
    [here, next] = [next, here];
    next.length = 0;
  }
  return here.some((at) => ops[at]?.op === "end");
}

/**
 * Adds a place, and those that are reached from it without a character of the text. `folderStart`: whether a segment of
 * the text begins here. A place is added once for each position, so this and the loop above are bounded together.
 */
function reach(machine: Machine, start: number, position: number, folderStart: boolean, into: number[]): void {
  const { ops, path, reached, steps } = machine;
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const op = ops[at];
    if (op === undefined || reached[at] === position) continue;
    reached[at] = position;
    steps.count += 1;
    switch (op.op) {
      case "split":
        open.push(...op.to);
        break;
      case "jump":
        open.push(op.to);
        break;
      case "run":
      case "cross":
        into.push(at);
        open.push(at + 1);
        break;
      case "folders":
        into.push(at);
        if (folderStart) open.push(at + 1);
        break;
      case "below":
        if (path) into.push(at);
        open.push(at + 1);
        break;
      case "char":
      case "one":
      case "set":
      case "end":
        into.push(at);
        break;
      default:
        unreachable(op);
    }
  }
}

function takes(op: Op, point: number, path: boolean): boolean {
  switch (op.op) {
    case "char":
      return point === op.point;
    case "one":
    case "run":
      return !path || point !== SLASH;
    case "set":
      return (!path || point !== SLASH) && op.ranges.some(([from, to]) => from <= point && point <= to) !== op.not;
    case "cross":
    case "folders":
    case "below":
      return true;
    case "split":
    case "jump":
    case "end":
      return false;
    default:
      return unreachable(op);
  }
}
