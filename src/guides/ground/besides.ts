/** What an intent says beside what is to be done: how it is asked for, where, when and why. */
import type { Words } from "./classes.ts";
import type { Clause } from "./intent.ts";
import { classOf, stemsOf, type WordClass } from "./lexicon.ts";
import type { Token } from "./tokenise.ts";
import {
  AIR,
  ASKING,
  COURTESIES,
  FRONTED,
  MODALS,
  NAMING,
  ORDER,
  OWN,
  PERSONS,
  POINTING,
  REASONS,
  REASONS_OF,
  REQUESTS,
  VERBS,
  WHERE,
} from "./words.ts";

/** `request`: only asks for what follows. To whoever reads the clauses it is beside. */
export type CutKind = Clause["kind"] | "request";
export type Cut<Kind = CutKind> = { readonly tokens: readonly number[]; readonly kind: Kind };

const POLITE: ReadonlySet<string> = new Set(COURTESIES);
const MODAL: ReadonlySet<string> = new Set(MODALS);
const PERSON: ReadonlySet<string> = new Set(PERSONS);
const SUBJECT: ReadonlySet<string> = new Set([...PERSONS, ...OWN]);
const ASKS: ReadonlySet<string> = stemsOf(ASKING);
const IN_ORDER: ReadonlySet<string> = new Set(ORDER);
/** Of a word that is also a noun, such as "switch", classOf says that it is one. */
const DOES: ReadonlySet<string> = stemsOf(VERBS);
const NAMES: ReadonlySet<string> = stemsOf(NAMING);
const AIRY: ReadonlySet<string> = new Set([...AIR, ...ORDER, ...POINTING]);
const FRONT: ReadonlySet<string> = new Set([...FRONTED, ...WHERE]);
const REASON_OF: ReadonlySet<string> = new Set(REASONS_OF);
const REQUEST: readonly (readonly string[])[] = REQUESTS.map((phrase) => phrase.split(" "));
const REASON: readonly (readonly string[])[] = REASONS.map((phrase) => phrase.split(" "));
const LEADS: ReadonlySet<string> = new Set(["so", "and", "now", "then"]);
const OBJECTS: ReadonlySet<string> = new Set(["you", "me", "us"]);

function textAt({ tokens, quotes }: Words, i: number): string {
  return quotes[i] === -1 ? (tokens[i]?.text ?? "") : "";
}

function isDone(token: Token | undefined): boolean {
  return token !== undefined && (["verb", "action"].includes(classOf(token)) || DOES.has(token.stem));
}

/** Whether something may be asked for here: at the beginning of a clause, or where somebody says what "you should" do. */
export function mayAsk(words: Words, clause: readonly number[], i: number): boolean {
  if (clause.length === 0) return true;
  const first = clause.find((k) => words.tokens[k]?.kind !== "symbol") ?? -1;
  const asks = [textAt(words, i), textAt(words, i + 1)];
  return asks.includes("you") && asks.some((word) => MODAL.has(word)) && SUBJECT.has(textAt(words, first));
}

/** How many tokens from here on only ask for what follows: "could you please", "let us". 0: none, or nothing follows. */
export function requestAt(words: Words, start: number): number {
  let at = start;
  while (LEADS.has(textAt(words, at))) at += 1;
  const first = at;
  for (let taken = askingAt(words, at); taken > 0; taken = askingAt(words, at)) at += taken;
  const behind = words.tokens[at];
  const follows = behind !== undefined && (behind.kind !== "symbol" || words.quotes[at] !== -1);
  return at > first && follows ? at - start : 0;
}

function askingAt(words: Words, i: number): number {
  const [one, other, third] = [textAt(words, i), textAt(words, i + 1), textAt(words, i + 2)];
  const phrase = REQUEST.find((parts) => parts.every((part, k) => textAt(words, i + k) === part));
  if (phrase !== undefined) return phrase.length;
  if (POLITE.has(one)) return 1;
  const asks = (MODAL.has(one) && PERSON.has(other)) || (PERSON.has(one) && MODAL.has(other));
  if (asks && third !== "not") return 2;
  // "First name" and "Just Dance" are names; "first click" and "just open" are none.
  const next = words.tokens[i + 1];
  if (IN_ORDER.has(one)) return next !== undefined && NAMES.has(next.stem) ? 1 : 0;
  return one === "let" || (one === "just" && isDone(next)) ? 1 : 0;
}

