import type { CapUse } from "../domain/cap.ts";
import { dayIn } from "../domain/dates.ts";
import type { Began, Decided, Finished, RunEvent } from "../domain/event.ts";
import { type HouseRule, isBy } from "../domain/house-rule.ts";
import { deepFreeze, isJsonObject } from "../domain/json.ts";
import { mayUse, type Principal } from "../domain/principal.ts";
import { NO_PROVENANCE, type Provenance } from "../domain/provenance.ts";
import { contextAfter, fieldsOf, NO_CONTEXT } from "../domain/row-body.ts";
import type { DecisionContext, Tool } from "../domain/tool.ts";
import type { ScannedRow, Store } from "../ports/store.ts";
import {
  type Checked,
  capDemand,
  checkCaps,
  checkOutput,
  type Decision,
  decide,
  type Facts,
  traceParams,
} from "../rails/index.ts";
import { type Backtest, Tally } from "./backtest-tally.ts";
import { type Again, isSame, recordedVerdict, type Verdict, verdictOf } from "./backtest-verdict.ts";
import { CapBook } from "./cap-book.ts";
import { SignalboxError } from "./error.ts";
import { decisionContext } from "./facts.ts";
import { NotedRules } from "./noted-rules.ts";
import type { Rules } from "./simulate.ts";
import { KINDS_SEEN, ThreadsSeen } from "./threads-seen.ts";
import { openWitness } from "./witness.ts";

export type BacktestOptions = {
  /** The rules of today's config. What they looked for in vain, too, was not there to be kept. */
  readonly current: Rules;
  /** The rules that every recorded proposal is decided by again. */
  readonly candidate: Rules;
  /** Counts decisions of this moment and later; milliseconds since 1970. null: all of them. */
  readonly since: number | null;
};

/**
 * Decides every recorded proposal again by other rules, from its row alone: nothing is loaded, performed or written, and
 * nothing is verified (`ledger verify` does). A proposal is decided in the situation in which it was made: the facts, the
 * requests and the use of the caps are the recorded ones, and where values were seen is traced again. What was not recorded
 * of a cap is what the proposals that the candidate permits hold of it, in the order in which their runs began.
 */
export async function backtest(store: Store, options: BacktestOptions): Promise<Backtest> {
  const tally = new Tally(options.candidate.policyVersion, options.since);
  const bench = new Bench(options, tally);
  await store.scan(bench.kinds, (row) => bench.take(row));
  return tally.report();
}

/** One pass over the rows. */
class Bench {
  readonly #options: BacktestOptions;
  readonly #tally: Tally;
  readonly #candidate: NotedRules;
  readonly #current: NotedRules;
  readonly #books = new CapBook();
  readonly #principals: ReadonlyMap<string, Principal> | null;
  readonly kinds: readonly string[];
  /** null where the candidate traces nothing. */
  readonly #threads: ThreadsSeen | null;
  #context = NO_CONTEXT;
  /** The run as the candidate would have it: with its own idea of the principal. */
  #began: Began | null = null;

