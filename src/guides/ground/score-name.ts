/** The score of one name of one control, for each clause of an intent. */
import { type Entry, type GroundIndex, rarity } from "./ground-index.ts";
import type { Clause, Intent, Reading } from "./intent.ts";
import { isState, LIGHT, oppositesOf, stemsOf } from "./lexicon.ts";
import { type Group, type Match, type Matched, matchesOf, type Wanted, type Within } from "./match.ts";
import { fits } from "./role-of.ts";
import { SCORE_1 } from "./score-1.ts";
import { EMPTYING } from "./words.ts";

const EMPTIES: ReadonlySet<string> = stemsOf(EMPTYING);

export type Factor = { readonly name: FactorName; readonly by: number };
export type FactorName =
  | "half_said"
  | "value"
  | "part"
  | "child_text"
  | "resource_id"
  | "not_clickable"
  | "not_clickable_text"
  | "text"
  | "other_role"
  | "missed_action"
  | "missed_effect"
  | "unsaid_effect"
  | "opposite"
  | "other_number"
  | "missed_ordinal";

export type Scored = {
  readonly entry: Entry;
  readonly reading: Reading;
  readonly matched: Matched;
  /** How much of the name is said, and how much of the reading's words is in the name: 0 to 1. */
  readonly nameShare: number;
  readonly wordShare: number;
  readonly factors: readonly Factor[];
  readonly score: number;
  /** What it would be if no word of EFFECTS were more than another: a control that scores less than this is not told from it. */
  readonly rival: number;
};

/** What an intent asks for, prepared once for all names. */
export type Sought = { readonly intent: Intent; readonly wanted: Wanted; readonly within: Within };

export type Scores = {
  /** The best reading of each clause that says anything of the name. */
  readonly best: readonly Scored[];
  /** How many tokens of the name and of the readings were gone through: the cost. */
  readonly steps: number;
};

export function scoreName(index: GroundIndex, sought: Sought, entry: Entry): Scores {
  const { intent, wanted, within } = sought;
  const matched = matchesOf(index, intent, wanted, entry.name);
  let steps = entry.name.tokens.length + matched.matches.length;
  const best = new Map<number, Scored>();
  for (const reading of matched.matches.length === 0 ? [] : intent.readings) {
    const found = foundIn(intent, entry, matched, within.get(reading) ?? NOTHING);
    steps += found.steps;
    const scored = found.said.size === 0 ? null : scoreReading(index, intent, entry, reading, matched, found);
    if (scored === null) continue;
    steps += reading.tokens.length + entry.name.tokens.length;
    if (scored.score > (best.get(reading.clause)?.score ?? 0)) best.set(reading.clause, scored);
  }
  return { best: [...best.values()], steps };
}
const NOTHING: ReadonlyMap<Group, readonly number[]> = new Map();

/** By token of the intent that was hit, the best strength. */
type Said = ReadonlyMap<number, number>;
/** By token of the name, the best strength with which it was hit; 0: it was not. */
type Named = readonly number[];

type Found = { readonly said: Said; readonly named: Named; readonly steps: number };

/** What of a name is said in one reading. */
function foundIn(
  { quotes }: Intent,
  { name }: Entry,
  { matches, refused }: Matched,
  groups: ReadonlyMap<Group, readonly number[]>,
): Found {
  const strengths = new Map<Group, number>();
  const named: number[] = new Array(name.tokens.length).fill(0);
  let steps = matches.length;
  for (const { group, named: places, strength } of matches) {
    if (allowed(groups.get(group), quotes, refused).length === 0) continue;
    strengths.set(group, Math.max(strengths.get(group) ?? 0, strength));
    for (const i of places) named[i] = Math.max(named[i] ?? 0, strength);
  }
  const said = new Map<number, number>();
  for (const [group, strength] of strengths) {
    for (const i of allowed(groups.get(group), quotes, refused)) said.set(i, Math.max(said.get(i) ?? 0, strength));
    steps += groups.get(group)?.length ?? 0;
  }
  return { said, named, steps };
}

function allowed(
  places: readonly number[] = [],
  quotes: readonly number[],
  refused: ReadonlySet<number>,
): readonly number[] {
  return refused.size === 0 ? places : places.filter((i) => !refused.has(quotes[i] ?? -1));
}

