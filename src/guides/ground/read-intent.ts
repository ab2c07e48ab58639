import { markAsides } from "./asides.ts";
import type { Words } from "./classes.ts";
import { cutsOf, partsOf, phrasesIn, readClause } from "./clauses.ts";
import type { GroundIndex } from "./ground-index.ts";
import type { Aside, Clause, Intent, Reading } from "./intent.ts";
import { joinPhrases, weightOf } from "./lexicon.ts";
import { corrected } from "./mistyped.ts";
import { quotationsOf } from "./quotations.ts";
import { SCORE_1 } from "./score-1.ts";
import { fold, tokenise, visible } from "./tokenise.ts";

/** Reads any text as an intent. It never throws. @param index the map in which it is read, for words that are mistyped. */
export function readIntent(text: string, index: GroundIndex | null = null): Intent {
  const shown = visible(text);
  const typed = tokenise(shown);
  const all = joinPhrases(index === null ? typed : corrected(typed, index));
  const tokens = all.slice(0, SCORE_1.intentTokensMax);
  const words = { tokens, quotes: quotationsOf(shown, tokens) };
  const { cuts, classes } = cutsOf(words);
  const asides: (Aside | null)[] = tokens.map(() => null);
  const landmarks = cuts.map(({ tokens }) => markAsides(words, tokens, asides, partsOf(words, tokens)?.target ?? null));
  const clauses = cuts.map((cut) => readClause(words, classes, cut));
  return {
    ...{ shown, literal: fold(shown), overlong: all.length > tokens.length, ...words, asides, classes, clauses },
    weights: tokens.map((token, i) => {
      const weight = weightOf(token, classes[i] ?? "content");
      return words.quotes[i] === -1 || token.kind === "symbol" ? weight : SCORE_1.content;
    }),
    readings: readingsOf(words, asides, clauses, landmarks),
  };
}

function readingsOf(
  words: Words,
  asides: readonly (Aside | null)[],
  clauses: readonly Clause[],
  landmarks: readonly (readonly number[])[],
): readonly Reading[] {
  const readings: Reading[] = [];
  const add = (reading: Omit<Reading, "within">): void => {
    const same = (one: Reading): boolean =>
      one.clause === reading.clause &&
      String(one.needs) === String(reading.needs) &&
      String(one.tokens) === String(reading.tokens);
    if (reading.tokens.length > 0 && !readings.some(same))
      readings.push({ ...reading, within: new Set(reading.tokens) });
  };
  const said = (tokens: readonly number[]) => tokens.filter((i) => asides[i] === null || asides[i] === "place");
  const bare = (tokens: readonly number[]) => tokens.filter((i) => asides[i] === null);
  const several = { clause: -1, naming: true, needs: [] };
  const own = clauses.filter(({ kind }) => kind !== "beside");
  if (own.length > 1) add({ kind: "whole", tokens: said(own.flatMap(({ tokens }) => tokens)), ...several });
  clauses.forEach(({ tokens, naming }, clause) => {
    const one = { clause, naming, needs: [] };
    add({ kind: "clause", tokens: said(tokens), ...one });
    add({ kind: "clause", tokens: bare(tokens), ...one });
    const parts = partsOf(words, tokens);
    if (parts !== null) {
      for (const only of [bare, said]) {
        add({ kind: "object", tokens: only(parts.object), ...one, naming: false });
        add({ kind: "value", tokens: only(parts.value), ...one, naming: true });
      }
    }
    const phrases = naming ? [] : phrasesIn(words, tokens);
    for (const phrase of phrases) add({ kind: "part", tokens: bare(phrase), ...one, naming: true });
    for (const quote of new Set(tokens.map((i) => words.quotes[i]))) {
      const quoted = quote === -1 ? [] : tokens.filter((i) => words.quotes[i] === quote);
      add({ kind: "quotation", tokens: quoted, ...one, naming: true });
    }
    const needs = landmarks[clause] ?? [];
    if (needs.length > 0) add({ kind: "with_landmark", tokens, ...one, needs });
  });
  return readings;
}
