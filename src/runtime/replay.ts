import type { Approval } from "../domain/approval.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Command } from "../domain/command.ts";
import type { Decided, Finished, Replied, RunEvent } from "../domain/event.ts";
import { isBy } from "../domain/house-rule.ts";
import { deepFreeze, type Json } from "../domain/json.ts";
import type { Row } from "../domain/row.ts";
import { readReply } from "../domain/salvage.ts";
import type { Tool } from "../domain/tool.ts";
import { advance, newRun, type OutsideStep, type Run, stepAfter } from "../loop/index.ts";
import { type Decision, decide, type Facts } from "../rails/index.ts";
import { REPLY_BYTES_MAX } from "./answer.ts";
import { approvalOf, boundOf } from "./bound.ts";
import { lineOf, passOf } from "./call-tool.ts";
import { decisionContext } from "./facts.ts";
import { eventsOf } from "./journal.ts";
import { type Parts, type Scope, scopeOfRun } from "./parts.ts";
import { beganOf, readVerified } from "./recorded.ts";
import { promptFacts, promptOf } from "./sent.ts";

/** Where a recorded run and what today's code derives from it differ. */
export type Difference = {
  readonly seq: number;
  readonly what: "prompt" | "reply" | "decision" | "line" | "command" | "ending";
  readonly recorded: string;
  readonly derived: string;
};

export type Replay = {
  readonly run: string;
  readonly same: boolean;
  readonly rows: number;
  readonly decisions: number;
  readonly ending: string | null;
  readonly differences: readonly Difference[];
  /** What has changed since the run, whether or not it made a difference. */
  readonly changed: readonly string[];
};

/**
 * Derives every prompt, reply, decision, one-liner and ending of a recorded run again from its rows, without a model and
 * without an effect, and says where today's code, tools and policies differ (claim R10).
 */
export async function replay(parts: Parts, id: string): Promise<Replay> {
  const rows = await readVerified(parts, id);
  const events = eventsOf(rows);
  const began = beganOf(events, id);
  const scope = scopeOfRun(parts, began);
  const steps = new Map<number, OutsideStep | null>();
  const changed: string[] = [];
  if (scope.promptVersion !== began.promptVersion) changed.push("the prompt version");
  if (parts.policyVersion !== began.policyVersion) changed.push("the policy version");
  const differences: Difference[] = [];
  let run = newRun(scope.rules);
  let decisions = 0;
  events.forEach((event, i) => {
    const row = rows[i];
    if (row === undefined) return;
    if (event.kind === "decided") decisions += 1;
    if (began.outside && "step" in event) {
      run = { ...run, staged: steps.get(event.step)?.staged ?? null };
      steps.set(event.step, stepAfter(steps.get(event.step) ?? null, event, parts.hash));
    }
    differences.push(...differencesAt(parts, scope, run, row, event));
    const before = run.command;
    run = advance(run, event);
    const broken = brokenBy(before, run.command, event);
    if (broken !== null) differences.push({ seq: row.seq, what: "command", recorded: event.kind, derived: broken });
  });
  return {
    run: id,
    same: differences.length === 0,
    rows: rows.length,
    decisions,
    ending: run.ended,
    differences,
    changed,
  };
}

function differencesAt(parts: Parts, scope: Scope, run: Run, row: Row, event: RunEvent): readonly Difference[] {
  const { seq } = row;
  switch (event.kind) {
    case "replied":
      return [...comparePrompt(parts, scope, run, seq, event), ...compareReply(scope, seq, event)];
    case "decided":
      return compareDecision(parts, scope, run, seq, event);
    case "finished":
      return compareLine(parts, seq, event);
    case "ended": {
      const command = run.command;
      const derived =
        command?.kind === "end" ? [command.ending, command.text] : [command?.kind ?? "nothing", event.text];
      if (command?.kind === "await_approval" && event.ending === "awaiting_approval") return [];
      return compare(seq, "ending", [event.ending, event.text], derived);
    }
    default:
      return [];
  }
}

function comparePrompt(parts: Parts, scope: Scope, run: Run, seq: number, event: Replied): readonly Difference[] {
  if (run.command?.kind !== "ask_model") return [];
  const built = promptOf(run, scope, run.command.mode, event.prompt.bytesMax);
  const derived = built.ok ? promptFacts(built.prompt, parts.hash).digest : "no prompt";
  return compare(seq, "prompt", event.prompt.digest, derived);
}

