import type { Denial, RunEvent } from "../../index.ts";
import { clip, grouped, visible } from "./text.ts";

/** The texts of a run's rows: proposals, denials and caps as a person reads them. */

const VALUE_COLUMNS_MAX = 48;
/** Holds what belongs together on one line; print-row.ts makes it a space. */
const GLUE = "\u00a0";

/** `refund {orderId: 1042, kind: full} cites evt_3`. */
export function callText(proposal: {
  readonly tool: string;
  readonly params: unknown;
  readonly evidence: readonly string[];
}): string {
  return `${shown(proposal.tool)} ${paramsText(proposal.params)}${citesText(proposal.evidence)}`;
}

const CITES_MAX = 8;

function citesText(evidence: readonly string[]): string {
  if (evidence.length === 0) return "";
  const more = evidence.length > CITES_MAX ? `, +${evidence.length - CITES_MAX} more` : "";
  return ` cites${GLUE}${evidence.slice(0, CITES_MAX).map(shown).join(", ")}${more}`;
}

/** A name or id of the model's own making: of any length and any characters. Cut first, so that a long one costs nothing. */
function shown(name: string): string {
  return clip(visible(name.slice(0, 4 * VALUE_COLUMNS_MAX)), VALUE_COLUMNS_MAX);
}

/** `{orderId: 1042, amountMinor: 9000}`: readable, not JSON. */
function paramsText(params: unknown): string {
  if (typeof params !== "object" || params === null) return visible(JSON.stringify(params) ?? "");
  const entries = Object.entries(params).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${visible(key)}:${GLUE}${clip(visible(text ?? ""), VALUE_COLUMNS_MAX)}`;
  });
  return `{${entries.join(", ")}}`;
}

/** `refunds_per_day 8,990 of 500,000`, for each cap that the permitted step holds. */
export function capTexts(from: Extract<RunEvent, { kind: "decided" }>): readonly string[] {
  return from.reservations.map((held) => {
    const before = from.capUse.find((use) => use.cap === held.cap && use.key === held.key)?.used ?? 0;
    return `${visible(held.cap)} ${grouped(before + held.amount)} of ${grouped(held.limit)}`;
  });
}

export function routeNote(route: string): string {
  return route === "code_work" ? " (code work, routed to the builder)" : "";
}

export function denialText(denial: Denial | null): string {
  return denial === null ? "" : codeAndDetail(denial.code, denial.detail);
}

export function codeAndDetail(code: string, detail: string): string {
  return detail === "" || detail === code ? visible(code) : `${visible(code)}: ${visible(detail)}`;
}

export function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}
