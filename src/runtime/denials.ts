import type { Began } from "../domain/event.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { fieldsOf } from "../domain/row-body.ts";
import {
  type Bucket,
  beginTally,
  bucketsIn,
  countDecision,
  type DecisionFact,
  DIMENSIONS,
  type Dimension,
  finishTally,
  type Outcome,
  type RateShift,
  rateShift,
  type Tallied,
  type TallyQuery,
} from "../ledger/index.ts";
import type { ScannedRow } from "../ports/store.ts";
import { SignalboxError } from "./error.ts";
import type { Parts } from "./parts.ts";

export type DenialsQuery = {
  /** The beginning of the window, in milliseconds since 1970-01-01T00:00Z. Default: seven days before `until`. 0: all of it. */
  readonly since?: number;
  /** Its end, which is not part of it. Default: now, which is. */
  readonly until?: number;
  /** What is counted by. Default: tool, code, rule. */
  readonly by?: readonly Dimension[];
  /** Which decisions are shown as groups. Default: denials and staged proposals. The totals have all. */
  readonly outcomes?: readonly Outcome[];
  /** A rule's id: which decisions came after it was told, and which did not (dimension `told`). Did it help? */
  readonly told?: string;
  /** Also counts by time: whole hours, days or weeks (from Monday on) in UTC, or so many minutes. Default: not. */
  readonly bucket?: Bucket;
};

/** The distribution of denials (design 6.7). A document of `--json`: what is added to it keeps its `schema`. */
export type Denials = Tallied & {
  readonly schema: "signalbox.denials/1";
  readonly since: number;
  readonly until: number;
  /** The window that the shares are compared with: as long, and just before. */
  readonly sinceBefore: number;
  readonly by: readonly Dimension[];
  readonly bucket: Bucket | null;
  /** How the denials of the window differ between proposals that came after the rule was told and the others. */
  readonly told: ToldDifference | null;
  /** The oldest and the newest decision of the whole ledger, or null where there is none. */
  readonly oldest: number | null;
  readonly newest: number | null;
  /** Rows that should be decisions and could not be read as one; `ledger verify` says more. */
  readonly unreadable: number;
};

export type ToldDifference = {
  readonly rule: string;
  readonly with: { readonly denials: number; readonly proposals: number };
  readonly without: { readonly denials: number; readonly proposals: number };
  /** Of the share with the rule against that without; null where either has no proposals. Not a trial: the runs differ. */
  readonly shift: RateShift | null;
};

const WEEK_MS = 7 * 86_400_000;
/** How many distinct groups are told apart, and into how many buckets a window can be cut. */
export const GROUPS_MAX = 1_000;
export const BUCKETS_MAX = 1_000;

/**
 * Counts the recorded decisions in one pass over the ledger, in memory that does not grow with it. Each `decided` row counts
 * once: a proposal that is decided again, after a person approved it for example, is two decisions. Nothing is verified.
 * @throws SignalboxError `bad_query` for a window or a dimension that is none.
 */
export async function denials(
  { store, clock }: Pick<Parts, "store" | "clock">,
  wanted: DenialsQuery,
): Promise<Denials> {
  const query = checkedQuery(wanted, clock.now());
  const tally = beginTally(query);
  const told = wanted.told ?? null;
  const compared = { with: { denials: 0, proposals: 0 }, without: { denials: 0, proposals: 0 } };
  let run: RunOfRows | null = null;
  let oldest: number | null = null;
  let newest: number | null = null;
  let unreadable = 0;
  await store.scan(["began", "injected", "decided"], (row) => {
    if (row.kind === "began") {
      run = runOfRows(row, told);
      return;
    }
    if (row.kind === "injected") {
      if (run !== null && run.began.run === row.run && told !== null && injects(row, told))
        run = { ...run, told: "yes" };
      return;
    }
    const fact = factOf(row, run, told);
    if (fact === null) {
      unreadable += 1;
      return;
    }
    if (oldest === null || fact.at < oldest) oldest = fact.at;
    if (newest === null || fact.at > newest) newest = fact.at;
    countDecision(tally, fact);
    if (fact.at < query.since || fact.at >= query.until) return;
    const side = fact.told === "yes" ? compared.with : compared.without;
    side.proposals += 1;
    if (fact.outcome === "deny") side.denials += 1;
  });
  const { since, until, by, bucket } = query;
  const sinceBefore = since - (until - since);
  const asked = { since, until, sinceBefore, by, bucket };
  const difference =
    told === null ? null : { rule: told, ...compared, shift: shiftOf(compared.with, compared.without) };
  const found = { oldest, newest, unreadable, told: difference };
  return { schema: "signalbox.denials/1", ...asked, ...found, ...finishTally(tally) };
}

