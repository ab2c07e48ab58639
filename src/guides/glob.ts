/**
 * Globs, read into a small program that src/guides/glob-match.ts runs (design 7.1).
 *
 * `*` any run, `**` any run, slashes too, `**` and a slash any number of whole folders, `?` one character, `[a-z]` `[!a]`
 * one of these or none of these, `{a,b}` one of several, nested too. Everything else stands for itself, `+ ( ) $ .` among
 * it, and in a name `\`, which in a path is `/`. What is malformed or over a bound is an error: a matcher that quietly never
 * fires is a rule that was never written.
 */
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { normalGlob } from "./normal-path.ts";

export const GLOB_UNITS_MAX = 512;
/** Of all braces of a pattern together. */
export const GLOB_ALTERNATIVES_MAX = 128;
/** Braces within braces. */
export const GLOB_DEPTH_MAX = 8;

/** A step of the program. `char`, `one`, `set`, `run`, `cross`, `folders` and `below` look at a character of the text. */
export type Op =
  | { readonly op: "char"; readonly point: number }
  | { readonly op: "one" }
  | { readonly op: "set"; readonly not: boolean; readonly ranges: readonly (readonly [from: number, to: number])[] }
  | { readonly op: "run" }
  | { readonly op: "cross" }
  /** `**` and a slash: any number of whole folders, none included. */
  | { readonly op: "folders" }
  /** After a slash at the pattern's end: everything in that folder. Of a path only. */
  | { readonly op: "below" }
  | { readonly op: "split"; readonly to: readonly number[] }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "end" };

export type Glob = {
  readonly text: string;
  readonly ops: readonly Op[];
  /** Where the program begins for a name, and for a path. */
  readonly nameStart: number;
  readonly pathStart: number;
  /** What every name that it matches begins with, and every text ends with: most do not, and are told by this alone. */
  readonly head: string;
  readonly tail: string;
};

/**
 * Reads a pattern over paths, in the form that paths have (normal-path.ts). Codes: those of `parseGlob`, `glob_loose_part`,
 * `glob_never`.
 */
export function parsePathGlob(text: string): Parsed<Glob> {
  // As it is written first: what is malformed must not be taken out with the folder that it stands in.
  const written = parseGlob(text);
  if (!written.ok) return written;
  const normal = normalGlob(text);
  if (normal === null) {
    return unparsed(
      "glob_loose_part",
      "a `.`, a `..` or an empty folder that no path has stands in its braces or behind `**`: write the folders out",
    );
  }
  const read = parseGlob(normal);
  if (!read.ok && read.why.code === "glob_empty") {
    return unparsed("glob_empty", `${JSON.stringify(text)} names no file and no folder`);
  }
  if (!read.ok || !read.value.ops.some(isSlashAlone)) return read;
  return unparsed("glob_never", "no name has a slash in it, so a set of nothing but slashes never matches");
}

function isSlashAlone(op: Op): boolean {
  return op.op === "set" && !op.not && op.ranges.every(([from, to]) => from === to && from === SLASH);
}

const SLASH = 0x2f;

/**
 * Reads a pattern over names. Codes: `glob_empty`, `glob_too_long`, `glob_too_many_alternatives`, `glob_too_deep`,
 * `glob_unclosed`, `glob_unopened`, `glob_empty_braces`, `glob_bad_range`.
 */
