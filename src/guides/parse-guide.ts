import { GUIDE_LIMITS, type Guide, type Milestone } from "../domain/guide.ts";
import { HIDDEN } from "../domain/hidden.ts";
import { isJsonObject, type Json, type JsonObject, own } from "../domain/json.ts";
import { quoted } from "../domain/json-limits.ts";
import { nearest } from "../domain/nearest.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { isWellFormed } from "../domain/text.ts";

/** The fields of a guide besides its id, which is the rule's. */
export const GUIDE_KEYS = ["task", "preconditions", "entry", "milestones", "fallback", "scope"] as const;
const STEP_KEYS = ["screen", "intent", "control"] as const;

/** A fault on the way out of the reading; it never leaves this file. */
class Fault extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/**
 * Reads a guide strictly from what a model, or a file, says: every field there and none else, texts on one line and bounded.
 * Codes: `unknown_key`, `missing_key`, `wrong_type`, `too_long`, `too_many`, `hidden_code_point`, `empty`.
 */
export function parseGuide(value: Json, id: string): Parsed<Guide> {
  try {
    return parsed(guideIn(value, id));
  } catch (error) {
    if (error instanceof Fault) return unparsed(error.code, error.message);
    throw error;
  }
}

function guideIn(value: Json, id: string): Guide {
  const fields = objectIn(value, "the guide", GUIDE_KEYS);
  const milestones = stepsIn(fields, "milestones");
  if (milestones.length === 0) throw new Fault("empty", "`milestones` is empty: there is nothing to follow");
  return {
    version: 1,
    id,
    task: textIn(fieldOf(fields, "task"), "task"),
    preconditions: textsIn(fields, "preconditions"),
    entry: stepsIn(fields, "entry"),
    milestones,
    fallback: textIn(fieldOf(fields, "fallback"), "fallback"),
    scope: textIn(fieldOf(fields, "scope"), "scope"),
  };
}

function objectIn(value: Json, what: string, keys: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw new Fault("wrong_type", `${what} has to be an object`);
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    const near = nearest(key, keys);
    throw new Fault("unknown_key", `${what} has no ${quoted(key)}${near === null ? "" : `: did you mean ${near}?`}`);
  }
  const missing = keys.find((key) => own(value, key) === undefined);
  if (missing !== undefined) throw new Fault("missing_key", `${what} lacks \`${missing}\``);
  return value;
}

function fieldOf(fields: JsonObject, name: string): Json {
  return own(fields, name) ?? null;
}

function listIn(fields: JsonObject, name: string, most: number): readonly Json[] {
  const value = fieldOf(fields, name);
  if (!Array.isArray(value)) throw new Fault("wrong_type", `\`${name}\` has to be a list`);
  if (value.length > most) throw new Fault("too_many", `\`${name}\` has ${value.length} entries, and may have ${most}`);
  return value;
}

function textsIn(fields: JsonObject, name: string): readonly string[] {
  return listIn(fields, name, GUIDE_LIMITS.texts).map((text, i) => textIn(text, `${name}[${i}]`));
}

function stepsIn(fields: JsonObject, name: "entry" | "milestones"): readonly Milestone[] {
  return listIn(fields, name, GUIDE_LIMITS.steps).map((step, i) => {
    const where = `${name}[${i}]`;
    const { screen = null, intent = null, control = null } = objectIn(step, where, STEP_KEYS);
    return {
      screen: screen === null ? null : textIn(screen, `${where}.screen`, GUIDE_LIMITS.idUnits),
      intent: textIn(intent, `${where}.intent`),
      control: control === null ? null : textIn(control, `${where}.control`, GUIDE_LIMITS.idUnits),
    };
  });
}

/** One line, since each becomes a line of what a model is told; and nothing in it that a reviewer does not see. */
function textIn(value: Json, where: string, unitsMax: number = GUIDE_LIMITS.textUnits): string {
  if (typeof value !== "string") throw new Fault("wrong_type", `\`${where}\` has to be a text`);
  if (value.trim() === "") throw new Fault("empty", `\`${where}\` is empty`);
  if (value.length > unitsMax)
    throw new Fault("too_long", `\`${where}\` has ${value.length} characters, and may have ${unitsMax}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (!isWellFormed(value) || HIDDEN.test(value) || /[\u0000-\u001f]/.test(value)) {
    throw new Fault("hidden_code_point", `\`${where}\` has a line break, or a character that nobody sees`);
  }
  return value;
}
