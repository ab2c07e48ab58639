import type { Finding } from "../../domain/finding.ts";
import { utf8Prefix } from "../../domain/utf8.ts";

/**
 * What grounding may find in a step, and how grave it is. The one table: an error keeps a guide from being served, and nothing
 * configures that. docs/score-1.md is made of it, and test/pins holds every row.
 */
export const GROUND_RULES = {
  no_milestones: { severity: "error", when: "the guide has no milestone, so there is nothing to follow" },
  no_words: { severity: "error", when: "the step says nothing" },
  overlong: { severity: "error", when: "the step has more words than are read" },
  unbound: { severity: "error", when: "no control is meant by the words; the nearest are named" },
  ambiguous: { severity: "error", when: "several controls are meant as well as each other; all are named" },
  deictic: {
    severity: "error",
    when: 'the words point ("the icon beside the stars", "the first box"), and name nothing',
  },
  two_controls: { severity: "error", when: "the words mean several controls, one after the other" },
  unbound_clause: {
    severity: "error",
    when: "words of the step mean neither its control nor anything else that a step may say; they are named",
  },
  absent_id: { severity: "error", when: "the step names its control by an id that is not in the map" },
  absent_screen: { severity: "error", when: "the step names a screen that is not in the map" },
  other_screen: { severity: "error", when: "what the step means is on another screen than the step" },
  id_mismatch: { severity: "error", when: "the words mean another control than the id names" },
  unnamed_target: {
    severity: "error",
    when: "the interface gives the control that the id names no name that anybody sees",
  },
  stale_map: { severity: "error", when: "the guide was grounded in another map than this" },
  guide_text_differs: { severity: "error", when: "the text of the rule is not what its steps say" },
  duplicate_name: { severity: "warning", when: "the control is told from another of its name only by what kind it is" },
  id_only: { severity: "warning", when: "only the program's own id says what the control is, and nobody sees that" },
  disabled_target: { severity: "warning", when: "the control cannot be used as it was harvested" },
  inert_target: { severity: "warning", when: "the interface does not say that the control can be clicked" },
} as const satisfies Record<string, { readonly severity: Finding["severity"]; readonly when: string }>;

export type GroundRule = keyof typeof GROUND_RULES;

/** A finding of grounding. `where` names the step, or the whole guide. */
export type GroundFinding = Finding & {
  readonly rule: GroundRule;
  /** The ids of the controls that it is about, in the order of their code units but for the nearest, which are best first. */
  readonly controls: readonly string[];
};

export function groundFinding(
  rule: GroundRule,
  where: string,
  message: string,
  controls: readonly string[] = [],
): GroundFinding {
  return { rule, severity: GROUND_RULES[rule].severity, where, message, controls };
}

const SHOWN_BYTES_MAX = 120;

/** A text of somebody else's as it is shown in a message: on one line, in quotation marks, and not without end. */
export function quoted(text: string): string {
  const shown = utf8Prefix(text, SHOWN_BYTES_MAX);
  return JSON.stringify(shown === text ? text : `${shown}\u2026`);
}

const IDS_MAX = 20;

/** Ids in a message: all of them, but for a list that nobody would read. */
export function listed(ids: readonly string[]): string {
  const rest = ids.length - IDS_MAX;
  return `${ids.slice(0, IDS_MAX).map(quoted).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