export function parseGlob(given: string): Parsed<Glob> {
  if (given === "") return unparsed("glob_empty", "a glob without a character matches nothing");
  // Composed, as what it is held against; a few characters become more of them.
  const text = given.length > GLOB_UNITS_MAX ? given : given.normalize("NFC");
  if (text.length > GLOB_UNITS_MAX) {
    return unparsed("glob_too_long", `a glob has at most ${GLOB_UNITS_MAX} characters, and this one ${text.length}`);
  }
  const lead = /^(?:\.?\/)+/.exec(text)?.[0].length ?? 0;
  if (lead === text.length)
    return unparsed("glob_empty", `there is nothing after the slash of ${JSON.stringify(text)}`);
  const reader: Reader = { points: [...text], at: 0, ops: [{ op: "folders" }], alternatives: 0 };
  const why = readSequence(reader, 0);
  if (why !== null) return why;
  if (text.endsWith("/")) reader.ops.push({ op: "below" });
  reader.ops.push({ op: "end" });
  const special = Math.max(...["*", "?", "]", "}", "/"].map((sign) => text.lastIndexOf(sign)));
  return parsed({
    text,
    ops: reader.ops,
    nameStart: 1,
    // A pattern without a slash is about the last segment, wherever it is: as if `**/` stood before it.
    pathStart: text.includes("/") ? 1 + lead : 0,
    head: /^[^*?[{]*/.exec(text)?.[0] ?? "",
    tail: text.slice(special + 1),
  });
}

type Reader = { readonly points: readonly string[]; at: number; readonly ops: Op[]; alternatives: number };
type Unread = { readonly ok: false; readonly why: { readonly code: string; readonly detail: string } };

/** Reads to the end, or within braces to the comma or brace that ends an alternative. */
function readSequence(reader: Reader, depth: number): Unread | null {
  const { points, ops } = reader;
  while (reader.at < points.length) {
    const point = points[reader.at] ?? "";
    if (depth > 0 && (point === "," || point === "}")) return null;
    reader.at += 1;
    switch (point) {
      case "*":
        ops.push(readStars(reader));
        break;
      case "?":
        ops.push({ op: "one" });
        break;
      case "[": {
        const why = readSet(reader);
        if (why !== null) return why;
        break;
      }
      case "{": {
        const why = readBraces(reader, depth + 1);
        if (why !== null) return why;
        break;
      }
      case "}":
        return unparsed("glob_unopened", `the } at ${reader.at} closes nothing: a } itself is written [}]`);
      default:
        ops.push({ op: "char", point: point.codePointAt(0) ?? 0 });
    }
  }
  return null;
}

function readStars(reader: Reader): Op {
  let stars = 1;
  for (; reader.points[reader.at] === "*"; reader.at += 1) stars += 1;
  if (stars === 1) return { op: "run" };
  if (reader.points[reader.at] !== "/") return { op: "cross" };
  reader.at += 1;
  return { op: "folders" };
}

function readSet(reader: Reader): Unread | null {
  const { points } = reader;
  const opened = reader.at;
  const not = points[reader.at] === "!";
  if (not) reader.at += 1;
  const ranges: (readonly [number, number])[] = [];
  // Right after the bracket a ] stands for itself, since a set of nothing would be no set.
  for (let first = true; first || points[reader.at] !== "]"; first = false) {
    const from = points[reader.at];
    if (from === undefined) return unparsed("glob_unclosed", `the [ at ${opened} is not closed: a [ itself is [[]`);
    reader.at += 1;
    const to = points[reader.at + 1];
    if (points[reader.at] !== "-" || to === undefined || to === "]") ranges.push(range(from, from));
    else {
      if (range(from, to)[0] > range(from, to)[1]) {
        return unparsed("glob_bad_range", `the range ${from}-${to} of the [ at ${opened} runs backwards`);
      }
      ranges.push(range(from, to));
      reader.at += 2;
    }
  }
  reader.at += 1;
  reader.ops.push({ op: "set", not, ranges });
  return null;
}

function range(from: string, to: string): readonly [number, number] {
  return [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
}

function readBraces(reader: Reader, depth: number): Unread | null {
  const { points, ops } = reader;
  const opened = reader.at;
  if (depth > GLOB_DEPTH_MAX) return unparsed("glob_too_deep", `braces stand at most ${GLOB_DEPTH_MAX} deep in a glob`);
  if (points[reader.at] === "}") return unparsed("glob_empty_braces", `there is nothing in the {} at ${opened}`);
  const split = ops.length;
  const starts: number[] = [];
  const exits: number[] = [];
  ops.push({ op: "split", to: starts });
  for (;;) {
    reader.alternatives += 1;
    if (reader.alternatives > GLOB_ALTERNATIVES_MAX) {
      return unparsed("glob_too_many_alternatives", `a glob has at most ${GLOB_ALTERNATIVES_MAX} alternatives`);
    }
    starts.push(ops.length);
    const why = readSequence(reader, depth);
    if (why !== null) return why;
    const sign = points[reader.at];
    if (sign === undefined) return unparsed("glob_unclosed", `the { at ${opened} is not closed: a { itself is [{]`);
    reader.at += 1;
    if (sign === "}") break;
    exits.push(ops.length);
    ops.push({ op: "end" });
  }
  ops[split] = { op: "split", to: starts };
  for (const exit of exits) ops[exit] = { op: "jump", to: ops.length };
  return null;
}
