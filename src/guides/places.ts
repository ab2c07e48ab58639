import type { Finding } from "../domain/finding.ts";
import { escapeHidden } from "../domain/hidden.ts";
import { FINDING_CODES, type FindingCode, finding } from "./finding-codes.ts";

/** Notes that something is wrong at an offset (UTF-16 units) of the file. */
export type Note = (code: FindingCode, at: number, message: string) => void;

/** Findings of one kind that are listed one by one in one file; the others are counted. */
export const LISTED_MAX = 20;

/**
 * The places of one file. A place is `name:line:column`, both from 1; columns count UTF-16 units, as editors and compilers do,
 * and only a line feed ends a line.
 */
export class Places {
  readonly #name: string;
  readonly #text: string;
  /** Where each line begins. Built when the first place is asked for: most files have nothing to be found. */
  #lines: readonly number[] | null = null;

  constructor(name: string, text: string) {
    this.#name = shownName(name);
    this.#text = text;
  }

  /** The place of an offset. */
  at(offset: number): string {
    this.#lines ??= lineStarts(this.#text);
    const lines = this.#lines;
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return `${this.#name}:${low + 1}:${offset - (lines[low] ?? 0) + 1}`;
  }
}

/** Findings that one file may have; more are counted. */
export const FINDINGS_MAX = 100;

/** Collects the findings of one file, and gives them in the order of their places. */
export class Notes {
  readonly #places: Places;
  readonly #found: { readonly at: number; readonly finding: Finding }[] = [];
  #firstErrorAt = Number.POSITIVE_INFINITY;
  #more = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  readonly note: Note = (code, at, message) => {
    if (FINDING_CODES[code] === "error") this.#firstErrorAt = Math.min(this.#firstErrorAt, at);
    if (this.#found.length === FINDINGS_MAX) this.#more += 1;
    else this.#found.push({ at, finding: finding(code, this.#places.at(at), message) });
  };

  /** Whether an error was noted before this offset. */
  errorBefore(offset: number): boolean {
    return this.#firstErrorAt < offset;
  }

  get findings(): readonly Finding[] {
    const found = this.#found.toSorted((a, b) => a.at - b.at).map((one) => one.finding);
    const last = found.at(-1);
    if (this.#more === 0 || last === undefined) return found;
    return [
      ...found.slice(0, -1),
      { ...last, message: `${last.message} (and ${this.#more} more findings in this file)` },
    ];
  }
}

/** A file's name as a line can show it: nobody sends escape sequences or line breaks to a screen by naming a file so. */
export function shownName(name: string): string {
  return escapeHidden(name).replace(/\p{Cc}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
