import { DEFAULT_BUDGETS } from "../domain/budgets.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { CapUse } from "../domain/cap.ts";
import { dayIn } from "../domain/dates.ts";
import { denial } from "../domain/denial.ts";
import type { Began } from "../domain/event.ts";
import { deepFreeze, type JsonObject, own } from "../domain/json.ts";
import { nearest } from "../domain/nearest.ts";
import { plainJson } from "../domain/plain.ts";
import { mayUse, type Principal } from "../domain/principal.ts";
import { NO_PROVENANCE, type Provenance } from "../domain/provenance.ts";
import { redactJson, redactText } from "../domain/redact.ts";
import type {
  Expected,
  Scenario,
  ScenarioProposal,
  ScenarioRecord,
  ScenarioResult,
  ScenarioStep,
  SimulatedVerdict,
  Simulation,
} from "../domain/scenario.ts";
import type { DecisionContext, Tool } from "../domain/tool.ts";
import { unreachable } from "../domain/unreachable.ts";
import { DEFAULT_WINDOW } from "../domain/window.ts";
import {
  type Checked,
  capDemand,
  checkOutput,
  type Decision,
  decide,
  type Facts,
  type Seen,
  traceParams,
} from "../rails/index.ts";
import { CapBook } from "./cap-book.ts";
import { SignalboxError } from "./error.ts";
import { decisionContext, RECORD_LIMITS } from "./facts.ts";
import type { Parts } from "./parts.ts";
import { openWitness } from "./witness.ts";

/** The part of a box that decides: no model, no store, no service. */
export type Rules = Pick<Parts, "tools" | "policies" | "principals" | "zone" | "redaction" | "policyVersion" | "hash">;

/**
 * Judges the proposals of a scenario with the real rails, in order. Nothing is performed: a permitted proposal holds its
 * caps for those after it, and what it gave is what the scenario says next. The loop's guardrails are not asked, since
 * they belong to a run.
 *
 * @throws SignalboxError `bad_scenario` where it names a principal, a tool of a principal, or a cap that there is not.
 */
export function simulate(rules: Rules, scenario: Scenario): Simulation {
  const world = new World(rules, scenario);
  for (const step of scenario.steps) world.take(step);
  const { verdicts } = world;
  return {
    schema: "signalbox.verdicts/1",
    scenario: scenario.name,
    ok: verdicts.every(({ asExpected }) => asExpected !== false),
    policyVersion: rules.policyVersion,
    verdicts,
  };
}

/** A permitted action of this thread. `settleKey`: what it settles, for a `once` tool. */
type Done = {
  readonly tool: string;
  readonly action: string;
  readonly params: JsonObject;
  readonly settleKey: string | null;
  state: State;
};
/** `assumed`: nothing was said of how it came out, so it counts as done. */
type State = "assumed" | "done" | "failed" | "outcome_unknown";

/** The situation as it is at one step. */
class World {
  readonly verdicts: SimulatedVerdict[] = [];
  readonly #rules: Rules;
  readonly #scenario: Scenario;
  readonly #principal: Principal;
  readonly #records: ScenarioRecord[];
  readonly #books = new CapBook();
  readonly #done: Done[] = [];
  /** null where no tool declares provenance or trust: as in a run, nothing is traced then. */
  readonly #seen: Seen | null;
  #requests: readonly string[];
  #now: number;
  #run = 0;
  #step = 0;
  #began: Began;

  constructor(rules: Rules, scenario: Scenario) {
    this.#rules = rules;
    this.#scenario = scenario;
    this.#principal = principalOf(rules, scenario);
    this.#records = [...scenario.records];
    this.#requests = scenario.requests;
    this.#now = scenario.now;
    scenario.caps.forEach(({ cap, key, used }, i) => {
      checkCap(rules, cap, `caps[${i}].cap`);
      this.#books.holdAlways(cap, key, used);
    });
    this.#seen = openWitness(rules.tools)?.seen ?? null;
    for (const request of scenario.requests) this.#seen?.request(redactText(request, rules.redaction));
    for (const result of scenario.results) this.#hear(result, null);
    this.#began = this.#begin();
  }

