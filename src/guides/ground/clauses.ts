/** Which clauses an intent has, and what each of them says. */
import {
  asksFor,
  type Cut,
  type CutKind,
  isNamed,
  isReasonAt,
  isTelling,
  mayAsk,
  requestAt,
  settled,
} from "./besides.ts";
import { classesOf, type Words } from "./classes.ts";
import type { Clause } from "./intent.ts";
import { classOf, isPunctuation, LIGHT, stemsOf, type WordClass } from "./lexicon.ts";
import { ASKED, type Asked } from "./role-of.ts";
import { SCORE_1 } from "./score-1.ts";
import type { Token } from "./tokenise.ts";
import {
  CHANGING,
  LABELS,
  LOOKING,
  NAMING,
  NO_PURPOSE,
  ORDINALS,
  OWN_EFFECTS,
  QUOTED_KINDS,
  TYPING,
  WHERE,
  WRITING,
} from "./words.ts";

const STOPS: ReadonlySet<string> = new Set([";", ".", ":", ",", "\u3002"]);
const NAMES: ReadonlySet<string> = stemsOf(NAMING);
const CHANGES: ReadonlySet<string> = stemsOf(CHANGING);
const WRITES: ReadonlySet<string> = stemsOf(WRITING);
const LABEL: ReadonlySet<string> = stemsOf(LABELS);
const OWN_EFFECT: ReadonlySet<string> = stemsOf(OWN_EFFECTS);
const LOOKS: ReadonlySet<string> = stemsOf(LOOKING);
const TYPES: ReadonlySet<string> = stemsOf(TYPING);
const ORDINAL: ReadonlySet<string> = new Set(ORDINALS);
const NO_PURPOSES: ReadonlySet<string> = new Set(NO_PURPOSE);

export type Cuts = {
  /** At least one, unless there is no token. */
  readonly cuts: readonly Cut<Clause["kind"]>[];
  /** By token. */
  readonly classes: readonly WordClass[];
};

export function cutsOf(words: Words): Cuts {
  const cuts = cutsIn(words);
  const all: readonly Cut[] = cuts.length > 0 ? cuts : [{ tokens: words.tokens.map((_, i) => i), kind: "main" }];
  const classes = classesOf(words, all);
  return { cuts: words.tokens.length === 0 ? [] : settled(words, classes, all), classes };
}

function cutsIn(words: Words): readonly Cut[] {
  const cuts: Cut[] = [];
  let [clause, kind]: [number[], CutKind] = [[], "main"];
  const close = (as: CutKind, next: CutKind): void => {
    if (clause.some((i) => words.tokens[i]?.kind !== "symbol")) cuts.push({ tokens: clause, kind: as });
    [clause, kind] = [[], next];
  };
  // Up to here it is only asked for what follows.
  let asked = 0;
  words.tokens.forEach((_, i) => {
    if (kind === "main" && clause.length === 0 && cuts.length > 0 && isReasonAt(words, i)) kind = "beside";
    if (kind === "main" && i >= asked && mayAsk(words, clause, i)) asked = i + requestAt(words, i);
    const cut = i < asked ? null : cutAt(words, i, { tokens: clause, kind });
    if (cut === null) clause.push(i);
    else close(cut.closes, cut.next);
    if (i === asked - 1) close("request", "main");
  });
  close(kind, "main");
  return cuts;
}

type Ends = { readonly closes: CutKind; readonly next: CutKind };

/** What ends and what begins at a token that hangs clauses together. */
function cutAt(words: Words, i: number, clause: Cut): Ends | null {
  const { tokens, quotes } = words;
  const [last, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]];
  if (token === undefined || quotes[i] !== -1) return null;
  const ends = (next: CutKind): Ends => ({ closes: clause.kind, next });
  if (STOPS.has(token.text)) {
    const inNumber =
      last?.kind === "number" && next?.kind === "number" && last.to === token.from && next.from === token.to;
    const inName = token.text !== "," && token.text !== "\u3002" && (next === undefined || next.from === token.to);
    return inNumber || inName ? null : ends("main");
  }
  const isDone = next !== undefined && ["verb", "action"].includes(classOf(next));
  if (isDone && (token.text === "and" || token.text === "then")) return ends("main");
  // A reason goes on.
  if (clause.kind === "beside") return null;
  if (isReasonAt(words, i) && isNamed(words, clause.tokens)) return ends("beside");
  if (token.text === "by" && next?.text.endsWith("ing")) return ends("means");
  if (token.text !== "to" || next === undefined) return null;
  if (clause.kind === "main" && asksFor(words, clause.tokens)) return { closes: "request", next: "main" };
  if (!isDone || NO_PURPOSES.has(last?.text ?? "") || clause.tokens.length === 1) return null;
  return ends("purpose");
}

