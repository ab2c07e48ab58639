/**
 * Objects that a request describes instead of naming: "the largest file", "the channel with the most users". The system
 * works out from its own counts which one that is; a description that fits two fits none.
 */
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

const gap = (words: number): string => `(?:\\W+[\\w-]+){0,${words}}?\\W+`;

/** How a request speaks of the `noun` with the most, or fewest, of `measures`: "a channel with the most users". */
export function countForm(noun: string, extreme: Extreme, measures: readonly string[]): RegExp {
  const form = `\\b${noun}${gap(4)}(?:${WORDS[extreme].count})${gap(2)}(?:${measures.join("|")})\\b`;
  return new RegExp(form, "gi");
}

/** How a request speaks of the largest or smallest `noun`: "the largest file". */
export function sizeForm(noun: string, extreme: Extreme): RegExp {
  return new RegExp(`\\b(?:${WORDS[extreme].size})(?:\\W+[\\w-]+){0,1}?\\W+${noun}\\b`, "gi");
}

/** How a request speaks of the `noun` by a piece of its name, with that piece: "the channel that begins with Ext". */
const PIECE = "(?:(?:that|which|whose name|with a name that|the name of which) )?";
const AT: readonly (readonly [verb: string, is: (name: string, piece: string) => boolean])[] = [
  ["(?:starts?|starting|begins?|beginning) (?:with|in)", (name, piece) => name.startsWith(piece)],
  ["(?:ends?|ending) (?:with|in|on)", (name, piece) => name.endsWith(piece)],
  ["(?:contains?|containing|includes?|including)", (name, piece) => name.includes(piece)],
];

/** The places of a text where it means this `noun` by a piece of its name that no other's has, with the mark in their stead. */
export function markedByPiece(
  text: string,
  noun: string,
  name: string,
  others: readonly string[],
  mark: string,
): string {
  return AT.reduce((so, [verb, is]) => {
    const form = new RegExp(
      `\\b${noun}s? ${PIECE}${verb} ["'“‘]?([\\p{L}\\p{N}_-]+)["'”’]?(?![\\p{L}\\p{N}_-])`,
      "giu",
    );
    return so.replace(form, (match, piece: string) => {
      const fits = (one: string): boolean => is(one.toLowerCase(), piece.toLowerCase());
      return fits(name) && !others.some(fits) ? mark : match;
    });
  }, text);
}

/** How a request speaks of the `noun` where somebody talked about something: the speaker, and the words. */
export function markedByTalk(
  text: string,
  noun: string,
  hasTalk: (speaker: string, words: readonly string[]) => boolean,
  mark: string,
): string {
  const form = new RegExp(
    `\\b${noun} (?:where|in which) (\\p{Lu}[\\p{L}\\p{N}_-]*) (?:asked|wrote|posted|talked|spoke) (?:about|for|on) ([\\p{L}\\p{N}-]+(?: [\\p{L}\\p{N}-]+){0,4}?)(?= and |[,.;]|$)`,
    "gu",
  );
  return text.replace(form, (match, speaker: string, about: string) => {
    const words = about
      .toLowerCase()
      .split(" ")
      .filter((word) => word !== "" && !/^(?:an?|the|his|her|their|my|our)$/.test(word));
    return words.length > 0 && hasTalk(speaker, words) ? mark : match;
  });
}

/** The one element with the greatest, or smallest, value, or null where two share it. */
export function soleExtreme<T>(all: readonly T[], extreme: Extreme, value: (item: T) => number): T | null {
  const sign = extreme === "most" ? -1 : 1;
  const sorted = [...all].sort((a, b) => sign * (value(a) - value(b)));
  const [first, second] = sorted;
  if (first === undefined || (second !== undefined && value(first) === value(second))) return null;
  return first;
}
