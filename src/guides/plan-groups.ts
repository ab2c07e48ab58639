import { byCodeUnits } from "../domain/code-units.ts";
import type { Control } from "../domain/control-map.ts";
import { type GroundIndex, rarity } from "./ground/ground-index.ts";
import { joinedKeys, joinPhrases, meaningsOf } from "./ground/lexicon.ts";
import { readIntent } from "./ground/read-intent.ts";
import { SCORE_1 } from "./ground/score-1.ts";
import { tokenise, visible } from "./ground/tokenise.ts";

/** Controls of one screen with one role and one name: a line of the prompt, with their number. */
export type PlanGroup = {
  /** One that is on the way to a screen, else the first by its code units. */
  readonly id: string;
  readonly screen: string;
  readonly role: string;
  readonly name: string;
  readonly count: number;
  /** On the way to a screen. */
  readonly isAnchor: boolean;
  readonly isUsable: boolean;
  /** How much of the task its words say, in the weights of the score; 0: nothing. */
  readonly told: number;
  /** Of its words, the one that fewest groups have: by how many. Of a thousand rows and one button, the button's is 1. */
  readonly rarest: number;
  /** Where the map has the first of them: for the order in which they are shown, and for nothing else. */
  readonly at: number;
};

const NAME_UNITS_MAX = 120;

/** The control's own words, as people see or hear them. */
function nameOf({ text, desc, childText }: Control): string {
  return (text || desc || childText.join(" ")).replace(/\s+/g, " ").trim().slice(0, NAME_UNITS_MAX);
}

/**
 * The named controls of a map, those first that say most of the task. In which order the map has them changes nothing.
 *
 * @param task in the operator's words; it is compared by the words, weights and synonyms of the score.
 */
export function planGroups(index: GroundIndex, task: string): readonly PlanGroup[] {
  const anchors = new Set(index.map.screens.flatMap(({ entry }) => entry));
  const told = toldIn(index, task);
  const groups = new Map<string, Omit<PlanGroup, "rarest">>();
  for (const [at, control] of index.map.controls.entries()) {
    const name = nameOf(control);
    if (name === "") continue;
    const { id, screen, role, clickable, disabled } = control;
    const key = JSON.stringify([screen, role, name]);
    const before = groups.get(key);
    const isAnchor = anchors.has(id);
    const own = told.get(id) ?? 0;
    if (before === undefined) {
      const isUsable = clickable && !disabled;
      groups.set(key, { id, screen, role, name, count: 1, isAnchor, isUsable, told: own, at });
      continue;
    }
    const isBetter = isAnchor === before.isAnchor ? byCodeUnits(id, before.id) < 0 : isAnchor;
    groups.set(key, {
      ...before,
      ...(isBetter ? { id } : {}),
      count: before.count + 1,
      isAnchor: isAnchor || before.isAnchor,
      isUsable: (clickable && !disabled) || before.isUsable,
      told: Math.max(own, before.told),
    });
  }
  return withRarest([...groups.values()]).sort((a, b) => b.told - a.told || byUse(a, b));
}

/** Whatever the task: what can be used, then what few others are called like. */
export function byUse(a: PlanGroup, b: PlanGroup): number {
  return (
    Number(b.isUsable) - Number(a.isUsable) ||
    a.rarest - b.rarest ||
    byCodeUnits(a.name, b.name) ||
    byCodeUnits(a.id, b.id)
  );
}

/** By the id of a control: the weight of the task's words that its names have, each word at its best. */
function toldIn(index: GroundIndex, task: string): ReadonlyMap<string, number> {
  const { tokens, weights } = readIntent(task);
  const told = new Map<string, number>();
  const read = new Set<string>();
  for (const [i, token] of tokens.entries()) {
    if (read.has(token.stem)) continue;
    read.add(token.stem);
    const weight = (weights[i] ?? 0) * rarity(index, token.stem);
    const best = new Map<number, number>();
    const found = (key: string, strength: number): void => {
      for (const entry of index.postings.get(key) ?? []) {
        const alike = index.entries[entry]?.alike ?? -1;
        best.set(alike, Math.max(best.get(alike) ?? 0, weight * strength));
      }
    };
    for (const key of [token.stem, ...joinedKeys(token, tokens[i + 1])]) found(key, 1);
    for (const key of meaningsOf(token.stem)) found(key, SCORE_1.synonym);
    for (const [alike, value] of best) {
      for (const id of index.alikes[alike]?.ids ?? []) told.set(id, (told.get(id) ?? 0) + value);
    }
  }
  return told;
}

function withRarest(groups: readonly Omit<PlanGroup, "rarest">[]): PlanGroup[] {
  const words = groups.map(({ name }) => wordsOf(name));
  const counts = new Map<string, number>();
  for (const stem of words.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return groups.map((group, i) => {
    const rarest = (words[i] ?? []).reduce((least, stem) => Math.min(least, counts.get(stem) ?? 0), groups.length);
    return { ...group, rarest };
  });
}

/** Numbers are none: each row of a table has its own. */
function wordsOf(name: string): readonly string[] {
  const words = joinPhrases(tokenise(visible(name))).filter(({ kind }) => kind === "word" || kind === "pair");
  return [...new Set(words.map(({ stem }) => stem))];
}
