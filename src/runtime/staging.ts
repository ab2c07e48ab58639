import type { Approval } from "../domain/approval.ts";
import type { Began, Staged } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { oneLine } from "../domain/result.ts";
import type { Tool } from "../domain/tool.ts";
import type { Decision } from "../rails/index.ts";
import { approvalOf, bindingOf, bindingText, boundOf, type Stands } from "./bound.ts";
import type { Journal } from "./journal.ts";
import { type Parts, scopeOfRun } from "./parts.ts";
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
    boundOf(parts, {
      ...standsOn(journal, command, tool, checked.params, facts.record),
      promptVersion: prepared.promptToday ?? journal.scope.promptVersion,
    }),
  );
}

/** What a step that a person approved is compared with besides: what a run with its request would be told now. */
export async function withPromptToday(
  parts: Parts,
  { run }: Pick<Journal, "run">,
  { step }: Perform,
  prepared: Prepared,
): Promise<Prepared> {
  if (run.began === null || run.approved?.step !== step) return prepared;
  const promptToday = await promptTodayOf(parts, run.began);
  return promptToday === null ? prepared : { ...prepared, promptToday };
}

/**
 * The prompt version of a run by the rules that are published now; null where rules play no part. Where they could not be served at
 * all it is one that no run has.
 */
export async function promptTodayOf(parts: Parts, began: Began): Promise<string | null> {
  const { guides, request } = began;
  if (guides === null || parts.serving === null) return null;
  const told = await parts.serving.serve({ text: request, app: guides.app, paths: guides.paths });
  if (told.kind === "refusal") return `refused ${told.code}`;
  return scopeOfRun(parts, { principal: began.principal, guides: told.served }).promptVersion;
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
