import { type Denial, denial, type HouseCode, isHouseCode } from "../domain/denial.ts";
import { isJsonObject, type Json, type JsonObject } from "../domain/json.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { atLeast } from "../domain/placement.ts";
import { frozenJson, plainJson } from "../domain/plain.ts";
import { isPromised } from "../domain/promised.ts";
import type { SchemaIssue } from "../domain/schema.ts";
import type { Tool } from "../domain/tool.ts";
import { strayLineBreak } from "./line-breaks.ts";
import { withoutOptionalNulls } from "./optional-nulls.ts";

/** The output rail: what the model may say. A proposal's params are of the tool's closed type, or they are refused with a code. */
export type Checked =
  | { readonly ok: true; readonly params: JsonObject }
  | { readonly ok: false; readonly denial: Denial };

/** Bytes of params that a proposal may have, in canonical JSON. */
export const PARAMS_BYTES_MAX = 65_536;

const LIMITS = { ...JSON_LIMITS, bytesMax: PARAMS_BYTES_MAX };

/**
 * Parses `params` against the tool's schema. The result is plain, deep-frozen and shares nothing with the input. A null for
 * a field that is optional and takes no null counts as left out.
 */
export function checkOutput(tool: Tool, params: Json): Checked {
  const plain = plainJson(params, LIMITS);
  if (!plain.ok) return refuse(isHouseCode(plain.why.code) ? plain.why.code : "not_plain", plain.why.detail);
  if (!isJsonObject(plain.value)) return refuse("wrong_type", "params must be an object");
  const given = tool.paramsSchema === null ? plain.value : withoutOptionalNulls(tool.paramsSchema, plain.value);
  const result = validate(tool, given);
  if (result === null) return refuse("policy_error", `the schema of ${tool.name} threw or is asynchronous`);
  if (result.issues !== undefined) return refuse(...firstIssue(result.issues, given));
  const checked = frozenJson(result.value, LIMITS);
  if (!checked.ok || !isJsonObject(checked.value)) {
    return refuse("not_plain", `the schema of ${tool.name} does not give plain JSON`);
  }
  const lost = lostKey(given, checked.value, "");
  if (lost !== null) return refuse("unknown_key", `unknown key ${lost}`);
  const stray = strayBreak(tool, checked.value);
  if (stray !== null) return refuse("bad_format", `${stray}: its pattern does not allow a line break`);
  return { ok: true, params: checked.value };
}

/** Only where a string has to be bounded at all. */
function strayBreak(tool: Tool, params: JsonObject): string | null {
  if (tool.paramsSchema === null || !atLeast(tool.placement, "staff-reversible")) return null;
  return strayLineBreak(tool.paramsSchema, params);
}

function refuse(code: HouseCode, detail: string): Checked {
  return { ok: false, denial: denial(code, detail) };
}

type Validated = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

function validate(tool: Tool, params: JsonObject): Validated | null {
  try {
    const result = tool.params["~standard"].validate(params);
    return isPromised(result) ? null : (result as Validated);
  } catch {
    // A schema is the tool author's code. One that throws decides nothing, and silence denies.
    return null;
  }
}

/** A key that the input has and the validated value lacks: a schema that strips unknown keys must not hide them. */
function lostKey(input: Json, output: Json, path: string): string | null {
  if (Array.isArray(input)) {
    if (!Array.isArray(output)) return null;
    for (let i = 0; i < input.length; i++) {
      const lost = lostKey(input[i] ?? null, output[i] ?? null, `${path}[${i}]`);
      if (lost !== null) return lost;
    }
    return null;
  }
  if (!isJsonObject(input) || !isJsonObject(output)) return null;
  for (const key of Object.keys(input)) {
    if (!Object.hasOwn(output, key)) return JSON.stringify(path === "" ? key : `${path}.${key}`);
    const lost = lostKey(input[key] ?? null, output[key] ?? null, path === "" ? key : `${path}.${key}`);
    if (lost !== null) return lost;
  }
  return null;
}

/** The first issue as one of our codes. Schemas other than zod's give no code; theirs is `invalid_params` with their message. */
function firstIssue(issues: readonly SchemaIssue[], params: JsonObject): readonly [HouseCode, string] {
  const issue = issues[0];
  if (issue === undefined) return ["invalid_params", "the params do not fit"];
  const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  const where = path.length === 0 ? "params" : path.map(String).join(".");
  return [codeOf(issue, valueAt(params, path)), `${where}: ${issue.message}`];
}

function codeOf(issue: SchemaIssue, value: Json | undefined): HouseCode {
  switch (issue.code) {
    case "unrecognized_keys":
      return "unknown_key";
    case "invalid_type":
      if (value === undefined) return "missing_key";
      return issue.expected === "int" && typeof value === "number" && !Number.isInteger(value)
        ? "fraction"
        : "wrong_type";
    case "invalid_value":
      return value === undefined ? "missing_key" : "not_in_enum";
    case "not_multiple_of":
      return typeof value === "number" && !Number.isInteger(value) ? "fraction" : "out_of_bounds";
    case "too_big":
    case "too_small":
      return "out_of_bounds";
    case "invalid_format":
      return "bad_format";
    case "invalid_union":
      return "no_variant";
    default:
      return "invalid_params";
  }
}

function valueAt(params: JsonObject, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = params;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isJsonObject(value) && typeof key === "string" && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}
