import type { Budgets } from "../domain/budgets.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Began } from "../domain/event.ts";
import { evidenceFieldOf } from "../domain/evidence-field.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import type { PolicyRule } from "../domain/policy.ts";
import type { Principal } from "../domain/principal.ts";
import { atOnce } from "../domain/promised.ts";
import type { Redaction } from "../domain/redact.ts";
import type { WireMode } from "../domain/said.ts";
import type { KnownTools } from "../domain/salvage.ts";
import type { Tool } from "../domain/tool.ts";
import { utf8Length } from "../domain/utf8.ts";
import type { Window } from "../domain/window.ts";
import { type LoopRules, type LoopTool, systemText, type Wire, wireOf, withoutMeta } from "../loop/index.ts";
import type { Memory } from "../ports/memory.ts";
import type { Model } from "../ports/model.ts";
import type { PublicKey } from "../ports/signatures.ts";
import type { Store } from "../ports/store.ts";
import type { Clock, Hash, HashBytes, Ids } from "../ports/world.ts";
import type { NewRun } from "./begin.ts";
import type { GuideBook, GuideParts } from "./guides/guide-parts.ts";
import type { Serving } from "./guides/serving.ts";
import type { Probing } from "./probing.ts";
import type { RunOutcome } from "./run.ts";

/** Everything that the corridor works with: the operator's declarations and the ports, already checked and wired. */
export type Parts = {
  readonly model: Model;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Plain SHA-256: digests of prompts and policies, settle keys. */
  readonly hash: Hash;
  /** Names bytes by their content: revisions of rule files. */
  readonly hashBytes: HashBytes;
  /** The hash of the ledger's chains: HMAC where a key is configured. */
  readonly ledgerHash: Hash;
  readonly ledgerKeyed: boolean;
  readonly memory: Memory | null;
  /** Serves approved rules into runs; null where no guides are configured. */
  readonly serving: Serving | null;
  /** null: no guides are configured. */
  readonly guides: GuideParts | null;
  readonly guideBook: GuideBook;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policies: readonly PolicyRule[];
  /** null: no principals are declared, and anybody may use every tool. */
  readonly principals: ReadonlyMap<string, Principal> | null;
  readonly services: object;
  readonly zone: string;
  /** Who may approve what is staged: people by their id, with their roles. */
  readonly approvers: ReadonlyMap<string, Approver>;
  /** How long a staged proposal waits, and an approval can be used, in milliseconds. */
  readonly approvalMs: number;
  /** See `policyVersionOf`; computed once. */
  readonly policyVersion: string;
  readonly budgets: Budgets;
  readonly window: Window;
  readonly redaction: Redaction;
  /** What is known of the model's server. */
  readonly probing: Probing;
  /** By the names of the tools: see scopeOf. */
  readonly scopes: Map<string, Scope>;
  /** Begins a run inside a step. Bound when the box is opened, since a run's steps lie below the beginning of a run. */
  readonly begin: (parts: Parts, wanted: NewRun) => Promise<RunOutcome>;
};

/** A person who may approve. `keys`: those that their signatures are checked against. */
export type Approver = {
  readonly id: string;
  readonly roles: readonly string[];
  readonly keys: readonly PublicKey[];
};

/** What the box is opened with. */
export type Wiring = Omit<Parts, "begin" | "probing" | "scopes" | "guideBook" | "serving"> & {
  /** For tests: what serves in the place of the configured guides. */
  readonly serving?: Serving;
};

/** What a principal sees: its tools as the loop knows them, the system text, and that text's digest, the prompt version. */
export type Scope = {
  readonly rules: LoopRules;
  readonly mode: WireMode;
  readonly system: string;
  /** What constrains the replies, for the model's server. */
  readonly wire: Wire;
  readonly promptVersion: string;
  /** For the reader of replies. */
  readonly known: KnownTools;
  /** Bytes of the native tools as JSON; 0 in mode `flat`. */
  readonly toolBytes: number;
};

/**
 * The scope of one run. Its prompt version covers what the run is told of the rules. Of somebody else's loop it is what they
 * call it.
 */
export function scopeOfRun(
  parts: Parts,
  run: Pick<Began, "principal" | "guides"> & Partial<Pick<Began, "outside" | "promptVersion">>,
): Scope {
  const scope = scopeOf(parts, run.principal);
  if (run.outside === true) return { ...scope, promptVersion: run.promptVersion ?? scope.promptVersion };
  if (run.guides === null) return scope;
  return { ...scope, promptVersion: parts.hash(`${scope.promptVersion}\u0000${run.guides.plan}`) };
}

/** Principals are few, and their tools fewer. */
const SCOPES_MAX = 64;

/** The same tools make the same scope, so it is made once. */
export function scopeOf(parts: Parts, principal: Principal): Scope {
  const key = principal.tools.join(" ");
  const made = parts.scopes.get(key);
  if (made !== undefined) return made;
  const scope = makeScope(parts, principal);
  if (parts.scopes.size < SCOPES_MAX) parts.scopes.set(key, scope);
  return scope;
}

