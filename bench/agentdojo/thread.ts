/** A thread of a suite, driven call by call through the real rails, without a model and without a store. */
import { deepFreeze } from "../../src/domain/json.ts";
import { plainJson } from "../../src/domain/plain.ts";
import { type DecisionContext, dayIn, type Json, type JsonObject, type Tool } from "../../src/index.ts";
import { capDemand, checkOutput, decide, type Facts, Seen, traceParams } from "../../src/rails/index.ts";
import type { Suite, World } from "./suites.ts";

export type Said = {
  readonly outcome: "permit" | "stage" | "deny";
  readonly rule: string;
  /** The denial's code, or the role that may approve; null for a permit. */
  readonly code: string | null;
};

const PRINCIPAL = { id: "agent:assistant", tools: [], attributes: {} };
const SIGNAL = new AbortController().signal;

export class DojoThread {
  readonly world: World;
  readonly #suite: Suite;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #request: string;
  readonly #seen = new Seen();
  readonly #used = new Map<string, number>();
  #step = 0;

  constructor(suite: Suite, environment: JsonObject, request: string) {
    this.#suite = suite;
    this.#tools = new Map(suite.config.tools.map((tool) => [tool.name, tool]));
    this.#request = request;
    this.world = suite.open(environment);
    this.#seen.request(request);
  }

  tool(name: string): Tool {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Error(`the example ${this.#suite.name} has no tool ${name}`);
    return tool;
  }

  /** What the rails say of a call now. Nothing changes by asking. */
  decide(name: string, params: JsonObject): Said {
    const tool = this.tool(name);
    const checked = checkOutput(tool, params);
    const context = this.#context(tool, checked.ok ? checked.params : null);
    const facts = checked.ok ? this.#facts(tool, checked.params) : NO_FACTS;
    const demand = checked.ok && facts.ok ? capDemand(tool, checked.params, facts.record, context) : null;
    const wanted = demand?.ok === true ? demand.wanted : [];
    const capUse = wanted.map(({ cap, key, window }) => ({ cap, key, window, used: this.#used.get(cap) ?? 0 }));
    const proposal = { tool: name, params, evidence: [] };
    const policies = this.#suite.config.policies ?? [];
    const decision = decide({ proposal, route: "direct", tool, policies, checked, facts, context, capUse });
    const code =
      decision.outcome === "deny" ? decision.denial.code : decision.outcome === "stage" ? decision.role : null;
    return { outcome: decision.outcome, rule: decision.rule, code };
  }

  /** The call was committed: the world changes, the caps count, and `result` was seen. One that no rail lets through changes nothing. */
  commit(name: string, params: JsonObject, result: Json): void {
    const tool = this.tool(name);
    const checked = checkOutput(tool, params);
    const facts = checked.ok ? this.#facts(tool, checked.params) : NO_FACTS;
    if (checked.ok && facts.ok) {
      const demand = capDemand(tool, checked.params, facts.record, this.#context(tool, checked.params));
      for (const { cap, amount } of demand.ok ? demand.wanted : []) {
        this.#used.set(cap, (this.#used.get(cap) ?? 0) + amount);
      }
      if (tool.effect !== "read") this.execute(name, params);
    }
    this.see(name, params, result);
  }

  /** Calls the tool in this thread's world and gives what it returned. */
  execute(name: string, params: JsonObject): Json {
    const tool = this.tool(name);
    const checked = checkOutput(tool, params);
    if (!checked.ok) throw new Error(`${name}: ${checked.denial.code}: ${checked.denial.detail}`);
    const facts = this.#facts(tool, checked.params);
    const call = {
      ...this.world.services,
      idempotencyKey: `${this.#step}`,
      principal: PRINCIPAL,
      customer: null,
      thread: "thread",
      run: "run",
      step: this.#step,
      signal: SIGNAL,
      emit: () => undefined,
      nested: () => Promise.reject(new Error("no model here")),
    };
    const proposal = { params: checked.params, evidence: [], record: facts.ok ? facts.record : null };
    return frozen(tool.execute(proposal, call));
  }

  see(name: string, params: JsonObject, result: Json): void {
    this.#step += 1;
    this.#seen.result(name, this.tool(name).trusted, params, result);
  }

  #context(tool: Tool, params: JsonObject | null): DecisionContext {
    const { now, config } = this.#suite;
    return deepFreeze({
      principal: { ...PRINCIPAL, tools: [tool.name] },
      customer: null,
      thread: "thread",
      run: "run",
      outermost: "run",
      step: this.#step,
      now,
      today: dayIn(config.zone ?? "UTC", now),
      requests: [this.#request],
      provenance: params === null ? {} : traceParams(params, this.#seen, tool.provenance),
    });
  }

  #facts(tool: Tool, params: JsonObject): Facts {
    if (tool.record === null) return NO_FACTS;
    const about = { principal: PRINCIPAL, customer: null, evidence: [], signal: SIGNAL };
    const record = tool.record(params, this.world.services, about);
    if (record !== null && record !== undefined) return { ok: true, record: frozen(record) };
    const missing = { rail: "evidence", code: "record_missing", detail: "there is no such record", retryable: false };
    return { ok: false, denial: missing } as Facts;
  }
}

const NO_FACTS: Facts = { ok: true, record: null };

function frozen(value: unknown): Json {
  const plain = plainJson(value ?? null, { bytesMax: 4_194_304, keysMax: 200_000, depthMax: 64, digitsMax: 64 });
  if (!plain.ok) throw new TypeError(`not plain JSON: ${plain.why.detail}`);
  return deepFreeze(plain.value);
}