  constructor(options: BacktestOptions, tally: Tally) {
    this.#options = options;
    this.#tally = tally;
    this.#candidate = new NotedRules(options.candidate);
    this.#current = new NotedRules(options.current);
    this.#principals = options.candidate.principals;
    const { tools } = options.candidate;
    this.#threads = openWitness(tools) === null ? null : new ThreadsSeen(tools);
    this.kinds = [...new Set(["began", "decided", "finished", ...(this.#threads === null ? [] : KINDS_SEEN)])];
  }

  take(row: ScannedRow): void {
    const event = eventIn(row, this.#context);
    this.#context = contextAfter(this.#context, event);
    switch (event.kind) {
      case "began":
        this.#began = this.#principals === null ? event : { ...event, principal: this.#principalOf(event.principal) };
        this.#tally.run();
        this.#threads?.begin(event);
        return;
      case "decided":
        this.#decided(row, event);
        return;
      case "finished":
        this.#finished(row.run, event);
        this.#threads?.hear(event);
        return;
      default:
        this.#threads?.hear(event);
    }
  }

  /** Who is not declared any more may do nothing. */
  #principalOf({ id }: Principal): Principal {
    return this.#principals?.get(id) ?? { id, tools: [], attributes: {} };
  }

  #finished(run: string, { step, outcome }: Finished): void {
    if (outcome === "failed") this.#books.release(`${run}:${step}`);
  }

  #decided({ run }: ScannedRow, event: Decided): void {
    const recorded = recordedVerdict(event);
    const action = `${run}:${event.step}`;
    let again = this.#again(event, recorded);
    if (again.known && again.verdict.outcome === "permit") {
      // What is permitted without an approval now holds its caps since then, and an approval adds nothing to it.
      if (event.approvedBy === null || !this.#books.has(action)) this.#books.take(action, again.verdict.reservations);
      else again = { ...again, verdict: { ...again.verdict, reservations: [] } };
    }
    this.#tally.count({ run, step: event.step, tool: event.tool, at: event.at }, recorded, again);
  }

  #again(event: Decided, recorded: Verdict): Again {
    const began = this.#began;
    if (began === null) throw damaged(event);
    const tool = this.#candidate.tools.get(event.tool) ?? null;
    if (isForced(event)) return sameAs(recorded);
    // An open outcome is in the store's books, and they are what they were.
    if (isBy(event.rule, "once") && tool?.effect === "once" && !tool.mayRepeat) return sameAs(recorded);
    const usable = tool !== null && mayUse(began.principal, tool.name) ? tool : null;
    const checked = usable === null ? null : checkOutput(usable, event.params);
    const provenance = this.#provenanceOf(event, usable, checked);
    const context = decisionContext(began, event.step, event.at, this.#todayOf(event), provenance ?? NO_PROVENANCE);
    const facts = factsOf(event, tool);
    const asked = { event, tool, checked, context };
    const isJudged = checked?.ok === true && event.route !== "unroutable" && event.route !== "actor_not_in_allowlist";
    // What was denied before its record was needed has none, nor has what was decided when the tool loaded none.
    if (isJudged && usable?.record !== null && facts.ok && facts.record === null) {
      return { known: false, why: [`the record of ${event.tool}`] };
    }
    const again = this.#judged(asked, facts, recorded);
    if (provenance !== null || (again.known && BEFORE_PROVENANCE.some((house) => isBy(again.verdict.rule, house))))
      return again;
    return { known: false, why: ["where its values were seen"] };
  }

  /** Where the values of the params were seen, as the candidate's tools have it; null where nobody can tell any more. */
  #provenanceOf(event: Decided, tool: Tool | null, checked: Checked | null): Provenance | null {
    if (this.#threads === null || tool === null || checked?.ok !== true) return NO_PROVENANCE;
    const seen = this.#threads.seen();
    if (seen !== null) return traceParams(checked.params, seen, tool.provenance);
    return this.#isTracedAlike() && Object.keys(event.provenance).length > 0 ? event.provenance : null;
  }

  /** Whether today's tools declare the same trust as the candidate's. */
  #isTracedAlike(): boolean {
    const { current, candidate } = this.#options;
    const declared = ({ tools }: Rules): string =>
      JSON.stringify([...tools.values()].map(({ name, trusted, provenance }) => [name, trusted, provenance]));
    return declared(current) === declared(candidate);
  }

  #judged(asked: Asked, facts: Facts, recorded: Verdict): Again {
    const noted = this.#candidate;
    const [seen, capUse, worked] = this.#seen(asked, facts);
    noted.again();
    const decision = this.#decide(asked, seen, capUse);
    const verdict = approved(asked, decision, seen, capUse, recorded);
    const simulated = verdict.outcome === "permit" || isBy(verdict.rule, "caps") ? worked : [];
    const { absent, listed } = noted.reads(decidesAlone(decision) ? decision.rule : null);
    const lacking = absent.size === 0 ? [] : this.#notLackedBefore(asked.event, absent, recorded);
    if (lacking.length > 0) return { known: false, why: lacking.map((path) => `fact \`${path}\``) };
    if (isSame(verdict, recorded) || !facts.ok || facts.record === null) {
      return { known: true, verdict, simulated, listed: [...listed] };
    }
    // Code that cannot work with a view of the facts, such as structuredClone, must not look like another verdict.
    const kept: Facts = { ok: true, record: deepFreeze(asked.event.facts) };
    const plain = approved(asked, this.#decide(asked, kept, capUse), kept, capUse, recorded);
    if (isSame(plain, verdict)) return { known: true, verdict: plain, simulated, listed: [...listed] };
    return { known: false, why: ["what it reads of the record cannot be watched"] };
  }

  /** The facts as the candidate's rules see them, and what is held of the caps that they want. */
  #seen(
    { event, tool, checked, context }: Asked,
    facts: Facts,
  ): readonly [Facts, readonly CapUse[], readonly string[]] {
    const seen: Facts = facts.ok ? { ok: true, record: this.#candidate.facts(facts.record) } : facts;
    if (tool === null || checked?.ok !== true || !seen.ok) return [seen, [], []];
    const demand = capDemand(tool, checked.params, seen.record, context);
    if (!demand.ok) return [seen, [], []];
    const simulated: string[] = [];
    const [now, next] = [this.#options.current, this.#options.candidate].map(({ tools }) => tools.get(tool.name));
    const uses = this.#books.use(demand.slots).map((use) => {
      const kept = event.capUse.find((one) => one.cap === use.cap && one.key === use.key && one.window === use.window);
      if (kept !== undefined && countsAlike(capOf(now, use.cap), capOf(next, use.cap))) return kept;
      simulated.push(use.cap);
      return use;
    });
    return [seen, uses, simulated];
  }

  #decide({ event, tool, checked, context }: Asked, facts: Facts, capUse: readonly CapUse[]): Decision {
    const proposal = { tool: event.tool, params: event.params, evidence: event.evidence };
    const { policies } = this.#candidate;
    return decide({ proposal, route: event.route, tool, policies, checked, facts, context, capUse });
  }

