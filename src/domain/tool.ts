import type { CapWindow } from "./cap.ts";
import type { Effect } from "./effect.ts";
import type { Ending } from "./ending.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Placement } from "./placement.ts";
import type { Principal } from "./principal.ts";
import type { Provenance, ProvenanceRules, Trusted } from "./provenance.ts";
import { jsonSchemaOf, type OutputOf, type Schema } from "./schema.ts";
import type { Verdict } from "./verdict.ts";

/** What the system knows about the moment of a decision. The same for every rule; recorded with the decision. */
export type DecisionContext = {
  readonly principal: Principal;
  /** Whom the run is about (such as `customer:ada`), or null. Evidence that has an owner must belong to it or to the principal. */
  readonly customer: string | null;
  readonly thread: string;
  readonly run: string;
  /** The run that the operator began: where `run` is nested, the outermost one around it. A cap `per_run` counts there. */
  readonly outermost: string;
  readonly step: number;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly now: number;
  /** The calendar day of `now` in the configured zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** What the operator said in this thread, oldest first, this run's request last. Never the model's words. */
  readonly requests: readonly string[];
  /** Where each value of the params was seen in this thread. Empty where no tool of the box declares provenance or trust. */
  readonly provenance: Provenance;
};

/** What a record loader is told besides the params. */
export type RecordContext = {
  readonly principal: Principal;
  readonly customer: string | null;
  /** The cited ids, so that a loader can fetch them and say whose they are. */
  readonly evidence: readonly string[];
  readonly signal: AbortSignalLike;
};

/** What of an AbortSignal a tool needs; structural, since the pure rooms see no DOM types. */
export type AbortSignalLike = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
  throwIfAborted(): void;
};

export type CallContext = {
  /** The same for every attempt at this logical action. Hand it to the system that you call. */
  readonly idempotencyKey: string;
  readonly principal: Principal;
  readonly customer: string | null;
  readonly thread: string;
  readonly run: string;
  readonly step: number;
  readonly signal: AbortSignalLike;
  /**
   * Says what is seen while this step works: a lock screen, a dialog, a sandbox error. Rules with `when` wait for it. A name
   * (a-z, 0-9, `_`, `.`, `-`, the first a letter, at most 64), and facts as plain JSON, 4,096 bytes with the name; a step gives
   * at most 32. It is recorded with the step's outcome, also where that is a failure, and throws nothing: of what is badly said
   * the name and the sound facts are kept (texts, finite numbers, true and false, at most 1,024 bytes each, the shortest
   * first), and an event `bad_event` behind it says in its fact `why` what is not. A rule compares short facts: say those, and
   * return the dump of a screen as the result.
   */
  readonly emit: (event: { readonly name: string; readonly facts?: JsonObject }) => void;
  /**
   * Carries a run inside this step, for an actor that works with the model. It has the same principal and rails, spends
   * this run's budgets, and its request is not taken for the operator's words. Rejects where no budget is left.
   */
  readonly nested: (request: string) => Promise<NestedOutcome>;
};

export type NestedOutcome = {
  readonly run: string;
  readonly ending: Ending;
  readonly text: string;
  readonly lastResult: Json;
};

/** A piece of evidence in a record: something with an id that a proposal can cite. */
export type EvidenceItem = {
  readonly id: string;
  /** Whose it is: a principal's id or a customer. Absent means that the record as a whole belongs to the right one. */
  readonly owner?: string;
  /** When it came to be, in milliseconds since 1970-01-01T00:00Z; needed where `maxAgeMs` is set. */
  readonly at?: number;
};

export type EvidenceRule<P, R> = {
  /** How many distinct ids have to be cited; at least 1 from `irreversible` on. */
  readonly min: number;
  /** The evidence that the record knows. */
  readonly from: (record: R) => readonly EvidenceItem[];
  readonly maxAgeMs?: number;
  /** For each named top-level field of the params: the value that a cited item vouches for. The field must equal one of them. */
  readonly justifies?: { readonly [Field in string]: (item: EvidenceItem, record: R, params: P) => Json };
};

export type CapRule<P, R> = {
  readonly name: string;
  /** Splits the cap, per customer for example. Default: one key for all. */
  readonly key?: (params: P, record: R, context: DecisionContext) => string;
  /** Whole, not negative, derived from the record where it knows. Default: 1 an action. */
  readonly amount?: (params: P, record: R) => number;
  readonly limit: number;
  readonly window: CapWindow;
};

/** What `authorise` and policy rules see: the proposal after the output rail. */
export type JudgedProposal<P> = { readonly params: P; readonly evidence: readonly string[] };

/** What `execute` gets: the proposal, and the very record that it was decided on, so that what was judged is what is done. */
export type AuthorisedProposal<P, R> = JudgedProposal<P> & { readonly record: R };

export type Authorise<P, R, Code extends string> = (
  proposal: JudgedProposal<P>,
  record: R,
  context: DecisionContext,
) => Verdict<Code>;