type Side = ToldDifference["with"];

function shiftOf(withIt: Side, without: Side): RateShift | null {
  return rateShift({ n: withIt.denials, of: withIt.proposals }, { n: without.denials, of: without.proposals });
}

/** What is known of a run while its rows go by: what it began with, and whether it was told the rule that is asked about. */
type RunOfRows = { readonly began: ScannedRow; readonly plan: string | null; readonly told: "yes" | "no" | null };

/** Nothing is leant on that is not there: a row is read as it stands, and was not verified. */
function runOfRows(began: ScannedRow, rule: string | null): RunOfRows {
  const guides = fieldOf(began.body, "guides");
  const plan = fieldOf(guides, "plan");
  const kept = fieldOf(fieldOf(guides, "report"), "kept");
  const isKept = Array.isArray(kept) && kept.some((served) => fieldOf(served, "id") === rule);
  return { began, plan: isText(plan) ? plan : null, told: rule === null ? null : isKept ? "yes" : "no" };
}

function injects({ body }: ScannedRow, rule: string): boolean {
  const rules = fieldOf(body, "rules");
  return Array.isArray(rules) && rules.includes(rule);
}

function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isJsonObject(value) ? own(value, name) : undefined;
}

function checkedQuery(asked: DenialsQuery, now: number): TallyQuery {
  const until = asked.until ?? now + 1;
  const since = asked.since ?? until - WEEK_MS;
  if (!Number.isSafeInteger(since) || !Number.isSafeInteger(until)) throw badQuery("a window is in whole milliseconds");
  if (since >= until) throw badQuery("the window ends before it begins");
  const named = asked.by ?? (["tool", "code", "rule"] as const);
  const by = [...new Set(asked.told === undefined ? named : (["told", ...named] as const))];
  if (asked.told === undefined && by.includes("told"))
    throw badQuery('"told" is about one rule', "say which: --told RULE");
  const stray = by.find((name) => !DIMENSIONS.includes(name));
  if (stray !== undefined) throw badQuery(`decisions are not counted by "${String(stray)}"`, DIMENSIONS.join(", "));
  const outcomes = asked.outcomes ?? ["deny", "stage"];
  const query = { since, until, by, outcomes, bucket: asked.bucket ?? null, groupsMax: GROUPS_MAX };
  let buckets: number;
  try {
    buckets = bucketsIn(query);
  } catch (error) {
    throw error instanceof RangeError ? badQuery(error.message) : error;
  }
  if (buckets <= BUCKETS_MAX) return query;
  throw badQuery(`the window has ${buckets} buckets; ${BUCKETS_MAX} is the most`, "take longer buckets, or less time");
}

function badQuery(message: string, hint = ""): SignalboxError {
  return new SignalboxError("bad_query", message, { hint });
}

/** A model's own names for tools: there is nothing of that name, and it may make up any number of them. */
const NO_TOOL: ReadonlySet<string> = new Set(["unknown_tool", "unroutable"]);

/** What a `decided` row says, with what goes without saying after its run's `began`; null where that is no decision. */
function factOf(row: ScannedRow, run: RunOfRows | null, asked: string | null): DecisionFact | null {
  if (!isJsonObject(row.body)) return null;
  // Only its versions and its model are leant on, and those are looked at below.
  const mine = run?.began.run === row.run ? run : null;
  const known = mine !== null && isJsonObject(mine.began.body) ? mine.began.body : null;
  const fields = fieldsOf(row.kind, row.body, { began: known as Began | null, decided: null });
  const { tool, outcome, rule, promptVersion, policyVersion, model } = fields;
  if (outcome !== "permit" && outcome !== "stage" && outcome !== "deny") return null;
  if (!isText(tool) || !isText(rule) || !isText(promptVersion) || !isText(policyVersion) || !isText(model)) return null;
  const told = mine?.told ?? (asked === null ? null : ("no" as const));
  const said = { at: row.at, rule, promptVersion, policyVersion, model, plan: mine?.plan ?? null, told };
  if (outcome !== "deny") return { ...said, outcome, tool, rail: null, code: null };
  const { rail, code } = reasonOf(fields);
  if (!isText(rail) || !isText(code)) return null;
  return { ...said, outcome, tool: NO_TOOL.has(code) ? null : tool, rail, code };
}

function reasonOf({ denial }: JsonObject): { readonly rail: unknown; readonly code: unknown } {
  if (denial === undefined || !isJsonObject(denial)) return { rail: null, code: null };
  return { rail: own(denial, "rail"), code: own(denial, "code") };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
