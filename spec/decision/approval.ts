import type { SaidCase } from "./said.ts";

type Approval = NonNullable<SaidCase["approval"]>;

/**
 * What is no longer as the person saw it, by name and in this order. `role`: the one that the rules ask for today, or null
 * where they ask for nobody; then any role was enough.
 */
export function staleParts({ approved, today, approverMay }: Approval, role: string | null): readonly string[] {
  const stale: string[] = [];
  if (approved.params !== today.params) stale.push("params");
  if (approved.evidence !== today.evidence) stale.push("evidence");
  if (approved.record !== today.record) stale.push("record");
  if (approved.definition !== today.definition) stale.push("definition");
  if (approved.policy !== today.policy) stale.push("policy");
  if (approved.prompt !== today.prompt) stale.push("prompt");
  if (role !== null && approved.role !== role) stale.push("role");
  if (!approverMay) stale.push("approver");
  return stale;
}
