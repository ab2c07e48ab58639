import type { Approval } from "../domain/approval.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { CapSlot } from "../domain/cap.ts";
import type { Command } from "../domain/command.ts";
import { type Denial, denial } from "../domain/denial.ts";
import type { Began, Decided, Spent } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { mayUse } from "../domain/principal.ts";
import { NO_PROVENANCE, type Provenance } from "../domain/provenance.ts";
import type { Receipt } from "../domain/receipt.ts";
import { idempotencyKey } from "../domain/row-body.ts";
import type { DecisionContext, Tool } from "../domain/tool.ts";
import type { DecideSeen, DecideWrite } from "../ports/store.ts";
import {
  type Authorised,
  type Checked,
  capDemand,
  checkOutput,
  type Decision,
  decide,
  type Facts,
  type Seen,
  traceParams,
} from "../rails/index.ts";
import { type Call, callTool, lineOf, passOf, type Settlement } from "./call-tool.ts";
import { Emissions } from "./emissions.ts";
import { decisionContext, loadFacts, todayOf } from "./facts.ts";
import { type Journal, note, pendingRows, restore, snapshot, written } from "./journal.ts";
import { Nest } from "./nest.ts";
import type { Parts } from "./parts.ts";
import { approvalFor, stagedEvent, withPromptToday } from "./staging.ts";
import { seenBy } from "./thread-seen.ts";

export type Perform = Extract<Command, { kind: "perform" }>;

/**
 * One act (design 4.4): the output rail, the record, then in one transaction the decision with its rows and reservations,
 * then the effect, then a second transaction with its outcome. A denial is the first transaction alone.
 */
export async function perform(
  parts: Parts,
  journal: Journal,
  command: Perform,
  cancel: AbortSignal | null,
): Promise<NotBegun | null> {
  const began = journal.run.began;
  if (began === null) return null;
  if (command.receipt !== null) {
    giveReceipt(parts, journal, command, command.receipt);
    return null;
  }
  const seen = journal.witness === null ? null : await seenBy(parts, journal.witness, began);
  const gathered = await prepare(parts, began, command, seen, cancel);
  const isApproved = journal.run.approved?.step === command.step;
  const prepared = isApproved ? await withPromptToday(parts, journal, command, gathered) : gathered;
  const unready = unreadyApproval(journal, command, prepared);
  if (unready !== null) return unready;
  // A nested run ends with its step (decision 0004): what it staged could only be done when that is over.
  const bounds = began.parent === null ? {} : { unstaged: CANNOT_WAIT };
  const token = await decideAndStart(parts, journal, began, command, prepared, bounds);
  if (token === null || prepared.tool === null) return null;
  const call = callOf(parts, began, command, prepared.tool, token.params, recordOf(prepared));
  const nest = new Nest(parts, journal.run, command.step);
  const settlement = await callTool(parts, token, call, nest, cancel);
  await settle(parts, journal, command, settlement, nest.spent());
  return null;
}

const CANNOT_WAIT = denial("cannot_wait", "this needs a person, and a run inside a step cannot wait for one");

/** Why an approved step was not even decided on. Nothing was written: the approval is still there, and a resume uses it. */
export type NotBegun = { readonly why: string };

/** An approval is not used up by a record that cannot be loaded at this moment. */
function unreadyApproval(journal: Journal, { step }: Perform, { facts }: Prepared): NotBegun | null {
  const approved = journal.run.approved?.step === step;
  if (!approved || facts.ok || !facts.denial.retryable) return null;
  return { why: `step ${step} is approved and was not begun: ${facts.denial.detail}; resume again` };
}

/** Done before, by this run: its receipt goes back, as a row like everything else. */
function giveReceipt(parts: Parts, journal: Journal, command: Perform, receipt: Receipt): void {
  const { tool, result, line, step } = receipt;
  const at = parts.clock.now();
  const first = { run: journal.id, step };
  note(journal, { kind: "settled_before", at, step: command.step, tool, result, pass: true, line, receipt: first });
}

/** What a decision needs, gathered before its transaction. */
export type Prepared = {
  readonly tool: Tool | null;
  readonly checked: Checked | null;
  readonly facts: Facts;
  readonly context: DecisionContext;
  readonly slots: readonly CapSlot[];
  readonly settleKey: string | null;
  /** The prompt version by the rules that are published now: of an approved step, which is bound to the one that it was staged under. */
  readonly promptToday?: string;
};

