/** What of a step says which control is meant, where all of its words together do not. */
import { freeTokens } from "./free-clauses.ts";
import type { Intent } from "./intent.ts";
import { isLinking } from "./segments.ts";
import { PLACE_WORDS, POSITIONS, PURPOSE_WORDS, PURPOSES } from "./step-words.ts";

const WHERE: ReadonlySet<string> = new Set(["in", "on", "at", "from"]);
const PLACE: ReadonlySet<string> = new Set([...PLACE_WORDS, ...POSITIONS, "upper", "lower", "hand"]);
const PURPOSE: ReadonlySet<string> = new Set(PURPOSES);
const PURPOSED: ReadonlySet<string> = new Set(PURPOSE_WORDS);
const MARKS = /^[.,;!-]$/;

/**
 * The step without its clauses that use no control, and without a place ("in the top right corner") or a purpose ("to finish") at its
 * end, where lists have each of their words: else null. That they are there for a reason is seen of the whole step.
 */
export function kernelOf(intent: Intent): string | null {
  const { tokens, shown } = intent;
  const free = freeTokens(intent);
  const kept = tokens.map((_, i) => i).filter((i) => !free.has(i));
  let end = kept.length;
  for (let from = kept.length - 1; from > 1; from--) {
    const phrase = kept.slice(from, end);
    if (!phrase.every((i) => isPlain(intent, i))) break;
    if (isPlace(intent, phrase) || isPurpose(intent, phrase)) end = from;
  }
  if (end === tokens.length) return null;
  const left = new Set(kept.slice(0, end));
  return tokens.reduce((text, { from, to }, i) => {
    return left.has(i) ? text : text.slice(0, from) + " ".repeat(to - from) + text.slice(to);
  }, shown);
}

/** Not quoted, and no name: that has a capital letter. */
function isPlain({ tokens, quotes, shown }: Intent, i: number): boolean {
  return quotes[i] === -1 && !/^\p{Lu}/u.test(shown.slice(tokens[i]?.from, tokens[i]?.to));
}

/** With an article, which a name rarely has: "at the top", and not "Back to top". */
function isPlace({ tokens }: Intent, [head = -1, article = -1, ...rest]: readonly number[]): boolean {
  const words = rest.filter((i) => !MARKS.test(tokens[i]?.text ?? ""));
  return (
    WHERE.has(tokens[head]?.text ?? "") &&
    ["the", "this"].includes(tokens[article]?.text ?? "") &&
    words.length > 0 &&
    words.every((i) => PLACE.has(tokens[i]?.text ?? "") || tokens[i]?.text === "of" || tokens[i]?.text === "the")
  );
}

function isPurpose({ tokens }: Intent, [head = -1, verb = -1, ...rest]: readonly number[]): boolean {
  if (tokens[head]?.text !== "to" || !PURPOSE.has(tokens[verb]?.text ?? "")) return false;
  return rest.every((i) => {
    const token = tokens[i];
    return token === undefined || isLinking(token) || PURPOSED.has(token.text);
  });
}
