import { canonicalJson } from "../domain/canonical.ts";
import type { Command } from "../domain/command.ts";
import type { Began, PromptFacts, Usage } from "../domain/event.ts";
import { evidenceFieldOf } from "../domain/evidence-field.ts";
import { JSON_LIMITS } from "../domain/json-limits.ts";
import { unparsed } from "../domain/parsed.ts";
import { type Redaction, redactJson, redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import type { ModelCall, Said } from "../domain/said.ts";
import { type KnownTools, type Read, readReply } from "../domain/salvage.ts";
import { parseJson } from "../domain/scan.ts";
import { wellFormed } from "../domain/text.ts";
import { utf8Length, utf8Prefix } from "../domain/utf8.ts";
import { estimateTokens, type Window } from "../domain/window.ts";
import { buildPrompt, type Prompt } from "../loop/index.ts";
import type { ModelPrice, ModelReply, ModelRequest } from "../ports/model.ts";
import type { Hash } from "../ports/world.ts";
import { type SignalSource, within } from "./deadline.ts";
import { textOf } from "./error.ts";
import { type Journal, note } from "./journal.ts";
import type { Parts, Scope } from "./parts.ts";

/** Bytes of a model's reply that are read and recorded; a longer reply is refused as `too_large`. */
export const REPLY_BYTES_MAX = 262_144;

/**
 * The oracle: one model call, and what came back as an event. The reply is parsed strictly here whatever the server
 * claims to enforce. Redaction comes before that, so that what is recorded is what was parsed.
 */
export async function ask(
  parts: Parts,
  journal: Journal,
  command: Extract<Command, { kind: "ask_model" }>,
  cancel: AbortSignal | null,
): Promise<void> {
  const { run, scope } = journal;
  const began = run.began;
  if (began === null) return;
  const { turn, call, mode } = command;
  const built = buildPrompt(run, scope.system, mode);
  if (!built.ok) {
    return note(journal, {
      kind: "interrupted",
      at: parts.clock.now(),
      ending: "guide_refused",
      detail: built.refusal.detail,
    });
  }
  const prompt = built.prompt;
  const wallLeft = began.budgets.wallMs - (parts.clock.now() - run.used.since);
  const limit = Math.max(1, Math.min(began.budgets.modelCallMs, wallLeft));
  const timed = await within(parts.clock, limit, cancel, (source) =>
    parts.model.complete(requestOf(prompt, began, scope, source)),
  );
  const at = parts.clock.now();
  switch (timed.kind) {
    case "cancelled":
      return note(journal, { kind: "interrupted", at, ending: "cancelled", detail: "cancelled during a model call" });
    case "timeout":
      if (limit < began.budgets.modelCallMs) {
        return note(journal, {
          kind: "interrupted",
          at,
          ending: "deadline",
          detail: "the run's time was used up in a model call",
        });
      }
      return note(journal, {
        kind: "model_failed",
        at,
        turn,
        call,
        code: "timeout",
        detail: `no reply within ${limit} ms`,
      });
    case "threw":
      return note(journal, {
        kind: "model_failed",
        at,
        turn,
        call,
        code: "adapter_threw",
        detail: oneLine(redactText(textOf(timed.error), parts.redaction)),
      });
    case "value":
      break;
  }
  const answer = timed.value;
  if (!answer.ok) {
    const detail = oneLine(redactText(wellFormed(answer.detail), parts.redaction));
    return note(journal, { kind: "model_failed", at, turn, call, code: answer.code, detail });
  }
  const { said, read } = readAnswer(answer, scope, parts);
  note(journal, {
    kind: "replied",
    at,
    turn,
    call,
    promptVersion: scope.promptVersion,
    prompt: promptFacts(prompt, parts.hash),
    mode: scope.mode,
    sentAs: answer.sentAs ?? "no_schema",
    attempts: answer.attempts ?? 1,
    raw: said.text,
    calls: said.calls,
    reply: read.reply.ok ? read.reply.value : null,
    why: read.reply.ok ? null : read.reply.why,
    repair: read.repair,
    notRun: read.notRun,
    model: parts.model.name,
    finish: said.finish,
    usage: usageOf(answer, prompt, began.window, parts.model.price),
  });
}

function requestOf(prompt: Prompt, began: Began, { mode, wire }: Scope, source: SignalSource): ModelRequest {
  const { schema, schemaStrict, tools } = wire;
  return {
    system: prompt.system,
    messages: [{ role: "user", content: prompt.user }],
    mode,
    schema,
    schemaStrict,
    tools,
    outputTokensMax: began.window.outputTokens,
    get signal() {
      return source.signal;
    },
  };
}

/** What a row says of a prompt. The digest is worked out when the row is written or read. */
export function promptFacts(prompt: Prompt, hash: Hash): PromptFacts {
  const { system, user, bytes, bytesMax } = prompt;
  let digest = "";
  return Object.freeze({
    get digest() {
      if (digest === "") digest = hash(`${system}\u0000${user}`);
      return digest;
    },
    bytes,
    bytesMax,
    cut: prompt.cut.length === 0 ? NONE : Object.freeze([...prompt.cut]),
  });
}

const NONE: readonly never[] = Object.freeze([]);

type Answer = Extract<ModelReply, { ok: true }>;

/** What a model said, redacted and read. Of what is oversized only the start is kept. */
function readAnswer(answer: Answer, scope: Scope, parts: Parts): { readonly said: Said; readonly read: Read } {
  const finish = oneLine(redactText(wellFormed(answer.finish), parts.redaction));
  const text = redactRaw(wellFormed(answer.text), parts.redaction);
  const calls = (answer.calls ?? []).map(({ name, args }) => ({
    name: redactText(wellFormed(name), parts.redaction),
    args: redactRaw(wellFormed(args), parts.redaction),
  }));
  const units = calls.reduce((sum, { name, args }) => sum + name.length + args.length, text.length);
  // A hostile server may send gigabytes. What is kept of an oversized reply is its start.
  if (units > REPLY_BYTES_MAX || bytesOf(text, calls) > REPLY_BYTES_MAX) {
    const why = unparsed("too_large", `the reply is longer than ${REPLY_BYTES_MAX} bytes`);
    return {
      said: { text: utf8Prefix(text, 4_096), calls: [], finish },
      read: { reply: why, repair: null, notRun: [] },
    };
  }
  const said = { text, calls, finish };
  return { said, read: readReply(said, scope.mode, knownTools(scope), REPLY_BYTES_MAX) };
}

function bytesOf(text: string, calls: readonly ModelCall[]): number {
  return calls.reduce((sum, { name, args }) => sum + utf8Length(name) + utf8Length(args), utf8Length(text));
}

/** What the reader of replies has to know of the tools of a run. */
export function knownTools({ rules }: Pick<Scope, "rules">): KnownTools {
  const { tools } = rules;
  return {
    has: (name) => tools.has(name),
    takesNothing: (name) => tools.get(name)?.takesNothing ?? false,
    evidenceField: (name) => {
      const tool = tools.get(name);
      return tool === undefined ? null : evidenceFieldOf(tool.paramsSchema, tool.evidenceMin);
    },
  };
}

/**
 * What a model said, without the declared values. JSON is redacted as a value and written anew if that changed it: there
 * a number is one, too, and stays readable as JSON. Then the text, which is all there is of what cannot be read.
 */
function redactRaw(text: string, { values }: Redaction): string {
  if (values.length === 0) return text;
  const json = parseJson(text.trim(), { ...JSON_LIMITS, bytesMax: REPLY_BYTES_MAX });
  if (!json.ok) return redactText(text, { values, fields: [] });
  const clean = canonicalJson(redactJson(json.value, { values, fields: [] }));
  return redactText(clean === canonicalJson(json.value) ? text : clean, { values, fields: [] });
}

function usageOf(answer: Answer, prompt: Prompt, window: Window, price: ModelPrice | undefined): Usage {
  const said = utf8Length(answer.text.slice(0, REPLY_BYTES_MAX));
  const [promptTokens, promptEstimated] = tokensOf(answer.promptTokens, estimateTokens(prompt.bytes, window));
  const [completionTokens, completionEstimated] = tokensOf(answer.completionTokens, estimateTokens(said, window));
  const cost = promptTokens * (price?.promptMicro ?? 0) + completionTokens * (price?.completionMicro ?? 0);
  return {
    promptTokens,
    completionTokens,
    costMicro: Math.ceil(cost / 1_000),
    estimated: promptEstimated || completionEstimated,
  };
}

/**
 * What is charged, and whether it is our estimate. A server's honest count lies below the estimate, which takes a token
 * for few bytes; but no text has tokens of four times as many, and a server that says 0 would never use up a budget.
 */
function tokensOf(told: number | null, estimate: number): readonly [number, boolean] {
  const counted = countOf(told);
  return counted !== null && counted * 4 >= estimate ? [counted, false] : [estimate, true];
}

/** No window holds more; a count beyond it is a lie that would use up the budget at once. */
const TOKENS_MAX = 100_000_000;

/** A server's count is only a number if it is one. */
function countOf(tokens: number | null): number | null {
  return tokens !== null && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX ? tokens : null;
}
