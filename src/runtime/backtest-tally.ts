import { type Again, isSame, type Verdict } from "./backtest-verdict.ts";

/** A decision, by the run and step in which it was made. */
export type Where = { readonly run: string; readonly step: number; readonly tool: string; readonly at: number };
export type Example = Pick<Where, "run" | "step">;

/** Proposals that come to another verdict in the same way. `code`: of a denial. `role`: of a stage. `rule`: that decides now. */
export type Flip = {
  readonly from: Said;
  readonly to: Said & { readonly rule: string };
  readonly count: number;
  readonly tools: { readonly [tool: string]: number };
  /** How much more they reserve now, by cap and in its unit; less is below 0. */
  readonly money: { readonly [cap: string]: number };
  readonly examples: readonly Example[];
};

export type Said = Pick<Verdict, "outcome" | "code" | "role">;

/** Proposals of which nobody can tell. `why`: what was not kept, such as `fact \`deliveredOn\``. */
export type Unknown = {
  readonly why: string;
  readonly tool: string;
  readonly count: number;
  readonly examples: readonly Example[];
};

export type Backtest = {
  readonly schema: "signalbox.backtest/1";
  /** The digest of the rules that decided again. */
  readonly policyVersion: string;
  /** Milliseconds since 1970; null: all that was recorded. */
  readonly since: number | null;
  readonly runs: number;
  readonly proposals: number;
  readonly unchanged: number;
  readonly flipped: number;
  readonly unknown: number;
  readonly flips: readonly Flip[];
  readonly unknowns: readonly Unknown[];
  /** What all proposals that are known reserve, as recorded and now, by cap and in its unit. */
  readonly money: readonly { readonly cap: string; readonly recorded: number; readonly now: number }[];
  /** How many more wait for a person now, and how many do not any more. */
  readonly approvals: { readonly added: number; readonly removed: number };
  /** Caps whose use was not recorded, so that it was worked out from what is permitted now. */
  readonly simulatedCaps: readonly string[];
  /** Objects of the records whose keys were listed: a fact that is read of a copy, and was not kept, is not found out. */
  readonly listed: readonly { readonly tool: string; readonly path: string; readonly count: number }[];
};

const EXAMPLES_MAX = 3;

type Group<T> = { readonly is: T; count: number; readonly examples: Example[] };
type Moved = Omit<Flip, "count" | "examples" | "tools" | "money"> & {
  readonly tools: { [tool: string]: number };
  readonly money: { [cap: string]: number };
};

/** Counts what decisions come to. Decisions before `since` are decided again, since they hold caps, and are not counted. */
export class Tally {
  readonly #policyVersion: string;
  readonly #since: number | null;
  readonly #flips = new Map<string, Group<Moved>>();
  readonly #unknowns = new Map<string, Group<Pick<Unknown, "why" | "tool">>>();
  readonly #money = new Map<string, { recorded: number; now: number }>();
  readonly #simulated = new Set<string>();
  readonly #listed = new Map<string, { readonly tool: string; readonly path: string; count: number }>();
  readonly #approvals = { added: 0, removed: 0 };
  #runs = 0;
  #runCounted = true;
  #proposals = 0;
  #flipped = 0;
  #unknown = 0;

  constructor(policyVersion: string, since: number | null) {
    this.#policyVersion = policyVersion;
    this.#since = since;
  }

  /** A run begins: it counts with its first decision that does. */
  run(): void {
    this.#runCounted = false;
  }

  count(where: Where, recorded: Verdict, again: Again): void {
    if (this.#since !== null && where.at < this.#since) return;
    if (!this.#runCounted) this.#runs += 1;
    this.#runCounted = true;
    this.#proposals += 1;
    if (!again.known) {
      this.#unknown += 1;
      const { tool } = where;
      // One proposal counts once, under all that it lacks.
      const why = again.why.join(", ");
      this.#add(this.#unknowns, JSON.stringify([why, tool]), () => ({ why, tool }), where);
      return;
    }
    const { verdict, simulated, listed } = again;
    for (const cap of simulated) this.#simulated.add(cap);
    for (const path of listed) this.#list(where.tool, path);
    for (const [cap, amount] of Object.entries(amounts(recorded, 1))) this.#spend(cap).recorded += amount;
    for (const [cap, amount] of Object.entries(amounts(verdict, 1))) this.#spend(cap).now += amount;
    if (!isSame(recorded, verdict)) this.#flip(where, recorded, verdict);
  }

  report(): Backtest {
    return {
      schema: "signalbox.backtest/1",
      policyVersion: this.#policyVersion,
      since: this.#since,
      runs: this.#runs,
      proposals: this.#proposals,
      unchanged: this.#proposals - this.#flipped - this.#unknown,
      flipped: this.#flipped,
      unknown: this.#unknown,
      flips: byCount(this.#flips),
      unknowns: byCount(this.#unknowns),
      money: [...this.#money].map(([cap, sums]) => ({ cap, ...sums })),
      approvals: this.#approvals,
      simulatedCaps: [...this.#simulated].sort(),
      listed: [...this.#listed.values()],
    };
  }

  #flip(where: Where, recorded: Verdict, now: Verdict): void {
    this.#flipped += 1;
    if (now.outcome === "stage" && recorded.outcome !== "stage") this.#approvals.added += 1;
    if (recorded.outcome === "stage" && now.outcome !== "stage") this.#approvals.removed += 1;
    const moved = (): Moved => ({ from: said(recorded), to: { ...said(now), rule: now.rule }, tools: {}, money: {} });
    const key = JSON.stringify([saidOf(recorded), saidOf(now), now.rule]);
    const { tools, money } = this.#add(this.#flips, key, moved, where);
    tools[where.tool] = (tools[where.tool] ?? 0) + 1;
    for (const change of [amounts(recorded, -1), amounts(now, 1)]) {
      for (const [cap, amount] of Object.entries(change)) money[cap] = (money[cap] ?? 0) + amount;
    }
  }

  #add<T>(groups: Map<string, Group<T>>, key: string, is: () => T, { run, step }: Where): T {
    const group: Group<T> = groups.get(key) ?? { is: is(), count: 0, examples: [] };
    groups.set(key, group);
    group.count += 1;
    if (group.examples.length < EXAMPLES_MAX) group.examples.push({ run, step });
    return group.is;
  }

  #spend(cap: string): { recorded: number; now: number } {
    const sums = this.#money.get(cap) ?? { recorded: 0, now: 0 };
    this.#money.set(cap, sums);
    return sums;
  }

  #list(tool: string, path: string): void {
    const key = JSON.stringify([tool, path]);
    const known = this.#listed.get(key) ?? { tool, path, count: 0 };
    known.count += 1;
    this.#listed.set(key, known);
  }
}

/** What a verdict reserves, by cap. */
function amounts({ reservations }: Verdict, sign: 1 | -1): { readonly [cap: string]: number } {
  const sums: { [cap: string]: number } = {};
  for (const { cap, amount } of reservations) sums[cap] = (sums[cap] ?? 0) + sign * amount;
  return sums;
}

function said({ outcome, code, role }: Verdict): Said {
  return { outcome, code, role };
}

function saidOf(verdict: Verdict): string {
  return JSON.stringify(said(verdict));
}

function byCount<T>(groups: ReadonlyMap<string, Group<T>>): readonly (T & { count: number; examples: Example[] })[] {
  const sorted = [...groups].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1));
  return sorted.map(([, { is, count, examples }]) => ({ ...is, count, examples }));
}
