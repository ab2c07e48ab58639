import type { Finding } from "../../domain/finding.ts";
import { utf8Prefix } from "../../domain/utf8.ts";

/**
 * What grounding may find in a step, and how grave it is. The one table: an error keeps a guide from being served, and nothing
 * configures that. docs/score-1.md says what each means, and test/pins holds every row.
 */
export const GROUND_SEVERITIES = {
  /** The guide has no step. */
  no_milestones: "error",
  /** The step says nothing. */
  no_words: "error",
  /** The step has more words than are read. */
  overlong: "error",
  /** No control is meant by the words. */
  unbound: "error",
  /** Several controls are meant as well as each other. */
  ambiguous: "error",
  /** The words point ("the icon beside the stars", "the first box"), and name nothing. */
  deictic: "error",
  /** The words mean several controls one after the other. */
  two_controls: "error",
  /** The step names a control by an id that is not in the map. */
  absent_id: "error",
  /** The step names a screen that is not in the map. */
  absent_screen: "error",
  /** The step's control is on another screen than the step. */
  other_screen: "error",
  /** The words mean another control than the id names. */
  id_mismatch: "error",
  /** The interface gives the step's control no name: nobody could tell which it is. */
  unnamed_target: "error",
  /** The guide was grounded in another map than this. */
  stale_map: "error",
  /** The control's name is also that of another, which only its kind tells from it. */
  duplicate_name: "warning",
  /** Only the control's id in the program says what it is; people do not see that. */
  id_only: "warning",
  /** The control cannot be used as it is now. */
  disabled_target: "warning",
  /** The interface does not say that the control can be clicked. */
  inert_target: "warning",
} as const satisfies Record<string, Finding["severity"]>;

export type GroundRule = keyof typeof GROUND_SEVERITIES;

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
  return { rule, severity: GROUND_SEVERITIES[rule], where, message, controls };
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
