import { type ApprovalState, DIGEST_DIGITS_MIN, hasRole, isDigestOf, readApprovalId } from "../domain/approval.ts";
import type { RunEvent } from "../domain/event.ts";
import { isBlank } from "../domain/hidden.ts";
import type { JsonObject } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import { frozenJson } from "../domain/plain.ts";
import { redactJson, redactText } from "../domain/redact.ts";
import { isWellFormed } from "../domain/text.ts";
import { unreachable } from "../domain/unreachable.ts";
import { utf8Length } from "../domain/utf8.ts";
import type { Run } from "../loop/index.ts";
import { APPROVAL_KINDS, StoreError } from "../ports/store.ts";
import { checkOutput } from "../rails/index.ts";
import { type ApprovalEntry, approvalEntries, type Today } from "./approval-entry.ts";
import { SignalboxError, textOf } from "./error.ts";
import { eventsOf, NOBODY, note, pendingRows } from "./journal.ts";
import { type Approver, definitionOf, type Parts, scopeOfRun } from "./parts.ts";
import { citedIds } from "./proposed.ts";
import { beganOf, journalOf, readVerified } from "./recorded.ts";
import { promptTodayOf } from "./staging.ts";

/** What a person decides about a staged proposal with. */
export type Word = {
  /** Who says it: the id of an approver of the config. */
  readonly as: string;
  /** In their own words. A refusal needs it: it goes back to the model. */
  readonly why?: string;
  /**
   * The digest of what they saw, or its beginning (8 digits at least). Where it is given and is not that of the proposal,
   * nothing is said. Programs that show the proposal to a person should always give it.
   */
  readonly digest?: string;
};

/** The proposal that a person puts in the place of a staged one. */
export type Edit = Word & { readonly params: unknown; readonly evidence?: readonly string[] };

export type ApprovalFilter = { readonly state?: ApprovalState | "all"; readonly limit?: number };

const LIMIT = 100;
const WHY_BYTES_MAX = 1_000;
/** How often a word is said again because the run has moved on in the meantime. */
const TRIES = 8;

/** Staged proposals, newest first. Left out, those that wait for a person. */
export async function listApprovals(parts: Parts, filter: ApprovalFilter = {}): Promise<readonly ApprovalEntry[]> {
  const { state = "waiting", limit = LIMIT } = filter;
  const runs = await runsWith(parts, state);
  const entries: ApprovalEntry[] = [];
  for (const run of runs.reverse()) {
    for (const entry of [...(await entriesOf(parts, run)).entries].reverse()) {
      if (state === "all" || entry.state === state) entries.push(entry);
      if (entries.length >= limit) return entries;
    }
  }
  return entries;
}

/** The runs in which a proposal may be in this state, by what was said of it last, in the order in which they began. */
async function runsWith(parts: Parts, state: ApprovalState | "all"): Promise<string[]> {
  const last = new Map<string, string>();
  await parts.store.scan(APPROVAL_KINDS, ({ run, kind, body }) => {
    const step = isJsonObject(body) ? body.step : null;
    last.set(`${run} ${String(step)}`, kind);
  });
  const kinds: { readonly [state in ApprovalState]: readonly string[] } = {
    waiting: ["staged"],
    approved: ["approved"],
    rejected: ["rejected"],
    expired: ["staged", "approved", "rejected"],
    edited: ["edited"],
    used: ["approved", "staged"],
    stale: ["approved"],
    denied: ["approved"],
  };
  const wanted = [...last].filter(([, kind]) => state === "all" || kinds[state].includes(kind));
  return [...new Set(wanted.map(([name]) => name.slice(0, name.lastIndexOf(" "))))];
}

/** @throws SignalboxError `unknown_approval`, `ledger_damaged`. */
export async function showApproval(parts: Parts, id: string): Promise<ApprovalEntry> {
  return (await wanted(parts, id)).entry;
}

async function wanted(parts: Parts, id: string) {
  const named = readApprovalId(textOf(id));
  if (named !== null && (await parts.store.readRun(named.run)) !== null) {
    const read = await entriesOf(parts, named.run);
    const entry = read.entries.find((known) => known.step === named.step);
    if (entry !== undefined) return { ...read, entry };
  }
  throw new SignalboxError("unknown_approval", `nothing was staged under "${textOf(id).slice(0, 140)}"`, {
    hint: "signalbox approvals list",
  });
}

