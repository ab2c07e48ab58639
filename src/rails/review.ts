import type { Finding } from "../domain/finding.ts";
import { type PolicyRule, ruleNames } from "../domain/policy.ts";
import type { Principal } from "../domain/principal.ts";
import type { Tool } from "../domain/tool.ts";

/** What a review of declared rules reads. `approvers`: roles by id. */
export type Reviewed = {
  readonly tools: readonly Tool[];
  readonly policies: readonly PolicyRule[];
  /** null: none are declared, and everybody may use every tool. */
  readonly principals: readonly Principal[] | null;
  readonly approvers: { readonly [id: string]: { readonly roles: readonly string[] } };
};

/**
 * What is likely not meant, in declarations that may start. An error is something that can never do what it says: a rule
 * that names a tool that there is not, or that another one always overrides. Functions are opaque, so only what can be
 * known from declarations and the text of functions is found; a clean review proves nothing.
 */
export function reviewPolicy(reviewed: Reviewed): readonly Finding[] {
  return [
    ...reviewed.policies.flatMap((rule, i) => reviewRule(rule, i, reviewed)),
    ...reviewed.tools.flatMap((tool) => reviewTool(tool, reviewed)),
    ...reviewRoles(reviewed),
    ...reviewCaps(reviewed),
    ...reviewPrincipals(reviewed),
  ];
}

function reviewRule(rule: PolicyRule, at: number, { tools, policies }: Reviewed): readonly Finding[] {
  const where = `policy rule ${rule.id}`;
  const findings: Finding[] = [];
  for (const name of rule.tools) {
    if (tools.some((tool) => ruleNames({ ...rule, tools: [name] }, tool.name))) continue;
    findings.push(error("rule_names_unknown", where, `names ${name}, and there is no such tool`));
  }
  const named = tools.filter((tool) => ruleNames(rule, tool.name));
  if (isAlways(rule, false))
    findings.push(error("rule_unreachable", where, "never applies: its `when` is always false"));
  const over = named.map((tool) => policies.find((other) => other !== rule && overrides(other, rule, tool)));
  const [first] = over;
  if (first !== undefined && over.every((other) => other !== undefined)) {
    const by = [...new Set(over.map((other) => other?.id))].join(", ");
    findings.push(
      error("rule_unreachable", where, `never decides: ${by} always ${ALWAYS[first.effect]} the same tools`),
    );
  }
  const same = policies.slice(0, at).find((other) => saysTheSame(other, rule));
  if (same !== undefined) findings.push(warning("rule_twice", where, `says the same as policy rule ${same.id}`));
  return findings;
}

const ALWAYS = { deny: "denies", stage: "stages", permit: "permits" } as const;
const STRENGTH = { permit: 0, stage: 1, deny: 2 } as const;

/** Whether `other` decides wherever `rule` would: a stronger effect that always applies. */
function overrides(other: PolicyRule, rule: PolicyRule, tool: Tool): boolean {
  return STRENGTH[other.effect] > STRENGTH[rule.effect] && isAlways(other, true) && ruleNames(other, tool.name);
}

function saysTheSame(a: PolicyRule, b: PolicyRule): boolean {
  const what = ({ tools, effect, code, when }: PolicyRule): string =>
    JSON.stringify([[...tools].sort(), effect, code ?? null, String(when)]);
  return what(a) === what(b);
}

/** Whether a rule's `when` is written as nothing but this constant: `() => true`. */
function isAlways({ when }: PolicyRule, value: boolean): boolean {
  const constant = value ? "(?:true|!0)" : "(?:false|!1)";
  const body = `(?:=>\\s*${constant}|(?:=>\\s*)?\\{\\s*return ${constant};?\\s*\\})`;
  return new RegExp(`^(?:function\\s*\\w*|\\w+)?\\s*(?:\\([^()]*\\))?\\s*${body}$`).test(String(when));
}

