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
    "opposite_before",
    "of what stands behind a preposition nothing before it is the opposite",
    "score-name.ts",
    'reading.kind === "part" ?',
    "false ?",
  ),
  twin(
    "unsaid_effect",
    "whoever looks at a thing may delete it",
    "score-name.ts",
    'add("unsaid_effect", SCORE_1.unsaidEffect, ',
    'add("unsaid_effect", 1, ',
  ),
  twin(
    "unsaid_effect",
    "what is said by another word is not said",
    "score-name.ts",
    "matches.some(({ named }) => named.includes(name.effect))",
    "matches.some(({ named, strength }) => strength === 1 && named.includes(name.effect))",
  ),
  twin(
    "unsaid_effect",
    "whoever points at a thing has not asked for what it does",
    "score-name.ts",
    "if (name.effect === -1 || !(looks || action !== null || effect !== null)) return false;",
    "if (name.effect === -1) return false;",
  ),
  twin(
    "effect_rival",
    "where one does too much the next is meant",
    "judge.ts",
    "ranks.filter(({ rival }) =>",
    "ranks.filter(({ score: rival }) =>",
  ),
  twin(
    "missed_effect",
    "what only has the thing's name deletes it",
    "score-name.ts",
    'add("missed_effect", SCORE_1.missedEffect, ',
    'add("missed_effect", SCORE_1.missedAction, ',
  ),
  twin("typing", "one types into anything", "clauses.ts", "return types || partsOf", "return partsOf"),
  twin(
    "lead",
    "the first of several that are as near",
    "judge.ts",
    "if (bound !== null && bound.ids.length > 1)",
    "if (false)",
  ),
  twin("order", "what comes first in the map goes before", "judge.ts", "|| byCodeUnits(one, other);", ";"),
  twin("asked", "nobody asks", "besides.ts", "return at > first && follows ? at - start : 0;", "return 0;"),
  twin(
    "asked",
    "what somebody thinks is what is to be done",
    "besides.ts",
    "if (clause.length === 0) return true;",
    "return clause.length === 0;",
  ),
  twin(
    "asked_to",
    "what stands before a `to` is part of it",
    "besides.ts",
    'if (!ASKS.has(words.tokens[last]?.stem ?? "")) return false;',
    "return false;",
  ),
  twin(
    "reason",
    "a reason is part of it",
    "clauses.ts",
    "if (isReasonAt(words, i) && isNamed(words, clause.tokens))",
    "if (false)",
  ),
  twin(
    "reason",
    "only what is always one is a reason",
    "besides.ts",
    "return follows ||",
    "return follows || false &&",
  ),
  twin(
    "said_before",
    "what comes first is what is to be done",
    "besides.ts",
    "if (isBeside(words, cut,",
    "if (false && isBeside(words, cut,",
  ),
  twin(
    "said_before",
    "where it is is what is to be done",
    "besides.ts",
    "if (FRONT.has(textAt(words, first)) && tokens.length > 1) return true;",
    "",
  ),
  twin(
    "telling",
    "a clause that says nothing goes before one that does",
    "judge.ts",
    'kind === "main" && telling)',
    'kind === "main")',
  ),
  twin(
    "beside_name",
    "a name goes over what is said beside",
    "read-intent.ts",
    'clauses.filter(({ kind }) => kind !== "beside");',
    "clauses;",
  ),
  twin("mistyped", "what is mistyped is no word of the lists", "read-intent.ts", "corrected(typed, index)", "typed"),
  twin("mistyped", "a short verb is not known by its letters", "mistyped.ts", "...(DONE.get(text) ?? [])", ""),
  twin(
    "typos",
    "the first letter is never swapped",
    "typos.ts",
    "if (isSwap) return",
    "if (isSwap) return same > 0 &&",
  ),
  twin(
    "typos",
    "five letters are too few for one that is missing",
    "typos.ts",
    "return shorter >= missLettersMin &&",
    "return shorter >= typoLettersMin &&",
  ),
  twin(
    "typos",
    "five letters are enough for another letter",
    "typos.ts",
    "return shorter >= typoLettersMin;",
    "return shorter >= missLettersMin;",
  ),
  twin(
    "typos",
    "only the stem is looked for",
    "ground-index.ts",
    'kind === "word" ? [stem, text] : []',
    'kind === "word" ? [stem] : []',
  ),
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