async function entriesOf(parts: Parts, run: string) {
  const rows = await readVerified(parts, run);
  const events = eventsOf(rows);
  const began = beganOf(events, run);
  const prompt = (await promptTodayOf(parts, began)) ?? scopeOfRun(parts, began).promptVersion;
  return { rows, events, began, entries: approvalEntries(began, events, parts.clock.now(), todayOf(parts, prompt)) };
}

function todayOf(parts: Parts, prompt: string): Today {
  return {
    policy: parts.policyVersion,
    definition: (name) => {
      const tool = parts.tools.get(name);
      return tool === undefined ? null : parts.hash(definitionOf(tool));
    },
    prompt,
  };
}

/**
 * Throws what `approve` would throw for this person, and writes nothing: so that nobody is shown what they may not approve.
 */
export async function checkApproval(parts: Parts, id: string, as: string): Promise<ApprovalEntry> {
  const { entry } = await wanted(parts, id);
  checkApprover(entry, approverOf(parts, as, entry));
  return entry;
}

function checkApprover(entry: ApprovalEntry, by: Approver): void {
  checkState(entry);
  if (entry.state === "approved") throw refusal("already_approved", entry, `was approved by ${entry.by}`);
  if (by.id === entry.proposer || by.id === entry.principal) {
    throw refusal("approver_is_proposer", entry, `was proposed by ${by.id}, who cannot approve it`);
  }
}

/**
 * Approves a staged proposal: the exact bytes of its binding, once. Nothing is performed by it: `resume` carries the run on,
 * decides the step again under every rail, and only then performs it.
 *
 * @throws SignalboxError `unknown_approval`, `unknown_approver`, `approver_lacks_role`, `approver_is_proposer`,
 *   `approval_mismatch`, and by its state `approval_expired`, `approval_rejected`, `approval_used`, `already_approved`.
 */
export function approve(parts: Parts, id: string, word: Word): Promise<ApprovalEntry> {
  return say(parts, id, word, (entry, by, why) => {
    checkApprover(entry, by);
    const { step, digest, role } = entry;
    return { kind: "approved", at: parts.clock.now(), step, digest, by: by.id, role, why };
  });
}

/** Refuses a staged proposal, or takes an approval back that was not used yet. The reason goes back to the model. */
export function reject(parts: Parts, id: string, word: Word): Promise<ApprovalEntry> {
  return say(parts, id, word, ({ step, digest }, by, why) => {
    if (why === null) {
      throw new SignalboxError("no_reason", "a refusal needs a reason: it goes back to the model", { hint: "--why" });
    }
    return { kind: "rejected", at: parts.clock.now(), step, digest, code: "approval_rejected", by: by.id, why };
  });
}

/**
 * Puts another proposal in the place of a staged one. It is a proposal of the person's: judged by every rail like any other,
 * as the next step of the run, and where it is staged again somebody else has to approve it.
 */
export function edit(parts: Parts, id: string, { params, evidence, ...word }: Edit): Promise<ApprovalEntry> {
  const plain = frozenJson(params);
  if (!plain.ok || !isJsonObject(plain.value)) {
    const detail = plain.ok ? "they are no object" : plain.why.detail;
    throw new SignalboxError("bad_params", `the params cannot be taken: ${detail}`);
  }
  const changed = redactJson(plain.value, { values: parts.redaction.values, fields: [] });
  return say(parts, id, word, (entry, by, why, state) => {
    if (entry.state !== "waiting") throw refusal("approval_used", entry, `is ${entry.state} and cannot be edited`);
    if (entry.outside) {
      throw new SignalboxError("outside_run", `run ${entry.run} is carried by a loop of its own`, {
        hint: "refuse it and say in the reason what you would approve",
      });
    }
    // What the output rail refuses is a slip of the pen, and costs nobody the proposal that waits.
    const tool = parts.tools.get(entry.tool);
    const fit = tool === undefined ? null : checkOutput(tool, changed);
    if (fit?.ok === false) throw new SignalboxError("bad_params", `${fit.denial.code}: ${fit.denial.detail}`);
    const { step, digest } = entry;
    const cited = evidence === undefined ? { ids: entry.evidence, refused: null } : citedIds(evidence);
    if (cited.refused !== null) throw new SignalboxError("bad_evidence", cited.refused.detail);
    return {
      kind: "edited",
      at: parts.clock.now(),
      step,
      digest,
      by: by.id,
      why,
      next: state.step + 1,
      params: changed as JsonObject,
      evidence: cited.ids.map((cite) => redactText(cite, parts.redaction)),
    };
  });
}

