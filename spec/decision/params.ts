import type { Json, JsonObject } from "../../src/domain/json.ts";
import { plainText } from "./plain-text.ts";
import type { SaidField, SaidTool } from "./said.ts";

/** The params as the tool takes them, or the code with which they are refused. */
export function paramsOf(tool: SaidTool, given: unknown): { readonly params: JsonObject } | { readonly code: string } {
  const odd = oddityOf(given);
  if (odd !== null) return { code: odd };
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { code: "wrong_type" };

  switch (tool.schema) {
    case "throws":
    case "promises":
      return { code: "policy_error" };
    case "refuses":
      return { code: "invalid_params" };
  }

  const entries = Object.entries(given as JsonObject);
  const params: { [name: string]: Json } = {};
  for (const [name, value] of entries) {
    const field = Object.hasOwn(tool.fields, name) ? tool.fields[name] : undefined;
    // Nothing, for a field that may be left out, is the same as leaving it out.
    if (value === null && field?.optional === true) continue;
    params[name] = value;
  }
  for (const [name, field] of Object.entries(tool.fields)) {
    if (!Object.hasOwn(params, name)) {
      if (field.optional === true) continue;
      return { code: field.is === "either" ? "no_variant" : "missing_key" };
    }
    const code = misfit(params[name] ?? null, field);
    if (code !== null) return { code };
  }
  const stray = Object.keys(params).some((name) => !Object.hasOwn(tool.fields, name));
  return stray ? { code: "unknown_key" } : { params };
}

function misfit(value: Json, field: SaidField): string | null {
  switch (field.is) {
    case "whole":
      if (typeof value !== "number") return "wrong_type";
      if (!Number.isInteger(value)) return "fraction";
      return value < field.min || value > field.max ? "out_of_bounds" : null;
    case "one_of":
      return typeof value === "string" && field.values.includes(value) ? null : "not_in_enum";
    case "text":
      if (typeof value !== "string") return "wrong_type";
      return value.length > field.length ? "out_of_bounds" : null;
    case "form": {
      if (typeof value !== "string") return "wrong_type";
      const letters = value.slice(0, field.letters);
      const digits = value.slice(field.letters);
      const isRight = value.length === field.letters + field.digits;
      const isMade = [...letters].every((one) => one >= "A" && one <= "Z");
      return isRight && isMade && [...digits].every((one) => one >= "0" && one <= "9") ? null : "bad_format";
    }
    case "texts": {
      if (!Array.isArray(value)) return "wrong_type";
      for (const one of value as readonly Json[]) {
        if (typeof one !== "string") return "wrong_type";
        if (one.length > field.length) return "out_of_bounds";
      }
      return value.length > field.many ? "out_of_bounds" : null;
    }
    case "either": {
      const codes = field.of.map((one) => misfit(value, one));
      if (codes.includes(null)) return null;
      // What is of one variant's type and only beyond its bounds is told so; else nobody can say which was meant.
      const near = codes.filter((code) => code === "out_of_bounds" || code === "bad_format");
      return near.length === 1 ? (near[0] ?? null) : "no_variant";
    }
  }
}

const DEEP_MAX = 32;
const MEMBERS_MAX = 10_000;
const BYTES_MAX = 65_536;

/** What cannot even be looked at is no data. */
function oddityOf(value: unknown): string | null {
  try {
    const odd = oddity(value, 0);
    if (odd !== null) return odd;
    if (membersIn(value) > MEMBERS_MAX) return "too_many_keys";
    return new TextEncoder().encode(plainText(value as Json)).length > BYTES_MAX ? "too_large" : null;
  } catch {
    return "not_plain";
  }
}

/** Why something is not even data that can be carried and written down exactly; its fields in the order of their names. */
function oddity(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case "string":
      return /\p{Surrogate}/u.test(value) ? "lone_surrogate" : null;
    case "number":
      if (!Number.isFinite(value)) return "number_out_of_range";
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? "unsafe_integer" : null;
    case "boolean":
      return null;
    case "object":
      break;
    default:
      return "not_plain";
  }
  if (value === null) return null;
  if (depth === DEEP_MAX) return "too_deep";
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (!Object.hasOwn(value, i)) return "not_plain";
      const odd = oddity(value[i], depth + 1);
      if (odd !== null) return odd;
    }
    return null;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return "not_plain";
  for (const name of Object.getOwnPropertyNames(value).sort()) {
    if (name === "__proto__" || name === "constructor" || name === "prototype") return "forbidden_key";
    const one = (value as { readonly [name: string]: unknown })[name];
    if (one === undefined) continue;
    const odd = oddity(name, depth) ?? oddity(one, depth + 1);
    if (odd !== null) return odd;
  }
  return null;
}

function membersIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, one) => sum + 1 + membersIn(one), 0);
}
