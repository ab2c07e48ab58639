/** Where a step of a guide may go on with something else to do: finer than the clauses that are scored, since here each part is held to account. */
import type { Intent } from "./intent.ts";
import { classOf, stemsOf } from "./lexicon.ts";
import { SCORE_1 } from "./score-1.ts";
import type { Token } from "./tokenise.ts";
import { NAMING, WRITING } from "./words.ts";

/** The tokens of a part of an intent, by their places in it. At least one. */
export type Segment = { readonly tokens: readonly number[] };

const MARKS: ReadonlySet<string> = new Set([..."()[]{}!?;.:,&+>|=~*", ..."\u2013\u2014\u2192\u21d2\u2022\u3001\u3002"]);
const LINKS: ReadonlySet<string> = new Set([
  "and",
  "then",
  "or",
  "but",
  "plus",
  "using",
  "via",
  "afterwards",
  "while",
  "once",
  "until",
]);
const ORDERS: ReadonlySet<string> = new Set(["before", "after", "by"]);
const NAMES: ReadonlySet<string> = stemsOf(NAMING);
export const WRITES: ReadonlySet<string> = stemsOf(WRITING);

/**
 * Cuts an intent at marks, at words that go on, and where a verb stands behind a name.
 *
 * @param named by token: whether it stands in a name of the step's control, said letter by letter. Nothing is cut in there.
 */
export function segmentsOf(intent: Intent, named: readonly boolean[]): readonly Segment[] {
  const segments: { tokens: number[] }[] = [];
  let open: number[] = [];
  const close = (): void => {
    if (open.some((i) => intent.tokens[i]?.kind !== "symbol")) segments.push({ tokens: open });
    open = [];
  };
  intent.tokens.forEach((token, i) => {
    const held = intent.quotes[i] !== -1 || named[i] === true;
    const cut = held ? null : cutAt(intent, named, i, open);
    if (cut !== null) close();
    if (cut !== "drop") open.push(i);
    else if (token.kind !== "symbol") return;
  });
  close();
  return segments;
}

/** `drop`: what cuts belongs to neither side. */
function cutAt(intent: Intent, named: readonly boolean[], i: number, open: readonly number[]): "drop" | "keep" | null {
  const { tokens, quotes } = intent;
  const [last, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  if (token === undefined) return null;
  if (MARKS.has(token.text)) return inWord(last, token, next) ? null : "drop";
  if (/^[-/]$/.test(token.text)) return last?.to === token.from || next?.from === token.to ? null : "drop";
  const head = open.map((k) => tokens[k]).find((one) => one !== undefined && !isLinking(one));
  // "type the name and the address into ..." is one thing to type.
  if (LINKS.has(token.text)) {
    const typed = WRITES.has(head?.stem ?? "") && next !== undefined && classOf(next) === "stop";
    return typed ? null : "drop";
  }
  const doing = next !== undefined && (next.text.endsWith("ing") || ["verb", "action"].includes(classOf(next)));
  if (ORDERS.has(token.text) && doing) return "drop";
  const before = tokens.findLastIndex((one, k) => k < i && one.kind !== "symbol");
  const behindName = before >= 0 && (quotes[before] !== -1 || named[before] === true);
  return behindName && head !== undefined && (NAMES.has(token.stem) || classOf(token) === "verb") ? "keep" : null;
}

export function isLinking(token: Token): boolean {
  return ["stop", "symbol"].includes(classOf(token));
}

/** A mark within a number, a file's name or an address. */
function inWord(last: Token | undefined, token: Token, next: Token | undefined): boolean {
  return /^[.:,+&=~?*]$/.test(token.text) && last?.to === token.from && next?.from === token.to;
}

/** The first word that hangs nothing together, where it is a verb at the head of its segment. */
export function verbOf({ tokens, quotes }: Intent, segment: Segment): number | null {
  const first = segment.tokens.find((i) => tokens[i] !== undefined && !isLinking(tokens[i]));
  if (first === undefined || quotes[first] !== -1 || segment.tokens.indexOf(first) >= SCORE_1.verbPlacesMax)
    return null;
  const token = tokens[first];
  return token !== undefined && ["verb", "action"].includes(classOf(token)) ? first : null;
}
