import type { AskMode, Command } from "../domain/command.ts";
import type { Began, ModelFailed } from "../domain/event.ts";
import { redactText } from "../domain/redact.ts";
import { oneLine } from "../domain/result.ts";
import { wellFormed } from "../domain/text.ts";
import { type Prompt, type PromptResult, type Run, wallUsed } from "../loop/index.ts";
import type { ModelReply } from "../ports/model.ts";
import { type Heard, readAnswer, unreadableCall } from "./answer.ts";
import { type Timed, within } from "./deadline.ts";
import { draft } from "./drafting.ts";
import { textOf } from "./error.ts";
import { type Journal, note } from "./journal.ts";
import { type Answer, type CheckedReply, checkedReply, NO_CALLS } from "./model-reply.ts";
import type { Parts, Scope } from "./parts.ts";
import { probe } from "./probing.ts";
import { countTokens, type Fitted, fitPrompt, promptFacts, requestOf, smallestPrompt } from "./sent.ts";
import { type Counted, countOf, isTooFew, usageOf } from "./usage.ts";

type Asking = Extract<Command, { kind: "ask_model" }>;

/**
 * The oracle: one model call, and what came back as an event. The reply is parsed strictly here whatever the server
 * claims to enforce. Redaction comes before that, so that what is recorded is what was parsed.
 */
export async function ask(parts: Parts, journal: Journal, command: Asking, cancel: AbortSignal | null): Promise<void> {
  const began = journal.run.began;
  if (began === null) return;
  if (parts.model.probe !== undefined) await probe(parts, journal, timeLeft(parts, journal.run, began), cancel);
  const { run, scope } = journal;
  const at = parts.clock.now();
  if (wallUsed(run, at) >= began.budgets.wallMs) {
    const detail = "the run's time was used up before a model call";
    return note(journal, { kind: "interrupted", at, ending: "deadline", detail });
  }
  const limit = timeLeft(parts, run, began);
  const text = draft(parts, journal);
  const fitted = fitPrompt(parts, run, scope, command.mode);
  const send = (prompt: Prompt, signal: AbortSignal): Promise<ModelReply> =>
    parts.model.complete(requestOf(prompt, run, began, scope, signal, text.onDelta));
  const timed =
    typeof fitted === "function"
      ? await within(parts.clock, limit, cancel, async (signal) => {
          const { built, counted } = await fitted(signal);
          return came(built, counted, built.ok ? await send(built.prompt, signal) : null);
        })
      : await sendNow(parts, fitted, limit, cancel, send);
  // A reply that came when the caller had given up is not used; it has done nothing.
  const wanted: Timed<Asked> = cancel?.aborted === true ? { kind: "cancelled", begun: true } : timed;
  const again = recounted(parts, scope, wanted, cancel);
  const checked = again instanceof Promise ? await again : again;
  let kept = false;
  try {
    kept = noteAsked(parts, journal, command, began, checked, limit);
  } finally {
    text.end(kept);
  }
}

/** The same for a prompt that needs no counting: nothing stands between the model and its deadline. */
async function sendNow(
  parts: Parts,
  { built, counted }: Fitted,
  limit: number,
  cancel: AbortSignal | null,
  send: (prompt: Prompt, signal: AbortSignal) => Promise<ModelReply>,
): Promise<Timed<Asked>> {
  if (!built.ok) return { kind: "value", value: { kind: "refused", built } };
  const timed = await within(parts.clock, limit, cancel, (signal) => send(built.prompt, signal));
  if (timed.kind !== "value") return timed;
  try {
    return { kind: "value", value: came(built, counted, timed.value) };
  } catch (error) {
    return { kind: "threw", error };
  }
}

/** What came of a call. Throws where an adapter returned what is no reply. */
function came(built: PromptResult, counted: Counted, reply: ModelReply | null): Asked {
  if (!built.ok) return { kind: "refused", built };
  const { prompt } = built;
  const answer = checkedReply(reply);
  return answer.ok ? { kind: "answered", prompt, counted, answer } : { kind: "failed", prompt, counted, answer };
}

/** Where the server counts fewer tokens than we do, only its own tokeniser knows whether that can be. */
function recounted(
  parts: Parts,
  scope: Scope,
  timed: Timed<Asked>,
  cancel: AbortSignal | null,
): Timed<Asked> | Promise<Timed<Asked>> {
  if (timed.kind !== "value" || timed.value.kind !== "answered") return timed;
  const { prompt, counted, answer } = timed.value;
  const told = countOf(answer.promptTokens);
  if (told === null || told >= counted.tokens || counted.by === "tokeniser") return timed;
  return countTokens(parts, prompt, scope, cancel).then((tokens) =>
    tokens === null
      ? timed
      : { kind: "value", value: { kind: "answered", prompt, counted: { tokens, by: "tokeniser" }, answer } },
  );
}

/** How long a model call may take: its own budget, or what is left of the run's. */
function timeLeft({ clock }: Parts, run: Run, { budgets }: Began): number {
  return Math.max(1, Math.min(budgets.modelCallMs, budgets.wallMs - wallUsed(run, clock.now())));
}

