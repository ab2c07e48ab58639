/**
 * One decision in plain data: everything that it may depend on, as the authors of tools and policies would say it aloud.
 * There is no code in it, so that the slow rails can read it and the real ones be given functions made from it.
 */
import type { Bound } from "../../src/domain/approval.ts";
import type { CapWindow } from "../../src/domain/cap.ts";
import type { Route } from "../../src/domain/command.ts";
import type { Json, JsonObject } from "../../src/domain/json.ts";
import type { Placement } from "../../src/domain/placement.ts";
import type { Provenance } from "../../src/domain/provenance.ts";

export type SaidField =
  | { readonly is: "whole"; readonly min: number; readonly max: number }
  | { readonly is: "one_of"; readonly values: readonly string[] }
  | { readonly is: "text"; readonly length: number }
  /** So many capital letters, then so many digits, and nothing else. */
  | { readonly is: "form"; readonly letters: number; readonly digits: number }
  | { readonly is: "texts"; readonly length: number; readonly many: number }
  | { readonly is: "either"; readonly of: readonly SaidField[] };

export type SaidFields = { readonly [name: string]: SaidField & { readonly optional?: true } };

/**
 * How the schema of the params behaves. `strips`: it drops unknown keys. `refuses`: it has reasons and codes of its own.
 * `throws` and `promises` are mistakes of its author.
 */
export type SaidSchema = "sound" | "strips" | "refuses" | "throws" | "promises";

/** Something that a rule looks at. */
export type SaidTerm =
  | { readonly of: "params" | "record" | "attributes"; readonly name: string }
  | { readonly of: "customer" | "principal" | "today" | "now" | "cited" | "step" }
  | { readonly value: Json };

export type SaidTest =
  | { readonly is: "always" | "never" | "throws" }
  | { readonly is: "same" | "above"; readonly left: SaidTerm; readonly right: SaidTerm }
  | { readonly is: "cites"; readonly id: string }
  | { readonly is: "not"; readonly test: SaidTest }
  | { readonly is: "both" | "either"; readonly first: SaidTest; readonly second: SaidTest };

/** What is no answer: something else than was asked for, a promise of it, or an attempt to change what is judged. */
export type SaidBroken = { readonly broken: "nothing" | "word" | "number" | "null" | "promise" | "meddles" };

export type SaidRule = {
  readonly id: string;
  readonly tools: readonly string[];
  readonly effect: "permit" | "stage" | "deny";
  readonly when: SaidTest | SaidBroken;
  /** The code of a denial, or the role of a stage. */
  readonly code?: string;
};

export type SaidVerdict =
  | { readonly says: "permit" }
  | { readonly says: "stage"; readonly role: string }
  | { readonly says: "deny"; readonly code: string }
  | { readonly says: "stage_without_role" | "unheard_of" }
  | SaidBroken
  | { readonly broken: "throws" };

/** A tool's own rule: the first of its cases that holds, and otherwise the last word. */
export type SaidAuthorise = {
  readonly cases: readonly { readonly when: SaidTest; readonly verdict: SaidVerdict }[];
  readonly otherwise: SaidVerdict;
};

export type SaidItem = { readonly id: string; readonly owner?: string; readonly at?: number } & {
  readonly [name: string]: Json | undefined;
};

export type SaidEvidence = {
  readonly min: number;
  readonly maxAgeMs: number | null;
  /** Whether the function that lists the record's evidence works. */
  readonly lists: "items" | "throws" | "promises";
  /** For each field of the params: the field of a cited item that vouches for it; or the function breaks. */
  readonly justifies: {
    readonly [field: string]: { readonly item: string } | { readonly broken: "throws" | "promise" };
  };
};

export type SaidProvenance = {
  readonly [field: string]: {
    readonly from: readonly ("request" | "trusted")[];
    readonly stage?: string;
    readonly inside?: true;
  };
};

export type SaidAmount =
  | { readonly of: "params" | "record"; readonly name: string }
  | { readonly value: number | string }
  | { readonly broken: "throws" | "promise" };

export type SaidKey =
  | { readonly of: "customer" | "principal" }
  | { readonly of: "params"; readonly name: string }
  | { readonly value: string | number }
  | { readonly broken: "throws" | "promise" };

export type SaidCap = {
  readonly name: string;
  readonly limit: number;
  readonly window: CapWindow;
  /** Left out, 1 an action. */
  readonly amount?: SaidAmount;
  /** Left out, one key for all. */
  readonly key?: SaidKey;
};

export type SaidTool = {
  readonly name: string;
  readonly placement: Placement;
  readonly fields: SaidFields;
  readonly schema: SaidSchema;
  readonly denials: readonly string[];
  readonly evidence: SaidEvidence | null;
  readonly provenance: SaidProvenance | null;
  readonly authorise: SaidAuthorise | "by_policy" | null;
  readonly caps: readonly SaidCap[];
};

/** Something that is held of a cap, by anybody else: reserved, settled, or kept. */
export type SaidHeld = {
  readonly cap: string;
  readonly key: string;
  readonly at: number;
  readonly outermost: string;
  readonly amount: number;
};

export type SaidCase = {
  readonly route: Route;
  /** null: there is no tool of the name that was asked for. */
  readonly tool: SaidTool | null;
  readonly asked: { readonly tool: string; readonly params: unknown; readonly evidence: readonly string[] };
  readonly rules: readonly SaidRule[];
  /** The record, or why there is none. */
  readonly facts:
    | { readonly record: Json }
    | { readonly code: "record_missing" | "record_failed" | "record_timeout" | "record_unreadable" };
  readonly principal: { readonly id: string; readonly tools: readonly string[]; readonly attributes: JsonObject };
  readonly customer: string | null;
  readonly run: string;
  readonly outermost: string;
  readonly step: number;
  readonly now: number;
  readonly today: string;
  /** Where each value was seen. How that is found out is tested elsewhere. */
  readonly provenance: Provenance;
  /** What each composed text has inside of it through which something could get out. */
  readonly inside: { readonly [text: string]: readonly string[] };
  readonly held: readonly SaidHeld[];
  /** A cap whose use nobody can tell. */
  readonly unread: string | null;
  /** A person's approval of this step, with what it was given for and what is there today. */
  readonly approval: {
    readonly approved: Bound;
    readonly today: Omit<Bound, "role">;
    readonly expiresAt: number;
    /** Whether who gave it may still give it. */
    readonly approverMay: boolean;
  } | null;
};

export type SaidReservation = {
  readonly cap: string;
  readonly key: string;
  readonly window: string;
  readonly amount: number;
  readonly limit: number;
};

export type SaidDecision =
  | {
      readonly outcome: "permit";
      readonly rule: string;
      readonly params: JsonObject;
      readonly reservations: readonly SaidReservation[];
    }
  | { readonly outcome: "stage"; readonly rule: string; readonly role: string; readonly params: JsonObject }
  | {
      readonly outcome: "deny";
      readonly rule: string;
      readonly rail: "input" | "output" | "action" | "blast_radius" | "loop";
      readonly code: string;
      /** What the denial has to name, where its words are promised: what is stale, and what is left of a cap. */
      readonly names: string | null;
      readonly params: JsonObject | null;
    };
