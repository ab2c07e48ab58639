import { canonicalJson } from "../domain/canonical.ts";
import type { Command } from "../domain/command.ts";
import type { Decided } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import type { RoutedStep } from "./guardrails/auto-correction.ts";
import type { Signature } from "./guardrails/repetition.ts";
import type { Run } from "./run.ts";

/** Whether a decision is the one that a `perform` asked for: the same step, tool, params and evidence. */
export function isFor(command: Extract<Command, { kind: "perform" }>, event: Decided): boolean {
  return (
    command.step === event.step &&
    command.tool === event.tool &&
    isSame(command.params, event.params) &&
    isSame(command.evidence, event.evidence)
  );
}

/** Equal in canonical form. What is carried on is the same object, and needs no writing out. */
export function isSame(a: Json, b: Json): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/** A routed step in canonical form; the order in which ids are cited makes no difference. */
export function signatureOf(run: Run, step: RoutedStep): Signature {
  const evidence = step.evidence.length < 2 ? step.evidence : [...step.evidence].sort();
  const text = canonicalJson({ tool: step.tool, params: step.params, evidence });
  return { text, mayRepeat: run.rules.tools.get(step.tool)?.mayRepeat ?? false };
}

/** A `once` tool settles by its params for the whole thread; any other by what `settles` names. */
export function settleKeyOf(run: Run, step: { readonly tool: string; readonly params: Json }): string | null {
  const tool = run.rules.tools.get(step.tool);
  if (tool === undefined) return null;
  if (tool.once && !tool.mayRepeat) return `${step.tool} ${canonicalJson(step.params)}`;
  const key = tool.settleKey(step.params);
  return key === null ? null : `${step.tool} ${key}`;
}