function makeScope(parts: Parts, principal: Principal): Scope {
  const tools = new Map<string, LoopTool>();
  for (const tool of parts.tools.values()) {
    if (principal.tools.includes(tool.name)) tools.set(tool.name, loopTool(tool));
  }
  const mode = parts.model.mode ?? "flat";
  const rules: LoopRules = { tools, mode };
  const system = systemText(rules, mode);
  const wire = wireOf(rules, mode);
  const native = toolText(wire);
  const promptVersion = parts.hash(native === "" ? system : `${system}\u0000${native}`);
  return { rules, mode, system, wire, promptVersion, known: knownTools(rules), toolBytes: utf8Length(native) };
}

/** The native tools as a server's model reads them; empty in mode `flat`. */
export function toolText({ tools }: Wire): string {
  return tools.length === 0 ? "" : canonicalJson(tools as unknown as Json);
}

/** What the reader of replies has to know of the tools of a run. */
function knownTools(rules: LoopRules): KnownTools {
  return {
    has: (name) => rules.tools.has(name),
    takesNothing: (name) => rules.tools.get(name)?.takesNothing ?? false,
    evidenceField: (name) => {
      const tool = rules.tools.get(name);
      return tool === undefined ? null : evidenceFieldOf(tool.paramsSchema, tool.evidenceMin);
    },
  };
}

function loopTool(tool: Tool): LoopTool {
  return {
    name: tool.name,
    description: tool.description,
    local: tool.local,
    mayRepeat: tool.mayRepeat,
    once: tool.effect === "once",
    settleKey: (params) => settleKeyOf(tool, params as JsonObject),
    paramsText: tool.paramsSchema === null ? "an object" : canonicalJson(withoutMeta(tool.paramsSchema)),
    paramsSchema: tool.paramsSchema,
    evidenceMin: tool.evidence?.min ?? 0,
    takesNothing: takesNothing(tool.paramsSchema),
  };
}

function takesNothing(schema: JsonObject | null): boolean {
  const properties = schema === null ? undefined : own(schema, "properties");
  return isJsonObject(properties) && Object.keys(properties).length === 0;
}

function settleKeyOf(tool: Tool, params: JsonObject): string | null {
  if (tool.settles === null) return null;
  try {
    const key = atOnce(tool.settles(params));
    return typeof key === "string" && key !== "" ? key : null;
  } catch {
    // Params that the output rail has not seen yet may be of any shape. Without a key there is nothing to short-circuit.
    return null;
  }
}

/**
 * The digest of what decides: rules, rails and caps with the source text of their functions. Two versions with equal
 * digests decide alike, unless a function leans on something outside of itself, a constant for example, or a schema on what
 * its JSON Schema does not show, a `.refine` or a pattern's flags for example: `named` is for that.
 */
export function policyVersionOf(parts: Pick<Parts, "policies" | "tools" | "hash">, named: string): string {
  const rules = parts.policies.map((rule) => [
    rule.id,
    [...rule.tools],
    rule.effect,
    rule.code ?? null,
    String(rule.when),
  ]);
  const tools = [...parts.tools.values()].map((tool) => [
    tool.name,
    tool.placement,
    tool.effect,
    tool.paramsSchema,
    [...tool.denials],
    String(tool.authorise),
    tool.evidence === null ? null : evidenceSource(tool.evidence),
    capsSource(tool),
    ...traceSource(tool),
  ]);
  return parts.hash(canonicalJson([named, rules, tools] as never));
}

/**
 * What a tool is, as text: its declaration with the source text of its functions. What those lean on outside of themselves
 * does not show, as in `policyVersionOf`.
 */
export function definitionOf(tool: Tool): string {
  const { name, description, placement, effect, local, paramsSchema, denials, review, mayRepeat } = tool;
  const rails = [
    String(tool.authorise),
    tool.evidence === null ? null : evidenceSource(tool.evidence),
    capsSource(tool),
    ...traceSource(tool),
  ];
  const does = [tool.record, tool.recordVersion, tool.probe, tool.execute, tool.settles].map(String);
  const said = [name, description, placement, effect, local, paramsSchema, [...denials], review, mayRepeat];
  return canonicalJson([said, rails, does] as never);
}

function capsSource(tool: Tool): readonly Json[] {
  return tool.caps.map((cap) => [cap.name, cap.limit, cap.window as never, String(cap.amount), String(cap.key)]);
}

/** Nothing for a tool that declares neither, so that its version is the one it had before there was provenance. */
function traceSource({ trusted, provenance }: Tool): readonly Json[] {
  return trusted.length === 0 && provenance === null ? [] : [trusted, provenance as Json];
}

function evidenceSource(rule: NonNullable<Tool["evidence"]>): readonly Json[] {
  const vouching = Object.entries(rule.justifies ?? {}).map(([field, by]) => [field, String(by)]);
  return [rule.min, rule.maxAgeMs ?? null, String(rule.from), vouching];
}