export function readClause(words: Words, classes: readonly WordClass[], { tokens, kind }: Cut<Clause["kind"]>): Clause {
  const unquoted = tokens.filter((i) => words.quotes[i] === -1);
  const class_ = (i: number | undefined) =>
    i === undefined || words.tokens[i] === undefined ? "symbol" : classOf(words.tokens[i]);
  const first = unquoted.find((i) => !["stop", "symbol"].includes(class_(i)));
  // A verb is at the beginning, or it is none.
  const verb = first !== undefined && tokens.indexOf(first) < SCORE_1.verbPlacesMax ? first : undefined;
  const names = unquoted.find((i) => NAMES.has(words.tokens[i]?.stem ?? ""));
  const hasVerb = unquoted.some((i) => ["verb", "action"].includes(class_(i)));
  return {
    ...{ tokens, kind, telling: isTelling(words, classes, tokens) },
    naming: names === undefined ? !hasVerb : names === first || (!LIGHT.has(class_(verb)) && class_(verb) !== "action"),
    action: verb !== undefined && class_(verb) === "action" ? verb : null,
    effect: verb !== undefined && OWN_EFFECT.has(words.tokens[verb]?.stem ?? "") ? verb : null,
    looks: verb !== undefined && LOOKS.has(words.tokens[verb]?.stem ?? ""),
    designated: designatedIn(words, tokens),
    asked: askedIn(words, tokens, first),
    ordinals: unquoted.filter((i) => isOrdinal(words.tokens, i)),
  };
}

function isOrdinal(tokens: readonly Token[], i: number): boolean {
  const token = tokens[i];
  return (
    ORDINAL.has(token?.text ?? "") || (token?.kind === "number" && /^(?:st|nd|rd|th)$/.test(tokens[i + 1]?.text ?? ""))
  );
}

/** The first quotation that a verb of pointing stands before, or the kind of control behind. */
function designatedIn({ tokens, quotes }: Words, clause: readonly number[]): readonly number[] | null {
  for (const quote of new Set(clause.map((i) => quotes[i]))) {
    if (quote === undefined || quote === -1) continue;
    const quoted = clause.filter((i) => quotes[i] === quote);
    const [start = 0, end = 0] = [quoted[0], quoted.at(-1)];
    const behind = tokens.slice(end + 1, end + 1 + MARKS_MAX).find(({ kind }) => kind !== "symbol");
    const before = tokens
      .slice(Math.max(0, start - SCORE_1.designationPlacesMax), start)
      .findLast((token) => token.kind !== "symbol" && classOf(token) !== "stop");
    const isKind = behind !== undefined && classOf(behind) === "noun" && KINDS.has(behind.stem);
    const isName = isKind || (before !== undefined && (NAMES.has(before.stem) || LABEL.has(before.stem)));
    const telling = quoted.filter((i) => tokens[i] !== undefined && !isPunctuation(tokens[i]));
    if (isName) return telling.length > 0 ? telling : quoted;
  }
  return null;
}

const KINDS: ReadonlySet<string> = stemsOf(QUOTED_KINDS);
const MARKS_MAX = 3;

/** The last kind of control that it names, else a field where something is written into what is named. */
function askedIn(words: Words, clause: readonly number[], verb: number | undefined): Asked | null {
  const kindAt = (i: number) => (words.quotes[i] === -1 ? ASKED.get(words.tokens[i]?.stem ?? "") : undefined);
  const named = clause.findLast((i) => i !== verb && kindAt(i) !== undefined);
  if (named !== undefined) return kindAt(named) ?? null;
  const types = verb !== undefined && TYPES.has(words.tokens[verb]?.stem ?? "");
  return types || partsOf(words, clause)?.target != null ? "field" : null;
}

export type Parts = {
  readonly object: readonly number[];
  readonly value: readonly number[];
  /** Where something is written into what is named: the word before that. */
  readonly target: number | null;
};

/** "change A to B" has an object and a value, "type A into B" an object only: what is typed is no control. */
export function partsOf(words: Words, clause: readonly number[]): Parts | null {
  const stem = (i: number | undefined): string => (i === undefined ? "" : (words.tokens[i]?.stem ?? ""));
  const at = clause.findIndex((i) => CHANGES.has(stem(i)) || WRITES.has(stem(i)));
  if (at < 0 || at >= SCORE_1.verbPlacesMax) return null;
  const changes = CHANGES.has(stem(clause[at]));
  const between = changes ? ["to", "from"] : ["into", "in", "to", "as"];
  const split = clause.findIndex(
    (i, k) => k > at + 1 && words.quotes[i] === -1 && between.includes(words.tokens[i]?.text ?? ""),
  );
  if (split < 0) return null;
  const [before, behind] = [clause.slice(at, split), clause.slice(split + 1)];
  if (changes) return { object: before, value: behind, target: null };
  return { object: behind, value: [], target: clause[split] ?? null };
}

/** What stands behind each preposition of a clause, up to the next: in a long description a name is said in one of these. */
export function phrasesIn({ tokens, quotes }: Words, clause: readonly number[]): readonly (readonly number[])[] {
  const phrases: number[][] = [];
  for (const i of clause) {
    if (quotes[i] === -1 && PREPOSITIONS.has(tokens[i]?.text ?? "")) phrases.push([]);
    else phrases.at(-1)?.push(i);
  }
  return phrases;
}

const PREPOSITIONS: ReadonlySet<string> = new Set([...WHERE, "to"]);
