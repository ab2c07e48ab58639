import type { Aside } from "./intent.ts";
import { classOf } from "./lexicon.ts";
import { SCORE_1 } from "./score-1.ts";
import type { Token } from "./tokenise.ts";
import { LANDMARKS, PLACES, WHERE } from "./words.ts";

const LANDMARK: ReadonlySet<string> = new Set(LANDMARKS);
const PREPOSITION: ReadonlySet<string> = new Set(WHERE);
const PLACE: ReadonlySet<string> = new Set(PLACES);

/**
 * Marks what a clause says of another control, of a place or of what was there before.
 *
 * @returns the words that begin what is said of another control.
 * @param target the token behind which stands what is written into: that is no place, whatever it is called.
 */
export function markAsides(
  { tokens, quotes }: { readonly tokens: readonly Token[]; readonly quotes: readonly number[] },
  clause: readonly number[],
  asides: (Aside | null)[],
  target: number | null,
): readonly number[] {
  const said = (k: number): string => (quotes[clause[k] ?? -1] === -1 ? (tokens[clause[k] ?? -1]?.text ?? "") : "");
  const mark = (from: number, to: number, as: Aside): void => {
    for (const i of clause.slice(from, to)) asides[i] = as;
  };
  let named = false;
  for (let k = 1; k < clause.length; k++) {
    const before = tokens[clause[k - 1] ?? -1];
    named ||= before !== undefined && !["verb", "stop", "symbol"].includes(classOf(before));
    const words = [1, 2].find((count) => LANDMARK.has(count === 1 ? said(k) : `${said(k)} ${said(k + 1)}`));
    if (words !== undefined) {
      mark(k, clause.length, "landmark");
      return clause.slice(k, k + words);
    }
    const end = said(k) === "from" ? toOf(said, k, clause.length) : -1;
    if (end > 0) {
      mark(k, end, "old");
      k = end;
      continue;
    }
    // In "click on the menu" that is the thing itself.
    const place = named && PREPOSITION.has(said(k)) && clause[k] !== target ? placeOf(said, k, clause.length) : -1;
    if (place > 0) {
      mark(k, place + 1, "place");
      k = place;
    }
  }
  return [];
}

/** "from A to B": where the `to` is. */
function toOf(said: (k: number) => string, from: number, length: number): number {
  for (let k = from + 1; k < length; k++) if (said(k) === "to") return k;
  return -1;
}

/** "in the Gallery app": where the place is named. */
function placeOf(said: (k: number) => string, from: number, length: number): number {
  for (let k = from + 1; k < Math.min(from + 1 + SCORE_1.placeWordsMax, length); k++) {
    if (PREPOSITION.has(said(k))) return -1;
    if (PLACE.has(said(k))) return k;
  }
  return -1;
}