function reviewTool(tool: Tool, { policies }: Reviewed): readonly Finding[] {
  const where = `tool ${tool.name}`;
  const rules = policies.filter((rule) => ruleNames(rule, tool.name));
  const always = rules.find((rule) => rule.effect === "deny" && isAlways(rule, true));
  if (always !== undefined) {
    return [warning("tool_never_permitted", where, `is never permitted: policy rule ${always.id} always denies it`)];
  }
  const denies = rules.length > 0 && rules.every(({ effect }) => effect === "deny");
  if (typeof tool.authorise === "function" || !denies) return [];
  return [warning("tool_never_permitted", where, "is never permitted: the rules that name it only deny")];
}

/** Roles that something stages for, and that no approver has. */
function reviewRoles({ tools, policies, approvers }: Reviewed): readonly Finding[] {
  const known = new Set(Object.values(approvers).flatMap(({ roles }) => roles));
  const wanted = new Map<string, string>();
  const want = (role: string, where: string): void => {
    if (!known.has(role) && !wanted.has(role)) wanted.set(role, where);
  };
  for (const rule of policies) if (rule.effect === "stage") want(rule.code ?? "", `policy rule ${rule.id}`);
  for (const tool of tools) {
    const where = `tool ${tool.name}`;
    for (const role of rolesIn(String(tool.authorise))) want(role, where);
    for (const { otherwise } of Object.values(tool.provenance ?? {})) {
      if (otherwise !== undefined) want(otherwise.stage, where);
    }
  }
  return [...wanted].map(([role, where]) =>
    warning("role_nobody_has", where, `stages for "${role}", and no approver has that role, so it is never done`),
  );
}

/** The roles that a function's text stages for by name. */
function rolesIn(source: string): readonly string[] {
  return [...source.matchAll(/\bstage\)?\(\s*(["'`])([^"'`$]+)\1\s*\)/g)].map((match) => match[2] ?? "");
}

function reviewCaps({ tools, principals }: Reviewed): readonly Finding[] {
  const findings: Finding[] = [];
  const names = new Map<string, string>();
  const caps = tools.flatMap((tool) => tool.caps.map((cap) => ({ tool, cap })));
  for (const { tool, cap } of caps) {
    const where = `tool ${tool.name}`;
    const known = names.get(cap.name.toLowerCase());
    if (known !== undefined && known !== cap.name) {
      findings.push(
        warning("cap_alike", where, `cap ${cap.name} differs from cap ${known} in case only: they are two`),
      );
    }
    names.set(cap.name.toLowerCase(), known ?? cap.name);
    if (cap.limit === 0) {
      findings.push(warning("cap_shut", where, `cap ${cap.name} has the limit 0, so nothing that counts is permitted`));
    }
    if (cap.limit === Number.MAX_SAFE_INTEGER) {
      findings.push(
        warning("cap_open", where, `cap ${cap.name} has the largest limit that there is: it limits nothing`),
      );
    }
  }
  for (const name of new Set(caps.map(({ cap }) => cap.name))) {
    const users = caps.filter(({ cap }) => cap.name === name).map(({ tool }) => tool);
    if (users.some((tool) => isUsable(tool, principals))) continue;
    const of = users.map((tool) => tool.name).join(", ");
    findings.push(warning("cap_unused", `cap ${name}`, `is of tools that nobody may use: ${of}`));
  }
  return findings;
}

function reviewPrincipals({ tools, principals }: Reviewed): readonly Finding[] {
  if (principals === null) {
    return [warning("principals_none", "principals", "none are declared: everybody may use every tool")];
  }
  return [
    ...principals
      .filter((principal) => principal.tools.length === 0)
      .map(({ id }) => warning("principal_idle", `principal ${id}`, "may use no tool")),
    ...tools
      .filter((tool) => !isUsable(tool, principals))
      .map(({ name }) => warning("tool_unused", `tool ${name}`, "no principal may use it")),
  ];
}

function isUsable(tool: Tool, principals: Reviewed["principals"]): boolean {
  return principals === null || principals.some((principal) => principal.tools.includes(tool.name));
}

function error(rule: string, where: string, message: string): Finding {
  return { rule, severity: "error", where, message };
}

function warning(rule: string, where: string, message: string): Finding {
  return { rule, severity: "warning", where, message };
}
