import type { Served, ServeReport } from "../domain/served.ts";
import type { TrialDesign } from "../domain/trial.ts";
import type { ToldFacts } from "../domain/trial-run.ts";
import { copyId, type LaidRule } from "./layout.ts";

/**
 * Whether what would be served is what the arm says: every rule of the layout in its place with the bytes that its revision
 * names, none left out for the budget, none withheld, and nothing else. An arm that is not told as declared measures
 * something else, so such a trial is not run. null: it is as declared.
 */
export function checkTold(
  design: Pick<TrialDesign, "profile">,
  layout: readonly LaidRule[],
  served: Served,
): string | null {
  const { report, withheld } = served;
  if (report.profile !== design.profile) return `it is served for the profile ${report.profile}, not ${design.profile}`;
  if (withheld.length > 0) return `${withheld.map(({ id, code }) => `${id} is withheld: ${code}`).join(", ")}`;
  if (report.dropped.length > 0) return droppedText(report, layout.length);
  const dispatch = layout.filter(({ when }) => when === null);
  const event = layout.filter(({ when }) => when !== null);
  if (!isSame(dispatch, report.kept)) return "what is told at dispatch is not what the arm says";
  if (!isSame(event, report.routed)) return "what is told on channel B is not what the arm says";
  return null;
}

type Named = { readonly id: string; readonly revision: string };

function isSame(laid: readonly LaidRule[], told: readonly Named[]): boolean {
  return (
    laid.length === told.length &&
    laid.every((rule, i) => told[i]?.id === copyId(rule.id, rule.copy) && told[i]?.revision === rule.revision)
  );
}

function droppedText({ dropped, bytes, budgetBytes }: ServeReport, rules: number): string {
  const more = dropped.reduce((sum, rule) => sum + rule.bytes, 0);
  return `${dropped.length} of its ${rules} rules do not fit: they take ${more} bytes more, and ${bytes} of ${budgetBytes} are taken`;
}

/** What of a served plan is kept with each run. */
export function toldFacts(layout: readonly LaidRule[], rule: Named, { plan, report }: Served): ToldFacts {
  const copies = layout.filter(({ revision }) => revision === rule.revision).length;
  const routed = report.routed.reduce((sum, { bytes }) => sum + bytes, 0);
  return { plan, bytes: report.bytes + routed, neighbours: layout.length - copies, copies };
}
