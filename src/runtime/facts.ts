import type { Budgets } from "../domain/budgets.ts";
import { dayIn } from "../domain/dates.ts";
import { denial } from "../domain/denial.ts";
import { type Began, operatorWords } from "../domain/event.ts";
import { deepFreeze, type JsonObject } from "../domain/json.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { plainJson } from "../domain/plain.ts";
import type { Provenance } from "../domain/provenance.ts";
import { redactJson, redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import type { DecisionContext, RecordContext, Tool } from "../domain/tool.ts";
import type { Facts } from "../rails/index.ts";
import { within } from "./deadline.ts";
import type { Parts } from "./parts.ts";

export const RECORD_LIMITS = { ...JSON_LIMITS, bytesMax: 1_048_576, keysMax: 100_000 };

/** Loads the FactRecord of a proposal: by the system, never by the model; with a deadline; as frozen plain JSON. */
export async function loadFacts(
  parts: Parts,
  tool: Tool,
  params: JsonObject,
  about: Omit<RecordContext, "signal">,
  budgets: Budgets,
  cancel: AbortSignal | null,
): Promise<Facts> {
  const load = tool.record;
  if (load === null) return { ok: true, record: null };
  const ms = tool.deadlineMs ?? budgets.toolMs;
  const timed = await within(parts.clock, ms, cancel, (signal) => load(params, parts.services, { ...about, signal }));
  switch (timed.kind) {
    case "timeout":
      return { ok: false, denial: denial("record_timeout", `no record within ${ms} ms`) };
    case "cancelled":
      return { ok: false, denial: denial("record_failed", "cancelled") };
    case "threw":
      // The message may hold anything, so the model is told only that it failed.
      return { ok: false, denial: denial("record_failed", `the record for ${tool.name} could not be loaded`) };
    case "value":
      break;
  }
  if (timed.value === null || timed.value === undefined) {
    return { ok: false, denial: denial("record_missing", `there is no such record for ${tool.name}`) };
  }
  const plain = plainJson(timed.value, RECORD_LIMITS);
  if (!plain.ok) {
    return {
      ok: false,
      denial: denial(
        "record_unreadable",
        oneLine(redactText(`${plain.why.code}: ${plain.why.detail}`, parts.redaction)),
      ),
    };
  }
  return { ok: true, record: deepFreeze(redactJson(plain.value, parts.redaction)) };
}

type RunContext = Omit<DecisionContext, "step" | "now" | "today" | "provenance">;

/** The newest answer: a run makes one decision after the other. */
let newest: { readonly began: Began; readonly context: RunContext } | null = null;

/** What every decision of a run is made in: the same for all of them, and frozen, since policy code sees it. */
function runContext(began: Began): RunContext {
  if (newest?.began === began) return newest.context;
  const context = deepFreeze({
    principal: began.principal,
    customer: began.customer,
    thread: began.thread,
    run: began.run,
    outermost: began.parent?.root ?? began.run,
    // A nested run's request is a tool's words, or the model's; a policy may only lean on the operator's.
    requests: [...operatorWords(began)],
  });
  newest = { began, context };
  return context;
}

/** What a decision of this run at this moment is made in. */
export function decisionContext(
  began: Began,
  step: number,
  now: number,
  today: string,
  provenance: Provenance,
): DecisionContext {
  return Object.freeze({ ...runContext(began), step, now, today, provenance: deepFreeze(provenance) });
}

export function todayOf(parts: Parts, now: number): string {
  return dayIn(parts.zone, now);
}
