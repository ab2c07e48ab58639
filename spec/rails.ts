/**
 * The rails said again, slowly and plainly (design 6): whether what was done may have been done. It looks at effects and
 * not at proposals, takes each sum anew from the whole list, and knows nothing of how the house decides. What it imports
 * are types, so that it cannot lean on what it judges. How a proposal is decided is said in spec/decision.
 */
import type { RunEvent } from "../src/domain/event.ts";
import type { Json, JsonObject } from "../src/domain/json.ts";
import { plainText } from "./decision/plain-text.ts";

export type SpecField =
  | { readonly is: "whole"; readonly min: number; readonly max: number }
  | { readonly is: "one_of"; readonly values: readonly string[] }
  | { readonly is: "text"; readonly length: number; readonly form?: RegExp }
  | { readonly is: "either"; readonly of: readonly SpecField[] };

export type SpecEvidence = { readonly id: string; readonly owner?: string; readonly at?: number };

export type SpecCap = {
  readonly name: string;
  readonly limit: number;
  readonly per: "run" | "day";
  readonly key: (about: Performed) => string;
  readonly amount: (about: Performed) => number;
};

/** A tool as its author would say it aloud. `may` says what the policy says of it, after all that was done before. */
export type SpecTool = {
  readonly fields: { readonly [name: string]: SpecField & { readonly optional?: true } };
  readonly once: boolean;
  readonly may: (about: Performed, before: readonly Performed[]) => "permit" | "stage" | "deny";
  readonly evidence: {
    readonly min: number;
    readonly maxAgeMs: number | null;
    readonly known: (params: JsonObject) => readonly SpecEvidence[];
    /** Fields that a cited item must vouch for, and the value that it vouches for. */
    readonly justifies: { readonly [field: string]: (item: SpecEvidence) => Json };
  } | null;
  readonly caps: readonly SpecCap[];
};

export type SpecHouse = {
  readonly tools: { readonly [name: string]: SpecTool };
  readonly principals: { readonly [id: string]: readonly string[] };
};

/** What a tool did, as the tool itself saw it. `day` is the calendar day of `at` in the caps' zone. */
export type Performed = {
  readonly tool: string;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
  readonly principal: string;
  readonly customer: string | null;
  readonly thread: string;
  readonly run: string;
  readonly outermost: string;
  readonly step: number;
  readonly at: number;
  readonly day: number;
  /** A failed effect did not happen; of an unknown one nobody can say, so it counts. */
  readonly came: "done" | "failed" | "unknown";
};

/** Why this may not have been done after all that was done before; null where it may. */
export function faultOf(done: Performed, before: readonly Performed[], house: SpecHouse): string | null {
  const tool = Object.hasOwn(house.tools, done.tool) ? house.tools[done.tool] : undefined;
  if (tool === undefined) return "there is no such tool";
  if (!(house.principals[done.principal] ?? []).includes(done.tool)) return `${done.principal} may not use it`;
  return (
    shapeFault(done.params, tool) ??
    evidenceFault(done, tool) ??
    policyFault(done, before, tool) ??
    onceFault(done, before, tool) ??
    capFault(done, before, tool)
  );
}

function shapeFault(params: JsonObject, tool: SpecTool): string | null {
  for (const key of Object.keys(params)) {
    if (!Object.hasOwn(tool.fields, key)) return `it has a parameter that there is not: ${key}`;
  }
  for (const [key, field] of Object.entries(tool.fields)) {
    if (!Object.hasOwn(params, key)) {
      if (field.optional !== true) return `it lacks ${key}`;
    } else if (!fits(params[key] ?? null, field)) return `${key} is not what it must be`;
  }
  return null;
}

function fits(value: Json, field: SpecField): boolean {
  switch (field.is) {
    case "whole":
      return typeof value === "number" && Number.isInteger(value) && value >= field.min && value <= field.max;
    case "one_of":
      return typeof value === "string" && field.values.includes(value);
    case "text":
      if (typeof value !== "string" || value.length > field.length) return false;
      return field.form === undefined || (field.form.test(value) && !/[\r\n\u2028\u2029]/.test(value));
    case "either":
      return field.of.some((one) => fits(value, one));
  }
}

