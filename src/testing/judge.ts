import type { CapUse, Reservation } from "../domain/cap.ts";
import { denial } from "../domain/denial.ts";
import { deepFreeze, type Json, type JsonObject } from "../domain/json.ts";
import { plainJson } from "../domain/plain.ts";
import type { PolicyRule } from "../domain/policy.ts";
import type { Principal } from "../domain/principal.ts";
import { NO_PROVENANCE } from "../domain/provenance.ts";
import type { Tool } from "../domain/tool.ts";
import { capDemand, checkOutput, decide, type Facts, Seen, traceParams } from "../rails/index.ts";

export type JudgeInput = {
  readonly params: unknown;
  readonly evidence?: readonly string[];
  /** The FactRecord, as `record` would give it. */
  readonly record?: unknown;
  readonly principal?: Partial<Principal>;
  readonly customer?: string;
  readonly now?: number;
  /** Default: the UTC day of `now`. */
  readonly today?: string;
  readonly requests?: readonly string[];
  /** What tools returned before, for what provenance asks. `tool` says what of it is trusted. */
  readonly results?: readonly { readonly tool: Tool; readonly params?: JsonObject; readonly result: unknown }[];
  readonly policies?: readonly PolicyRule[];
  /** What others hold of a cap, by the cap's name. Default 0. */
  readonly used?: { readonly [cap: string]: number };
};

export type Judged = {
  readonly outcome: "permit" | "stage" | "deny";
  /** The denial's code, or null. */
  readonly code: string | null;
  readonly detail: string | null;
  readonly rule: string;
  /** Who may approve, where it was staged. */
  readonly role: string | null;
  readonly reservations: readonly Reservation[];
};

/** Decides one proposal with the real rails on a given record: a policy is tested like any function. */
export function judge(tool: Tool, input: JudgeInput): Judged {
  const now = input.now ?? 0;
  const principal = { id: "operator", tools: [tool.name], attributes: {}, ...input.principal };
  const today = input.today ?? new Date(now).toISOString().slice(0, 10);
  const params = input.params as Json;
  const checked = checkOutput(tool, params);
  const context = deepFreeze({
    principal,
    customer: input.customer ?? null,
    thread: "thread",
    run: "run",
    outermost: "run",
    step: 1,
    now,
    today,
    requests: [...(input.requests ?? [])],
    provenance: checked.ok ? traceParams(checked.params, seenIn(input), tool.provenance) : NO_PROVENANCE,
  });
  const record = plainJson(input.record ?? null);
  if (!record.ok) throw new TypeError(`the record is not plain JSON: ${record.why.detail}`);
  // As in a run: a tool that loads a record is not judged without one.
  const missing = tool.record !== null && record.value === null;
  const facts: Facts = missing
    ? { ok: false, denial: denial("record_missing", `there is no such record for ${tool.name}`) }
    : { ok: true, record: deepFreeze(record.value) };
  const demand = checked.ok && facts.ok ? capDemand(tool, checked.params, facts.record, context) : null;
  const capUse: CapUse[] =
    demand?.ok === true
      ? demand.wanted.map(({ cap, key, window }) => ({ cap, key, window, used: input.used?.[cap] ?? 0 }))
      : [];
  const proposal = { tool: tool.name, params, evidence: Object.freeze([...(input.evidence ?? [])]) };
  const decision = decide({ proposal, route: "direct", tool, policies: input.policies ?? [], facts, context, capUse });
  return {
    outcome: decision.outcome,
    code: decision.outcome === "deny" ? decision.denial.code : null,
    detail: decision.outcome === "deny" ? decision.denial.detail : null,
    rule: decision.rule,
    role: decision.outcome === "stage" ? decision.role : null,
    reservations: decision.outcome === "permit" ? decision.reservations : [],
  };
}

function seenIn({ requests = [], results = [] }: JudgeInput): Seen {
  const seen = new Seen();
  for (const request of requests) seen.request(request);
  for (const { tool, params = {}, result } of results) {
    const plain = plainJson(result);
    if (!plain.ok) throw new TypeError(`a result of ${tool.name} is not plain JSON: ${plain.why.detail}`);
    seen.result(tool.name, tool.trusted, params, plain.value);
  }
  return seen;
}
