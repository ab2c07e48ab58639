import { type Control, type ControlMap, mapText } from "../../domain/control-map.ts";
import { append, classOf, meaningsOf } from "./lexicon.ts";
import { type Name, namesOf } from "./names-of.ts";
import { type Role, roleOf } from "./role-of.ts";
import type { Token } from "./tokenise.ts";
import { type Spellings, type Spelt, spellingsOf } from "./typos.ts";

/**
 * Controls that nothing here tells apart: they have the same names and are of the same kind. What is on every screen, such as a
 * bar of tabs, is looked at once.
 */
export type Alike = {
  readonly role: Role;
  readonly clickable: boolean;
  /** In the order of their code units. */
  readonly ids: readonly string[];
  readonly idsByScreen: ReadonlyMap<string, readonly string[]>;
};

/** One name, and whose it is. */
export type Entry = {
  readonly alike: number;
  readonly name: Name;
  /** By token of the name: what it weighs in this map. */
  readonly weights: readonly number[];
};

/** A map prepared for grounding. Made once, in time and space linear in its texts. */
export type GroundIndex = {
  /** The SHA-256 of the map's text. */
  readonly digest: string;
  readonly map: ControlMap;
  readonly byId: ReadonlyMap<string, Control>;
  readonly screens: ReadonlySet<string>;
  readonly alikes: readonly Alike[];
  readonly entries: readonly Entry[];
  /** By a stem, two stems as one, or a meaning: the entries that may be meant by it. */
  readonly postings: ReadonlyMap<string, readonly number[]>;
  /** By stem: how much it tells in this map. */
  readonly rarities: ReadonlyMap<string, number>;
  /** Of a stem that no control has. */
  readonly rarest: number;
  /** The words and their stems, to be found by what is a typo away. */
  readonly spellings: Spellings;
};

/** @param hash SHA-256 in lower-case hex: a score means something only within the map that it names. */
export function groundIndex(map: ControlMap, hash: (text: string) => string): GroundIndex {
  const names: Omit<Entry, "weights">[] = [];
  const postings = new Map<string, number[]>();
  const counts = new Map<string, number>();
  const forms = new Map<string, Spelt>();
  const groups = [...alikeIn(map).values()];
  groups.forEach(([control, ...others], alike) => {
    if (control === undefined) return;
    const stems = new Set<string>();
    for (const name of namesOf(control)) {
      for (const key of keysOf(name)) append(postings, key, names.length);
      for (const { kind, stem, text } of name.tokens) {
        stems.add(stem);
        for (const form of kind === "word" ? [stem, text] : []) forms.set(form, { form, stem });
      }
      names.push({ alike, name });
    }
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1 + others.length);
  });
  const rarest = rarityOf(map, 1);
  const rarities = new Map([...counts].map(([stem, count]) => [stem, rarityOf(map, count)]));
  const entries = names.map((entry): Entry => {
    const { tokens, weights, symbols } = entry.name;
    const rare = (stem: string): number => (symbols ? 1 : (rarities.get(stem) ?? rarest));
    return { ...entry, weights: tokens.map(({ stem }, i) => (weights[i] ?? 0) * rare(stem)) };
  });
  return {
    ...{
      digest: hash(mapText(map)),
      map,
      entries,
      postings,
      spellings: spellingsOf(forms.values()),
      alikes: groups.map(alikeFrom),
      rarities,
      rarest,
    },
    byId: new Map(map.controls.map((control) => [control.id, control])),
    screens: new Set(map.screens.map(({ id }) => id)),
  };
}

function alikeIn({ controls }: ControlMap): ReadonlyMap<string, readonly Control[]> {
  const groups = new Map<string, Control[]>();
  for (const control of controls) {
    const { text, desc, childText, resourceId, role, clickable } = control;
    append(groups, JSON.stringify([text, desc, childText, resourceId, role, clickable]), control);
  }
  return groups;
}

function alikeFrom(controls: readonly Control[]): Alike {
  const sorted = [...controls].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const idsByScreen = new Map<string, string[]>();
  for (const { screen, id } of sorted) append(idsByScreen, screen, id);
  const [first] = sorted;
  const kind = { role: roleOf(first?.role ?? ""), clickable: first?.clickable !== false };
  return { ...kind, ids: sorted.map(({ id }) => id), idsByScreen };
}

/** How much a word tells in this map: more, the fewer controls have it. One that none has tells as much as one that one has. */
export function rarity({ rarities, rarest }: GroundIndex, stem: string): number {
  return rarities.get(stem) ?? rarest;
}

function rarityOf({ controls }: ControlMap, count: number): number {
  return Math.log(1 + controls.length / count);
}

/** Words that say little lead only to names of nothing else: otherwise every "the" would be looked at. */
function keysOf(name: Name): ReadonlySet<string> {
  const keys = new Set<string>();
  const tells = (token: Token): boolean =>
    name.light || name.symbols || classOf(token) === "content" || classOf(token) === "action";
  name.tokens.forEach((token, i) => {
    if (tells(token)) for (const key of [token.stem, ...meaningsOf(token.stem)]) keys.add(key);
    const next = name.tokens[i + 1];
    if (next !== undefined && (tells(token) || tells(next))) for (const key of name.joins[i] ?? []) keys.add(key);
  });
  return keys;
}
