/** What is typed, and what something is changed to: no control, and no more than that. */
import { partsOf } from "./clauses.ts";
import type { Intent } from "./intent.ts";
import { stemsOf } from "./lexicon.ts";
import { isLinking, type Segment, WRITES } from "./segments.ts";
import { ORDERING, TYPED, VALUE_ENDS, VALUE_LIMITS, VALUE_STATES, VALUE_VERBS } from "./step-words.ts";
import { CHANGING, NAMING, QUOTED_KINDS } from "./words.ts";

const CHANGES: ReadonlySet<string> = stemsOf(CHANGING);
const NAMES: ReadonlySet<string> = stemsOf(NAMING);
/** What is said of one of these is said of a control. A link, an item, an image may be what is typed. */
const KINDS: ReadonlySet<string> = stemsOf(
  QUOTED_KINDS.filter((kind) => !["link", "item", "image", "node"].includes(kind)),
);
const ORDER: ReadonlySet<string> = new Set(ORDERING);
const ENDS: ReadonlySet<string> = new Set(VALUE_ENDS);
const STATES: ReadonlySet<string> = new Set(VALUE_STATES);
const VERBS: ReadonlySet<string> = new Set(VALUE_VERBS);
const TYPED_NOUNS: ReadonlySet<string> = new Set(TYPED);
/** What follows these is not read as a place to go to. */
const TYPES: ReadonlySet<string> = new Set(["type", "write", "input"]);
const { typedWordsMax, changedWordsMax } = VALUE_LIMITS;

/** The tokens of a value. One without quotation marks has few words, none that uses a control, and no kind of control. */
export function valueIn(intent: Intent, { tokens }: Segment): ReadonlySet<number> {
  const said = (i: number): string => (intent.quotes[i] === -1 ? (intent.tokens[i]?.text ?? "") : "");
  const head = tokens.find((i) => {
    const token = intent.tokens[i];
    return intent.quotes[i] !== -1 || (token !== undefined && !isLinking(token) && !ORDER.has(token.text));
  });
  const stem = head === undefined || intent.quotes[head] !== -1 ? "" : (intent.tokens[head]?.stem ?? "");
  const behind = (word: string): readonly number[] => {
    const at = tokens.findIndex((i) => said(i) === word);
    return at < 0 ? [] : tokens.slice(at + 1);
  };
  if (stem === "search" || stem === "filter") return new Set(upToEnd(intent, behind("for"), typedWordsMax));
  if (stem === "fill") return new Set(upToEnd(intent, behind("with"), typedWordsMax));
  const parts = partsOf(intent, tokens);
  if (WRITES.has(stem)) {
    const target = parts?.target ?? null;
    const before = target === null ? [] : tokens.filter((i) => i > (head ?? 0) && i < target);
    return new Set(upToEnd(intent, before, typedWordsMax));
  }
  if (!CHANGES.has(stem)) return new Set();
  // "from monthly to yearly": what was there before is a value too.
  const old = tokens.filter((i) => intent.asides[i] === "old");
  const now = old.length === 0 ? (parts?.value ?? []) : tokens.filter((i) => i > (old.at(-1) ?? 0) + 1);
  return new Set([old.slice(1), now].flatMap((value) => upToEnd(intent, value, changedWordsMax)));
}

/** "... and type x": what is typed into the field that the part before named. */
export function typedBehind(intent: Intent, { tokens }: Segment): ReadonlySet<number> {
  const words = tokens.filter((i) => !isMark(intent, i) && !(intent.quotes[i] === -1 && ORDER.has(textAt(intent, i))));
  const [head = -1, ...rest] = words;
  if (!WRITES.has(intent.tokens[head]?.stem ?? "") || intent.quotes[head] !== -1) return new Set();
  const value = upToEnd(intent, rest, typedWordsMax);
  const isQuoted = value.some((i) => intent.quotes[i] !== -1);
  const isData = TYPES.has(textAt(intent, head)) || TYPED_NOUNS.has(textAt(intent, value.at(-1) ?? -1));
  const isName = value.some((i) => /^\p{Lu}/u.test(intent.shown.slice(intent.tokens[i]?.from)));
  return new Set(isQuoted || (isData && !isName) ? value : []);
}

function textAt({ tokens }: Intent, i: number): string {
  return tokens[i]?.text ?? "";
}

/** A quotation is all of a value. */
function upToEnd(intent: Intent, tokens: readonly number[], wordsMax: number): readonly number[] {
  const start = tokens.findIndex(
    (i) => !["a", "an", "the"].includes(intent.tokens[i]?.text ?? "") && !isMark(intent, i),
  );
  const quote = intent.quotes[tokens[start] ?? -1] ?? -1;
  if (quote !== -1) return tokens.filter((i) => intent.quotes[i] === quote);
  const end = tokens.findIndex((i) => intent.quotes[i] !== -1 || ENDS.has(intent.tokens[i]?.text ?? ""));
  const stands = STATES.has(intent.tokens[tokens[start] ?? -1]?.text ?? "");
  const value = stands ? tokens.slice(0, start + 1) : tokens.slice(0, end < 0 ? tokens.length : end);
  const uses = value.some((i) => NAMES.has(intent.tokens[i]?.stem ?? "") || KINDS.has(intent.tokens[i]?.stem ?? ""));
  const does = VERBS.has(textAt(intent, value[0] ?? -1));
  const words = value.filter((i) => intent.tokens[i] !== undefined && !isLinking(intent.tokens[i]));
  return uses ||
    does ||
    words.length > wordsMax ||
    isSentence(intent, words) ||
    value.some((i) => ORDER.has(textAt(intent, i)))
    ? []
    : value;
}

/** Three words or more, of which one behind the first is an ordinary one, read as something to do. */
function isSentence({ tokens, shown }: Intent, words: readonly number[]): boolean {
  return words.length > 2 && words.slice(1).some((i) => /^\p{Ll}/u.test(shown.slice(tokens[i]?.from, tokens[i]?.to)));
}

function isMark({ tokens }: Intent, i: number): boolean {
  return tokens[i]?.kind === "symbol";
}
