/**
 * Objects that a request describes instead of naming: "the largest file", "the channel with the most users". The system
 * works out from its own counts which one that is; a description that fits two fits none.
 */
import { tidy } from "./names.ts";

export type Extreme = "most" | "fewest";

const WORDS: Readonly<Record<Extreme, { readonly count: string; readonly size: string }>> = {
  most: {
    count: "most|(?:largest|highest|greatest|biggest|maximum) number of",
    size: "largest|biggest|longest",
  },
  fewest: {
    count: "fewest|least|(?:smallest|lowest|minimum) number of",
    size: "smallest|shortest",
  },
};

/** Whether a request speaks of the `noun` with the most, or fewest, of `measures`: "a channel with the most users". */
export function saysCount(request: string, noun: string, extreme: Extreme, measures: readonly string[]): boolean {
  const gap = (words: number) => `(?:\\W+[\\w-]+){0,${words}}?\\W+`;
  const form = `\\b${noun}${gap(4)}(?:${WORDS[extreme].count})${gap(2)}(?:${measures.join("|")})\\b`;
  return new RegExp(form, "i").test(tidy(request));
}

/** Whether a request speaks of the largest or smallest `noun`: "the largest file". */
export function saysSize(request: string, noun: string, extreme: Extreme): boolean {
  return new RegExp(`\\b(?:${WORDS[extreme].size})(?:\\W+[\\w-]+){0,1}?\\W+${noun}\\b`, "i").test(tidy(request));
}

/** Whether a request speaks of the `noun` whose name begins like `name`: "the channel starting with Ext". */
export function saysBeginning(request: string, noun: string, name: string): boolean {
  const form = new RegExp(
    `\\b${noun}\\W+(?:that |whose name |which )?(?:starts?|starting|begins?|beginning) with\\W+(\\w+)`,
    "i",
  );
  const beginning = form.exec(tidy(request))?.[1];
  return beginning !== undefined && name.toLowerCase().startsWith(beginning.toLowerCase());
}

/** The one element with the greatest, or smallest, value, or null where two share it. */
export function soleExtreme<T>(all: readonly T[], extreme: Extreme, value: (item: T) => number): T | null {
  const sign = extreme === "most" ? -1 : 1;
  const sorted = [...all].sort((a, b) => sign * (value(a) - value(b)));
  const [first, second] = sorted;
  if (first === undefined || (second !== undefined && value(first) === value(second))) return null;
  return first;
}
