import { type Approval, type Binding, type Bound, hasRole } from "../domain/approval.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Began, Staged } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { frozenJson } from "../domain/plain.ts";
import { atOnce } from "../domain/promised.ts";
import type { Tool } from "../domain/tool.ts";
import { definitionOf, type Parts } from "./parts.ts";

/** What a decision stands on, as far as an approval is bound to it (design 6.6). */
export type Stands = {
  readonly tool: Tool;
  readonly checked: JsonObject;
  readonly evidence: readonly string[];
  /** The FactRecord, or null. */
  readonly record: Json;
  readonly promptVersion: string;
};

/** The digests of everything that may have changed by the time of the commit. */
export function boundOf(parts: Parts, { tool, checked, evidence, record, promptVersion }: Stands): Omit<Bound, "role"> {
  return {
    params: parts.hash(canonicalJson(checked)),
    evidence: parts.hash(canonicalJson(evidence)),
    record: record === null ? null : parts.hash(versionText(tool, record)),
    definition: parts.hash(definitionOf(tool)),
    policy: parts.policyVersion,
    prompt: promptVersion,
  };
}

/** A `recordVersion` that throws, or gives no plain JSON, says nothing: then all of the record counts. */
function versionText(tool: Tool, record: Json): string {
  if (tool.recordVersion !== null) {
    try {
      const version = frozenJson(atOnce(tool.recordVersion(record)));
      if (version.ok) return `version ${canonicalJson(version.value)}`;
    } catch {
      // Below.
    }
  }
  return `record ${canonicalJson(record)}`;
}

export type Waits = {
  readonly step: number;
  readonly proposer: string;
  readonly tool: string;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
  readonly bound: Bound;
  readonly expiresAt: number;
};

/** What a person is asked to approve, whole. */
export function bindingOf(began: Began, waits: Waits): Binding {
  const { step, proposer, tool, params, evidence, bound, expiresAt } = waits;
  return {
    run: began.run,
    step,
    thread: began.thread,
    customer: began.customer,
    principal: began.principal.id,
    proposer,
    tool,
    params,
    evidence,
    record: bound.record,
    definition: bound.definition ?? "",
    policy: bound.policy ?? "",
    prompt: bound.prompt ?? "",
    role: bound.role ?? "",
    expiresAt,
  };
}

/** The exact text that is approved. Its SHA-256 is the digest. */
export function bindingText(binding: Binding): string {
  return canonicalJson(binding as unknown as Json);
}

/** The approval of a step as its decision is given it. */
export function approvalOf(parts: Parts, staged: Staged, by: string, today: Omit<Bound, "role">): Approval {
  const approverMay = hasRole(parts.approvers.get(by)?.roles ?? [], staged.role);
  return { approved: staged.bound, today, expiresAt: staged.expiresAt, approverMay };
}