  take(step: ScenarioStep): void {
    switch (step.kind) {
      case "proposal":
        this.verdicts.push(this.#judge(step.value));
        return;
      case "result":
        this.#settle(step.value);
        return;
      case "record":
        this.#records.push(step.value);
        return;
      case "request":
        this.#requests = [...this.#requests, step.value];
        this.#seen?.request(redactText(step.value, this.#rules.redaction));
        this.#began = this.#begin();
        return;
      case "now":
        this.#now = step.value;
        return;
      default:
        unreachable(step);
    }
  }

  /** Each request is a run of its own in the one thread. */
  #begin(): Began {
    this.#run += 1;
    this.#step = 0;
    const said = this.#requests.map((request) => redactText(request, this.#rules.redaction));
    return {
      kind: "began",
      at: this.#now,
      run: `run-${this.#run}`,
      thread: "thread-1",
      request: said.at(-1) ?? "",
      parent: null,
      principal: this.#principal,
      customer: this.#scenario.customer,
      budgets: DEFAULT_BUDGETS,
      window: DEFAULT_WINDOW,
      earlierRequests: said.slice(0, -1),
      past: [],
      pastCut: 0,
      outside: false,
      guides: null,
      promptVersion: "",
      policyVersion: this.#rules.policyVersion,
      model: "",
    };
  }

