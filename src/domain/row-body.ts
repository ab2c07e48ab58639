import { canonicalJson } from "./canonical.ts";
import { type Began, type Decided, NOTHING_SPENT, type RunEvent } from "./event.ts";
import type { Json, JsonObject } from "./json.ts";
import { NO_PROVENANCE } from "./provenance.ts";

/**
 * What a row says of its event: every field but those that go without saying. A field is left out where it has the value
 * that its kind nearly always has, or where an earlier row of the run says the same: the versions that the run began with,
 * the params that were just decided on. Nothing is lost by it, and a ledger is half as long.
 *
 * Law, tested in row-body.test.ts: reading what was written gives the event.
 */
export type RowContext = { readonly began: Began | null; readonly decided: Decided | null };

export const NO_CONTEXT: RowContext = { began: null, decided: null };

/** What the rows after `event` can lean on. */
export function contextAfter(context: RowContext, event: RunEvent): RowContext {
  if (event.kind === "began") return { began: event, decided: null };
  return event.kind === "decided" ? { began: context.began, decided: event } : context;
}

type Fields = { readonly [field: string]: Json };

const USUAL: { readonly [kind: string]: Fields } = {
  began: { outside: false, guides: null },
  replied: {
    call: 1,
    mode: "flat",
    sentAs: "no_schema",
    attempts: 1,
    calls: [],
    why: null,
    repair: null,
    notRun: [],
    truncated: false,
    finish: "stop",
  },
  decided: {
    route: "direct",
    evidence: [],
    facts: null,
    provenance: NO_PROVENANCE,
    capUse: [],
    outcome: "permit",
    denial: null,
    role: null,
    approvedBy: null,
    reservations: [],
  },
  started: { settleKey: null },
  model_failed: { promptBytes: 0, fits: null, usage: null },
  finished: { outcome: "done", error: null, pass: true, events: [], spent: NOTHING_SPENT, resolved: null },
  staged: { why: "" },
  approved: { why: null },
  edited: { why: null },
} satisfies { readonly [Kind in RunEvent["kind"]]?: Fields };

const NONE: Fields = {};

/** The body of the row of an event that follows `context`. */
export function bodyOf(event: RunEvent, context: RowContext): JsonObject {
  const {
    kind,
    at: _at,
    ...fields
  } = event as unknown as { readonly [field: string]: Json } & { readonly kind: string };
  const body: { [field: string]: Json } = {};
  const known = knownBy(kind, fields, context);
  for (const [field, value] of Object.entries(fields)) {
    if (field in known && isSame(value, known[field] ?? null)) continue;
    body[field] = value;
  }
  return body;
}

/** The fields of the event that a row's body was written for, without `kind` and `at`. */
export function fieldsOf(kind: string, body: JsonObject, context: RowContext): JsonObject {
  return { ...knownBy(kind, body, context), ...body };
}

/** What goes without saying in a row of this kind. `fields` are those that are said, for what follows from them. */
function knownBy(kind: string, fields: Fields, { began, decided }: RowContext): Fields {
  const usual = Object.hasOwn(USUAL, kind) ? (USUAL[kind] ?? NONE) : NONE;
  switch (kind) {
    case "replied":
      return began === null ? usual : { ...usual, promptVersion: began.promptVersion, model: began.model };
    case "decided": {
      const same = { ...usual, checked: fields.params ?? null };
      if (began === null) return same;
      const { promptVersion, policyVersion, model } = began;
      return { ...same, promptVersion, policyVersion, model };
    }
    case "started": {
      if (began === null || decided === null) return usual;
      const key = typeof fields.step === "number" ? idempotencyKey(began.run, fields.step) : null;
      return { ...usual, tool: decided.tool, params: decided.checked, idempotencyKey: key };
    }
    default:
      return usual;
  }
}

/** The same for every attempt at one logical action, and different for every other. */
export function idempotencyKey(run: string, step: number): string {
  return `${run}-${step}`;
}

function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  return canonicalJson(a) === canonicalJson(b);
}
