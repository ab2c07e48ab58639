/** Which words of an intent are words of a name, and how well. */
import { type GroundIndex, rarity } from "./ground-index.ts";
import type { Intent, Reading } from "./intent.ts";
import { append, isPunctuation, joinedKeys, meaningsOf } from "./lexicon.ts";
import type { Name } from "./names-of.ts";
import { SCORE_1 } from "./score-1.ts";
import type { Token } from "./tokenise.ts";
import { meantBy } from "./typos.ts";

/**
 * The tokens of an intent that say the same: a word, wherever it is repeated, or two words as one. Names are compared with groups,
 * so that a word that is said a hundred times costs as much as one that is said once.
 */
export type Group = {
  /** As it was said; null: it is two words as one. */
  readonly text: string | null;
  /** The places of its tokens, each once. */
  readonly said: readonly number[];
};

/** What a group may mean, how well. */
type Meant = { readonly group: Group; readonly strength: number };

/** By a stem, two stems as one, or a meaning. */
export type Wanted = ReadonlyMap<string, readonly Meant[]>;

/** A group of the intent is said in these tokens of a name. */
export type Match = { readonly group: Group; readonly named: readonly number[]; readonly strength: number };

/** A token of the intent is a token of the name. */
export type Hit = { readonly said: number; readonly named: number; readonly strength: number };

export function wantedBy(index: GroundIndex, intent: Intent): Wanted {
  const { tokens } = intent;
  const wanted = new Map<string, Meant[]>();
  const words = new Map<string, number[]>();
  const joins = new Map<string, Set<number>>();
  tokens.forEach((token, i) => {
    if (!isPunctuation(token) || isNamed(intent, i)) append(words, token.text, i);
    const next = nextWord(tokens, i + 1);
    for (const key of joinedKeys(token, tokens[next])) {
      const said = joins.get(key) ?? new Set();
      for (let k = i; k <= next; k++) said.add(k);
      joins.set(key, said);
    }
  });
  for (const [text, said] of words) {
    const token = tokens[said[0] ?? -1];
    if (token === undefined) continue;
    const group: Group = { text, said };
    append(wanted, token.stem, { group, strength: token.mistyped ? SCORE_1.typo : 1 });
    for (const meaning of meaningsOf(token.stem)) append(wanted, meaning, { group, strength: SCORE_1.synonym });
    for (const stem of meantStems(index, token)) append(wanted, stem, { group, strength: SCORE_1.typo });
  }
  for (const [key, said] of joins) append(wanted, key, { group: { text: null, said: [...said] }, strength: 1 });
  return wanted;
}

/** A word that no name has may be one that is a typo away. */
function meantStems({ rarities, spellings }: GroundIndex, { kind, stem, text }: Token): ReadonlySet<string> {
  return kind !== "word" || rarities.has(stem) ? NONE : meantBy(spellings, [stem, text]);
}
const NONE: ReadonlySet<string> = new Set();

/** Past punctuation: "Wi-Fi" is wifi. */
function nextWord(tokens: readonly Token[], from: number): number {
  for (let i = from; i < Math.min(from + MARKS_MAX, tokens.length); i++) {
    const token = tokens[i];
    if (token !== undefined && token.kind !== "symbol") return i;
  }
  return -1;
}
const MARKS_MAX = 2;

/** What of a name an intent says. */
export type Matched = {
  readonly matches: readonly Match[];
  /** The quotations that are not said of it, though some word of theirs is: a quotation is said as a whole or not at all. */
  readonly refused: ReadonlySet<number>;
};

export function matchesOf(index: GroundIndex, intent: Intent, wanted: Wanted, name: Name): Matched {
  const matches: Match[] = [];
  name.tokens.forEach((token, i) => {
    for (const { group, strength } of wanted.get(token.stem) ?? []) {
      const form = strength === 1 && group.text !== null && group.text !== token.text ? SCORE_1.inflected : 1;
      matches.push({ group, named: [i], strength: strength * form });
    }
    for (const meaning of meaningsOf(token.stem)) {
      for (const { group, strength } of wanted.get(meaning) ?? []) matches.push({ group, named: [i], strength });
    }
    for (const key of name.joins[i] ?? []) {
      // Of two tokens on either side each is matched by itself.
      const single = (wanted.get(key) ?? []).filter(({ group }) => group.text !== null);
      for (const { group, strength } of single) matches.push({ group, named: [i, i + 1], strength });
    }
  });
  return { matches, refused: refusedQuotations(index, intent, name, new Set(matches.map(({ group }) => group))) };
}

/** By token of the intent: each that is said of the name, with the first of its words that says so. */
export function hitsOf(index: GroundIndex, intent: Intent, wanted: Wanted, name: Name): readonly Hit[] {
  const { matches, refused } = matchesOf(index, intent, wanted, name);
  const first = new Map<Group, Match>();
  for (const match of matches) if (!first.has(match.group)) first.set(match.group, match);
  return [...first.values()].flatMap(({ group, named, strength }) =>
    group.said
      .filter((said) => !refused.has(intent.quotes[said] ?? -1))
      .map((said) => ({ said, named: named[0] ?? -1, strength })),
  );
}

/** By reading, the groups that have tokens in it, with those. */
export type Within = ReadonlyMap<Reading, ReadonlyMap<Group, readonly number[]>>;

export function groupsWithin({ readings }: Intent, wanted: Wanted): Within {
  const groups = new Map<number, Set<Group>>();
  for (const meant of wanted.values()) {
    for (const { group } of meant) {
      for (const i of group.said) {
        const known = groups.get(i);
        if (known === undefined) groups.set(i, new Set([group]));
        else known.add(group);
      }
    }
  }
  return new Map(
    readings.map((reading) => {
      const found = new Map<Group, number[]>();
      for (const i of reading.tokens) for (const group of groups.get(i) ?? []) append(found, group, i);
      return [reading, found];
    }),
  );
}

/** Punctuation is a name in quotation marks, or where it stands by itself: "click ...", and not "click." */
function isNamed({ tokens, quotes }: Intent, i: number): boolean {
  if (quotes[i] !== -1) return true;
  let start = i;
  while (tokens[start - 1]?.kind === "symbol" && tokens[start - 1]?.to === tokens[start]?.from) start -= 1;
  return tokens[start - 1]?.to !== tokens[start]?.from;
}

function refusedQuotations(
  index: GroundIndex,
  { tokens, quotes, weights }: Intent,
  name: Name,
  groups: ReadonlySet<Group>,
): ReadonlySet<number> {
  const found = new Set([...groups].flatMap(({ said }) => said));
  if (name.symbols || ![...found].some((i) => quotes[i] !== -1)) return NO_QUOTES;
  const shares = new Map<number, { all: number; said: number }>();
  tokens.forEach(({ stem }, i) => {
    const quote = quotes[i] ?? -1;
    if (quote === -1) return;
    const share = shares.get(quote) ?? { all: 0, said: 0 };
    const weight = (weights[i] ?? 0) * rarity(index, stem);
    shares.set(quote, { all: share.all + weight, said: share.said + (found.has(i) ? weight : 0) });
  });
  return new Set([...shares].flatMap(([quote, { all, said }]) => (said < SCORE_1.quoteShareMin * all ? [quote] : [])));
}
const NO_QUOTES: ReadonlySet<number> = new Set();
