/**
 * Which of many words occur in a text, found in one pass over it: a table for whole words, a tree for beginnings, and the
 * automaton of Aho and Corasick for stretches of scripts without spaces. So the cost is the text's length plus what is
 * found, whatever the words are and however many (claim S9).
 */
import { BEGINNING, isUnspaced, runsOf } from "./words.ts";

export type WordIndex = {
  readonly whole: ReadonlyMap<string, number>;
  readonly beginnings: Tree;
  readonly stretches: Tree & { readonly fallback: Int32Array; readonly shorter: Int32Array };
};

/** `next`: from `node * 65536 + unit` to a node. `word`: which word ends at a node; -1: none. The root is 0. */
type Tree = { readonly next: ReadonlyMap<number, number>; readonly word: readonly number[] };

const UNITS = 0x10000;
const NONE = -1;

/** `words` are as parsePhrase leaves them, and none is listed twice; each is known by its place in the list. */
export function wordIndex(words: readonly string[]): WordIndex {
  const whole = new Map<string, number>();
  const beginnings: [string, number][] = [];
  const stretches: [string, number][] = [];
  for (const [number, word] of words.entries()) {
    if (word.endsWith(BEGINNING)) beginnings.push([word.slice(0, -BEGINNING.length), number]);
    else if (isUnspaced(word.codePointAt(0) ?? 0)) stretches.push([word, number]);
    else whole.set(word, number);
  }
  return { whole, beginnings: treeOf(beginnings), stretches: withFallbacks(treeOf(stretches)) };
}

/** The words that occur in a text, each once. `steps` counts what was looked at, for whoever doubts that it is linear. */
export function occurring(index: WordIndex, text: string, steps: { count: number } = { count: 0 }): readonly number[] {
  const found = new Set<number>();
  const read = new Set<string>();
  for (const { text: run, spaced } of runsOf(text)) {
    steps.count += run.length;
    if (read.has(run)) continue;
    read.add(run);
    if (!spaced) findStretches(index.stretches, run, found, steps);
    else {
      const word = index.whole.get(run);
      if (word !== undefined) found.add(word);
      findBeginnings(index.beginnings, run, found, steps);
    }
  }
  return [...found];
}

function findBeginnings({ next, word }: Tree, run: string, found: Set<number>, steps: { count: number }): void {
  let node: number | undefined = 0;
  for (let i = 0; i < run.length; i++) {
    steps.count += 1;
    node = next.get(node * UNITS + run.charCodeAt(i));
    if (node === undefined) return;
    const ended = word[node] ?? NONE;
    if (ended !== NONE) found.add(ended);
  }
}

function findStretches(
  { next, word, fallback, shorter }: WordIndex["stretches"],
  run: string,
  found: Set<number>,
  steps: { count: number },
): void {
  if (next.size === 0) return;
  let node = 0;
  for (let i = 0; i < run.length; i++) {
    const unit = run.charCodeAt(i);
    let to = next.get(node * UNITS + unit);
    // Each step back was paid for by a step forward before, so there are never more of them than units.
    while (to === undefined && node !== 0) {
      steps.count += 1;
      node = fallback[node] ?? 0;
      to = next.get(node * UNITS + unit);
    }
    steps.count += 1;
    node = to ?? 0;
    // The shorter words that end here too; where one is known, those behind it are.
    let at = (word[node] ?? NONE) === NONE ? (shorter[node] ?? 0) : node;
    while (at !== 0) {
      steps.count += 1;
      const ended = word[at] ?? NONE;
      if (found.has(ended)) break;
      found.add(ended);
      at = shorter[at] ?? 0;
    }
  }
}

function treeOf(words: readonly (readonly [text: string, number: number])[]): Tree {
  const next = new Map<number, number>();
  const word = [NONE];
  for (const [text, number] of words) {
    let node = 0;
    for (let i = 0; i < text.length; i++) {
      const key = node * UNITS + text.charCodeAt(i);
      let to = next.get(key);
      if (to === undefined) {
        to = word.length;
        word.push(NONE);
        next.set(key, to);
      }
      node = to;
    }
    word[node] = number;
  }
  return { next, word };
}

/**
 * For each node where to go on when no edge fits (the longest end of it that is a beginning of some word), and the nearest
 * such node at which a word ends. Nodes are made before those below them, but not level by level, so they are sorted first.
 */
function withFallbacks({ next, word }: Tree): WordIndex["stretches"] {
  const fallback = new Int32Array(word.length);
  const shorter = new Int32Array(word.length);
  const depth = new Int32Array(word.length);
  const edges = [...next].map(([key, to]) => ({ from: Math.floor(key / UNITS), unit: key % UNITS, to }));
  for (const { from, to } of edges) depth[to] = (depth[from] ?? 0) + 1;
  edges.sort((a, b) => (depth[a.to] ?? 0) - (depth[b.to] ?? 0));
  for (const { from, unit, to } of edges) {
    let end = from;
    while (end !== 0) {
      end = fallback[end] ?? 0;
      const beyond = next.get(end * UNITS + unit);
      if (beyond === undefined) continue;
      fallback[to] = beyond;
      break;
    }
    const back = fallback[to] ?? 0;
    shorter[to] = (word[back] ?? NONE) === NONE ? (shorter[back] ?? 0) : back;
  }
  return { next, word, fallback, shorter };
}