  /** What the rules that really decided look for in vain as well was not there to be kept; the rest is what is missing. */
  #notLackedBefore(event: Decided, absent: ReadonlySet<string>, recorded: Verdict): readonly string[] {
    const { began } = this.#context;
    const noted = this.#current;
    if (began === null) throw damaged(event);
    const decision = decide({
      proposal: { tool: event.tool, params: event.params, evidence: event.evidence },
      route: event.route,
      tool: noted.tools.get(event.tool) ?? null,
      policies: noted.policies,
      facts: { ok: true, record: noted.facts(event.facts) },
      context: decisionContext(began, event.step, event.at, event.today, event.provenance),
      capUse: event.capUse,
    });
    const lacked = this.#isWhatDecided(event, verdictOf(decision), recorded) ? noted.reads(null).absent : NOTHING;
    return [...absent].filter((path) => !lacked.has(path));
  }

  /** Rules that would decide otherwise today are not those that decided; nor can the rules on trial vouch for themselves. */
  #isWhatDecided(event: Decided, today: Verdict, recorded: Verdict): boolean {
    const { current, candidate } = this.#options;
    if (event.policyVersion === current.policyVersion) return true;
    return current.policyVersion !== candidate.policyVersion && isSame(today, recorded);
  }

  #todayOf(event: Decided): string {
    const { current, candidate } = this.#options;
    return current.zone === candidate.zone ? event.today : dayIn(candidate.zone, event.at);
  }
}

/** Rules of the house that decide before anybody asks where a value was seen. */
const BEFORE_PROVENANCE: readonly HouseRule[] = ["loop", "output", "input", "record", "evidence"];

const NOTHING: ReadonlySet<string> = new Set();

type Asked = {
  readonly event: Decided;
  readonly tool: Tool | null;
  readonly checked: Checked | null;
  readonly context: DecisionContext;
};

/** Reads a row as its event. What a scan hands out was not verified. */
function eventIn({ run, seq, kind, at, body }: ScannedRow, context: typeof NO_CONTEXT): RunEvent {
  if (!isJsonObject(body))
    throw new SignalboxError("ledger_damaged", `run ${run}: row ${seq} is no event`, { exitCode: 7 });
  return { kind, at, ...fieldsOf(kind, body, context) } as unknown as RunEvent;
}

function damaged(event: Decided): SignalboxError {
  return new SignalboxError("ledger_damaged", `step ${event.step} (${event.tool}) was decided in no run`, {
    exitCode: 7,
  });
}

/** A tool that loads no record is judged without one, and a record that could not be loaded could not be loaded. */
function factsOf(event: Decided, tool: Tool | null): Facts {
  if (tool?.record === null) return { ok: true, record: null };
  const { denial } = event;
  if (denial !== null && isBy(event.rule, "record")) return { ok: false, denial };
  return { ok: true, record: event.facts };
}

/** Denials that follow from what else was proposed, approved or waited for, and not from any rule. */
function isForced({ rule, denial }: Decided): boolean {
  return isBy(rule, "proposal") || denial?.code === "approval_mismatch" || denial?.code === "too_many_waiting";
}

/**
 * What comes of a decision for a step that a person had approved: staged again, it is carried by that approval, within the
 * caps; where the approval could not be used, it cannot now.
 */
function approved(
  { event, tool, checked, context }: Asked,
  decision: Decision,
  facts: Facts,
  capUse: readonly CapUse[],
  recorded: Verdict,
): Verdict {
  if (event.approvedBy === null || decision.outcome === "deny") return verdictOf(decision);
  if (isBy(recorded.rule, "approval")) return recorded;
  if (decision.outcome === "permit" || tool === null || checked?.ok !== true || !facts.ok) return verdictOf(decision);
  const demand = capDemand(tool, checked.params, facts.record, context);
  const over = demand.ok ? checkCaps(demand.wanted, capUse) : demand.denial;
  const said = { role: null, reservations: demand.ok && over === null ? demand.wanted : [] };
  return over === null
    ? { outcome: "permit", code: null, rule: decision.rule, ...said }
    : { outcome: "deny", code: over.code, rule: "caps", ...said };
}

/** A denial that no other rule can change, whatever it read: a deny overrides. */
function decidesAlone(decision: Decision): boolean {
  return decision.outcome === "deny" && !isBy(decision.rule, "caps") && !isBy(decision.rule, "default");
}

type AnyCap = Tool["caps"][number];

function capOf(tool: Tool | undefined, cap: string): AnyCap | undefined {
  return tool?.caps.find(({ name }) => name === cap);
}

/** Whether what was recorded of the one is the use of the other. A cap that is not declared today cannot be compared. */
function countsAlike(now: AnyCap | undefined, next: AnyCap | undefined): boolean {
  return now === undefined || next === undefined || String(now.amount) === String(next.amount);
}

function sameAs(recorded: Verdict): Again {
  return { known: true, verdict: recorded, simulated: [], listed: [] };
}
