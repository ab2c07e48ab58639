import { isMetByEvent, isMetByProposal } from "../../domain/condition.ts";
import type { GuideEvent } from "../../domain/guide-event.ts";
import type { Json } from "../../domain/json.ts";
import type { ServedRule } from "../../domain/served.ts";
import type { Breach, Run } from "../run.ts";

/**
 * The watchdog (design 5.3): what follows when a rule is broken after it was taught. Teaching precedes correction: a rule in
 * the text is taught from the start, one on channel B from its injection on, and one that was dropped never.
 */

/** The rules that a proposal breaks. */
export function brokenByProposal(run: Run, tool: string, params: Json, step: number): readonly Breach[] {
  const breaches: Breach[] = [];
  for (const { id, breach, escalate } of watched(run)) {
    if (breach === null || escalate === null || !isMetByProposal(breach, tool, params)) continue;
    breaches.push({ rule: id, step, by: tool, escalate });
  }
  return breaches;
}

/** The rules that the events of a step break, each once a step. */
export function brokenByEvents(run: Run, events: readonly GuideEvent[], step: number): readonly Breach[] {
  if (events.length === 0) return [];
  const breaches: Breach[] = [];
  for (const { id, breach, escalate } of watched(run)) {
    if (breach === null || escalate === null) continue;
    const event = events.find((happened) => isMetByEvent(breach, happened));
    if (event !== undefined) breaches.push({ rule: id, step, by: event.name, escalate });
  }
  return breaches;
}

const NONE: readonly ServedRule[] = [];

/** The taught rules that declare what breaks them. */
function watched({ began, taught }: Run): readonly ServedRule[] {
  const guides = began?.guides ?? null;
  if (guides === null) return NONE;
  const { kept, routed } = guides.report;
  const injected = routed.filter(({ id, breach }) => breach !== null && taught.includes(id));
  return [...kept.filter(({ breach }) => breach !== null), ...injected];
}
