import { canonicalJson } from "../../domain/canonical.ts";
import type { Json } from "../../domain/json.ts";
import type { DroppedRule, Refusal, RoutedRule, Served, ServedRule } from "../../domain/served.ts";

/** A plan as readable lines, so that two of them can be held against each other. */
export function planLines(planned: Served | Refusal): readonly string[] {
  if ("kind" in planned) return [`refused: ${planned.code}`, ...planned.rules.map((rule) => `  ${rule}`)];
  const { report, slot, text } = planned;
  const { bytes, budgetBytes, dropped, kept, profile, routed } = report;
  return [
    `profile ${profile}: ${bytes} of ${budgetBytes} bytes at ${slot}`,
    ...kept.map((rule) => `kept ${nameOf(rule)}`),
    ...routed.map((rule) => `routed ${nameOf(rule)}: ${conditionOf(rule)}`),
    ...dropped.map((rule) => `dropped ${nameOf(rule)}: ${rule.reason}`),
    ...textLines("text", text),
    ...routed.flatMap((rule) => textLines(`text of ${rule.id}`, rule.text)),
  ];
}

function nameOf(rule: ServedRule | DroppedRule): string {
  const safety = "safety" in rule && rule.safety ? ", safety" : "";
  const escalation = "escalate" in rule && rule.escalate !== null ? `, escalates: ${rule.escalate}` : "";
  return `${rule.id}@${rule.revision.slice(0, 12)} (${rule.bytes} bytes${safety}${escalation})`;
}

function conditionOf({ when }: RoutedRule): string {
  return `when ${canonicalJson(when as unknown as Json)}`;
}

function textLines(title: string, text: string): readonly string[] {
  return text === "" ? [] : [`--- ${title}`, ...text.split("\n").map((line) => `| ${line}`)];
}
