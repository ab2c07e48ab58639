/**
 * Which task matchers fire, found from the task's words: each word knows the clauses that it counts for, so a rule that
 * shares no word with the task costs nothing.
 */
import type { TaskMatcher } from "../domain/rule.ts";
import { occurring, type WordIndex, wordIndex } from "./word-index.ts";
import { parseWord } from "./words.ts";

export type TaskIndex = {
  readonly words: WordIndex;
  /** The clauses of word `w` are those from `starts[w]` to `starts[w + 1]` in `clauses`. */
  readonly starts: Int32Array;
  readonly clauses: Int32Array;
  /** A clause is one way for a rule to fire: all words of a phrase, or enough of the counted words. */
  readonly ruleOf: Int32Array;
  readonly needs: Int32Array;
  /** 1 for each rule that is for every task. */
  readonly always: Uint8Array;
};

type Clause = { readonly rule: number; readonly needs: number; readonly words: readonly string[] };

/**
 * Throws on a matcher that no parser leaves: a word that is not one word in its compared form, a phrase without words, no
 * way to fire, or a count that is always or never reached.
 */
export function taskIndex(matchers: readonly (TaskMatcher | null)[]): TaskIndex {
  const always = Uint8Array.from(matchers, (matcher) => (matcher === null ? 1 : 0));
  const clauses: Clause[] = [];
  for (const [rule, matcher] of matchers.entries()) {
    if (matcher !== null) for (const clause of clausesOf(matcher)) clauses.push({ rule, ...clause });
  }
  const numbers = new Map<string, number>();
  const counts: number[] = [];
  for (const { words } of clauses) {
    for (const word of words) {
      const number = numbers.get(word) ?? checkedWord(word, numbers);
      counts[number] = (counts[number] ?? 0) + 1;
    }
  }
  const starts = new Int32Array(counts.length + 1);
  for (const [word, count] of counts.entries()) starts[word + 1] = (starts[word] ?? 0) + count;
  const placed = starts.slice();
  const listed = new Int32Array(starts.at(-1) ?? 0);
  for (const [clause, { words }] of clauses.entries()) {
    for (const word of words) {
      const number = numbers.get(word) ?? 0;
      const place = placed[number] ?? 0;
      listed[place] = clause;
      placed[number] = place + 1;
    }
  }
  return {
    words: wordIndex([...numbers.keys()]),
    starts,
    clauses: listed,
    ruleOf: Int32Array.from(clauses, ({ rule }) => rule),
    needs: Int32Array.from(clauses, ({ needs }) => needs),
    always,
  };
}

/** 1 for each rule whose task matcher fires on this text. */
export function firedBy(index: TaskIndex, text: string): Uint8Array {
  const { starts, clauses, ruleOf, needs, always } = index;
  const fired = always.slice();
  const missing = needs.slice();
  for (const word of occurring(index.words, text)) {
    const end = starts[word + 1] ?? 0;
    for (let i = starts[word] ?? 0; i < end; i++) {
      const clause = clauses[i] ?? 0;
      const left = (missing[clause] ?? 0) - 1;
      missing[clause] = left;
      if (left === 0) fired[ruleOf[clause] ?? 0] = 1;
    }
  }
  return fired;
}

function clausesOf({ phrases, words, least }: TaskMatcher): readonly Omit<Clause, "rule">[] {
  if (phrases.length === 0 && words.length === 0) throw new TypeError("a task matcher has no way to fire");
  const clauses = phrases.map((phrase) => {
    const distinct = [...new Set(phrase)];
    if (distinct.length === 0) throw new TypeError("a phrase of a task matcher has no words");
    return { needs: distinct.length, words: distinct };
  });
  if (words.length === 0) return clauses;
  if (!Number.isInteger(least) || least < 1 || least > words.length) {
    throw new TypeError(`a task matcher wants ${least} of ${words.length} words`);
  }
  return [...clauses, { needs: least, words }];
}

function checkedWord(word: string, numbers: Map<string, number>): number {
  const read = parseWord(word);
  if (!read.ok || read.value !== word) throw new TypeError(`${JSON.stringify(word)} is no word of a task matcher`);
  const number = numbers.size;
  numbers.set(word, number);
  return number;
}