type Speaks = (entry: ApprovalEntry, by: Approver, why: string | null, run: { readonly step: number }) => RunEvent;

/** Appends a person's word to the run's chain. Where the run moved on meanwhile, it is looked at again. */
async function say(parts: Parts, id: string, word: Word, speaks: Speaks): Promise<ApprovalEntry> {
  const why = checkedWhy(parts, word.why);
  return said(async () => {
    const { entry, rows, events, began } = await wanted(parts, id);
    const by = approverOf(parts, word.as, entry);
    checkState(entry);
    checkDigest(entry, word.digest);
    const journal = journalOf(parts, began, rows, events, NOBODY);
    const before = journal.run;
    note(journal, speaks(entry, by, why, before));
    if (!began.outside && !isHeard(before, journal.run)) throw unheardBy(entry);
    await parts.store.append(pendingRows(journal), null);
    return showApproval(parts, id);
  });
}

/** Whether the run took a word: by today's declarations it may not be waiting for one, and then nothing is written. */
function isHeard(before: Run, after: Run): boolean {
  return before.staged !== null && (after.staged !== before.staged || after.approved !== before.approved);
}

function unheardBy({ id, tool }: ApprovalEntry): SignalboxError {
  return new SignalboxError("declaration_changed", `${id} waits, and today's declaration of ${tool} leads elsewhere`, {
    exitCode: 1,
    hint: "say it where the tools are declared as they were when the run began",
  });
}

/** Says it again, from what is there by then, where somebody else wrote to the run in between. */
export async function said<T>(once: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== "conflict" || tries >= TRIES) throw error;
    }
  }
}

/** Who may say anything about it at all: a declared approver with the role. */
function approverOf(parts: Parts, id: string, entry: ApprovalEntry): Approver {
  const by = parts.approvers.get(id);
  if (by === undefined) {
    const known = [...parts.approvers.keys()].join(", ");
    throw new SignalboxError("unknown_approver", `there is no approver "${textOf(id).slice(0, 60)}"`, {
      hint: known === "" ? "declare some: `approvers` in the config" : `name one with --as: ${known}`,
    });
  }
  if (!hasRole(by.roles, entry.role)) {
    throw refusal(
      "approver_lacks_role",
      entry,
      `needs the role ${entry.role}, and ${by.id} has ${by.roles.join(", ")}`,
    );
  }
  return by;
}

function checkState(entry: ApprovalEntry): void {
  switch (entry.state) {
    case "waiting":
    case "approved":
      return;
    case "expired":
      throw refusal(
        "approval_expired",
        entry,
        `could be approved until ${new Date(entry.expiresAt).toISOString().slice(0, 16)}Z`,
      );
    case "rejected":
      throw refusal("approval_rejected", entry, `was refused by ${entry.by}`);
    case "edited":
      throw refusal("approval_used", entry, `was edited by ${entry.by}`);
    case "used":
      throw refusal("approval_used", entry, "was used already");
    case "stale":
    case "denied":
      throw refusal("approval_used", entry, `was decided on again already: ${entry.decided}`);
    default:
      throw unreachable(entry.state);
  }
}

function checkDigest({ digest, id }: ApprovalEntry, seen: string | undefined): void {
  if (seen === undefined) return;
  const given = String(seen).toLowerCase();
  if (given === "") throw new SignalboxError("usage", `the digest of ${id} is empty`);
  if (isDigestOf(given, digest)) return;
  throw new SignalboxError(
    "approval_mismatch",
    given.length < DIGEST_DIGITS_MIN
      ? `a digest is named by at least ${DIGEST_DIGITS_MIN} of its digits`
      : `${given.slice(0, 16)} is not the digest of ${id}`,
    {
      hint: `look at it again: signalbox approvals show ${id}`,
      exitCode: 3,
    },
  );
}

function refusal(code: string, { id }: ApprovalEntry, what: string): SignalboxError {
  return new SignalboxError(code, `${id} ${what}`, { exitCode: 3 });
}

/** A person's own words as they can be recorded; null where there are none. */
export function checkedWhy(parts: Parts, why: unknown): string | null {
  if (why === undefined || why === null) return null;
  if (typeof why !== "string" || !isWellFormed(why) || utf8Length(why) > WHY_BYTES_MAX) {
    throw new SignalboxError("bad_reason", `a reason is a text of at most ${WHY_BYTES_MAX} bytes`);
  }
  return isBlank(why) ? null : redactText(why, parts.redaction);
}
