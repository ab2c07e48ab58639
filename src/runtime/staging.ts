import type { Approval } from "../domain/approval.ts";
import type { Began, Staged } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { oneLine } from "../domain/result.ts";
import type { Tool } from "../domain/tool.ts";
import type { Decision } from "../rails/index.ts";
import { approvalOf, bindingOf, bindingText, boundOf, type Stands } from "./bound.ts";
import type { Journal } from "./journal.ts";
import type { Parts } from "./parts.ts";
import type { Perform, Prepared } from "./perform.ts";

/** The approval that this step was given, with what it stands on today; null where nobody approved it. */
export function approvalFor(parts: Parts, journal: Journal, command: Perform, prepared: Prepared): Approval | null {
  const { approved, staged } = journal.run;
  const { tool, checked, facts } = prepared;
  if (approved === null || staged === null || approved.step !== command.step) return null;
  // What the output rail or the record refuses is denied before anybody asks for the approval.
  if (tool === null || checked?.ok !== true || !facts.ok) return null;
  return approvalOf(
    parts,
    staged,
    approved.by,
    boundOf(parts, standsOn(journal, command, tool, checked.params, facts.record)),
  );
}

function standsOn(journal: Journal, command: Perform, tool: Tool, checked: JsonObject, record: Json): Stands {
  return { tool, checked, evidence: command.evidence, record, promptVersion: journal.scope.promptVersion };
}

/** The row that puts a staged step before a person. */
export function stagedEvent(
  parts: Parts,
  journal: Journal,
  began: Began,
  command: Perform,
  prepared: Prepared,
  tool: Tool,
  { role, why, checked: params }: Extract<Decision, { outcome: "stage" }>,
): Staged {
  const { step, evidence } = command;
  const at = prepared.context.now;
  const expiresAt = at + parts.approvalMs;
  const bound = {
    ...boundOf(parts, standsOn(journal, command, tool, params, prepared.facts.ok ? prepared.facts.record : null)),
    role,
  };
  const proposer = journal.run.proposer ?? began.principal.id;
  const binding = bindingOf(began, { step, proposer, tool: tool.name, params, evidence, bound, expiresAt });
  const digest = parts.hash(bindingText(binding));
  return { kind: "staged", at, step, tool: tool.name, role, why: oneLine(why), digest, expiresAt, bound };
}
