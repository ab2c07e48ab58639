import type { GuideEvent } from "./guide-event.ts";
import { isJsonObject, type Json, own } from "./json.ts";
import type { Condition, Scalar } from "./rule.ts";

/** Whether what happened is what a rule waits for (design 5.3): equality of names and of top-level facts, and nothing else. */

export function isMetByEvent(condition: Condition, event: GuideEvent): boolean {
  if (condition.tool !== null) return false;
  if (condition.event !== null && condition.event !== event.name) return false;
  return hasFacts(condition, event.facts);
}

/** The params are as they were proposed: a model that breaks a rule need not be right about anything else. */
export function isMetByProposal(condition: Condition, tool: string, params: Json): boolean {
  return condition.tool === tool && hasFacts(condition, params);
}

function hasFacts({ facts }: Condition, given: Json): boolean {
  if (facts.length === 0) return true;
  if (!isJsonObject(given)) return false;
  return facts.every(({ name, anyOf }) => {
    const value = own(given, name);
    return value !== undefined && anyOf.includes(value as Scalar);
  });
}
