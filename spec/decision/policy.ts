import type { Json, JsonObject } from "../../src/domain/json.ts";
import { holds } from "./holds.ts";
import type { SaidCase, SaidRule, SaidTool, SaidVerdict } from "./said.ts";

export type Judged =
  | { readonly effect: "permit"; readonly rule: string }
  | { readonly effect: "stage"; readonly rule: string; readonly role: string }
  | { readonly effect: "deny"; readonly rule: string; readonly code: string };

/** What all rules say together: a denial beats a stage beats a permit, the first of its kind speaks for all, and silence denies. */
export function judged(about: SaidCase, tool: SaidTool, params: JsonObject, record: Json): Judged {
  const own = tool.authorise !== null && tool.authorise !== "by_policy" ? tool.authorise : null;
  const naming = about.rules.filter((rule) => names(rule, tool.name));
  const all: Judged[] = [];
  if (own !== null) {
    const found = own.cases.map(({ when, verdict }) => ({ verdict, held: holds(when, about, params, record) }));
    // The cases are asked one after the other, so one that breaks after one that holds is never reached.
    const decisive = found.find(({ held }) => held !== "no");
    all.push(ownWord(tool, decisive?.held === "broken" ? { broken: "throws" } : (decisive?.verdict ?? own.otherwise)));
  }
  for (const rule of naming) {
    if ("broken" in rule.when) {
      all.push({ effect: "deny", rule: rule.id, code: "policy_error" });
      continue;
    }
    const held = holds(rule.when, about, params, record);
    if (held === "broken") all.push({ effect: "deny", rule: rule.id, code: "policy_error" });
    if (held === "yes") all.push(ruleWord(rule));
  }
  for (const effect of ["deny", "stage", "permit"] as const) {
    const first = all.find((one) => one.effect === effect);
    if (first === undefined) continue;
    if (first.effect !== "stage") return first;
    // The first names the rule, and the person needs the role of every rule that asks for one.
    const roles = all.flatMap((one) => (one.effect === "stage" ? [one.role] : []));
    return { effect: "stage", rule: first.rule, role: everyRole(roles) };
  }
  if (own !== null || naming.length > 0) return { effect: "deny", rule: "default", code: "no_permit" };
  const mayGoWithout = tool.placement === "internal" || tool.placement === "user-reversible";
  if (!mayGoWithout || tool.authorise === "by_policy") return { effect: "deny", rule: "default", code: "no_policy" };
  return { effect: "permit", rule: `placement:${tool.placement}` };
}

/** Each role once, in the order of the alphabet. */
export function everyRole(roles: readonly string[]): string {
  const once: string[] = [];
  for (const role of roles.flatMap((one) => one.split(" + "))) if (!once.includes(role)) once.push(role);
  return once.sort().join(" + ");
}

function ownWord(tool: SaidTool, verdict: SaidVerdict): Judged {
  const rule = `${tool.name}.authorise`;
  const broken = { effect: "deny", rule, code: "policy_error" } as const;
  if ("broken" in verdict) return broken;
  switch (verdict.says) {
    case "permit":
      return { effect: "permit", rule };
    case "stage":
      return { effect: "stage", rule, role: verdict.role };
    case "deny":
      // The codes of a tool are a closed list.
      return tool.denials.includes(verdict.code) ? { effect: "deny", rule, code: verdict.code } : broken;
    default:
      return broken;
  }
}

function ruleWord({ id, effect, code }: SaidRule): Judged {
  switch (effect) {
    case "permit":
      return { effect, rule: id };
    case "stage":
      return { effect, rule: id, role: code ?? "" };
    case "deny":
      return { effect, rule: id, code: code ?? id };
  }
}

/** By its whole name, or by a beginning with a star behind it. */
function names(rule: SaidRule, tool: string): boolean {
  return rule.tools.some((name) => {
    if (name === tool) return true;
    return name.endsWith("*") && tool.slice(0, name.length - 1) === name.slice(0, -1);
  });
}