export function prepare(
  parts: Parts,
  began: Began,
  command: Perform,
  seen: Seen | null,
  cancel: AbortSignal | null,
): Prepared | Promise<Prepared> {
  const tool = parts.tools.get(command.tool) ?? null;
  const usable = tool !== null && mayUse(began.principal, tool.name) ? tool : null;
  const checked = usable === null ? null : checkOutput(usable, command.params);
  const provenance =
    seen !== null && usable !== null && checked?.ok === true
      ? traceParams(checked.params, seen, usable.provenance)
      : NO_PROVENANCE;
  const known = { tool, usable, checked, provenance };
  if (usable === null || usable.record === null || checked?.ok !== true) {
    return gathered(parts, began, command, known, NO_RECORD);
  }
  const about = { principal: began.principal, customer: began.customer, evidence: command.evidence };
  return loadFacts(parts, usable, checked.params, about, began.budgets, cancel).then((facts) =>
    gathered(parts, began, command, known, facts),
  );
}

const NO_RECORD: Facts = { ok: true, record: null };

function gathered(
  parts: Parts,
  began: Began,
  command: Perform,
  {
    tool,
    usable,
    checked,
    provenance,
  }: {
    readonly tool: Tool | null;
    readonly usable: Tool | null;
    readonly checked: Checked | null;
    readonly provenance: Provenance;
  },
  facts: Facts,
): Prepared {
  const now = parts.clock.now();
  const context = decisionContext(began, command.step, now, todayOf(parts, now), provenance);
  if (usable === null || checked?.ok !== true) return { tool, checked, facts, context, slots: [], settleKey: null };
  const demand = facts.ok ? capDemand(usable, checked.params, facts.record, context) : null;
  const slots = demand?.ok === true ? demand.slots : [];
  return {
    tool,
    checked,
    facts,
    context,
    slots,
    settleKey: settleKeyOf(parts, usable, checked.params, began.customer),
  };
}

/** What a `once` effect settles in its thread: the tool, its canonical params, and for whom. */
function settleKeyOf(parts: Parts, tool: Tool, params: JsonObject, customer: string | null): string | null {
  if (tool.effect !== "once" || tool.mayRepeat) return null;
  return parts.hash(canonicalJson([tool.name, params, customer]));
}

/** What stands before the rails, or behind them, in somebody else's loop. */
export type Bounds = {
  /** A denial that stands before any rail is asked; it is written like every other. */
  readonly forced?: { readonly rule: string; readonly denial: Denial } | null;
  /** The denial that a staged decision becomes, where nothing more may wait. */
  readonly unstaged?: Denial | null;
};

/** The deciding transaction. Returns the token where the effect may start now. */
export async function decideAndStart(
  parts: Parts,
  journal: Journal,
  began: Began,
  command: Perform,
  prepared: Prepared,
  bounds: Bounds = {},
): Promise<Authorised | null> {
  const before = snapshot(journal);
  let token: Authorised | null = null;
  const query = {
    run: began.run,
    step: command.step,
    thread: began.parent?.thread ?? began.thread,
    settleKey: prepared.settleKey,
    slots: prepared.slots,
  };
  try {
    await parts.store.decide(query, (seen) => {
      // A store may have to run its transaction again; each time starts from what is durable.
      restore(journal, before);
      token = null;
      const [write, minted] = judgeInTransaction(parts, journal, began, command, prepared, seen, bounds);
      token = minted;
      return write;
    });
  } catch (error) {
    restore(journal, before);
    throw error;
  }
  written(journal);
  return token;
}

