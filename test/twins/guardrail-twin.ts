import type { GUARDRAIL_CHECKS } from "../checks/guardrails.ts";
import type { MORE_CHECKS } from "./more-guardrails.ts";
import type { Patch } from "./twin.ts";

export type CheckName = keyof typeof GUARDRAIL_CHECKS | keyof typeof MORE_CHECKS;

/** A fault in a guardrail, and the check that must catch it. */
export type GuardrailTwin = { readonly fault: string; readonly check: CheckName; readonly patches: readonly Patch[] };

export function twin(check: CheckName, fault: string, file: string, find: string, replace: string): GuardrailTwin {
  return { check, fault, patches: [{ file, find, replace }] };
}