function compareReply(scope: Scope, seq: number, event: Replied): readonly Difference[] {
  // Of an oversized reply only the start was kept; there is nothing to read again.
  if (event.why?.code === "too_large" && event.raw.length < REPLY_BYTES_MAX) return [];
  // What the server could not read has not come here.
  if (event.why?.code === "unreadable_call") return [];
  const { raw: text, calls, finish, mode, reply, why, repair, notRun } = event;
  const read = readReply({ text, calls, finish }, mode, scope.known, REPLY_BYTES_MAX);
  const derived = read.reply.ok ? { reply: read.reply.value, why: null } : { reply: null, why: read.reply.why };
  const rest = { repair: read.repair, notRun: read.notRun };
  return compare(seq, "reply", { reply, why, repair, notRun } as unknown as Json, { ...derived, ...rest } as Json);
}

function compareDecision(parts: Parts, scope: Scope, run: Run, seq: number, event: Decided): readonly Difference[] {
  const began = run.began;
  // A denial of the store's own books (an open `once` effect) follows from other runs' rows, not from this one's.
  if (began === null || isBy(event.rule, "once") || isForced(event)) return [];
  const tool = parts.tools.get(event.tool) ?? null;
  const decision = decide({
    proposal: { tool: event.tool, params: event.params, evidence: event.evidence },
    route: event.route,
    tool,
    policies: parts.policies,
    facts: factsOf(event),
    context: decisionContext(began, event.step, event.at, event.today, event.provenance),
    capUse: event.capUse,
    approval: approvalThen(parts, scope, run, event, tool),
  });
  return compare(seq, "decision", recordedDecision(event), derivedDecision(decision));
}

/**
 * What was denied without asking the rails: it was no data, or follows from the step's earlier rows, or from how many others
 * wait.
 */
function isForced({ rule, denial: given }: Decided): boolean {
  return (
    isBy(rule, "proposal") ||
    given?.code === "cannot_wait" ||
    given?.code === "approval_mismatch" ||
    given?.code === "too_many_waiting"
  );
}

/** The approval that a decision was given, with what it stands on by today's code. */
function approvalThen(
  parts: Parts,
  scope: Scope,
  { began, staged }: Run,
  event: Decided,
  tool: Tool | null,
): Approval | null {
  const { approvedBy, checked, evidence, facts } = event;
  if (approvedBy === null || staged === null || tool === null || checked === null || isBy(event.rule, "record"))
    return null;
  // By the rules that were published then: what they are today is no part of the record.
  const promptVersion = (began?.guides ?? null) === null ? scope.promptVersion : event.promptVersion;
  return approvalOf(
    parts,
    staged,
    approvedBy,
    boundOf(parts, { tool, checked, evidence, record: facts, promptVersion }),
  );
}

function factsOf(event: Decided): Facts {
  const denial = event.denial;
  if (denial !== null && isBy(event.rule, "record")) return { ok: false, denial };
  return { ok: true, record: deepFreeze(event.facts) };
}

function recordedDecision(event: Decided): Json {
  const { outcome, rule, denial, role, checked, reservations } = event;
  return { outcome, rule, code: denial?.code ?? null, role, checked, reservations } as Json;
}

function derivedDecision(decision: Decision): Json {
  return {
    outcome: decision.outcome,
    rule: decision.rule,
    code: decision.outcome === "deny" ? decision.denial.code : null,
    role: decision.outcome === "stage" ? decision.role : null,
    checked: decision.checked,
    reservations: decision.outcome === "permit" ? decision.reservations : [],
  } as Json;
}

function compareLine(parts: Parts, seq: number, event: Finished): readonly Difference[] {
  const tool = parts.tools.get(event.tool);
  // What a person found out is their word, and not the tool's.
  const unreadable = event.outcome !== "done" || event.error !== null || event.resolved !== null;
  if (tool === undefined || unreadable) return [];
  return compare(seq, "line", [event.line, event.pass], [lineOf(tool, event.result), passOf(tool, event.result)]);
}

function compare(seq: number, what: Difference["what"], recorded: Json, derived: Json): readonly Difference[] {
  const [a, b] = [canonicalJson(recorded), canonicalJson(derived)];
  return a === b ? [] : [{ seq, what, recorded: a, derived: b }];
}

/** Why an event could not follow: the fold had come to its end before it, or ended in a bug that was not recorded as one. */
function brokenBy(before: Command | null, after: Command | null, event: RunEvent): string | null {
  if (before?.kind === "end" && !isAfterEnd(event) && !isBug(event)) {
    return `the run had ended as ${before.ending}`;
  }
  if (after?.kind !== "end" || after.ending !== "failed" || before?.kind === "end") return null;
  return isBug(event) ? null : after.detail;
}

/** What can follow the end of a run: its own row, a fresh budget, or a person who found out how its last effect came out. */
function isAfterEnd(event: RunEvent): boolean {
  return event.kind === "ended" || event.kind === "continued" || (event.kind === "finished" && event.resolved !== null);
}

function isBug(event: RunEvent): boolean {
  return event.kind === "interrupted" && event.ending === "failed";
}
