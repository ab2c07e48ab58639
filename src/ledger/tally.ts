import { unreachable } from "../domain/unreachable.ts";
import { type Interval, wilson } from "../domain/wilson.ts";
import { type Bucket, bucketMs, bucketStart } from "./bucket.ts";
import { type RateShift, rateShift } from "./rate-shift.ts";

/**
 * Counting decisions (design 6.7): a fold over facts of one decision each, in whatever order they come, into counts by what
 * the operator asks for. The memory it takes is bounded by `groupsMax` and the number of buckets, not by how many are counted.
 *
 * Laws, tested in tally.test.ts:
 *   order-is-nothing   facts in another order give the same report, where no group had to be dropped
 *   nothing-lost       the groups add up to the totals, `(other)` included
 */
export type DecisionFact = {
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  /** null where the proposal named no tool that there is: what a model makes up is no name to count by. */
  readonly tool: string | null;
  readonly outcome: "permit" | "stage" | "deny";
  readonly rail: string | null;
  readonly code: string | null;
  readonly rule: string;
  readonly promptVersion: string;
  readonly policyVersion: string;
  readonly model: string;
  /** Digest of the plan that the run was served, or null where it was served none. */
  readonly plan: string | null;
  /** Whether the run had been told the rule that is asked about; null where none is. */
  readonly told: "yes" | "no" | null;
};

export type Outcome = DecisionFact["outcome"];

