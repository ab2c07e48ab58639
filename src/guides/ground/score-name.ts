/** The score of one name of one control, for each clause of an intent. */
import { type Entry, type GroundIndex, rarity } from "./ground-index.ts";
import type { Intent, Reading } from "./intent.ts";
import { isState, LIGHT, oppositesOf } from "./lexicon.ts";
import { type Hit, hitsOf, type Wanted } from "./match.ts";
import { fits } from "./role-of.ts";
import { SCORE_1 } from "./score-1.ts";

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
  | "opposite"
  | "other_number"
  | "missed_ordinal";

export type Scored = {
  readonly entry: Entry;
  readonly reading: Reading;
  readonly hits: readonly Hit[];
  /** How much of the name is said, and how much of the reading's words is in the name: 0 to 1. */
  readonly nameShare: number;
  readonly wordShare: number;
  readonly factors: readonly Factor[];
  readonly score: number;
};

/** The best reading of each clause that says anything of the name. */
export function scoreName(index: GroundIndex, intent: Intent, wanted: Wanted, entry: Entry): readonly Scored[] {
  const hits = hitsOf(index, intent, wanted, entry.name);
  if (hits.length === 0) return [];
  const best = new Map<number, Scored>();
  for (const reading of intent.readings) {
    const scored = scoreReading(index, intent, entry, reading, hits);
    if (scored !== null && scored.score > (best.get(reading.clause)?.score ?? 0)) best.set(reading.clause, scored);
  }
  return [...best.values()];
}

/** By token, the best strength with which it was hit. */
type Strengths = ReadonlyMap<number, number>;

function scoreReading(
  index: GroundIndex,
  intent: Intent,
  entry: Entry,
  reading: Reading,
  all: readonly Hit[],
): Scored | null {
  const { within } = reading;
  const hits = all.filter(({ said }) => within.has(said));
  if (hits.length === 0) return null;
  const [said, named] = [strengths(hits, "said"), strengths(hits, "named")];
  if (!isEvidence(intent, entry, reading, said)) return null;
  const { name } = entry;
  const ofName = share(
    name.tokens.map(({ stem }, i) => (name.weights[i] ?? 0) * (name.symbols ? 1 : rarity(index, stem))),
    named,
  );
  const weights = reading.tokens.map((i) => saidWeight(index, intent, entry, reading, said, i));
  const ofWords = share(
    weights,
    new Map(reading.tokens.flatMap((i, k) => (said.has(i) ? [[k, said.get(i) ?? 0]] : []))),
  );
  const half =
    Math.max(ofName.covered, ofWords.covered) < SCORE_1.coveredMin ||
    (reading.naming && ofWords.share < SCORE_1.namingShareMin) ||
    (name.light && ofWords.share < SCORE_1.lightShareMin);
  const factors = factorsOf(index, intent, entry, reading, { said, named, within, half });
  const both = mean(ofName.share, ofWords.share, reading.naming ? SCORE_1.betaNaming : SCORE_1.betaDescribing);
  const score = rounded(factors.reduce((product, { by }) => product * by, both));
  return { entry, reading, hits, nameShare: ofName.share, wordShare: ofWords.share, factors, score };
}

function strengths(hits: readonly Hit[], side: "said" | "named"): Strengths {
  const best = new Map<number, number>();
  for (const hit of hits) if (hit.strength > (best.get(hit[side]) ?? 0)) best.set(hit[side], hit.strength);
  return best;
}

/** Whether what was said names anything by itself: a word that tells, and not only where, or what another control is. */
function isEvidence(intent: Intent, { name }: Entry, { kind, clause, needs }: Reading, said: Strengths): boolean {
  if (!needs.every((i) => said.has(i))) return false;
  const designated = intent.clauses[clause]?.designated;
  if (designated != null && designated.filter((i) => said.has(i)).length < SCORE_1.quoteShareMin * designated.length)
    return false;
  const tells = (i: number): boolean => {
    if (intent.asides[i] !== null && kind !== "with_landmark") return false;
    const light = LIGHT.has(intent.classes[i] ?? "content") || intent.classes[i] === "symbol";
    return !light || name.light || name.symbols || intent.quotes[i] !== -1 || kind === "value";
  };
  const telling = [...said.keys()].filter(tells);
  if (kind !== "whole") return telling.length > 0;
  // A name over several clauses is said in more than one of them.
  const hit = new Set(telling);
  return intent.clauses.filter(({ tokens }) => tokens.some((i) => hit.has(i))).length > 1;
}

