import { canonicalJson } from "../../domain/canonical.ts";
import { type GroundIndex, rarity } from "./ground-index.ts";
import type { Aside, Clause, Intent } from "./intent.ts";
import { judge, type Rank, type Scope } from "./judge.ts";
import type { WordClass } from "./lexicon.ts";
import type { NameField } from "./names-of.ts";
import { SCORE_1 } from "./score-1.ts";
import { type FactorName, rounded } from "./score-name.ts";

/** How a score came about: what `ground --explain` shows. */
export type Explanation = {
  readonly version: typeof SCORE_1.version;
  readonly map: string;
  readonly intent: string;
  readonly bound: string | null;
  readonly tokens: readonly {
    readonly text: string;
    readonly stem: string;
    readonly as: WordClass;
    readonly clause: number | null;
    readonly quoted: boolean;
    readonly aside: Aside | null;
    /** Its class, times how rare it is in the map. */
    readonly weight: number;
  }[];
  readonly clauses: readonly {
    readonly words: string;
    readonly kind: Clause["kind"];
    readonly naming: boolean;
  }[];
  /** Best first. */
  readonly candidates: readonly Candidate[];
  readonly looked: number;
};

export type Candidate = {
  /** All of them, where nothing tells them apart. */
  readonly ids: readonly string[];
  readonly name: string;
  readonly field: NameField;
  /** The words that it was compared with. */
  readonly reading: { readonly kind: string; readonly words: string; readonly naming: boolean };
  readonly matched: readonly { readonly word: string; readonly of: string; readonly strength: number }[];
  readonly nameShare: number;
  readonly wordShare: number;
  readonly factors: readonly { readonly name: FactorName; readonly by: number }[];
  readonly score: number;
};

const CANDIDATES_MAX = 5;

export function explain(index: GroundIndex, text: string, scope: Scope = { screen: null }): Explanation {
  const { intent, bound, ranks, looked } = judge(index, text, scope);
  const words = (tokens: readonly number[]): string => tokens.map((i) => intent.tokens[i]?.text ?? "").join(" ");
  const clauseOf = (i: number): number | null => {
    const clause = intent.clauses.findIndex(({ tokens }) => tokens.includes(i));
    return clause < 0 ? null : clause;
  };
  return {
    ...{ version: SCORE_1.version, map: index.digest, intent: text, bound: bound?.ids[0] ?? null, looked },
    tokens: intent.tokens.map(({ text: said, stem }, i) => ({
      ...{ text: said, stem, as: intent.classes[i] ?? "content", clause: clauseOf(i), aside: intent.asides[i] ?? null },
      quoted: intent.quotes[i] !== -1,
      weight: rounded((intent.weights[i] ?? 0) * rarity(index, stem)),
    })),
    clauses: intent.clauses.map(({ tokens, kind, naming }) => ({ words: words(tokens), kind, naming })),
    candidates: ranks.slice(0, CANDIDATES_MAX).map((rank) => candidate(intent, rank, words)),
  };
}

function candidate(
  { quotes }: Intent,
  { ids, entry, reading, matched: all, nameShare, wordShare, factors, score }: Rank,
  words: (tokens: readonly number[]) => string,
): Candidate {
  const matched = all.matches.flatMap(({ group, named, strength }) => {
    const said = group.said.filter((i) => reading.within.has(i) && !all.refused.has(quotes[i] ?? -1));
    return said.flatMap((i) =>
      named.map((k) => ({ word: words([i]), of: entry.name.tokens[k]?.text ?? "", strength })),
    );
  });
  return {
    ...{ ids, name: entry.name.shown, field: entry.name.field, score, factors },
    reading: { kind: reading.kind, words: words(reading.tokens), naming: reading.naming },
    // A pair of words that is also one is found twice.
    matched: [...new Map(matched.map((match) => [canonicalJson(match), match])).values()],
    nameShare: rounded(nameShare),
    wordShare: rounded(wordShare),
  };
}
