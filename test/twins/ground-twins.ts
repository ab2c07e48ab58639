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
    "accounted",
    "the words beside the name are not looked at",
    "clause-findings.ts",
    "const rest = others.size + unbound.length > 0 ?",
    "const rest: readonly number[] = unbound.length >= 0 ?",
  ),
  twin(
    "accounted",
    "any words may say where, and what for",
    "accounted.ts",
    "if (tokens.length === 0 || isOfScreen(said, tokens)) return true;",
    "if (tokens.length >= 0) return true;",
  ),
  twin(
    "negation",
    "not to do it is to do it",
    "accounted.ts",
    'return text === "do not" || NOT.has(text);',
    "return false;",
  ),
  twin("value", "a value goes on to the end", "values.ts", " || ENDS.has(", " || NAMES.has("),
  twin("task", "the task may open what is not there", "accounted.ts", "hasTask && !HOLDS.has(text) && ", "hasTask && "),
  twin(
    "kernel",
    "what only says where keeps a name from being meant",
    "ground-guide.ts",
    "kernelOf(readIntent(intent))",
    "null as string | null",
  ),
  twin(
    "key",
    "a key is pressed anywhere",
    "clause-findings.ts",
    "const pressed = isMeant && wrote ? keys : NONE;",
    "const pressed = keys;",
  ),
  twin("free", "what is looked at may have any name", "free-clauses.ts", " && !run.slice(1, count).some(isName);", ";"),
  twin(
    "free",
    "a clause without a control begins anywhere",
    "free-clauses.ts",
    "return quotes[i - 1] === -1 && (isBetween(before)",
    "return i > 0 || (isBetween(before)",
  ),
  twin("free", "nothing is done without a control", "free-clauses.ts", "found.add(k);", ""),
  {
    ...{ check: "screen", fault: "a screen's id may be a sentence" },
    patches: [{ file: "guides/guide-text.ts", find: "./_-]{0,38}", replace: " ./_-]{0,38}" }],
  },
  twin(
    "gate",
    "a step that means nothing is a warning",
    "findings.ts",
    'unbound: { severity: "error"',
    'unbound: { severity: "warning"',
  ),
  twin("gate", "the gate is open", "gate.ts", 'severity === "error").map(', 'severity === "error" && false).map('),
];
