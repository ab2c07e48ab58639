/** Which words of an intent are words of a name, and how well. */
import { type GroundIndex, rarity } from "./ground-index.ts";
import type { Intent } from "./intent.ts";
import { append, isPunctuation, joinedKeys, meaningsOf } from "./lexicon.ts";
import type { Name } from "./names-of.ts";
import { SCORE_1 } from "./score-1.ts";
import type { Token } from "./tokenise.ts";
import { deletionsOf, isTypo, mayHaveTypo } from "./typos.ts";

/** What the tokens `from` to `to` of an intent may mean. */
type Meant = { readonly from: number; readonly to: number; readonly strength: number };

/** By a stem, two stems as one, or a meaning. */
export type Wanted = ReadonlyMap<string, readonly Meant[]>;

/** A token of the intent is a token of the name. */
export type Hit = { readonly said: number; readonly named: number; readonly strength: number };

export function wantedBy(index: GroundIndex, { tokens }: Intent): Wanted {
  const wanted = new Map<string, Meant[]>();
  tokens.forEach((token, i) => {
    append(wanted, token.stem, { from: i, to: i + 1, strength: 1 });
    for (const meaning of meaningsOf(token.stem)) {
      append(wanted, meaning, { from: i, to: i + 1, strength: SCORE_1.synonym });
    }
    for (const stem of meantStems(index, token)) append(wanted, stem, { from: i, to: i + 1, strength: SCORE_1.typo });
    const next = nextWord(tokens, i + 1);
    for (const key of joinedKeys(token, tokens[next])) append(wanted, key, { from: i, to: next + 1, strength: 1 });
  });
  return wanted;
}

/** A word that no name has may be one that is a typo away. */
function meantStems(index: GroundIndex, { kind, stem }: Token): ReadonlySet<string> {
  if (kind !== "word" || index.rarities.has(stem) || !mayHaveTypo(stem)) return NONE;
  const near = deletionsOf(stem).flatMap((shorter) => index.deletions.get(shorter) ?? []);
  return new Set(near.filter((other) => isTypo(stem, other)));
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

/** What of a name an intent says. A quotation is said as a whole or not at all. */
export function hitsOf(index: GroundIndex, intent: Intent, wanted: Wanted, name: Name): readonly Hit[] {
  const hits: Hit[] = [];
  name.tokens.forEach((token, i) => {
    for (const { from, to, strength } of wanted.get(token.stem) ?? []) {
      const said = intent.tokens[from];
      if (said === undefined || (isPunctuation(said) && !isNamed(intent, from))) continue;
      const form = strength === 1 && to === from + 1 && said.text !== token.text ? SCORE_1.inflected : 1;
      addHits(hits, from, to, i, i + 1, strength * form);
    }
    for (const meaning of meaningsOf(token.stem)) {
      for (const { from, to, strength } of wanted.get(meaning) ?? []) addHits(hits, from, to, i, i + 1, strength);
    }
    for (const key of name.joins[i] ?? []) {
      // Of two tokens on either side each is matched by itself.
      const single = (wanted.get(key) ?? []).filter(({ from, to }) => to === from + 1);
      for (const { from, to, strength } of single) addHits(hits, from, to, i, i + 2, strength);
    }
  });
  return wholeQuotations(index, intent, name, hits);
}

/** Punctuation is a name in quotation marks, or where it stands by itself: "click ...", and not "click." */
function isNamed({ tokens, quotes }: Intent, i: number): boolean {
  if (quotes[i] !== -1) return true;
  let start = i;
  while (tokens[start - 1]?.kind === "symbol" && tokens[start - 1]?.to === tokens[start]?.from) start -= 1;
  return tokens[start - 1]?.to !== tokens[start]?.from;
}

function addHits(hits: Hit[], from: number, to: number, first: number, end: number, strength: number): void {
  for (let said = from; said < to; said++)
    for (let named = first; named < end; named++) hits.push({ said, named, strength });
}

function wholeQuotations(index: GroundIndex, intent: Intent, name: Name, hits: readonly Hit[]): readonly Hit[] {
  if (name.symbols || !hits.some(({ said }) => intent.quotes[said] !== -1)) return hits;
  const found = new Set(hits.map(({ said }) => said));
  const shares = new Map<number, { all: number; said: number }>();
  intent.tokens.forEach(({ stem }, i) => {
    const quote = intent.quotes[i] ?? -1;
    if (quote === -1) return;
    const share = shares.get(quote) ?? { all: 0, said: 0 };
    const weight = (intent.weights[i] ?? 0) * rarity(index, stem);
    shares.set(quote, { all: share.all + weight, said: share.said + (found.has(i) ? weight : 0) });
  });
  return hits.filter(({ said }) => {
    const share = shares.get(intent.quotes[said] ?? -1);
    return share === undefined || share.said >= SCORE_1.quoteShareMin * share.all;
  });
}