function saidWeight(
  index: GroundIndex,
  intent: Intent,
  { name }: Entry,
  { naming }: Reading,
  said: Strengths,
  i: number,
): number {
  const token = intent.tokens[i];
  if (token === undefined) return 0;
  if (said.has(i)) return name.symbols ? 1 : (intent.weights[i] ?? 0) * rarity(index, token.stem);
  let weight = (intent.weights[i] ?? 0) * rarity(index, token.stem);
  if (intent.quotes[i] !== -1) return weight * SCORE_1.unsaidQuote;
  if (LIGHT.has(intent.classes[i] ?? "content")) weight *= naming ? 0 : SCORE_1.unsaid;
  // Of three characters in a row the pairs overlap: what only goes over the edge of what was said is nothing more.
  const edge = token.kind === "pair" && [i - 1, i + 1].some((k) => said.has(k) && overlaps(intent, i, k));
  return edge ? 0 : weight;
}

function overlaps({ tokens }: Intent, i: number, k: number): boolean {
  const [one, other] = [tokens[i], tokens[k]];
  return (
    one !== undefined && other !== undefined && other.kind === "pair" && one.from < other.to && other.from < one.to
  );
}

/** `covered`: with every hit in full, however well it fits. */
function share(weights: readonly number[], hit: Strengths): { readonly share: number; readonly covered: number } {
  let [all, strong, covered] = [0, 0, 0];
  weights.forEach((weight, i) => {
    all += weight;
    strong += weight * (hit.get(i) ?? 0);
    if (hit.has(i)) covered += weight;
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

type Found = {
  readonly said: Strengths;
  readonly named: Strengths;
  readonly within: ReadonlySet<number>;
  readonly half: boolean;
};

function factorsOf(
  index: GroundIndex,
  intent: Intent,
  entry: Entry,
  reading: Reading,
  found: Found,
): readonly Factor[] {
  const factors: Factor[] = [];
  const add = (name: FactorName, by: number, holds: boolean): void => {
    if (holds) factors.push({ name, by });
  };
  const { role, clickable } = index.alikes[entry.alike] ?? { role: "other", clickable: true };
  const clause = intent.clauses[reading.clause];
  add("half_said", SCORE_1.halfSaid, found.half);
  add("value", SCORE_1.value, reading.kind === "value");
  add("part", SCORE_1.part, reading.kind === "part");
  add("child_text", SCORE_1.childText, entry.name.field === "child_text");
  add("resource_id", SCORE_1.resourceId, entry.name.field === "resource_id");
  add("not_clickable", SCORE_1.notClickable, !clickable && role !== "text");
  add("not_clickable_text", SCORE_1.notClickableText, !clickable && role === "text");
  add("text", SCORE_1.text, clickable && (role === "text" || role === "image"));
  add("opposite", SCORE_1.opposite, hasOpposite(intent, entry, role === "check", found));
  add("other_number", SCORE_1.otherNumber, hasOtherNumber(intent, entry, found));
  if (clause === undefined) return factors;
  const missed = (i: number): boolean => found.within.has(i) && !found.said.has(i);
  add("other_role", SCORE_1.otherRole, clause.asked !== null && !fits(role, clause.asked));
  add("missed_action", SCORE_1.missedAction, clause.action !== null && missed(clause.action));
  add("missed_ordinal", SCORE_1.missedOrdinal, reading.naming && clause.ordinals.some(missed));
  return factors;
}

/** The name has a word that was not said, and its opposite was. A switch is called one way and is for both. */
function hasOpposite({ tokens }: Intent, { name }: Entry, isSwitch: boolean, { named, within }: Found): boolean {
  return name.tokens.some(({ stem }, i) => {
    if (named.has(i) || (isSwitch && isState(stem))) return false;
    const opposites = oppositesOf(stem);
    return opposites.length > 0 && [...within].some((k) => opposites.includes(tokens[k]?.stem ?? ""));
  });
}

/** The name has a number that was not said, and one was said that the name has not. */
function hasOtherNumber({ tokens }: Intent, { name }: Entry, { said, named, within }: Found): boolean {
  if (!name.tokens.some(({ kind }, i) => kind === "number" && !named.has(i))) return false;
  return [...within].some((k) => tokens[k]?.kind === "number" && !said.has(k));
}
