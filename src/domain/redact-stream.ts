import { formsOf, REDACTED, type Redaction } from "./redact.ts";

/**
 * `redactText` over a text that arrives in pieces: the pieces that come out, joined, are what it makes of the pieces that
 * went in, joined, however they were split. What could still become a declared value is held back, and nothing that was
 * given is looked at again, so a text costs time in proportion to its length.
 */
export class RedactedText {
  /** What came in and was not given yet. All positions are in it. */
  #held = "";
  /** As much of its beginning belongs to a value whose mark was given already. */
  #covered = 0;
  #spans: Span[] = [];
  readonly #seekers: readonly Seeker[];

  constructor(redaction: Redaction) {
    const values = redaction.values.filter((value) => value !== "");
    this.#seekers = formsOf(redaction.values).map((form, i) => new Seeker(values[i] ?? "", form));
  }

  push(piece: string): string {
    this.#held += piece;
    return this.#give(false);
  }

  /** The rest: what was held back is no value after all. */
  end(): string {
    return this.#give(true);
  }

  #give(whole: boolean): string {
    const text = this.#held;
    // What every seeker has passed. A value that begins after that may still begin before another one's end.
    let decided = text.length;
    for (const seeker of this.#seekers) decided = Math.min(decided, seeker.seek(text, whole, this.#spans));
    const found = this.#spans.filter((span) => span.from < decided).sort((a, b) => a.from - b.from);
    let clean = "";
    let at = this.#covered;
    for (const { from, to } of found) {
      if (from >= at) clean += text.slice(at, from) + REDACTED;
      at = Math.max(at, to);
    }
    clean += text.slice(at, Math.max(at, decided));
    this.#held = text.slice(decided);
    this.#covered = Math.max(0, at - decided);
    this.#spans = this.#spans
      .filter((span) => span.from >= decided)
      .map(({ from, to }) => ({ from: from - decided, to: to - decided }));
    for (const seeker of this.#seekers) seeker.forget(decided);
    return clean;
  }
}

type Span = { readonly from: number; readonly to: number };

const BACKSLASH = 0x5c;
/** `"`, `'` and `/`: what JSON, and what is like it, escapes by a backslash alone. */
const BARE_ESCAPED: ReadonlySet<number> = new Set([0x22, 0x27, 0x2f]);
/** See `unitForm` in redact.ts: what a walk lets through has to be a superset of what a form matches. */
const SLASHES_MAX = 8;
const SLASHES_BEFORE_QUOTE_MAX = 15;
const SHORT: ReadonlyMap<number, string> = new Map([
  [0x08, "b"],
  [0x0c, "f"],
  [0x0a, "n"],
  [0x0d, "r"],
  [0x09, "t"],
]);

/**
 * Looks for one value, at one beginning after the other. A walk says whether what stands there could become the value; the
 * form of redact.ts alone says whether it is.
 */
class Seeker {
  readonly #value: string;
  readonly #form: RegExp;
  /** The most units that the value can take in any spelling. */
  readonly #unitsMax: number;
  /** The beginning that is looked at, and how far the walk from there has come: units of the value, and a position. */
  #start = 0;
  #units = 0;
  #at = 0;

  constructor(value: string, form: RegExp) {
    this.#value = value;
    this.#form = new RegExp(form.source, "y");
    this.#unitsMax = [...(value.match(/\\+|[^\\]/g) ?? [])].reduce((sum, unit) => sum + unitsOf(unit), 0);
  }

  /** Adds what is found to `spans`, and returns the first position at which the value may still begin. */
  seek(text: string, whole: boolean, spans: Span[]): number {
    while (this.#start < text.length) {
      const could = this.#walk(text);
      const more = !whole && this.#start + this.#unitsMax > text.length;
      if (could === "open" && more) return this.#start;
      if (could !== "no") {
        this.#form.lastIndex = this.#start;
        const found = this.#form.exec(text);
        if (found !== null) spans.push({ from: this.#start, to: this.#start + found[0].length });
      }
      this.#start += 1;
      this.#at = this.#start;
      this.#units = 0;
    }
    return text.length;
  }

  forget(units: number): void {
    this.#start -= units;
    this.#at -= units;
  }

  /** Whether the value stands at `#start`: as far as the text goes, `open`, or all of it, `all`. */
  #walk(text: string): "no" | "open" | "all" {
    while (this.#units < this.#value.length) {
      if (this.#at >= text.length) return "open";
      const unit = this.#value.charCodeAt(this.#units);
      const found = text.charCodeAt(this.#at);
      // A run of backslashes has many spellings, so the form has to see all that it could be.
      if (unit === BACKSLASH) return found === BACKSLASH ? "open" : "no";
      const taken = found === unit ? 1 : found === BACKSLASH ? escapedAt(text, this.#at, unit) : "no";
      if (typeof taken === "string") return taken;
      this.#at += taken;
      this.#units += 1;
    }
    return "all";
  }
}

function unitsOf(unit: string): number {
  if (unit.startsWith("\\")) return 1 + unit.length * 16 * "u005c".length;
  return Math.max(SLASHES_BEFORE_QUOTE_MAX + 1, SLASHES_MAX + "u0000".length);
}

/** How many units an escaped `unit` takes that begins at `at` with a backslash; `open` where the text ends in it. */
function escapedAt(text: string, at: number, unit: number): number | "no" | "open" {
  let slashes = 1;
  while (slashes <= SLASHES_BEFORE_QUOTE_MAX && text.charCodeAt(at + slashes) === BACKSLASH) slashes += 1;
  if (slashes > SLASHES_BEFORE_QUOTE_MAX) return "no";
  const after = at + slashes;
  if (after >= text.length) return "open";
  if (BARE_ESCAPED.has(unit) && text.charCodeAt(after) === unit) return slashes + 1;
  if (slashes > SLASHES_MAX) return "no";
  if (SHORT.get(unit) === text.charAt(after)) return slashes + 1;
  const written = text.slice(after, after + 5);
  const hex = `u${unit.toString(16).padStart(4, "0")}`;
  if (!hex.startsWith(written.charAt(0) + written.slice(1).toLowerCase())) return "no";
  return written.length === hex.length ? slashes + hex.length : "open";
}
