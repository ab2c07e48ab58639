import type { AskMode } from "../domain/command.ts";
import type { Began, PromptFacts } from "../domain/event.ts";
import { SentPrompt } from "../domain/sent-prompt.ts";
import { estimateTokens, outputTokensIn } from "../domain/window.ts";
import { buildPrompt, type Prompt, type PromptResult, promptBytes, type Run } from "../loop/index.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { Hash } from "../ports/world.ts";
import { type Parts, type Scope, toolText } from "./parts.ts";
import type { Counted } from "./usage.ts";

/**
 * The prompt of a run's next model call, in `bytesMax` or what the window leaves. Native tools are read by the model, too:
 * their bytes are taken from the window first.
 */
export function promptOf(run: Run, scope: Scope, mode: AskMode, bytesMax = roomIn(run, scope)): PromptResult {
  return buildPrompt(run, scope.system, mode, bytesMax);
}

/** What is left of a prompt when everything that can be left out is. null where not even that fits the window. */
export function smallestPrompt(run: Run, scope: Scope, mode: AskMode): Prompt | null {
  const none = promptOf(run, scope, mode, 0);
  const least = none.ok ? none : promptOf(run, scope, mode, none.refusal.bytes);
  return least.ok ? least.prompt : null;
}

function roomIn(run: Run, scope: Scope): number {
  return Math.max(0, promptBytes(run) - scope.toolBytes);
}

export type Fitted = { readonly built: PromptResult; readonly counted: Counted };

/** Tokens that a server's chat template may add around system text and prompt. */
const TEMPLATE_TOKENS = 64;
/** After that many attempts a prompt is as small as its bytes: no token is smaller than one. */
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
  signal: AbortSignal,
): Fitted | Promise<Fitted> {
  let built = promptOf(run, scope, mode);
  if (!built.ok && run.promptBytesMax !== null) built = shrunk(run, scope, mode, built);
  if (!built.ok || run.began === null) return { built, counted: { tokens: 0, by: "estimate" } };
  const counted = estimated(built.prompt, scope, run);
  if (!hasTokeniser(parts)) return { built, counted };
  const { window } = run.began;
  const windowTokens = Math.min(window.tokens, parts.probing.found?.windowTokens ?? window.tokens);
  const room = windowTokens - outputTokensIn(window, windowTokens) - TEMPLATE_TOKENS;
  return measured(parts, run, scope, mode, signal, { built, counted }, room);
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
  let { built, counted } = first;
  if (!built.ok) return first;
  for (let fitting = 1; fitting <= FITTINGS_MAX; fitting++) {
    // No token is less than a byte.
    if (built.prompt.bytes + scope.toolBytes <= room) break;
    const tokens = await countTokens(parts, built.prompt, scope, signal);
    if (tokens === null) break;
    counted = { tokens, by: "tokeniser" };
    if (tokens <= room) break;
    const part = fitting === FITTINGS_MAX ? 0 : (room / tokens) * 0.97;
    const smaller = promptOf(run, scope, mode, Math.floor(Math.max(built.prompt.bytes * part, room - scope.toolBytes)));
    if (!smaller.ok) return { built: smaller, counted };
    built = smaller;
    if (fitting === FITTINGS_MAX) counted = estimated(built.prompt, scope, run);
  }
  return { built, counted };
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

/** What a prompt has by the server's tokeniser, or null where there is none. */
export async function countTokens(
  parts: Parts,
  prompt: Prompt,
  { wire }: Scope,
  signal: AbortSignal,
): Promise<number | null> {
  if (parts.model.countTokens === undefined || !hasTokeniser(parts)) return null;
  return await parts.model.countTokens(`${prompt.system}\n${prompt.user}\n${toolText(wire)}`, signal);
}

export function requestOf(
  { probing }: Parts,
  prompt: Prompt,
  began: Began,
  { mode, wire }: Scope,
  signal: AbortSignal,
  onDelta: ((content: string | null) => void) | null,
): ModelRequest {
  const { schema, schemaStrict, tools } = wire;
  return {
    system: prompt.system,
    messages: [{ role: "user", content: prompt.user }],
    mode,
    schema,
    schemaStrict,
    tools,
    outputTokensMax: outputTokensIn(began.window, probing.found?.windowTokens ?? null),
    signal,
    ...(onDelta === null ? {} : { onDelta }),
  };
}

/** What a row says of a prompt. */
export function promptFacts({ system, user, bytes, bytesMax, cut }: Prompt, hash: Hash): PromptFacts {
  return new SentPrompt(() => hash(`${system}\u0000${user}`), bytes, bytesMax, [...cut]);
}