type Common<S extends Schema, R, Out, Services, Code extends string> = {
  readonly name: string;
  /** One sentence for the model. */
  readonly description: string;
  /** What performing it does to the world. */
  readonly effect: Effect;
  /** A closed, synchronous schema: every object strict, every string bounded from `staff-reversible` on. */
  readonly params: S;
  /** The codes that this tool's rules may deny with; closed. */
  readonly denials?: readonly Code[];
  /**
   * Which fields of this tool's results nobody outside can write. Left out: none, everything that it returns is untrusted.
   * Paths as in a Sighting; one that ends in `.*` or `[]` covers what is below it too.
   */
  readonly trusted?: Trusted;
  /** For each named top-level field of the params: where its value must have been seen in this thread. */
  readonly provenance?: ProvenanceRules;
  /** Loads the facts for a judgement. Plain JSON. Runs before the decision, with a deadline; null means that there is no such record. */
  readonly record?: (params: OutputOf<S>, services: Services, about: RecordContext) => R | null | Promise<R | null>;
  /**
   * What of the record an approval is bound to: where it says something else at the commit, the approval is stale. Pure.
   * Default: all of it. For a record with a part that always moves, a time of reading for example.
   */
  readonly recordVersion?: (record: R) => Json;
  /** After a crash in the middle of a `once` effect: did it happen? Its result if so, null if it did not, undefined if nobody can tell. */
  readonly probe?: (
    params: OutputOf<S>,
    call: Services & CallContext,
  ) => Out | null | undefined | Promise<Out | null | undefined>;
  readonly execute: (proposal: AuthorisedProposal<OutputOf<S>, R>, call: Services & CallContext) => Out | Promise<Out>;
  /** The one line that stays in the prompt when this result is no longer the newest. */
  readonly summarise: (result: Out) => string;
  /** Names the piece of work that a passing result settles, the normalised path of a file for example. */
  readonly settles?: (params: OutputOf<S>) => string;
  /** Whether a `done` result is a pass. Default: yes. */
  readonly passed?: (result: Out) => boolean;
  /** Polling: identical proposals in a row are legitimate, and a `once` tool may happen again. */
  readonly mayRepeat?: boolean;
  /** Whole milliseconds, at least 1. Default: the budget `toolMs`. */
  readonly deadlineMs?: number;
  /** Whole bytes, at least 1. Default: the budget `resultBytes`. */
  readonly resultBytesMax?: number;
};

type NoInfer_<T> = [T][T extends unknown ? 0 : never];

/**
 * The rails that a placement makes mandatory (design 6.2), as types. `authorise: "by_policy"` says that rules of
 * `definePolicy` judge this tool; start-up checks that at least one names it.
 */
export type RailsOf<P, R, Code extends string> =
  | {
      readonly placement: "internal";
      readonly review?: string;
      readonly authorise?: Authorise<P, R, NoInfer_<Code>> | "by_policy";
      readonly evidence?: EvidenceRule<P, R>;
      readonly caps?: readonly CapRule<P, R>[];
    }
  | {
      readonly placement: "user-reversible";
      /** Where the user reviews it before it counts: the screen or the draft folder, in words. */
      readonly review: string;
      readonly authorise?: Authorise<P, R, NoInfer_<Code>> | "by_policy";
      readonly evidence?: EvidenceRule<P, R>;
      readonly caps?: readonly CapRule<P, R>[];
    }
  | {
      readonly placement: "staff-reversible";
      readonly review?: string;
      readonly authorise: Authorise<P, R, NoInfer_<Code>> | "by_policy";
      readonly evidence?: EvidenceRule<P, R>;
      readonly caps?: readonly CapRule<P, R>[];
    }
  | {
      readonly placement: "irreversible";
      readonly review?: string;
      readonly authorise: Authorise<P, R, NoInfer_<Code>> | "by_policy";
      readonly evidence: EvidenceRule<P, R>;
      readonly caps: readonly [CapRule<P, R>, ...CapRule<P, R>[]];
    }
  | {
      readonly placement: "irreversible";
      readonly review?: string;
      readonly authorise: Authorise<P, R, NoInfer_<Code>> | "by_policy";
      readonly evidence?: EvidenceRule<P, R>;
      /** Stands in for `evidence` where there is no record to cite from. */
      readonly provenance: ProvenanceRules;
      readonly caps: readonly [CapRule<P, R>, ...CapRule<P, R>[]];
    };

export type ToolDefinition<S extends Schema, R, Out, Services, Code extends string> = Common<
  S,
  R,
  Out,
  Services,
  Code
> &
  RailsOf<OutputOf<S>, R, Code>;

