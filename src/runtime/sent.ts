import type { AskMode } from "../domain/command.ts";
import type { Began, PromptFacts } from "../domain/event.ts";
import { SentPrompt } from "../domain/sent-prompt.ts";
import { utf8Length } from "../domain/utf8.ts";
import { estimateTokens, outputTokensIn } from "../domain/window.ts";
import { buildPrompt, type Prompt, type PromptResult, promptBytes, type Run } from "../loop/index.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { Hash } from "../ports/world.ts";
import { within } from "./deadline.ts";
import { type Parts, type Scope, toolText } from "./parts.ts";
import { type Counted, countOf } from "./usage.ts";

/**
 * The prompt of a run's next model call, in `bytesMax` or what the window leaves. Native tools are read by the model, too:
 * their bytes are taken from the window first.
 */
export function promptOf(
  run: Run,
  scope: Scope,
  mode: AskMode,
  bytesMax = promptBytes(run, scope.toolBytes),
): PromptResult {
  return buildPrompt(run, scope.system, mode, bytesMax);
}

/** What is left of a prompt when everything that can be left out is. null where not even that fits the window. */
export function smallestPrompt(run: Run, scope: Scope, mode: AskMode): Prompt | null {
  const none = promptOf(run, scope, mode, 0);
  const least = none.ok ? none : promptOf(run, scope, mode, none.refusal.bytes);
  return least.ok ? least.prompt : null;
}

export type Fitted = { readonly built: PromptResult; readonly counted: Counted };

/** Tokens that a server's chat template may add around system text and prompt. */
const TEMPLATE_TOKENS = 64;
/** After that many attempts the smallest prompt is tried. */
const FITTINGS_MAX = 3;

/**
 * The same, measured: where the server has a tokeniser and the prompt could be too long for the window, its tokens are
 * counted, and it is built again, smaller, until they fit. Otherwise they are estimated from its bytes, and said to be.
 */
export function fitPrompt(
  parts: Parts,
  run: Run,
  scope: Scope,
  mode: AskMode,
): Fitted | ((signal: AbortSignal) => Promise<Fitted>) {
  let built = promptOf(run, scope, mode);
  if (!built.ok && run.promptBytesMax !== null) built = shrunk(run, scope, mode, built);
  if (!built.ok || run.began === null) return { built, counted: { tokens: 0, by: "estimate" } };
  const counted = estimated(built.prompt, scope, run);
  if (!hasTokeniser(parts)) return { built, counted };
  const { window } = run.began;
  const windowTokens = Math.min(window.tokens, run.probed?.windowTokens ?? window.tokens);
  const room = windowTokens - outputTokensIn(window, windowTokens) - TEMPLATE_TOKENS;
  const first = { built, counted };
  return (signal) => measured(parts, run, scope, mode, signal, first, room);
}

function hasTokeniser({ model, probing }: Parts): boolean {
  return model.countTokens !== undefined && probing.found?.tokeniser === true;
}

async function measured(
  parts: Parts,
  run: Run,
  scope: Scope,
  mode: AskMode,
  signal: AbortSignal,
  first: Fitted,
  room: number,
): Promise<Fitted> {
  if (!first.built.ok) return first;
  let { prompt } = first.built;
  let { counted } = first;
  for (let fitting = 1; fitting <= FITTINGS_MAX; fitting++) {
    const bytes = prompt.bytes + scope.toolBytes;
    // No token is less than a byte.
    const tokens = bytes <= room ? null : await countTokens(parts, prompt, scope, signal);
    if (tokens === null) return { built: { ok: true, prompt }, counted };
    counted = { tokens, by: "tokeniser" };
    if (tokens <= room) return { built: { ok: true, prompt }, counted };
    const part = Math.floor(bytes * (room / tokens) * 0.97) - scope.toolBytes;
    const smaller = promptOf(run, scope, mode, part);
    if (!smaller.ok) break;
    prompt = smaller.prompt;
  }
  const smallest = smallestPrompt(run, scope, mode) ?? prompt;
  const tokens = await countTokens(parts, smallest, scope, signal);
  if (tokens === null) return { built: { ok: true, prompt: smallest }, counted: estimated(smallest, scope, run) };
  counted = { tokens, by: "tokeniser" };
  if (tokens <= room) return { built: { ok: true, prompt: smallest }, counted };
  const detail = `system text, tools and request take ${tokens} tokens by the server's tokeniser; its window leaves ${room}`;
  return { built: { ok: false, refusal: { bytes: smallest.bytes, bytesMax: smallest.bytesMax, detail } }, counted };
}

/**
 * After the server was seen to have less room than was declared: the smallest prompt that can be, where it is smaller than
 * the one that was too long.
 */
function shrunk(run: Run, scope: Scope, mode: AskMode, refused: PromptResult): PromptResult {
  const smallest = smallestPrompt(run, scope, mode);
  const tooLong = run.overflowed ?? Number.POSITIVE_INFINITY;
  return smallest === null || smallest.bytes >= tooLong ? refused : { ok: true, prompt: smallest };
}

/** What a prompt has by our estimate, native tools included. */
function estimated(prompt: Prompt, scope: Scope, { began }: Run): Counted {
  const bytes = prompt.bytes + scope.toolBytes;
  return { tokens: began === null ? 0 : estimateTokens(bytes, began.window), by: "estimate" };
}

/**
 * What a prompt has by the server's tokeniser, or null where there is none, or none that answers with a number that can be
 * one. A count is an aid: it has little time, and costs no call that is under way.
 */
export async function countTokens(
  parts: Parts,
  prompt: Prompt,
  { wire }: Scope,
  cancel: AbortSignal | null,
): Promise<number | null> {
  const { model, probing, clock } = parts;
  if (!hasTokeniser(parts)) return null;
  const text = `${prompt.system}\n${prompt.user}\n${toolText(wire)}`;
  const timed = await within(clock, COUNT_MS, cancel, (signal) => model.countTokens?.(text, signal) ?? null);
  if (timed.kind !== "value") {
    // One that is too slow is not asked again in this process.
    if (timed.kind === "timeout" && probing.found !== null) probing.found = { ...probing.found, tokeniser: false };
    return null;
  }
  const tokens = countOf(timed.value);
  // No token is less than a byte; the few that may be added mark a text's beginning and end.
  return tokens === null || tokens > utf8Length(text) + MARKS_MAX ? null : tokens;
}

const COUNT_MS = 2_000;
const MARKS_MAX = 16;

export function requestOf(
  prompt: Prompt,
  run: Run,
  began: Began,
  { mode, wire }: Scope,
  signal: AbortSignal,
  onDelta: ((content: string | null) => void) | null,
): ModelRequest {
  const { schema, schemaStrict, tools } = wire;
  const request: ModelRequest = {
    system: prompt.system,
    messages: [{ role: "user", content: prompt.user }],
    mode,
    schema,
    schemaStrict,
    tools,
    outputTokensMax: outputTokensIn(began.window, run.probed?.windowTokens ?? null),
    signal,
  };
  return onDelta === null ? request : { ...request, onDelta };
}

/** What a row says of a prompt. */
export function promptFacts({ system, user, bytes, bytesMax, cut }: Prompt, hash: Hash): PromptFacts {
  return new SentPrompt(() => hash(`${system}\u0000${user}`), bytes, bytesMax, cut);
}