function evidenceFault(done: Performed, { evidence }: SpecTool): string | null {
  if (evidence === null) return null;
  const known = evidence.known(done.params);
  const cited: SpecEvidence[] = [];
  for (const id of done.evidence) {
    const item = known.find((one) => one.id === id);
    if (item === undefined) return `it cites ${id}, which does not exist`;
    const { owner, at } = item;
    if (owner !== undefined && owner !== done.principal && owner !== done.customer) return `it cites ${id} of ${owner}`;
    if (evidence.maxAgeMs !== null) {
      if (at === undefined || done.at - at > evidence.maxAgeMs) return `it cites ${id}, which is too old`;
      if (at - done.at > 300_000) return `it cites ${id}, which has not happened yet`;
    }
    if (!cited.includes(item)) cited.push(item);
  }
  if (cited.length < evidence.min) return "it cites too little";
  for (const [field, value] of Object.entries(evidence.justifies)) {
    if (!Object.hasOwn(done.params, field)) continue;
    const text = plainText(done.params[field] ?? null);
    if (!cited.some((item) => plainText(value(item)) === text)) return `nothing cited vouches for ${field}`;
  }
  return null;
}

function policyFault(done: Performed, before: readonly Performed[], tool: SpecTool): string | null {
  const verdict = tool.may(done, before);
  return verdict === "permit" ? null : `the policy says ${verdict}`;
}

/** Once for the thread, the params and the customer: unless the one before did not happen. */
function onceFault(done: Performed, before: readonly Performed[], tool: SpecTool): string | null {
  if (!tool.once) return null;
  const text = plainText(done.params);
  for (const other of before) {
    if (other.tool !== done.tool || other.thread !== done.thread || other.came === "failed") continue;
    if (other.customer === done.customer && plainText(other.params) === text) {
      return `it was done already, as step ${other.step} of run ${other.run}`;
    }
  }
  return null;
}

function capFault(done: Performed, before: readonly Performed[], tool: SpecTool): string | null {
  for (const cap of tool.caps) {
    const amount = cap.amount(done);
    if (!Number.isInteger(amount) || amount < 0) return `${cap.name}: ${amount} is no amount`;
    let sum = amount;
    for (const other of before) {
      if (other.tool !== done.tool || other.came === "failed") continue;
      if (cap.per === "run" && other.outermost !== done.outermost) continue;
      if (cap.per === "day" && other.day !== done.day) continue;
      if (cap.key(other) === cap.key(done)) sum += cap.amount(other);
    }
    if (sum > cap.limit) return `${cap.name}: ${sum} of ${cap.limit}`;
  }
  return null;
}

/** Why the rows of its run do not account for it: a permit for exactly this, then its start, and then nothing but its end. */
export function unrecordedFault(done: Performed, events: readonly RunEvent[]): string | null {
  const text = plainText(done.params);
  const began = events[0];
  if (began?.kind !== "began") return "its run has not begun";
  if (began.principal.id !== done.principal || began.customer !== done.customer) return "it acts for somebody else";
  const starts = events.flatMap((event, i) => (event.kind === "started" && event.step === done.step ? [i] : []));
  const [at, again] = starts;
  if (at === undefined) return "no row says that it started";
  if (again !== undefined) return "it started twice";
  const [decided, started] = [events[at - 1], events[at]];
  if (started?.kind !== "started" || decided?.kind !== "decided") return "nothing was decided right before it started";
  if (started.tool !== done.tool || plainText(started.params) !== text) return "it is not what started";
  if (decided.outcome !== "permit" || decided.step !== done.step) return `it was decided as ${decided.outcome}`;
  if (decided.tool !== done.tool || plainText(decided.checked) !== text) return "it is not what was decided";
  if (plainText([...decided.evidence]) !== plainText([...done.evidence])) return "other evidence was judged";
  return null;
}
