import type { DenialGroup, Dimension, Tallied } from "./tally.ts";

/** What the counter is counted by: every label of low cardinality that a decision has. */
export const METRIC_DIMENSIONS = ["tool", "rail", "code", "rule", "model", "prompt"] as const satisfies Dimension[];

/** Digits of a version's digest that stand in a label. */
const DIGEST_UNITS = 12;

const HELP = "Proposals that were decided, by what became of them.";

/**
 * Decisions as a counter in Prometheus' text exposition format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Count with METRIC_DIMENSIONS and all outcomes over all time,
 * so that the counter only grows. What has no value for a label has an empty one, which to Prometheus is none; what was
 * counted beyond the groups has `(other)` in every label but `outcome`.
 */
export function prometheusText({ groups, other }: Pick<Tallied, "groups" | "other">): string {
  const name = "signalbox_decisions_total";
  const counts = new Map<string, number>();
  const add = (labels: readonly (readonly [string, string])[], n: number): void => {
    const text = labels.map(([label, value]) => `${label}="${escaped(value)}"`).join(",");
    counts.set(text, (counts.get(text) ?? 0) + n);
  };
  for (const { outcome, key, n } of groups) add([["outcome", outcome], ...labelsOf(key)], n);
  for (const [outcome, n] of Object.entries(other ?? {})) {
    if (n > 0) add([["outcome", outcome], ...METRIC_DIMENSIONS.map(otherLabel)], n);
  }
  const lines = [...counts].map(([labels, n]) => `${name}{${labels}} ${n}`).sort();
  return `# HELP ${name} ${HELP}\n# TYPE ${name} counter\n${lines.map((line) => `${line}\n`).join("")}`;
}

function labelsOf(key: DenialGroup["key"]): readonly (readonly [string, string])[] {
  return METRIC_DIMENSIONS.map((dimension) => {
    const value = key[dimension] ?? "";
    return [dimension, dimension === "prompt" ? value.slice(0, DIGEST_UNITS) : value] as const;
  });
}

function otherLabel(dimension: Dimension): readonly [string, string] {
  return [dimension, "(other)"];
}

/** A label's value may hold anything, with these three escaped. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