/** What decisions can be counted by. `prompt` and `policy` are versions, `plan` what was served, `told` about one served rule. */
export const DIMENSIONS = ["tool", "rail", "code", "rule", "prompt", "policy", "model", "plan", "told"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What is known of a proposal before it is decided. A group's share is of the proposals that are like it in these. */
const BEFORE_DECIDING: ReadonlySet<Dimension> = new Set(["tool", "prompt", "policy", "model", "plan", "told"]);

export type Counts = {
  readonly proposals: number;
  readonly permits: number;
  /** Waiting for a person: neither a permit nor a denial. */
  readonly staged: number;
  readonly denials: number;
};

export type TallyQuery = {
  /** The window: from `since` on, up to and without `until`. The window before is as long and ends at `since`. */
  readonly since: number;
  readonly until: number;
  readonly by: readonly Dimension[];
  readonly outcomes: readonly Outcome[];
  readonly bucket: Bucket | null;
  /** How many distinct groups are kept in each window; what comes beyond is counted in `other`. */
  readonly groupsMax: number;
};

/** The decisions that are alike in all that is counted by. */
export type DenialGroup = {
  readonly outcome: Outcome;
  /** By dimension; null where a decision has none (the code of a staged one, the tool where there is none of that name). */
  readonly key: { readonly [Name in Dimension]?: string | null };
  readonly n: number;
  /** Of so many proposals: those of the same tool, model and versions, as far as these are counted by. */
  readonly of: number;
  /** `n / of`, and 0 where there is none. */
  readonly share: number;
  /** The 95 % interval of the share (Wilson). */
  readonly interval: Interval;
  /** The same in the window before; null where it had too many groups to tell. */
  readonly before: { readonly n: number; readonly of: number } | null;
  /** How the share differs from the window before; null where either has no proposals. */
  readonly shift: RateShift | null;
  /** How many in each bucket; empty where no bucket was asked for. */
  readonly series: readonly number[];
};

export type BucketCounts = Counts & { readonly start: number };

export type Tallied = {
  readonly totals: Counts;
  readonly totalsBefore: Counts;
  /** How the shares of denials and of staged proposals differ from the window before. */
  readonly denialShift: RateShift | null;
  readonly stagedShift: RateShift | null;
  /** Denials first, then staged, then permits; the most frequent first. */
  readonly groups: readonly DenialGroup[];
  /** What was counted beyond `groupsMax` groups, by outcome; null where nothing was. */
  readonly other: { readonly [Name in Outcome]: number } | null;
  /** Every bucket of the window, also the empty ones; the first and the last may reach beyond it. */
  readonly buckets: readonly BucketCounts[];
};

type Mutable = { -readonly [Name in keyof Counts]: number };

type Group = {
  readonly outcome: Outcome;
  readonly values: readonly (string | null)[];
  n: number;
  series: number[] | null;
};

type Window = {
  readonly counts: Mutable;
  /** The proposals by what is known before deciding; and by that without the tool. */
  readonly proposals: Map<string, number>;
  readonly ofAnyTool: Map<string, number>;
  readonly groups: Map<string, Group>;
  readonly other: { [Name in Outcome]: number };
};

export type Tally = {
  readonly query: TallyQuery;
  readonly now: Window;
  readonly before: Window;
  readonly from: number;
  readonly buckets: readonly Mutable[];
};

/** @throws RangeError where the window is empty or a bucket is none. */
export function beginTally(query: TallyQuery): Tally {
  if (!(query.since < query.until)) throw new RangeError("a window ends after it begins");
  const buckets = Array.from({ length: bucketsIn(query) }, nothing);
  const from = query.bucket === null ? 0 : bucketStart(query.since, query.bucket);
  return { query, now: emptyWindow(), before: emptyWindow(), from, buckets };
}

/** How many buckets the window touches. */
export function bucketsIn({ since, until, bucket }: Pick<TallyQuery, "since" | "until" | "bucket">): number {
  if (bucket === null) return 0;
  return (bucketStart(until - 1, bucket) - bucketStart(since, bucket)) / bucketMs(bucket) + 1;
}

export function countDecision(tally: Tally, fact: DecisionFact): void {
  const { since, until, bucket } = tally.query;
  const { at } = fact;
  if (at >= until || at < since - (until - since)) return;
  if (at < since) {
    count(tally.query, tally.before, fact);
    return;
  }
  const group = count(tally.query, tally.now, fact);
  if (bucket === null) return;
  const i = (bucketStart(at, bucket) - tally.from) / bucketMs(bucket);
  const counts = tally.buckets[i];
  if (counts !== undefined) add(counts, fact.outcome);
  if (group === null) return;
  group.series ??= new Array<number>(tally.buckets.length).fill(0);
  group.series[i] = (group.series[i] ?? 0) + 1;
}

export function finishTally({ query, now, before, from, buckets }: Tally): Tallied {
  const length = query.bucket === null ? 0 : bucketMs(query.bucket);
  const keys = new Set(now.groups.keys());
  // A group that was there before and is there no more has moved as well, unless it may be among the others.
  if (isWhole(now)) for (const key of before.groups.keys()) keys.add(key);
  const groups = [...keys].map((key) => finished(key, query, now, before, buckets.length));
  const { other } = now;
  return {
    totals: { ...now.counts },
    totalsBefore: { ...before.counts },
    denialShift: shiftOf("denials", now, before),
    stagedShift: shiftOf("staged", now, before),
    groups: groups.sort(inOrder),
    other: isWhole(now) ? null : { ...other },
    buckets: buckets.map((counts, i) => ({ start: from + i * length, ...counts })),
  };
}

function emptyWindow(): Window {
  const other = { permit: 0, stage: 0, deny: 0 };
  return { counts: nothing(), proposals: new Map(), ofAnyTool: new Map(), groups: new Map(), other };
}

function nothing(): Mutable {
  return { proposals: 0, permits: 0, staged: 0, denials: 0 };
}

function isWhole({ other }: Window): boolean {
  return other.permit + other.stage + other.deny === 0;
}

function add(counts: Mutable, outcome: Outcome): void {
  counts.proposals += 1;
  switch (outcome) {
    case "permit":
      counts.permits += 1;
      return;
    case "stage":
      counts.staged += 1;
      return;
    case "deny":
      counts.denials += 1;
      return;
    default:
      unreachable(outcome);
  }
}

/** Returns the group it was counted in, or null where it is in none. */
function count(query: TallyQuery, window: Window, fact: DecisionFact): Group | null {
  const { by, groupsMax } = query;
  add(window.counts, fact.outcome);
  const alike = by.map((name) => (BEFORE_DECIDING.has(name) ? shortened(fact, name) : null));
  const known = increment(window.proposals, keyOf(alike), groupsMax);
  const anyTool = increment(window.ofAnyTool, keyOf(withoutTool(by, alike)), groupsMax);
  if (!query.outcomes.includes(fact.outcome)) return null;
  const values = by.map((name) => shortened(fact, name));
  const key = `${fact.outcome} ${keyOf(values)}`;
  let group = window.groups.get(key);
  if (group === undefined) {
    if (!known || !anyTool || window.groups.size >= groupsMax) {
      window.other[fact.outcome] += 1;
      return null;
    }
    group = { outcome: fact.outcome, values, n: 0, series: null };
    window.groups.set(key, group);
  }
  group.n += 1;
  return group;
}

/** Whether the key is counted: beyond `most` keys no further one is. */
function increment(counts: Map<string, number>, key: string, most: number): boolean {
  const n = counts.get(key);
  if (n === undefined && counts.size >= most) return false;
  counts.set(key, (n ?? 0) + 1);
  return true;
}

/** No name is kept longer than this, in UTF-16 units, so that a group takes a bounded amount of memory. */
const VALUE_UNITS_MAX = 128;

function shortened(fact: DecisionFact, dimension: Dimension): string | null {
  const value = readValue(fact, dimension);
  return value === null || value.length <= VALUE_UNITS_MAX ? value : `${value.slice(0, VALUE_UNITS_MAX - 1)}…`;
}

function readValue(fact: DecisionFact, dimension: Dimension): string | null {
  switch (dimension) {
    case "tool":
      return fact.tool;
    case "rail":
      return fact.rail;
    case "code":
      return fact.code;
    case "rule":
      return fact.rule;
    case "prompt":
      return fact.promptVersion;
    case "policy":
      return fact.policyVersion;
    case "model":
      return fact.model;
    case "plan":
      return fact.plan;
    case "told":
      return fact.told;
    default:
      return unreachable(dimension);
  }
}

function keyOf(values: readonly (string | null)[]): string {
  return JSON.stringify(values);
}

function withoutTool(by: readonly Dimension[], values: readonly (string | null)[]): readonly (string | null)[] {
  return values.map((value, i) => (by[i] === "tool" ? null : value));
}

/** Of how many proposals a group is a part. One that names no tool there is could have named any. */
function proposalsLike(group: Pick<Group, "values">, { by }: TallyQuery, window: Window): number {
  const alike = group.values.map((value, i) => (BEFORE_DECIDING.has(by[i] ?? "code") ? value : null));
  const toolIs = by.indexOf("tool");
  const counts = toolIs >= 0 && alike[toolIs] === null ? window.ofAnyTool : window.proposals;
  return counts.get(keyOf(alike)) ?? 0;
}

function finished(key: string, query: TallyQuery, now: Window, before: Window, buckets: number): DenialGroup {
  const [here, there] = [now.groups.get(key), before.groups.get(key)];
  const group = here ?? there;
  if (group === undefined) throw new Error("a group is in one of the windows");
  const share = { n: here?.n ?? 0, of: proposalsLike(group, query, now) };
  // Where groups were dropped, one that is not there may be among those.
  const told = there !== undefined || isWhole(before);
  const earlier = told ? { n: there?.n ?? 0, of: proposalsLike(group, query, before) } : null;
  return {
    outcome: group.outcome,
    key: Object.fromEntries(query.by.map((name, i) => [name, group.values[i] ?? null])),
    ...share,
    share: share.of === 0 ? 0 : share.n / share.of,
    interval: wilson(share.n, share.of),
    before: earlier,
    shift: earlier === null ? null : rateShift(share, earlier),
    series: here?.series ?? new Array<number>(buckets).fill(0),
  };
}

function shiftOf(name: "denials" | "staged", now: Window, before: Window): RateShift | null {
  const share = ({ counts }: Window) => ({ n: counts[name], of: counts.proposals });
  return rateShift(share(now), share(before));
}

const ORDER: { readonly [Name in Outcome]: number } = { deny: 0, stage: 1, permit: 2 };

function inOrder(a: DenialGroup, b: DenialGroup): number {
  if (a.outcome !== b.outcome) return ORDER[a.outcome] - ORDER[b.outcome];
  if (a.n !== b.n) return b.n - a.n;
  const [before, after] = [JSON.stringify(a.key), JSON.stringify(b.key)];
  return before < after ? -1 : before > after ? 1 : 0;
}