/**
 * A Tool as the house carries it: the types of its params, record and result are erased, since every value that reaches
 * its functions has been parsed against its own schema first.
 */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly placement: Placement;
  readonly effect: Effect;
  /** True for a local actor (`defineActor`): it may stand in plans under its own name. */
  readonly local: boolean;
  readonly params: Schema<JsonObject>;
  /** The JSON Schema of `params`, or null where the schema's library cannot give one. */
  readonly paramsSchema: JsonObject | null;
  readonly denials: readonly string[];
  readonly trusted: Trusted;
  readonly provenance: ProvenanceRules | null;
  readonly review: string | null;
  readonly record: ((params: JsonObject, services: object, about: RecordContext) => unknown) | null;
  readonly recordVersion: ((record: Json) => Json) | null;
  readonly evidence: EvidenceRule<JsonObject, Json> | null;
  readonly authorise: Authorise<JsonObject, Json, string> | "by_policy" | null;
  readonly caps: readonly CapRule<JsonObject, Json>[];
  readonly probe: ((params: JsonObject, call: CallContext) => unknown) | null;
  readonly execute: (proposal: AuthorisedProposal<JsonObject, Json>, call: CallContext) => unknown;
  readonly summarise: (result: Json) => string;
  readonly settles: ((params: JsonObject) => string) | null;
  readonly passed: ((result: Json) => boolean) | null;
  readonly mayRepeat: boolean;
  readonly deadlineMs: number | null;
  readonly resultBytesMax: number | null;
};

/**
 * Declares a tool. A missing mandatory rail is a type error here, and a start-up error always.
 *
 * The record's and the result's types follow from `record` and `execute`; write `record` before `authorise` so that they
 * are inferred. Needs services? Use `withServices<Services>().defineTool`.
 */
export function defineTool<const S extends Schema, R, Out, const Code extends string = never>(
  definition: ToolDefinition<S, R, Out, object, Code>,
): Tool {
  return toolFrom(definition, false);
}

/** Declares a local actor: a tool that may stand in plans. It passes the same rails. */
export function defineActor<const S extends Schema, R, Out, const Code extends string = never>(
  definition: ToolDefinition<S, R, Out, object, Code>,
): Tool {
  return toolFrom(definition, true);
}

export type ToolDefiner<Services> = <const S extends Schema, R, Out, const Code extends string = never>(
  definition: ToolDefinition<S, R, Out, Services, Code>,
) => Tool;

/** `defineTool` and `defineActor` for tools that use services. The services themselves are given to `defineConfig`. */
export function withServices<Services extends object>(): {
  readonly defineTool: ToolDefiner<Services>;
  readonly defineActor: ToolDefiner<Services>;
} {
  return {
    defineTool: (definition) => toolFrom(definition, false),
    defineActor: (definition) => toolFrom(definition, true),
  };
}

/** Keys of a definition; a misspelt one is a start-up error, since a misspelt rail is a missing rail. */
const TOOL_KEYS = new Set([
  "name",
  "description",
  "placement",
  "effect",
  "params",
  "denials",
  "trusted",
  "provenance",
  "review",
  "record",
  "recordVersion",
  "evidence",
  "authorise",
  "caps",
  "probe",
  "execute",
  "summarise",
  "settles",
  "passed",
  "mayRepeat",
  "deadlineMs",
  "resultBytesMax",
]);

function toolFrom<S extends Schema, R, Out, Services, Code extends string>(
  definition: ToolDefinition<S, R, Out, Services, Code>,
  local: boolean,
): Tool {
  const stray = Object.keys(definition).find((key) => !TOOL_KEYS.has(key));
  if (stray !== undefined) throw new TypeError(`tool "${String(definition.name)}": unknown key "${stray}"`);
  // The one place where the types of a definition are erased. Sound because the corridor calls these functions only with
  // values that `params` accepted, records that `record` gave and results that `execute` gave.
  const erased = definition as unknown as Partial<Tool> & Pick<Tool, "name" | "description" | "placement" | "effect">;
  return Object.freeze({
    name: erased.name,
    description: erased.description,
    placement: erased.placement,
    effect: erased.effect,
    local,
    params: erased.params as Schema<JsonObject>,
    paramsSchema: schemaOrNull(definition.params),
    denials: erased.denials ?? [],
    trusted: erased.trusted ?? [],
    provenance: erased.provenance ?? null,
    review: erased.review ?? null,
    record: erased.record ?? null,
    recordVersion: erased.recordVersion ?? null,
    evidence: erased.evidence ?? null,
    authorise: erased.authorise ?? null,
    caps: erased.caps ?? [],
    probe: erased.probe ?? null,
    execute: erased.execute as Tool["execute"],
    summarise: erased.summarise as Tool["summarise"],
    settles: erased.settles ?? null,
    passed: erased.passed ?? null,
    mayRepeat: erased.mayRepeat ?? false,
    deadlineMs: erased.deadlineMs ?? null,
    resultBytesMax: erased.resultBytesMax ?? null,
  });
}

function schemaOrNull(schema: Schema | undefined): JsonObject | null {
  if (schema === undefined || schema["~standard"] === undefined) return null;
  try {
    return jsonSchemaOf(schema);
  } catch {
    // Some types have no JSON Schema (a transform, a custom check). Start-up says what follows from that for the placement.
    return null;
  }
}