  #judge({ tool: name, params, evidence, expect }: ScenarioProposal): SimulatedVerdict {
    const rules = this.#rules;
    this.#step += 1;
    const proposal = { tool: name, params: redactJson(params, rules.redaction), evidence };
    const tool = rules.tools.get(name) ?? null;
    const usable = tool !== null && mayUse(this.#principal, name) ? tool : null;
    const checked = usable === null ? null : checkOutput(usable, proposal.params);
    const settleKey = settleKeyOf(usable, checked, this.#scenario.customer);
    const before = settleKey === null ? undefined : this.#done.findLast((done) => isBefore(done, settleKey));
    const provenance = this.#trace(usable, checked);
    const said = { index: this.verdicts.length, tool: name, evidence, provenance };
    if (before !== undefined) return settledBefore(said, before, checked?.ok === true ? checked.params : null, expect);
    const facts = this.#factsFor(usable, checked);
    const zone = this.#scenario.zone ?? rules.zone;
    const context = decisionContext(this.#began, this.#step, this.#now, dayIn(zone, this.#now), provenance);
    const decision = decide({
      proposal,
      route: "direct",
      tool,
      policies: rules.policies,
      checked,
      facts,
      context,
      capUse: this.#capUse(usable, checked, facts, context),
    });
    if (decision.outcome === "permit") {
      const action = `${this.#run}:${this.#step}`;
      this.#books.take(action, decision.reservations);
      this.#done.push({ tool: name, action, params: decision.checked, settleKey, state: "assumed" });
    }
    return verdictOf(said, decision, expect);
  }

  #capUse(tool: Tool | null, checked: Checked | null, facts: Facts, context: DecisionContext): readonly CapUse[] {
    if (tool === null || checked?.ok !== true || !facts.ok) return [];
    const demand = capDemand(tool, checked.params, facts.record, context);
    return demand.ok ? this.#books.use(demand.slots) : [];
  }

  /** Without a record in the scenario there is none. */
  #factsFor(tool: Tool | null, checked: Checked | null): Facts {
    if (tool === null || tool.record === null || checked?.ok !== true) return { ok: true, record: null };
    const { params } = checked;
    const record = this.#records.findLast((known) => known.tool === tool.name && holds(params, known.params))?.record;
    if (record === null || record === undefined) {
      return { ok: false, denial: denial("record_missing", `there is no such record for ${tool.name}`) };
    }
    const plain = plainJson(record, RECORD_LIMITS);
    if (!plain.ok) return { ok: false, denial: denial("record_unreadable", `${plain.why.code}: ${plain.why.detail}`) };
    return { ok: true, record: deepFreeze(redactJson(plain.value, this.#rules.redaction)) };
  }

  /** A result says how the newest permitted proposal for its tool came out, where there is one that it can be of. */
  #settle(result: ScenarioResult): void {
    const { tool, outcome } = result;
    const done = this.#done.findLast((one) => one.tool === tool && one.state === "assumed");
    this.#hear(result, done?.params ?? null);
    if (done === undefined) return;
    done.state = outcome;
    if (outcome === "failed") this.#books.release(done.action);
  }

  /** `asked`: the params of the proposal that it is the result of. */
  #hear({ tool, params, result, outcome, untrusted }: ScenarioResult, asked: JsonObject | null): void {
    if (this.#seen === null || outcome !== "done") return;
    const trusted = this.#rules.tools.get(tool)?.trusted ?? [];
    // Params that a scenario writes come on top of those that were proposed: it may tighten trust and never loosen it.
    const given = [params, asked].filter((one) => one !== null);
    this.#seen.result(tool, trusted, given, redactJson(result, this.#rules.redaction), untrusted);
  }

  #trace(tool: Tool | null, checked: Checked | null): Provenance {
    if (this.#seen === null || tool === null || checked?.ok !== true) return NO_PROVENANCE;
    return traceParams(checked.params, this.#seen, tool.provenance);
  }
}

function principalOf(rules: Rules, { principal }: Scenario): Principal {
  const all = [...rules.tools.keys()];
  const { id, tools, attributes } = principal;
  const known = rules.principals?.get(id);
  if (tools === null && rules.principals !== null && known === undefined) {
    throw misnamed("principal", "principal", id, [...rules.principals.keys()]);
  }
  const stray = tools === null || tools === "all" ? undefined : tools.find((tool) => !rules.tools.has(tool));
  if (stray !== undefined) throw misnamed("principal.tools", "tool", stray, all);
  return {
    id,
    tools: tools === "all" ? all : (tools ?? known?.tools ?? all),
    attributes: deepFreeze(redactJson(attributes ?? known?.attributes ?? {}, rules.redaction)) as JsonObject,
  };
}

function checkCap(rules: Rules, cap: string, path: string): void {
  const names = [...rules.tools.values()].flatMap((tool) => tool.caps.map(({ name }) => name));
  if (!names.includes(cap)) throw misnamed(path, "cap", cap, names);
}

function misnamed(path: string, what: string, name: string, known: readonly string[]): SignalboxError {
  const near = nearest(name, known);
  const hint = near === null ? "" : `; did you mean "${near}"?`;
  return new SignalboxError("bad_scenario", `${path}: the config has no ${what} "${name}"${hint}`);
}

/** Whether the params have each of these values. */
function holds(params: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const given = own(params, key);
    return given !== undefined && canonicalJson(given) === canonicalJson(value);
  });
}

/** As a run has it: what a `once` effect settles in its thread. */
function settleKeyOf(tool: Tool | null, checked: Checked | null, customer: string | null): string | null {
  if (tool === null || checked?.ok !== true || tool.effect !== "once" || tool.mayRepeat) return null;
  return canonicalJson([tool.name, checked.params, customer]);
}

function isBefore(done: Done, settleKey: string): boolean {
  return done.settleKey === settleKey && done.state !== "failed";
}

type Said = Pick<SimulatedVerdict, "index" | "tool" | "evidence" | "provenance">;

/** The same `once` action was permitted before in this thread: its receipt, or, where nobody knows how it came out, a denial. */
function settledBefore(said: Said, before: Done, params: JsonObject | null, expect: Expected | null): SimulatedVerdict {
  const open = before.state === "outcome_unknown";
  const why = open ? denial("outcome_open", "the same action was started before and its outcome is not known") : null;
  return judged(
    {
      ...said,
      outcome: open ? "deny" : "settled",
      rule: "once",
      code: why?.code ?? null,
      rail: why?.rail ?? null,
      message: why?.detail ?? null,
      role: null,
      params,
      reservations: [],
    },
    expect,
  );
}

function verdictOf(said: Said, decision: Decision, expect: Expected | null): SimulatedVerdict {
  const why = decision.outcome === "deny" ? decision.denial : null;
  return judged(
    {
      ...said,
      outcome: decision.outcome === "permit" ? "allow" : decision.outcome,
      rule: decision.rule,
      code: why?.code ?? null,
      rail: why?.rail ?? null,
      message: why?.detail ?? null,
      role: decision.outcome === "stage" ? decision.role : null,
      params: decision.checked,
      reservations: decision.outcome === "permit" ? decision.reservations : [],
    },
    expect,
  );
}

function judged(verdict: Omit<SimulatedVerdict, "expected" | "asExpected">, expect: Expected | null): SimulatedVerdict {
  return { ...verdict, expected: expect, asExpected: expect === null ? null : isAsExpected(verdict, expect) };
}

function isAsExpected(
  { outcome, code, rule, role }: Omit<SimulatedVerdict, "expected" | "asExpected">,
  expect: Expected,
): boolean {
  if (expect.outcome !== outcome) return false;
  return (["code", "rule", "role"] as const).every(
    (part) => expect[part] === null || expect[part] === { code, rule, role }[part],
  );
}
