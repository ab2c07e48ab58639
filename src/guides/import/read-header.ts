/**
 * Reads the header of a foreign rule file line by line, and never as YAML: to YAML a glob that begins with a star is an alias,
 * and a description with a colon a mapping, and half of all such files have one or the other. Nothing here fails: what says
 * nothing is named, and what follows a header without an end is body, so that no text of a rule is lost.
 */
import { type HeaderEntry, headerLines } from "./header-lines.ts";
import { readList, readTruth, unquoted } from "./header-value.ts";

export type HeaderFault = {
  readonly code: "header_not_closed" | "header_line_unread" | "header_value_unread" | "duplicate_key";
  /** Line of the file, from 1. */
  readonly line: number;
  readonly detail: string;
};

export type ForeignHeader = {
  readonly present: boolean;
  readonly name: string | null;
  readonly description: string | null;
  /** When a skill is to be used, where that stands apart from its description. */
  readonly whenToUse: string | null;
  /** null where the key is missing; empty where it has no value. */
  readonly globs: readonly string[] | null;
  readonly applyTo: readonly string[] | null;
  readonly paths: readonly string[] | null;
  readonly alwaysApply: boolean | null;
  /** Keys that have no meaning here, in their order. */
  readonly unknown: readonly string[];
  readonly faults: readonly HeaderFault[];
  /** Where the body begins, in UTF-16 units. */
  readonly bodyFrom: number;
};

/** Keys by their names in small letters, since people write them in several ways. */
const TEXTS = { name: "name", description: "description", when_to_use: "whenToUse" } as const;
const LISTS = { globs: "globs", applyto: "applyTo", paths: "paths" } as const;
const TRUTH = "alwaysapply";

/** What the header of a foreign rule file says. Linear, and total. */
export function readHeader(text: string): ForeignHeader {
  const lines = headerLines(text, isKnown);
  const header = emptyHeader(lines?.bodyFrom ?? (text.startsWith("\ufeff") ? 1 : 0));
  if (lines === null) return header;
  const unknown: string[] = [];
  const faults: HeaderFault[] = lines.strays.map((line) => ({
    code: "header_line_unread",
    line,
    detail: "the line is neither a key nor part of one",
  }));
  if (!lines.closed) faults.push({ code: "header_not_closed", line: lines.openedAt, detail: NOT_CLOSED });
  const seen = new Set<string>();
  for (const entry of lines.entries) {
    const known = entry.key.toLowerCase();
    if (seen.has(known)) {
      const detail = `\`${entry.key}\` stands here again; the first one counts`;
      faults.push({ code: "duplicate_key", line: entry.line, detail });
    } else if (!isKnown(known)) unknown.push(entry.key);
    else fill(header, known, entry, faults);
    seen.add(known);
  }
  return { ...header, present: true, unknown, faults: faults.sort((a, b) => a.line - b.line) };
}

const NOT_CLOSED = "the header has no end; it was read as far as its lines are those of a header, and the rest is body";

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function emptyHeader(bodyFrom: number): Writable<ForeignHeader> {
  const values = { name: null, description: null, whenToUse: null, globs: null, applyTo: null, paths: null };
  return { present: false, ...values, alwaysApply: null, unknown: [], faults: [], bodyFrom };
}

function isKnown(key: string): boolean {
  const known = key.toLowerCase();
  return known === TRUTH || Object.hasOwn(TEXTS, known) || Object.hasOwn(LISTS, known);
}

function fill(header: Writable<ForeignHeader>, known: string, entry: HeaderEntry, faults: HeaderFault[]): void {
  if (Object.hasOwn(TEXTS, known)) header[TEXTS[known as keyof typeof TEXTS]] = textOf(entry);
  else if (Object.hasOwn(LISTS, known)) header[LISTS[known as keyof typeof LISTS]] = listOf(entry);
  else {
    header.alwaysApply = readTruth(entry.value);
    if (header.alwaysApply !== null || entry.value === "") return;
    const detail = `\`${entry.key}\` is neither true nor false`;
    faults.push({ code: "header_value_unread", line: entry.line, detail });
  }
}

const BLOCK = /^[|>][-+\d]*(?:\s+#.*)?$/;

/** `|` keeps the lines of a block and `>` folds them: for what a description is used for here, both are its words. */
function textOf({ value, inner }: HeaderEntry): string | null {
  const lines = [BLOCK.test(value) ? "" : value, ...inner];
  const text = unquoted(lines.filter((line) => line !== "").join(" ")).trim();
  return text === "" ? null : text;
}

function listOf({ value, inner }: HeaderEntry): readonly string[] {
  const rest = inner.filter((line) => line !== "" && !line.startsWith("#"));
  const isBlockList = !value.startsWith("[") && rest.every((line) => line.startsWith("-"));
  if (isBlockList) return [...readList(value), ...rest.flatMap((line) => readList(line.slice(1)))];
  return readList([BLOCK.test(value) ? "" : value, ...rest].join(" "));
}
