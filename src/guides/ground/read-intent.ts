import { markAsides } from "./asides.ts";
import { cutsOf, partsOf, phrasesIn, readClause } from "./clauses.ts";
import type { Aside, Clause, Intent, Reading } from "./intent.ts";
import { classOf, joinPhrases, type WordClass, weightOf } from "./lexicon.ts";
import { quotationsOf } from "./quotations.ts";
import { SCORE_1 } from "./score-1.ts";
import { fold, type Token, tokenise, visible } from "./tokenise.ts";
import { LINKS, TURNING } from "./words.ts";

/** Reads any text as an intent. It never throws. */
export function readIntent(text: string): Intent {
  const shown = visible(text);
  const all = joinPhrases(tokenise(shown));
  const tokens = all.slice(0, SCORE_1.intentTokensMax);
  const words = { tokens, quotes: quotationsOf(shown, tokens) };
  const cuts = cutsOf(words);
  const asides: (Aside | null)[] = tokens.map(() => null);
  const landmarks = cuts.map(({ tokens }) => markAsides(words, tokens, asides, partsOf(words, tokens)?.target ?? null));
  const clauses = cuts.map((cut) => readClause(words, cut));
  const classes = classesOf(words, clauses);
  return {
    ...{ shown, literal: fold(shown), overlong: all.length > tokens.length, ...words, asides, classes, clauses },
    weights: tokens.map((token, i) => {
      const weight = weightOf(token, classes[i] ?? "content");
      return words.quotes[i] === -1 || token.kind === "symbol" ? weight : SCORE_1.content;
    }),
    readings: readingsOf(words, asides, clauses, landmarks),
  };
}

type Words = { readonly tokens: readonly Token[]; readonly quotes: readonly number[] };

/** A word for what one does is one at the head of its clause; elsewhere it is part of a name, such as "a Switch node". */
function classesOf({ tokens, quotes }: Words, clauses: readonly Clause[]): readonly WordClass[] {
  const classes = tokens.map(classOf);
  for (const { tokens: clause } of clauses) {
    const head = clause.find((i) => quotes[i] === -1 && !["stop", "symbol"].includes(classes[i] ?? ""));
    const turns = clause.some((i) => TURNS.has(tokens[i]?.text ?? ""));
    for (const [k, i] of clause.entries()) {
      const [token, before] = [tokens[i], tokens[i - 1]];
      if (token === undefined || quotes[i] !== -1) continue;
      if (turns && (token.text === "on" || token.text === "off")) classes[i] = "stop";
      else if (classes[i] === "noun" && classes[i + 1] === "noun" && quotes[i + 1] === -1 && clause[k + 1] === i + 1)
        classes[i] = "content";
      else if (classes[i] === "verb" && i !== head && !LINK.has(before?.text ?? "")) classes[i] = "content";
    }
  }
  return classes;
}

const TURNS: ReadonlySet<string> = new Set(TURNING);
const LINK: ReadonlySet<string> = new Set(LINKS);

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
  if (clauses.length > 1) add({ kind: "whole", tokens: said(words.tokens.map((_, i) => i)), ...several });
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
