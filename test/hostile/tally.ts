import type { RunEvent } from "../../src/index.ts";

/** What a campaign saw, by name: for its report, and so that a test which saw nothing cannot pass. */
export type Counts = Map<string, number>;

export function count(counts: Counts, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

export function countEvent(counts: Counts, event: RunEvent): void {
  switch (event.kind) {
    case "replied":
      count(counts, event.reply === null ? `unread ${event.why?.code}` : `read ${event.reply.kind}`);
      if (event.repair !== null) {
        count(counts, "repaired");
        for (const name of event.repair.names) count(counts, `repair ${name}`);
      }
      if (event.notRun.length > 0) count(counts, "further calls not run");
      return;
    case "model_failed":
      count(counts, `model ${FAILURES.has(event.code) ? event.code : "of another code"}`);
      return;
    case "decided":
      if (event.denial === null) count(counts, `decided ${event.outcome}`);
      else count(counts, `denial ${event.denial.code}`);
      return;
    case "finished":
      count(counts, `effect ${event.tool} ${event.outcome}`);
      return;
    case "settled_before":
      count(counts, "receipt given back");
      return;
    case "ended":
      count(counts, `ending ${event.ending}`);
      return;
    default:
      return;
  }
}

const FAILURES: ReadonlySet<string> = new Set([
  ...["unreachable", "timeout", "http_error", "bad_answer", "context_overflow", "prompt_truncated", "adapter_threw"],
]);

/** One line a group, the most frequent first. */
export function printed(counts: Counts): string {
  const groups = new Map<string, [string, number][]>();
  for (const [name, times] of counts) {
    const [group = "", ...rest] = name.split(" ");
    groups.set(group, [...(groups.get(group) ?? []), [rest.join(" "), times]]);
  }
  return [...groups]
    .map(([group, names]) => {
      const sorted = names.sort(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`.trim());
      return `  ${group}: ${sorted.join(", ")}`;
    })
    .join("\n");
}
