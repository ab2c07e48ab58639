import { dayIn } from "../domain/dates.ts";
import { isHouseCode } from "../domain/denial.ts";
import { EFFECTS } from "../domain/effect.ts";
import type { Finding } from "../domain/finding.ts";
import { atLeast, PLACEMENTS } from "../domain/placement.ts";
import { type PolicyRule, ruleNames } from "../domain/policy.ts";
import type { Tool } from "../domain/tool.ts";
import { openings } from "./closed-schema.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const CODE = /^[a-z][a-z0-9_]{0,63}$/;
/** Names that every object answers to; a tool or rule may not have one. */
const PROTOTYPE_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/**
 * Placement as an obligation (design 6.2): what is missing or wrong in the declared tools and policies. Start-up refuses
 * where any finding is an error, so a tool without its mandatory rails cannot be registered.
 */
export function checkDeclarations(tools: readonly Tool[], policies: readonly PolicyRule[]): readonly Finding[] {
  const findings: Finding[] = [];
  const names = new Set<string>();
  for (const tool of tools) {
    if (names.has(tool.name))
      findings.push(error("duplicate_tool", `tool ${tool.name}`, "is declared twice; give one another name"));
    names.add(tool.name);
    findings.push(...checkTool(tool, policies));
  }
  for (const rule of policies) findings.push(...checkRule(rule, tools));
  return findings;
}

function checkTool(tool: Tool, policies: readonly PolicyRule[]): readonly Finding[] {
  const where = `tool ${String(tool.name)}`;
  const shape = checkShape(tool, where);
  // A tool that is not even shaped like one would make every later sentence misleading.
  if (shape.length > 0) return shape;
  return [...checkParams(tool, where), ...checkRails(tool, policies, where), ...checkCapRules(tool, where)];
}

function checkShape(tool: Tool, where: string): readonly Finding[] {
  const wrong: Finding[] = [];
  const say = (rule: string, message: string): void => void wrong.push(error(rule, where, message));
  if (typeof tool.name !== "string" || !NAME.test(tool.name) || PROTOTYPE_NAMES.includes(tool.name)) {
    say("bad_name", "needs a name of letters, digits, _ . - that begins with a letter, at most 64 long");
  }
  if (typeof tool.description !== "string" || tool.description.trim() === "")
    say("no_description", "needs a one-sentence `description`");
  if (!PLACEMENTS.includes(tool.placement)) say("bad_placement", `needs a \`placement\`: ${PLACEMENTS.join(", ")}`);
  if (!EFFECTS.includes(tool.effect)) say("bad_effect", `needs an \`effect\`: ${EFFECTS.join(", ")}`);
  if (tool.params?.["~standard"]?.validate === undefined)
    say("no_params", "needs `params`: a zod object or another Standard Schema");
  if (typeof tool.execute !== "function") say("no_execute", "needs `execute`");
  if (typeof tool.summarise !== "function")
    say("no_summary", "needs `summarise(result)`: the line that stays in the prompt");
  for (const code of tool.denials) {
    if (!CODE.test(code)) say("bad_code", `denial code "${code}" must be snake_case`);
    if (isHouseCode(code)) say("bad_code", `denial code "${code}" is one of the house; choose another`);
  }
  return wrong;
}

function checkParams(tool: Tool, where: string): readonly Finding[] {
  if (tool.paramsSchema === null) {
    if (!atLeast(tool.placement, "staff-reversible")) return [];
    return [
      error(
        "params_unreadable",
        where,
        "its `params` give no JSON Schema, so nobody can check that they are closed; drop transforms and custom types",
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const opening of openings(tool.paramsSchema)) {
    const field = opening.path === "" ? "`params`" : `\`params.${opening.path}\``;
    if (opening.kind === "unknown_keys") {
      findings.push(error("params_open", where, `${field} takes unknown keys; use z.strictObject`));
    } else if (opening.kind === "anything" && tool.placement !== "internal") {
      findings.push(error("params_open", where, `${field} takes anything; give it a closed type`));
    } else if (
      opening.kind === "unbounded_string" &&
      atLeast(tool.placement, "staff-reversible") &&
      !isJustified(tool, opening.path)
    ) {
      findings.push(
        error(
          "unbounded_string",
          where,
          `${field} is a string without a bound; use an enum, .max(n) or an anchored pattern, or let evidence justify it`,
        ),
      );
    }
  }
  return findings;
}

/** A field that must equal what a cited record vouches for cannot carry anything of the model's own. */
function isJustified(tool: Tool, path: string): boolean {
  return Object.hasOwn(tool.evidence?.justifies ?? {}, path);
}

function checkRails(tool: Tool, policies: readonly PolicyRule[], where: string): readonly Finding[] {
  const findings: Finding[] = [];
  const say = (message: string): void => void findings.push(error("missing_rail", where, message));
  const hasRule = typeof tool.authorise === "function" || policies.some((rule) => ruleNames(rule, tool.name));
  if (tool.placement === "user-reversible" && (tool.review === null || tool.review.trim() === "")) {
    say("is user-reversible and needs `review`: where the user sees it before it counts");
  }
  if (atLeast(tool.placement, "staff-reversible") && !hasRule) {
    say(`is ${tool.placement} and needs the action rail: an \`authorise\`, or a rule of definePolicy that names it`);
  } else if (tool.authorise === "by_policy" && !hasRule) {
    say("leaves the action rail to the policies, but no rule names it");
  }
  if (tool.placement === "irreversible") {
    if (tool.evidence === null) say("is irreversible and needs `evidence`: ids that code can check");
    else if (!(tool.evidence.min >= 1))
      say("is irreversible and needs `evidence.min` of at least 1; an empty list proves nothing");
    if (tool.caps.length === 0) say("is irreversible and needs `caps`: a limit on how much in aggregate");
  }
  if (tool.evidence !== null && tool.record === null) {
    say("has `evidence` but no `record` to look the cited ids up in");
  }
  return findings;
}

function checkCapRules(tool: Tool, where: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const cap of tool.caps) {
    if (!Number.isSafeInteger(cap.limit) || cap.limit < 0) {
      findings.push(error("bad_cap", where, `cap ${cap.name}: the limit must be a whole number in minor units`));
    }
    if (cap.window !== "per_run" && !isZone(cap.window.zone)) {
      findings.push(error("bad_cap", where, `cap ${cap.name}: unknown time zone "${String(cap.window?.zone)}"`));
    }
  }
  return findings;
}

function checkRule(rule: PolicyRule, tools: readonly Tool[]): readonly Finding[] {
  const where = `policy rule ${rule.id}`;
  if (rule.tools.length === 0 || !tools.some((tool) => ruleNames(rule, tool.name))) {
    return [
      error("rule_names_nothing", where, `names no tool that there is (${rule.tools.join(", ") || "empty list"})`),
    ];
  }
  return [];
}

function isZone(zone: unknown): boolean {
  try {
    return typeof zone === "string" && dayIn(zone, 0) !== "";
  } catch {
    // A RangeError is how the platform says that it does not know the zone.
    return false;
  }
}

function error(rule: string, where: string, message: string): Finding {
  return { rule, severity: "error", where, message };
}
