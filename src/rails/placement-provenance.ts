import type { Finding } from "../domain/finding.ts";
import { isJsonObject } from "../domain/json.ts";
import { type ProvenanceRule, SPELLINGS } from "../domain/provenance.ts";
import type { Tool } from "../domain/tool.ts";
import { openings } from "./closed-schema.ts";
import { fieldsOf } from "./schema-parts.ts";

/** What is wrong with a tool's `trusted` and `provenance`, for start-up: a rule that is never asked is no rail. */
export function checkTrace(tool: Tool, where: string): readonly Finding[] {
  const findings: Finding[] = [];
  const say = (rule: string, message: string): void => void findings.push({ rule, severity: "error", where, message });
  if (!isTrusted(tool.trusted)) {
    say("bad_trusted", 'its `trusted` must be "all" or a list of paths such as `iban`, `[].recipient` or `owner.*`');
  }
  if (tool.provenance === null) return findings;
  if (!isJsonObject(tool.provenance) || Object.keys(tool.provenance).length === 0) {
    say("bad_provenance", "its `provenance` must name at least one field of `params`");
    return findings;
  }
  const fields = tool.paramsSchema === null ? null : fieldsOf(tool.paramsSchema);
  const open = tool.paramsSchema === null ? [] : openings(tool.paramsSchema);
  for (const [field, rule] of Object.entries(tool.provenance)) {
    if (fields !== null && !fields.has(field)) {
      say("bad_provenance", `\`provenance\` names "${field}", which is no top-level field of \`params\``);
    }
    // Keys are not traced, so nothing may travel in one.
    if (open.some(({ path, kind }) => kind !== "unbounded_string" && (path === "" || isUnder(path, field)))) {
      say("bad_provenance", `\`provenance.${field}\` is of a field that takes unknown keys; give it a closed type`);
    }
    const fault = faultIn(rule);
    if (fault !== null) say("bad_provenance", `\`provenance.${field}\` ${fault}`);
  }
  return findings;
}

const RULE_KEYS: readonly string[] = ["from", "as", "otherwise", "inside"];

function faultIn(rule: unknown): string | null {
  if (!isJsonObject(rule)) return "must be an object with `from`";
  const { from, as, otherwise, inside } = rule as Partial<ProvenanceRule>;
  const stray = Object.keys(rule).find((key) => !RULE_KEYS.includes(key));
  if (stray !== undefined) return `has the unknown key "${stray}"`;
  if (!Array.isArray(from) || from.length === 0 || !from.every((one) => one === "request" || one === "trusted")) {
    return 'needs `from`: a list of "request" and "trusted"';
  }
  if (as !== undefined && !SPELLINGS.includes(as)) return `needs \`as\` to be one of ${SPELLINGS.join(", ")}`;
  if (inside !== undefined && inside !== true) return "may say `inside: true` and nothing else";
  if (inside === true && as !== undefined) return "looks inside of a text, so it has no `as`";
  if (otherwise === undefined) return null;
  const role = isJsonObject(otherwise) && Object.keys(otherwise).join() === "stage" ? otherwise.stage : null;
  return typeof role === "string" && ROLE.test(role) ? null : "needs `otherwise.stage` to be the name of a role";
}

const ROLE = /^[A-Za-z][A-Za-z0-9_.:-]{0,63}$/;

function isTrusted(trusted: unknown): boolean {
  if (trusted === "all") return true;
  return Array.isArray(trusted) && trusted.every((path) => typeof path === "string" && path !== "*" && path !== ".*");
}

/** A field whose whole value must have been seen cannot carry anything of the model's own. */
export function isTraced(tool: Tool, path: string): boolean {
  if (tool.paramsSchema === null) return false;
  const { provenance } = tool;
  // A dot may stand in a name too, so a path may be of several fields: each of them must be traced then.
  const fields = [...fieldsOf(tool.paramsSchema)].filter((field) => isUnder(path, field));
  return fields.length > 0 && fields.every((field) => isWhole(provenance, field));
}

function isWhole(provenance: Tool["provenance"], field: string): boolean {
  return provenance !== null && Object.hasOwn(provenance, field) && provenance[field]?.inside !== true;
}

/** Whether provenance can stand in for evidence: at least one value must have been seen as a whole. */
export function standsIn({ provenance }: Tool): boolean {
  return isJsonObject(provenance) && Object.keys(provenance).some((field) => isWhole(provenance, field));
}

function isUnder(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