function scoreReading(
  index: GroundIndex,
  intent: Intent,
  entry: Entry,
  reading: Reading,
  matched: Matched,
  { said, named }: Found,
): Scored | null {
  const { name } = entry;
  if (!isEvidence(intent, entry, reading, said)) return null;
  const ofName = share(entry.weights, named);
  const ofWords = share(
    reading.tokens.map((i) => saidWeight(index, intent, entry, reading, said, i)),
    reading.tokens.map((i) => said.get(i) ?? 0),
  );
  const half =
    Math.max(ofName.covered, ofWords.covered) < SCORE_1.coveredMin ||
    (reading.naming && ofWords.share < SCORE_1.namingShareMin) ||
    (name.light && ofWords.share < SCORE_1.lightShareMin);
  const factors = factorsOf(index, intent, entry, reading, matched, { said, named, half });
  const both = mean(ofName.share, ofWords.share, reading.naming ? SCORE_1.betaNaming : SCORE_1.betaDescribing);
  const times = (some: readonly Factor[]): number => rounded(some.reduce((product, { by }) => product * by, both));
  const score = times(factors);
  const rival = times(factors.map(asRival));
  return { entry, reading, matched, nameShare: ofName.share, wordShare: ofWords.share, factors, score, rival };
}

function asRival({ name, by }: Factor): Factor {
  if (name === "unsaid_effect") return { name, by: 1 };
  return { name, by: name === "missed_effect" ? SCORE_1.missedAction : by };
}

/** Whether what was said names anything by itself: a word that tells, and not only where, or what another control is. */
function isEvidence(intent: Intent, { name }: Entry, reading: Reading, said: Said): boolean {
  const { kind, tokens, clause, needs } = reading;
  if (!needs.every((i) => said.has(i))) return false;
  const designated = intent.clauses[clause]?.designated;
  if (designated != null && countHits(designated, said) < SCORE_1.quoteShareMin * designated.length) return false;
  const tells = (i: number): boolean => {
    if (!said.has(i) || (intent.asides[i] !== null && kind !== "with_landmark")) return false;
    const light = LIGHT.has(intent.classes[i] ?? "content") || intent.classes[i] === "symbol";
    return !light || name.light || name.symbols || intent.quotes[i] !== -1 || kind === "value";
  };
  if (kind !== "whole") return tokens.some(tells);
  // A name over several clauses is said in more than one of them.
  return intent.clauses.filter((one) => one.tokens.some(tells)).length > 1;
}

function countHits(tokens: readonly number[], said: Said): number {
  return tokens.reduce((count, i) => count + (said.has(i) ? 1 : 0), 0);
}

function saidWeight(
  index: GroundIndex,
  intent: Intent,
  { name }: Entry,
  { naming }: Reading,
  said: Said,
  i: number,
): number {
  const token = intent.tokens[i];
  if (token === undefined) return 0;
  if (said.has(i)) return name.symbols ? 1 : (intent.weights[i] ?? 0) * rarity(index, token.stem);
  const weight = (intent.weights[i] ?? 0) * rarity(index, token.stem);
  if (intent.quotes[i] !== -1) return weight * SCORE_1.unsaidQuote;
  // Of three characters in a row the pairs overlap: what only goes over the edge of what was said is nothing more.
  if (token.kind === "pair" && [i - 1, i + 1].some((k) => said.has(k) && overlaps(intent, i, k))) return 0;
  if (!LIGHT.has(intent.classes[i] ?? "content")) return weight;
  return naming ? 0 : weight * SCORE_1.unsaid;
}

function overlaps({ tokens }: Intent, i: number, k: number): boolean {
  const [one, other] = [tokens[i], tokens[k]];
  return (
    one !== undefined && other !== undefined && other.kind === "pair" && one.from < other.to && other.from < one.to
  );
}

/** `covered`: with every hit in full, however well it fits. */
function share(
  weights: readonly number[],
  hit: readonly number[],
): { readonly share: number; readonly covered: number } {
  let [all, strong, covered] = [0, 0, 0];
  weights.forEach((weight, i) => {
    all += weight;
    strong += weight * (hit[i] ?? 0);
    if ((hit[i] ?? 0) > 0) covered += weight;
  });
  return all > 0 ? { share: strong / all, covered: covered / all } : { share: 0, covered: 0 };
}

