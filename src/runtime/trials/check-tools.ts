import type { TrialCheck, TrialDesign } from "../../domain/trial.ts";
import { meant } from "../config-finding.ts";
import { SignalboxError } from "../error.ts";

/**
 * Throws `bad_trial` with each place of a design that names a tool which the config does not have. Nobody ever proposes such a
 * one, so a misspelt judge would never see the rule obeyed, or always.
 */
export function checkTools(design: TrialDesign, tools: ReadonlyMap<string, unknown>): void {
  const known = [...tools.keys()];
  const faults = namedIn(design)
    .filter(({ tool }) => !tools.has(tool))
    .map(({ path, tool }) => `${path}: the config has no tool "${tool}"${meant(tool, known)}`);
  if (faults.length > 0) throw new SignalboxError("bad_trial", faults.join("\n"));
}

type Named = { readonly path: string; readonly tool: string };

function namedIn({ judge, results, records }: TrialDesign): readonly Named[] {
  return [
    ...judge.obeyed.flatMap((check, i) => inCheck(`judge.obeyed[${i}]`, check)),
    ...judge.opportunity.flatMap((check, i) => inCheck(`judge.opportunity[${i}]`, check)),
    ...judge.actions.map(({ tool }, i) => ({ path: `judge.actions[${i}].tool`, tool })),
    ...results.map(({ tool }, i) => ({ path: `results[${i}].tool`, tool })),
    ...records.map(({ tool }, i) => ({ path: `records[${i}].tool`, tool })),
  ];
}

function inCheck(path: string, check: TrialCheck): readonly Named[] {
  if (check.kind !== "proposed" && check.kind !== "not_proposed") return [];
  return [{ path: `${path}.${check.kind}.tool`, tool: check.value.tool }];
}
