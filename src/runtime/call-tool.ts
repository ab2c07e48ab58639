import type { Budgets } from "../domain/budgets.ts";
import { canonicalJson } from "../domain/canonical.ts";
import type { Outcome } from "../domain/effect.ts";
import { isEffectFailed } from "../domain/effect-failed.ts";
import type { Finished } from "../domain/event.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { frozenJson } from "../domain/plain.ts";
import { atOnce } from "../domain/promised.ts";
import { redactJson, redactText } from "../domain/redact.ts";
import { builtInResult, oneLine, summariseBuiltIn } from "../domain/result.ts";
import { wellFormed } from "../domain/text.ts";
import type { CallContext, Tool } from "../domain/tool.ts";
import { utf8Prefix } from "../domain/utf8.ts";
import { type Authorised, isAuthorised } from "../rails/index.ts";
import { type Timed, within } from "./deadline.ts";
import type { Emissions } from "./emissions.ts";
import { textOf } from "./error.ts";
import type { Nest } from "./nest.ts";
import type { Parts } from "./parts.ts";

/** What a tool is called with: the decided params and the moment's context. */
export type Call = {
  readonly tool: Tool;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
  readonly record: Json;
  readonly context: Omit<CallContext, "signal" | "nested" | "emit">;
  readonly budgets: Budgets;
  readonly emissions: Pick<Emissions, "emit" | "taken">;
};

export type Settlement = Pick<Finished, "outcome" | "result" | "error" | "pass" | "line"> & {
  /** What was seen meanwhile; left out where nothing was called. */
  readonly events?: Finished["events"];
};

/**
 * The last gate and the effect. Never throws: whatever the tool does becomes an outcome. Without a real token for exactly
 * this step nothing is called.
 */
export function callTool(
  parts: Parts,
  token: Authorised,
  call: Call,
  nest: Nest,
  cancel: AbortSignal | null,
): Settlement | Promise<Settlement> {
  const { tool, context } = call;
  if (!isAuthorised(token, context.run, context.step, tool.name) || token.params !== call.params) {
    throw new Error(`step ${context.step} has no authorisation`);
  }
  const { params, evidence, record } = call;
  const begun = within(parts.clock, msOf(call), cancel, (signal) =>
    tool.execute({ params, evidence, record }, {
      ...parts.services,
      ...context,
      emit: call.emissions.emit,
      nested: (request: string) => heard(nest.run(request, signal)),
      signal,
    } as CallContext),
  );
  if (begun instanceof Promise) return begun.then((timed) => over(parts, call, nest, timed));
  return over(parts, call, nest, begun);
}

/** A step that is over has no run going on inside it, and what that run used is known. */
function over(parts: Parts, call: Call, nest: Nest, timed: Timed<unknown>): Settlement | Promise<Settlement> {
  const closing = nest.close();
  const settled = (): Settlement => ({ ...cameTo(parts, call, timed), events: call.emissions.taken() });
  return closing === null ? settled() : closing.then(settled);
}

function cameTo(parts: Parts, call: Call, timed: Timed<unknown>): Settlement {
  const { tool, budgets } = call;
  switch (timed.kind) {
    case "value":
      return settlementOf(parts, tool, timed.value, budgets);
    case "timeout":
      return unsettled(call, `no result within ${msOf(call)} ms`);
    case "cancelled":
      return timed.begun ? unsettled(call, "cancelled") : failed(tool, "cancelled before it was called");
    case "threw": {
      const error = messageOf(timed.error, parts);
      return isEffectFailed(timed.error) ? failed(tool, error) : unsettled(call, error);
    }
  }
}

/** Its rejection is the business of whoever awaits it; one that nobody awaits must not end the process. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.then(undefined, () => undefined);
  return promise;
}

function msOf({ tool, budgets }: Call): number {
  return tool.deadlineMs ?? budgets.toolMs;
}

/** What a tool returned, as an outcome. It returned, so its effect happened; an unreadable result of a read is a failure. */
export function settlementOf(parts: Parts, tool: Tool, value: unknown, budgets: Budgets): Settlement {
  const limits = { ...JSON_LIMITS, bytesMax: tool.resultBytesMax ?? budgets.resultBytes, keysMax: 500_000 };
  const plain = frozenJson(value === undefined ? null : value, limits);
  if (!plain.ok) {
    const error = oneLine(
      redactText(`the result cannot be kept: ${plain.why.code}: ${plain.why.detail}`, parts.redaction),
    );
    if (tool.effect === "read") return failed(tool, error);
    const line = oneLine(`${tool.name} done, but ${error}`);
    return { outcome: "done", result: { unreadable: plain.why.code }, error, pass: false, line };
  }
  const result = redactJson(plain.value, parts.redaction);
  return { outcome: "done", result, error: null, pass: passOf(tool, result), line: lineOf(tool, result) };
}

/**
 * An effect of which nobody can say that it did not happen (decision 0003). Only what can be repeated without harm counts
 * as failed: a read, or an idempotent effect that is neither irreversible nor counted by a cap.
 */
function unsettled(call: Call, error: string): Settlement {
  const { tool } = call;
  const uncounted = tool.placement !== "irreversible" && tool.caps.length === 0;
  const harmless = tool.effect === "read" || (tool.effect === "idempotent" && uncounted);
  return harmless ? failed(tool, error) : unknown(tool, error);
}

export function failed(tool: Pick<Tool, "name">, error: string): Settlement {
  const line = oneLine(summariseBuiltIn({ kind: "failed", tool: tool.name, error }));
  return { outcome: "failed", result: null, error, pass: false, line };
}

export function unknown(tool: Pick<Tool, "name">, error: string): Settlement {
  const outcome: Outcome = "outcome_unknown";
  return { outcome, result: null, error, pass: false, line: oneLine(`${tool.name}: outcome unknown: ${error}`) };
}

export function messageOf(error: unknown, parts: Parts): string {
  // Redacted before it is cut: half a secret would be found by nobody.
  return oneLine(redactText(textOf(error), parts.redaction)) || "the tool gave no reason";
}

export function passOf(tool: Tool, result: Json): boolean {
  if (tool.passed === null) return true;
  try {
    return atOnce(tool.passed(result)) === true;
  } catch {
    // A result that its own tool cannot judge is not a pass; nothing is short-circuited by it.
    return false;
  }
}

export function lineOf(tool: Tool, result: Json): string {
  const builtIn = builtInResult(result);
  if (builtIn !== null) return oneLine(summariseBuiltIn(builtIn));
  try {
    const line = atOnce(tool.summarise(result));
    if (typeof line === "string" && line.trim() !== "") return oneLine(wellFormed(line));
  } catch {
    // The tool's own summary failed on its own result; the start of the result says more than nothing.
  }
  return oneLine(`${tool.name}: ${utf8Prefix(canonicalJson(result), 160)}`);
}