/** The weighted harmonic mean (F-measure): with a beta below 1 the name counts more. */
function mean(name: number, words: number, beta: number): number {
  return name + words === 0 ? 0 : ((1 + beta ** 2) * name * words) / (beta ** 2 * name + words);
}

/** Scores are compared as they are printed. */
export function rounded(score: number): number {
  const scale = 10 ** SCORE_1.places;
  return Math.round(score * scale) / scale;
}

function factorsOf(
  index: GroundIndex,
  intent: Intent,
  entry: Entry,
  reading: Reading,
  { matches }: Matched,
  { said, named, half }: Pick<Found, "said" | "named"> & { readonly half: boolean },
): readonly Factor[] {
  const factors: Factor[] = [];
  const add = (name: FactorName, by: number, holds: boolean): void => {
    if (holds) factors.push({ name, by });
  };
  const { role, clickable } = index.alikes[entry.alike] ?? { role: "other", clickable: true };
  const clause = intent.clauses[reading.clause];
  add("half_said", SCORE_1.halfSaid, half);
  add("value", SCORE_1.value, reading.kind === "value");
  add("part", SCORE_1.part, reading.kind === "part");
  add("child_text", SCORE_1.childText, entry.name.field === "child_text");
  add("resource_id", SCORE_1.resourceId, entry.name.field === "resource_id");
  add("not_clickable", SCORE_1.notClickable, !clickable && role !== "text");
  add("not_clickable_text", SCORE_1.notClickableText, !clickable && role === "text");
  add("text", SCORE_1.text, clickable && (role === "text" || role === "image"));
  add("opposite", SCORE_1.opposite, hasOpposite(intent, entry, reading, role === "check", named));
  add("other_number", SCORE_1.otherNumber, hasOtherNumber(intent, entry, reading, { said, named }));
  if (clause === undefined) return factors;
  const missed = (i: number): boolean => reading.within.has(i) && !said.has(i);
  add("other_role", SCORE_1.otherRole, clause.asked !== null && !fits(role, clause.asked));
  const { effect } = clause;
  const isEmptied = role === "field" && EMPTIES.has(intent.tokens[effect ?? -1]?.stem ?? "");
  const misses = effect !== null && !isEmptied && !matches.some(({ group }) => group.said.includes(effect));
  add("missed_effect", SCORE_1.missedEffect, misses);
  add("missed_action", SCORE_1.missedAction, !misses && clause.action !== null && missed(clause.action));
  add("unsaid_effect", SCORE_1.unsaidEffect, hasUnsaidEffect(entry, clause, matches));
  add("missed_ordinal", SCORE_1.missedOrdinal, reading.naming && clause.ordinals.some(missed));
  return factors;
}

/** The name has a word that was not said, and its opposite was. A switch is called one way and is for both. */
function hasOpposite(intent: Intent, { name }: Entry, reading: Reading, isSwitch: boolean, named: Named): boolean {
  // What is done is said before the preposition.
  const clause = reading.kind === "part" ? intent.clauses[reading.clause]?.tokens : undefined;
  const tokens = clause?.filter((i) => intent.asides[i] === null) ?? reading.tokens;
  return name.tokens.some(({ stem }, i) => {
    if ((named[i] ?? 0) > 0 || (isSwitch && isState(stem))) return false;
    const opposites = oppositesOf(stem);
    return opposites.length > 0 && tokens.some((k) => opposites.includes(intent.tokens[k]?.stem ?? ""));
  });
}

/** The control does something that was not said to be done, and what was is only to look at it, or something else. */
function hasUnsaidEffect({ name }: Entry, { looks, action, effect }: Clause, matches: readonly Match[]): boolean {
  if (name.effect === -1 || !(looks || action !== null || effect !== null)) return false;
  return !matches.some(({ named }) => named.includes(name.effect));
}

/** The name has a number that was not said, and one was said that the name has not. */
function hasOtherNumber(
  intent: Intent,
  { name }: Entry,
  { tokens }: Reading,
  { said, named }: Pick<Found, "said" | "named">,
): boolean {
  if (!name.tokens.some(({ kind }, i) => kind === "number" && (named[i] ?? 0) === 0)) return false;
  return tokens.some((k) => intent.tokens[k]?.kind === "number" && !said.has(k));
}