/** Whether what stands before a `to` only asks for what stands behind it: "I would like you to", "we need to". */
export function asksFor(words: Words, clause: readonly number[]): boolean {
  const said = clause.filter((i) => words.tokens[i]?.kind !== "symbol");
  const first = textAt(words, said[0] ?? -1);
  const last = OBJECTS.has(textAt(words, said.at(-1) ?? -1)) ? said.at(-2) : said.at(-1);
  if (last === undefined || words.quotes[last] !== -1 || FRONT.has(first)) return false;
  if (!ASKS.has(words.tokens[last]?.stem ?? "")) return false;
  const head = headOf(words, said);
  return head === last || SUBJECT.has(first) || !isDone(words.tokens[head ?? -1]);
}

/** The first word that hangs nothing together. */
function headOf({ tokens, quotes }: Words, clause: readonly number[]): number | undefined {
  return clause.find((i) => quotes[i] !== -1 || (tokens[i] !== undefined && !isLinking(tokens[i])));
}

function isLinking(token: Token): boolean {
  return ["stop", "symbol"].includes(classOf(token));
}

/** Whether a reason begins here. */
export function isReasonAt(words: Words, i: number): boolean {
  const follows = REASON.some((parts) => parts.every((part, k) => textAt(words, i + k) === part));
  return follows || (REASON_OF.has(textAt(words, i)) && SUBJECT.has(textAt(words, i + 1)));
}

/** Whether a clause has said so far what anything is done with: before that, "since" is part of a name. */
export function isNamed(words: Words, clause: readonly number[]): boolean {
  const head = headOf(words, clause);
  return clause.some((i) => {
    const token = words.tokens[i];
    if (words.quotes[i] !== -1) return true;
    return token !== undefined && !isLinking(token) && (i !== head || classOf(token) !== "verb");
  });
}

/**
 * Before the first clause that says what to do there may be others that do not: "First,", "OK,", "Step 2:", "On the last page,",
 * "I cannot read this." They are kept apart only where there is such a clause: alone, "OK" is a button.
 */
export function settled(
  words: Words,
  classes: readonly WordClass[],
  cuts: readonly Cut[],
): readonly Cut<Clause["kind"]>[] {
  const beside = new Set<Cut>();
  const apart = (which: (cut: Cut) => boolean): readonly Cut<Clause["kind"]>[] =>
    cuts.map(({ tokens, kind }, i) => {
      const cut = cuts[i];
      const aside = kind === "request" || (cut !== undefined && beside.has(cut) && which(cut));
      return { tokens, kind: aside ? "beside" : kind };
    });
  const tells = ({ tokens }: Cut): boolean => isTelling(words, classes, tokens);
  let does = false;
  for (const [i, cut] of cuts.entries()) {
    if (cut.kind !== "main") continue;
    if (isBeside(words, cut, tells(cut), cuts.slice(i + 1))) beside.add(cut);
    else if (tells(cut)) return apart(() => true);
    else does = true;
  }
  // "For Bluetooth, turn it on" speaks of that; "First, open the menu" of nothing else.
  return apart((cut) => does && !tells(cut));
}

function isBeside(words: Words, { tokens }: Cut, telling: boolean, behind: readonly Cut[]): boolean {
  const head = headOf(words, tokens);
  const first = tokens.find((i) => words.quotes[i] !== -1 || words.tokens[i]?.kind !== "symbol") ?? -1;
  if (FRONT.has(textAt(words, first)) && tokens.length > 1) return true;
  if (!telling) return !isDone(words.tokens[head ?? -1]);
  // Somebody tells something, or asks for something afterwards.
  if (SUBJECT.has(textAt(words, first))) return true;
  const named = head !== undefined && words.quotes[head] === -1 && !isDone(words.tokens[head]);
  return named && behind.some(({ kind }) => kind === "request");
}

/** Whether a clause says anything that may be a name. "OK" and "next" do so behind a verb. */
export function isTelling(
  { tokens, quotes }: Words,
  classes: readonly WordClass[],
  clause: readonly number[],
): boolean {
  const does = isDone(tokens[headOf({ tokens, quotes }, clause) ?? -1]);
  return clause.some((i) => {
    const token = tokens[i];
    if (token === undefined || token.kind === "symbol") return false;
    if (quotes[i] !== -1) return true;
    if (!["content", "action"].includes(classes[i] ?? "")) return false;
    return does || (token.kind !== "number" && !AIRY.has(token.text));
  });
}
