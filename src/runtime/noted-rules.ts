import type { Json, JsonObject } from "../domain/json.ts";
import type { PolicyRule } from "../domain/policy.ts";
import type { CapRule, EvidenceRule, Tool } from "../domain/tool.ts";
import { noReads, noting, type Reads } from "./noted-facts.ts";
import type { Rules } from "./simulate.ts";

/** Rules that note what each of them reads of the facts in vain. They decide as those that they were made of. */
export class NotedRules {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policies: readonly PolicyRule[];
  #reads = new Map<string, Reads>();
  #reader = "";

  constructor(rules: Pick<Rules, "tools" | "policies">) {
    this.tools = new Map([...rules.tools].map(([name, tool]) => [name, this.#noted(tool)]));
    this.policies = rules.policies.map((rule) => ({ ...rule, when: this.#as(rule.id, rule.when) }));
  }

  /** The facts for the next decision; what was read of those before is forgotten. */
  facts(record: Json): Json {
    this.#reads = new Map();
    this.#reader = "";
    return noting(record, () => this.#of(this.#reader));
  }

  /** Forgets what was read so far, of the same facts. */
  again(): void {
    this.#reads.clear();
  }

  /** What a rule read, by the name under which it decides; null: what all of them did. */
  reads(rule: string | null): Reads {
    if (rule !== null) return this.#of(rule);
    const all = noReads();
    for (const { absent, listed } of this.#reads.values()) {
      for (const path of absent) all.absent.add(path);
      for (const path of listed) all.listed.add(path);
    }
    return all;
  }

  #of(reader: string): Reads {
    const known = this.#reads.get(reader) ?? noReads();
    this.#reads.set(reader, known);
    return known;
  }

  #as<Args extends readonly unknown[], Out>(reader: string, work: (...args: Args) => Out): (...args: Args) => Out {
    return (...args) => {
      this.#reader = reader;
      return work(...args);
    };
  }

  #noted(tool: Tool): Tool {
    const { authorise, evidence, caps } = tool;
    return {
      ...tool,
      authorise: typeof authorise === "function" ? this.#as(`${tool.name}.authorise`, authorise) : authorise,
      evidence: evidence === null ? null : this.#notedEvidence(evidence),
      caps: caps.map((cap) => this.#notedCap(cap)),
    };
  }

  #notedEvidence(rule: EvidenceRule<JsonObject, Json>): EvidenceRule<JsonObject, Json> {
    const { justifies } = rule;
    const from = this.#as("evidence", rule.from);
    if (justifies === undefined) return { ...rule, from };
    const entries = Object.entries(justifies).map(([field, by]) => [field, this.#as("evidence", by)] as const);
    return { ...rule, from, justifies: Object.fromEntries(entries) };
  }

  #notedCap(cap: CapRule<JsonObject, Json>): CapRule<JsonObject, Json> {
    return {
      ...cap,
      ...(cap.amount === undefined ? {} : { amount: this.#as("caps", cap.amount) }),
      ...(cap.key === undefined ? {} : { key: this.#as("caps", cap.key) }),
    };
  }
}