/** What became of a call: no prompt could be built, the server failed, or it answered. */
type Asked =
  | { readonly kind: "refused"; readonly built: Extract<PromptResult, { ok: false }> }
  | Sent<"failed", Extract<ModelReply, { ok: false }>>
  | Sent<"answered", Answer>;

type Sent<Kind, Came> = {
  readonly kind: Kind;
  readonly prompt: Prompt;
  readonly counted: Counted;
  readonly answer: Came;
};

/** Notes it. True where the reply was a conversation, so that its text was no mere draft. */
function noteAsked(
  parts: Parts,
  journal: Journal,
  { turn, call, mode }: Asking,
  began: Began,
  timed: Timed<Asked>,
  limit: number,
): boolean {
  const at = parts.clock.now();
  const failed = (code: string, detail: string, more: Partial<ModelFailed> = {}): false => {
    note(journal, {
      ...{ kind: "model_failed", at, turn, call, code: nameOf(code), detail },
      ...{ promptBytes: 0, fits: null, usage: null, ...more },
    });
    return false;
  };
  const stopped = (ending: "cancelled" | "deadline" | "guide_refused", detail: string): false => {
    note(journal, { kind: "interrupted", at, ending, detail });
    return false;
  };
  switch (timed.kind) {
    case "cancelled":
      return stopped("cancelled", "cancelled during a model call");
    case "timeout":
      if (limit < began.budgets.modelCallMs) return stopped("deadline", "the run's time was used up in a model call");
      return failed("timeout", `no reply within ${limit} ms`);
    case "threw":
      return failed("adapter_threw", oneLine(redactText(textOf(timed.error), parts.redaction)));
    case "value":
      break;
  }
  const asked = timed.value;
  if (asked.kind === "refused") {
    const { detail } = asked.built.refusal;
    // The window that was declared is large enough, or nothing would have started; the server's is not.
    const tooLong = journal.run.overflowed;
    if (tooLong !== null) return failed("context_overflow", nothingLeft(tooLong));
    return stopped("guide_refused", detail);
  }
  const { prompt, counted } = asked;
  if (asked.kind === "failed") {
    const { code } = asked.answer;
    const detail = oneLine(redactText(wellFormed(asked.answer.detail), parts.redaction));
    if (code !== "unreadable_call") return failed(code, detail, { promptBytes: prompt.bytes });
    noteReply(parts, journal, { turn, call, at }, asked, unreadableCall(detail), false);
    return false;
  }
  const told = countOf(asked.answer.promptTokens);
  const truncated = told !== null && isTooFew(told, prompt, counted);
  // Once, and where there is anything to leave out. A server that counts so again may miscount: it is named in each row, and
  // its replies are taken, since no rail depends on what the model was told.
  if (truncated && canShrink(journal, mode, prompt)) {
    const usage = usageOf(asked.answer, prompt, counted, began.window, parts.model.price);
    return failed("prompt_truncated", cutBy(told), { promptBytes: prompt.bytes, fits: told, usage });
  }
  const heard = readAnswer(asked.answer, journal.scope, parts);
  noteReply(parts, journal, { turn, call, at }, asked, heard, truncated);
  return heard.read.reply.ok && heard.read.reply.value.kind === "conversation";
}

function canShrink({ run, scope }: Journal, mode: AskMode, prompt: Prompt): boolean {
  const smallest = run.overflowed === null ? smallestPrompt(run, scope, mode) : null;
  return smallest !== null && smallest.bytes < prompt.bytes;
}

/** A code is a name of ours, or an adapter's own. */
function nameOf(code: string): string {
  return oneLine(wellFormed(String(code))) || "no_code";
}

function nothingLeft(bytes: number): string {
  return `a prompt of ${bytes} bytes is too long for the server, and nothing more can be left out of it: give the server a larger window (Ollama: num_ctx), or the principal fewer tools`;
}

function cutBy(told: number): string {
  return `the server counts ${told} tokens in a prompt that has more, so it read only a part of it: give it a larger window (Ollama: num_ctx), or declare window.tokens as it is`;
}

function noteReply(
  parts: Parts,
  journal: Journal,
  { turn, call, at }: { readonly turn: number; readonly call: number; readonly at: number },
  { prompt, counted, answer }: Sent<unknown, CheckedReply>,
  { said, read }: Heard,
  truncated: boolean,
): void {
  const { scope, run } = journal;
  const window = run.began?.window ?? parts.window;
  const used = answer.ok ? answer : { text: said.text, calls: NO_CALLS, promptTokens: null, completionTokens: null };
  note(journal, {
    kind: "replied",
    at,
    turn,
    call,
    promptVersion: scope.promptVersion,
    prompt: promptFacts(prompt, parts.hash),
    mode: scope.mode,
    sentAs: answer.ok ? answer.sentAs : "no_schema",
    attempts: answer.ok ? answer.attempts : 1,
    raw: said.text,
    calls: said.calls,
    reply: read.reply.ok ? read.reply.value : null,
    why: read.reply.ok ? null : read.reply.why,
    repair: read.repair,
    notRun: read.notRun,
    truncated,
    model: parts.model.name,
    finish: said.finish,
    usage: usageOf(used, prompt, counted, window, parts.model.price),
  });
}
