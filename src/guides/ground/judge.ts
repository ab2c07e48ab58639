import { byCodeUnits } from "../../domain/code-units.ts";
import type { GroundIndex } from "./ground-index.ts";
import type { Clause, Intent } from "./intent.ts";
import { groupsWithin, wantedBy } from "./match.ts";
import { readIntent } from "./read-intent.ts";
import { SCORE_1 } from "./score-1.ts";
import { type Scored, scoreName } from "./score-name.ts";

/** What is meant that well: a control, or several that nothing tells apart. In the order of their code units. */
export type Rank = Scored & { readonly ids: readonly string[] };

/** Everything that was found out about an intent. */
export type Judged = {
  readonly intent: Intent;
  /** What it means: one control. */
  readonly bound: Rank | null;
  /** Where it means nothing since several are as near: all of them. */
  readonly close: readonly Rank[];
  /** What its further clauses mean. */
  readonly others: readonly Rank[];
  /** Best first. */
  readonly ranks: readonly Rank[];
  /** How many names were looked at. */
  readonly looked: number;
  /** How many tokens of these names and of the intent's readings were gone through: all of the work that can grow. */
  readonly steps: number;
};

export type Scope = {
  /** Only the controls of this screen; null: of all. */
  readonly screen: string | null;
};

export function judge(index: GroundIndex, text: string, { screen }: Scope = { screen: null }): Judged {
  const intent = readIntent(text, index);
  const wanted = wantedBy(index, intent);
  const entries = new Set<number>();
  for (const key of wanted.keys()) for (const entry of index.postings.get(key) ?? []) entries.add(entry);
  const best = new Map<number, Map<number, Rank>>();
  const sought = { intent, wanted, within: groupsWithin(intent, wanted) };
  let [looked, steps] = [0, 0];
  for (const place of entries) {
    const entry = index.entries[place];
    const alike = entry === undefined ? undefined : index.alikes[entry.alike];
    const ids = screen === null ? alike?.ids : alike?.idsByScreen.get(screen);
    if (entry === undefined || ids === undefined) continue;
    looked += 1;
    const scores = scoreName(index, sought, entry);
    steps += scores.steps;
    for (const scored of scores.best) keep(best, { ...scored, ids });
  }
  const rows = new Map([...best].map(([clause, ranks]) => [clause, [...ranks.values()].sort(inOrder)]));
  return { intent, ...decide(intent, rows), ranks: eachOnce(rows), looked, steps };
}

function keep(best: Map<number, Map<number, Rank>>, rank: Rank): void {
  const ranks = best.get(rank.reading.clause) ?? new Map<number, Rank>();
  best.set(rank.reading.clause, ranks);
  const before = ranks.get(rank.entry.alike);
  if (before === undefined || rank.score > before.score) ranks.set(rank.entry.alike, rank);
}

/** By score, then by id in code units: the order of the map has no say. */
function inOrder(a: Rank, b: Rank): number {
  const [one = "", other = ""] = [a.ids[0], b.ids[0]];
  return b.score - a.score || byCodeUnits(one, other);
}

type Rows = ReadonlyMap<number, readonly Rank[]>;

function eachOnce(rows: Rows): readonly Rank[] {
  const best = new Map<number, Rank>();
  for (const rank of [...rows.values()].flat()) {
    const before = best.get(rank.entry.alike);
    if (before === undefined || rank.score > before.score) best.set(rank.entry.alike, rank);
  }
  return [...best.values()].sort(inOrder);
}

function decide(intent: Intent, rows: Rows): Pick<Judged, "bound" | "close" | "others"> {
  const of = (clause: number) => pick(intent, rows.get(clause) ?? []);
  const whole = of(WHOLE);
  if (whole.bound !== null) return { ...whole, others: [] };
  const targets = targetsOf(intent);
  const target = targets.find((clause) => of(clause).bound !== null) ?? targets[0] ?? 0;
  const meant = of(target);
  const others = intent.clauses.flatMap(({ kind }, clause) => {
    const other = meant.bound === null || clause === target || kind !== "main" ? null : of(clause).bound;
    return other === null || other.entry.alike === meant.bound?.entry.alike ? [] : [other];
  });
  return { ...meant, others };
}
const WHOLE = -1;

/** The clauses that may say what is meant, the first that does so first. A name in quotation marks goes before everything. */
function targetsOf({ clauses }: Intent): readonly number[] {
  const first = (is: (clause: Clause) => boolean): number[] => {
    const found = clauses.findIndex(is);
    return found < 0 ? [] : [found];
  };
  const [designated] = first(({ kind, designated }) => kind !== "beside" && designated !== null);
  if (designated !== undefined) return [designated];
  // One that says nothing goes before none that does.
  const [main = 0] = [
    ...first(({ kind, telling }) => kind === "main" && telling),
    ...first(({ kind }) => kind === "main"),
  ];
  const [means] = first(({ kind }) => kind === "means");
  if (means !== undefined) return [means, main];
  if (clauses[main]?.naming) return [main];
  return [main, ...clauses.flatMap((clause, i) => (clause.kind === "purpose" && i > main ? [i] : []))];
}

/** The best, where it is good enough and no other is as near. */
function pick(intent: Intent, ranks: readonly Rank[]): Pick<Judged, "bound" | "close"> {
  const [first] = ranks;
  if (first === undefined || first.score < SCORE_1.bind) return { bound: null, close: [] };
  // Both are decimals of `places`: their difference is compared as one.
  const close = ranks.filter(({ rival }) => Math.round((first.score - rival) * SCALE) < SCORE_1.lead * SCALE);
  const bound = close.length === 1 ? first : closest(intent, close);
  if (bound !== null && bound.ids.length > 1) return { bound: null, close: [bound] };
  return bound === null ? { bound, close } : { bound, close: [] };
}
const SCALE = 10 ** SCORE_1.places;

/** Of several that score alike, the one whose name is said letter by letter, and has every other such name in it. */
function closest(intent: Intent, close: readonly Rank[]): Rank | null {
  const said = close.filter(({ entry }) => isSaid(intent, entry.name.literal));
  const [longest] = [...said].sort((a, b) => b.entry.name.literal.length - a.entry.name.literal.length);
  const isIn = ({ entry: { name } }: Rank): boolean =>
    name.literal !== longest?.entry.name.literal && longest?.entry.name.literal.includes(name.literal) === true;
  return longest !== undefined && said.every((other) => other === longest || isIn(other)) ? longest : null;
}

const WORD = /[\p{L}\p{N}]/u;

/** A name as it stands, not in the middle of a word. */
function isSaid({ literal }: Intent, name: string): boolean {
  for (let at = literal.indexOf(name); at !== -1; at = literal.indexOf(name, at + 1)) {
    const before = WORD.test(name.charAt(0)) && WORD.test(literal.charAt(at - 1));
    const behind = WORD.test(name.charAt(name.length - 1)) && WORD.test(literal.charAt(at + name.length));
    if (!before && !behind) return true;
  }
  return false;
}
