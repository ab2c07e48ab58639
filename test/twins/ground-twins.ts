import type { GROUND_CHECKS } from "../checks/ground.ts";
import type { Patch } from "./twin.ts";

/** A fault in grounding, and the check that must catch it. */
export type GroundTwin = {
  readonly fault: string;
  readonly check: keyof typeof GROUND_CHECKS;
  readonly patches: readonly Patch[];
};

function twin(check: GroundTwin["check"], fault: string, file: string, find: string, replace: string): GroundTwin {
  return { check, fault, patches: [{ file: `guides/ground/${file}`, find, replace }] };
}

export const GROUND_TWINS: readonly GroundTwin[] = [
  twin("landmark", "a landmark is what is meant", "asides.ts", 'mark(k, clause.length, "landmark");', ""),
  twin(
    "opposite",
    "in is as good as out",
    "score-name.ts",
    'add("opposite", SCORE_1.opposite, ',
    'add("opposite", 1, ',
  ),
  twin(
    "lead",
    "the first of several that are as near",
    "judge.ts",
    "if (bound !== null && bound.ids.length > 1)",
    "if (false)",
  ),
  twin("order", "what comes first in the map goes before", "judge.ts", "|| byCodeUnits(one, other);", ";"),
  twin(
    "proportion",
    "each word of an intent is compared by itself, however often it is repeated",
    "match.ts",
    "append(words, token.text, i);",
    "append(words, token.text + i, i);",
  ),
  twin(
    "absent",
    "an id that is not there goes by the words",
    "ground-guide.ts",
    "if (id === null || control === undefined) {",
    "if (control === undefined) return grounded.findings; if (id === null) {",
  ),
  twin(
    "mismatch",
    "the id goes before the words",
    "ground-guide.ts",
    "grounded.bound !== null && grounded.bound !== id",
    "grounded.bound === undefined",
  ),
  twin(
    "clauses",
    "what a step goes on to say is not looked at",
    "ground-guide.ts",
    "id === null || first.some(isError)",
    "id === null || first.length >= 0",
  ),
  twin(
    "gate",
    "a step that means nothing is a warning",
    "findings.ts",
    'unbound: { severity: "error"',
    'unbound: { severity: "warning"',
  ),
  twin("gate", "the gate is open", "gate.ts", 'severity === "error").map(', 'severity === "error" && false).map('),
];
