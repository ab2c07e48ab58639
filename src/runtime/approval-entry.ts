import { type ApprovalState, approvalId, type Binding, type Bound, type StalePart } from "../domain/approval.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Began, Decided, RunEvent, Staged } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { bindingOf, bindingText } from "./bound.ts";

/** A proposal that waits for a person, or waited: everything that the person has to see, and what became of it. */
export type ApprovalEntry = {
  /** `RUN-STEP`. */
  readonly id: string;
  readonly run: string;
  readonly step: number;
  readonly thread: string;
  readonly customer: string | null;
  readonly principal: string;
  /** Who proposed it: the principal, or whoever edited it. They cannot approve it. */
  readonly proposer: string;
  readonly request: string;
  readonly tool: string;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
  /** The FactRecord that it was judged on, or null. */
  readonly record: Json;
  /** The rule that asked for a person, and the role that the person needs. */
  readonly rule: string;
  readonly role: string;
  /** Why it needs a person, in the rule's words; may be empty. */
  readonly reason: string;
  readonly state: ApprovalState;
  readonly stagedAt: number;
  readonly expiresAt: number;
  /** What is approved: canonical JSON of everything that the approval is bound to. `digest` is its SHA-256. */
  readonly text: string;
  readonly digest: string;
  /** Who approved, refused or edited it, when, and in which words. */
  readonly by: string | null;
  readonly at: number | null;
  readonly why: string | null;
  /** For `used`: what came of the decision at its commit, `permit` or a denial's code, and how the effect came out. */
  readonly decided: string | null;
  readonly outcome: string | null;
  /** Whether somebody else's loop carries the run: then that loop commits it. */
  readonly outside: boolean;
  /** What it is bound to and is something else by today's config: while that is so, approving it does nothing. */
  readonly changed: readonly StalePart[];
  /** Where the same was refused in this run before: by whom, and in which words. */
  readonly refusedBefore: { readonly by: string; readonly at: number; readonly why: string } | null;
};

/** What an approval would be compared with now, as far as that is known without loading anything. */
export type Today = {
  readonly policy: string;
  readonly definition: (tool: string) => string | null;
  readonly prompt: string;
};

/** The staged proposals of a run in the order of their steps, from its verified events. `now` says which are out of time. */
export function approvalEntries(
  began: Began,
  events: readonly RunEvent[],
  now: number,
  today: Today,
): readonly ApprovalEntry[] {
  const entries = new Map<number, ApprovalEntry>();
  const decided = new Map<number, Decided>();
  const proposers = new Map<number, string>();
  for (const event of events) {
    if (!("step" in event)) continue;
    const known = entries.get(event.step);
    if (event.kind === "decided") decided.set(event.step, event);
    const decision = decided.get(event.step);
    if (event.kind === "staged" && decision !== undefined && decision.checked !== null) {
      const proposer = proposers.get(event.step) ?? began.principal.id;
      const entry = entryOf(began, decision, decision.checked, event, proposer);
      const refusedBefore = refusalOf([...entries.values()], entry);
      entries.set(event.step, { ...entry, changed: changedIn(event.bound, entry.tool, today), refusedBefore });
    } else if (event.kind === "edited") proposers.set(event.next, event.by);
    if (known !== undefined) {
      const after = entryAfter(known, event, decision ?? null);
      entries.set(event.step, after ?? entries.get(event.step) ?? known);
    }
  }
  return [...entries.values()].map((entry) => (isLate(entry, now) ? { ...entry, state: "expired" } : entry));
}

function changedIn(bound: Bound, tool: string, today: Today): readonly StalePart[] {
  const now = { policy: today.policy, definition: today.definition(tool), prompt: today.prompt };
  return (["definition", "policy", "prompt"] as const).filter((part) => bound[part] !== now[part]);
}

function refusalOf(earlier: readonly ApprovalEntry[], entry: ApprovalEntry): ApprovalEntry["refusedBefore"] {
  const same = earlier.findLast(
    (one) =>
      one.state === "rejected" && one.tool === entry.tool && canonicalJson(one.params) === canonicalJson(entry.params),
  );
  return same?.by == null || same.at === null ? null : { by: same.by, at: same.at, why: same.why ?? "" };
}

function isLate({ state, expiresAt }: ApprovalEntry, now: number): boolean {
  return (state === "waiting" || state === "approved") && now >= expiresAt;
}

function entryOf(
  began: Began,
  { rule, facts, evidence }: Decided,
  params: JsonObject,
  { step, tool, role, why: reason, digest, expiresAt, bound, at }: Staged,
  proposer: string,
): ApprovalEntry {
  const binding: Binding = bindingOf(began, { step, proposer, tool, params, evidence, bound, expiresAt });
  const { run, thread, customer, principal, request, outside } = began;
  return {
    id: approvalId(run, step),
    run,
    step,
    thread,
    customer,
    principal: principal.id,
    proposer,
    request,
    tool,
    params,
    evidence,
    record: facts,
    rule,
    role,
    reason,
    state: "waiting",
    stagedAt: at,
    expiresAt,
    text: bindingText(binding),
    digest,
    by: null,
    at: null,
    why: null,
    decided: null,
    outcome: null,
    outside,
    changed: [],
    refusedBefore: null,
  };
}

/** What the decision at the commit makes of an approval, by its denial's code. */
const COMMITS: ReadonlyMap<string | null, ApprovalState> = new Map([
  [null, "used"],
  ["approval_stale", "stale"],
  ["approval_expired", "expired"],
]);

/** The entry after an event about its step, with the decision before it; null where that says nothing of the entry. */
function entryAfter(entry: ApprovalEntry, event: RunEvent, decision: Decided | null): ApprovalEntry | null {
  switch (event.kind) {
    case "approved":
      return { ...entry, state: "approved", by: event.by, at: event.at, why: event.why };
    case "rejected": {
      const state = event.code === "approval_expired" ? "expired" : "rejected";
      return { ...entry, state, by: event.by, at: event.at, why: event.why };
    }
    case "edited":
      return { ...entry, state: "edited", by: event.by, at: event.at, why: event.why };
    case "decided": {
      if (event.approvedBy === null || entry.state !== "approved") return null;
      if (event.denial?.code === "approval_mismatch") return null;
      const code = event.denial?.code ?? null;
      return { ...entry, state: COMMITS.get(code) ?? "denied", decided: code ?? event.outcome };
    }
    case "started":
      // A later attempt that needed nobody is not what was approved.
      return decision?.approvedBy === null ? null : { ...entry, outcome: "started" };
    case "finished":
      return entry.outcome === "started" || entry.outcome === "outcome_unknown"
        ? { ...entry, outcome: event.outcome }
        : null;
    case "settled_before":
      if (entry.state !== "approved") return null;
      return { ...entry, state: "used", decided: "already_done", outcome: "done" };
    default:
      return null;
  }
}
