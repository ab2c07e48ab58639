import { TIMER_MS_MAX } from "../domain/budgets.ts";
import { isHouseCode } from "../domain/denial.ts";
import { EFFECTS } from "../domain/effect.ts";
import type { Finding } from "../domain/finding.ts";
import { HOUSE_RULES } from "../domain/house-rule.ts";
import { atLeast, PLACEMENTS } from "../domain/placement.ts";
import { type PolicyRule, ruleNames } from "../domain/policy.ts";
import type { Tool } from "../domain/tool.ts";
import { checkCapRules } from "./cap-rules.ts";
import { openings } from "./closed-schema.ts";
import { checkTrace, isTraced, standsIn } from "./placement-provenance.ts";
import { fieldsOf } from "./schema-parts.ts";

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
    if (!isDeclared(tool)) {
      findings.push(error("not_a_tool", toolAt(tool), "is not made by defineTool or defineActor"));
      continue;
    }
    if (names.has(tool.name))
      findings.push(error("duplicate_tool", `tool ${tool.name}`, "is declared twice; give one another name"));
    names.add(tool.name);
    // Rules that are not shaped like one are said below, once, and count for nothing.
    findings.push(
      ...checkTool(
        tool,
        policies.filter((rule) => Array.isArray(rule?.tools)),
      ),
    );
  }
  findings.push(...checkCapRules(tools.filter(isDeclared)));
  for (const rule of policies) findings.push(...checkRule(rule, tools));
  return findings;
}

/** Whether a tool has everything that defineTool gives one, so that what reads it need not look. */
function isDeclared(tool: unknown): tool is Tool {
  if (typeof tool !== "object" || tool === null) return false;
  const { denials, caps, paramsSchema, local } = tool as Partial<Tool>;
  return Array.isArray(denials) && Array.isArray(caps) && paramsSchema !== undefined && typeof local === "boolean";
}

function toolAt(tool: unknown): string {
  const name = (tool as { readonly name?: unknown } | null)?.name;
  return typeof name === "string" ? `tool ${name}` : "config.tools";
}

function checkTool(tool: Tool, policies: readonly PolicyRule[]): readonly Finding[] {
  const where = `tool ${String(tool.name)}`;
  const shape = checkShape(tool, where);
  // A tool that is not even shaped like one would make every later sentence misleading.
  if (shape.length > 0) return shape;
  return [
    ...checkParams(tool, where),
    ...checkJustified(tool, where),
    ...checkTrace(tool, where),
    ...checkRails(tool, policies, where),
  ];
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
  for (const key of ["record", "recordVersion", "probe", "settles", "passed"] as const) {
    if (tool[key] !== null && typeof tool[key] !== "function") say("no_function", `its \`${key}\` must be a function`);
  }
  if (tool.authorise !== null && tool.authorise !== "by_policy" && typeof tool.authorise !== "function") {
    say("no_function", 'its `authorise` must be a function or "by_policy"');
  }
  if (tool.evidence !== null && typeof tool.evidence.from !== "function") {
    say("no_function", "its `evidence` needs `from(record)`: the ids that the record knows");
  }
  if (!isBound(tool.deadlineMs, TIMER_MS_MAX))
    say("bad_bound", `its \`deadlineMs\` must be a whole number from 1 to ${TIMER_MS_MAX}`);
  if (!isBound(tool.resultBytesMax, Number.MAX_SAFE_INTEGER))
    say("bad_bound", "its `resultBytesMax` must be a whole number of at least 1");
  for (const code of tool.denials) {
    if (!CODE.test(code)) say("bad_code", `denial code "${code}" must be snake_case`);
    if (isHouseCode(code)) say("bad_code", `denial code "${code}" is one of the house; choose another`);
  }
  return wrong;
}

function isBound(value: number | null, max: number): boolean {
  return value === null || (Number.isSafeInteger(value) && value >= 1 && value <= max);
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
      !isJustified(tool, opening.path) &&
      !isTraced(tool, opening.path)
    ) {
      findings.push(
        error(
          "unbounded_string",
          where,
          `${field} is a string without a bound; use an enum, .max(n) or an anchored pattern, or let evidence or provenance vouch for it`,
        ),
      );
    }
  }
  return findings;
}

/** Only whole top-level fields are compared with the record; a rule for anything else would never be asked. */
function checkJustified(tool: Tool, where: string): readonly Finding[] {
  const fields = tool.paramsSchema === null ? null : fieldsOf(tool.paramsSchema);
  const findings: Finding[] = [];
  for (const [field, vouchedBy] of Object.entries(tool.evidence?.justifies ?? {})) {
    if (fields !== null && !fields.has(field)) {
      findings.push(
        error(
          "bad_justifies",
          where,
          `\`evidence.justifies\` names "${field}", which is no top-level field of \`params\``,
        ),
      );
    }
    if (typeof vouchedBy !== "function") {
      findings.push(error("bad_justifies", where, `\`evidence.justifies.${field}\` must be a function`));
    }
  }
  return findings;
}

/** A field that must equal what a cited record vouches for cannot carry anything of the model's own. */
function isJustified(tool: Tool, path: string): boolean {
  const isField = tool.paramsSchema !== null && fieldsOf(tool.paramsSchema).has(path);
  return isField && Object.hasOwn(tool.evidence?.justifies ?? {}, path);
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
    if (tool.evidence === null && !standsIn(tool))
      say("is irreversible and needs `evidence`, ids that code can check, or `provenance` for a value of its params");
    else if (tool.evidence !== null && !(tool.evidence.min >= 1))
      say("is irreversible and needs `evidence.min` of at least 1; an empty list proves nothing");
    if (tool.caps.length === 0) say("is irreversible and needs `caps`: a limit on how much in aggregate");
  }
  if (tool.evidence !== null && tool.record === null) {
    say("has `evidence` but no `record` to look the cited ids up in");
  }
  return findings;
}

function checkRule(rule: PolicyRule, tools: readonly Tool[]): readonly Finding[] {
  if (typeof rule !== "object" || rule === null || typeof rule.id !== "string" || rule.id === "") {
    return [error("bad_rule", "policies", "each rule needs an `id`; declare them with definePolicy")];
  }
  const where = `policy rule ${rule.id}`;
  const wrong: Finding[] = [];
  const say = (message: string): void => void wrong.push(error("bad_rule", where, message));
  if (HOUSE_RULES.some((house) => house === rule.id) || rule.id.startsWith("placement:")) {
    say("has a name of the house; choose another");
  }
  const { effect, code } = rule;
  if (!["permit", "stage", "deny"].includes(effect)) say("needs an `effect`: permit, stage, deny");
  if (typeof rule.when !== "function") say("needs `when`: a function that gives true or false");
  if (code !== undefined && typeof code !== "string") say("its `code` must be a string");
  if (effect === "stage" && (code ?? "") === "") say("stages and needs a `code`: the role that may approve");
  if (effect === "deny" && isHouseCode(String(code ?? rule.id))) {
    say(`denies with "${String(code ?? rule.id)}", which is a code of the house; choose another`);
  }
  if (!Array.isArray(rule.tools) || !rule.tools.every((name) => typeof name === "string")) {
    say("needs `tools`: a list of tool names");
  } else if (!tools.some((tool) => typeof tool?.name === "string" && ruleNames(rule, tool.name))) {
    const named = rule.tools.join(", ") || "empty list";
    wrong.push(error("rule_names_nothing", where, `names no tool that there is (${named})`));
  }
  return wrong;
}

function error(rule: string, where: string, message: string): Finding {
  return { rule, severity: "error", where, message };
}