function judgeInTransaction(
  parts: Parts,
  journal: Journal,
  began: Began,
  command: Perform,
  prepared: Prepared,
  seen: DecideSeen,
  { forced = null, unstaged = null }: Bounds,
): readonly [DecideWrite, Authorised | null] {
  const at = prepared.context.now;
  const settled = seen.settled;
  if (forced === null && settled !== null && settled.state === "done" && prepared.tool !== null) {
    const { tool } = prepared;
    const receipt = { run: settled.run, step: settled.step };
    const line = lineOf(tool, settled.result);
    note(journal, {
      kind: "settled_before",
      at,
      step: command.step,
      tool: tool.name,
      result: settled.result,
      pass: passOf(tool, settled.result),
      line,
      receipt,
    });
    return [{ rows: pendingRows(journal), start: null }, null];
  }
  const approval = approvalFor(parts, journal, command, prepared);
  const judged: Decision =
    forced !== null
      ? { outcome: "deny", ...forced, checked: null }
      : settled === null
        ? decideOn(parts, command, prepared, seen, approval)
        : { outcome: "deny", rule: "once", denial: openOutcome(settled.run, settled.step), checked: null };
  const decision: Decision =
    judged.outcome === "stage" && unstaged !== null
      ? { outcome: "deny", rule: "approval", denial: unstaged, checked: judged.checked }
      : judged;
  note(journal, decidedEvent(parts, journal, began, command, prepared, seen, decision));
  if (decision.outcome === "stage" && prepared.tool !== null) {
    note(journal, stagedEvent(parts, journal, began, command, prepared, prepared.tool, decision));
  }
  if (decision.outcome !== "permit" || prepared.tool === null)
    return [{ rows: pendingRows(journal), start: null }, null];
  const key = idempotencyKey(began.run, command.step);
  note(journal, {
    kind: "started",
    at,
    step: command.step,
    tool: command.tool,
    params: decision.checked,
    effect: prepared.tool.effect,
    settleKey: prepared.settleKey,
    idempotencyKey: key,
  });
  const start = { tool: command.tool, effect: prepared.tool.effect, reservations: decision.reservations };
  return [{ rows: pendingRows(journal), start }, decision.authorised];
}

export function decideOn(
  parts: Parts,
  command: Perform,
  prepared: Prepared,
  seen: Pick<DecideSeen, "capUse">,
  approval: Approval | null,
): Decision {
  const { tool, params, evidence, route } = command;
  return decide({
    proposal: { tool, params, evidence },
    route,
    tool: prepared.tool,
    policies: parts.policies,
    checked: prepared.checked,
    facts: prepared.facts,
    context: prepared.context,
    capUse: seen.capUse,
    approval,
  });
}

function openOutcome(run: string, step: number): Denial {
  return denial(
    "outcome_open",
    `the same action was started before and its outcome is not known (run ${run}, step ${step})`,
  );
}

function decidedEvent(
  parts: Parts,
  journal: Journal,
  began: Began,
  command: Perform,
  prepared: Prepared,
  seen: DecideSeen,
  decision: Decision,
): Decided {
  return {
    kind: "decided",
    at: prepared.context.now,
    step: command.step,
    tool: command.tool,
    route: command.route,
    params: command.params,
    checked: decision.checked,
    evidence: command.evidence,
    facts: recordOf(prepared),
    provenance: prepared.context.provenance,
    today: prepared.context.today,
    capUse: seen.capUse,
    outcome: decision.outcome,
    rule: decision.rule,
    denial: decision.outcome === "deny" ? decision.denial : null,
    approvedBy: journal.run.approved?.by ?? null,
    role: decision.outcome === "stage" ? decision.role : null,
    reservations: decision.outcome === "permit" ? decision.reservations : [],
    promptVersion: prepared.promptToday ?? journal.scope.promptVersion,
    policyVersion: parts.policyVersion,
    model: began.outside ? began.model : parts.model.name,
  };
}

/** The FactRecord that was decided on, or null. */
export function recordOf(prepared: Prepared): Json {
  return prepared.facts.ok ? prepared.facts.record : null;
}

export function callOf(
  { redaction }: Pick<Parts, "redaction">,
  began: Began,
  command: Perform,
  tool: Tool,
  params: JsonObject,
  record: Json,
): Call {
  return {
    emissions: new Emissions(redaction),
    tool,
    params,
    evidence: command.evidence,
    record,
    budgets: began.budgets,
    context: {
      idempotencyKey: idempotencyKey(began.run, command.step),
      principal: began.principal,
      customer: began.customer,
      thread: began.thread,
      run: began.run,
      step: command.step,
    },
  };
}

/** The second transaction: the outcome, and with it the reservations settled, released or kept. */
export async function settle(
  parts: Parts,
  journal: Journal,
  command: Pick<Perform, "step" | "tool">,
  settlement: Settlement,
  spent: Spent,
): Promise<void> {
  const before = snapshot(journal);
  const { step, tool } = command;
  const { outcome, result } = settlement;
  const came = { ...settlement, events: settlement.events ?? [] };
  try {
    note(journal, { kind: "finished", at: parts.clock.now(), step, tool, ...came, spent, resolved: null });
    await parts.store.settle({ run: journal.id, step, outcome, result, rows: pendingRows(journal) });
  } catch (error) {
    restore(journal, before);
    throw error;
  }
  written(journal);
}
