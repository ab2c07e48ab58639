import type { Served } from "../../domain/served.ts";
import { type Io, paint } from "./io.ts";
import { counted, grouped, visible } from "./text.ts";

/** What was served of the rules, as a person reads it. */

const NAMES_MAX = 3;

/** `2 rules, 1.2 of 2.0 KB`, `1 dropped (after_the_stop: tone-of-voice)`, `1 on channel B`, `1 withheld (expired: old)`. */
export function servedTexts({ report, withheld }: Pick<Served, "report" | "withheld">): readonly string[] {
  const { kept, routed, dropped, bytes, budgetBytes } = report;
  const rules = kept.length === 0 ? "no rule served" : counted(kept.length, "rule");
  return [
    `${rules}, ${budgetText(bytes, budgetBytes)}`,
    ...(routed.length === 0 ? [] : [`${routed.length} on channel B`]),
    ...byReason(
      "dropped",
      dropped.map(({ id, reason }) => [reason, id]),
    ),
    ...byReason(
      "withheld",
      withheld.map(({ id, code }) => [code, id]),
    ),
  ];
}

/** `2 dropped (after_the_stop: a, b)`, with as many names as a line bears. */
function byReason(what: string, pairs: readonly (readonly [string, string])[]): readonly string[] {
  if (pairs.length === 0) return [];
  const reasons = [...new Set(pairs.map(([reason]) => reason))].map((reason) => {
    const ids = pairs.filter(([other]) => other === reason).map(([, id]) => visible(id));
    const more = ids.length > NAMES_MAX ? `, +${ids.length - NAMES_MAX} more` : "";
    return `${reason}: ${ids.slice(0, NAMES_MAX).join(", ")}${more}`;
  });
  return [`${pairs.length} ${what} (${reasons.join("; ")})`];
}

/** One decimal, in thousands of 1,024 bytes. */
function kilobytes(bytes: number): string {
  return (bytes / 1_024).toFixed(1);
}

/** `53 of 2,048 B`, or `1.2 of 2.0 KB`: so little that kilobytes would show none of it is said in bytes. */
export function budgetText(bytes: number, budgetBytes: number): string {
  if (Math.min(bytes, budgetBytes) < 1_024) return `${grouped(bytes)} of ${grouped(budgetBytes)} B`;
  return `${kilobytes(bytes)} of ${kilobytes(budgetBytes)} KB`;
}

const FILL_COLUMNS = 24;
/** With its two ends. */
export const BAR_COLUMNS = FILL_COLUMNS + 2;

/** How much of a budget is taken: by safety rules, by others, and free. Drawn on a terminal only. */
export function budgetBar(io: Io, safety: number, others: number, budget: number): string {
  if (!io.isTty) return "";
  const columns = (bytes: number): number =>
    Math.min(FILL_COLUMNS, Math.round((bytes / Math.max(1, budget)) * FILL_COLUMNS));
  const taken = columns(safety + others);
  const pinned = Math.min(taken, safety > 0 ? Math.max(1, columns(safety)) : 0);
  const full = safety + others > budget ? "red" : "green";
  const bar = [
    paint(io, safety > budget ? "red" : "yellow", "█".repeat(pinned)),
    paint(io, full, "█".repeat(taken - pinned)),
    paint(io, "dim", "░".repeat(FILL_COLUMNS - taken)),
  ];
  return `▕${bar.join("")}▏`;
}
