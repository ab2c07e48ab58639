import { canonicalJson } from "../domain/canonical.ts";
import type { AskMode } from "../domain/command.ts";
import type { Began, PromptFacts } from "../domain/event.ts";
import type { Json } from "../domain/json.ts";
import { utf8Length } from "../domain/utf8.ts";
import { estimateTokens, outputTokensIn } from "../domain/window.ts";
import { buildPrompt, type Prompt, type PromptResult, promptBytes, type Run } from "../loop/index.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { Hash } from "../ports/world.ts";
import type { SignalSource } from "./deadline.ts";
import type { Parts, Scope } from "./parts.ts";
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
  return Math.max(0, promptBytes(run) - toolBytes(scope));
}

const sizes = new WeakMap<object, number>();

/** Bytes of the native tools as JSON; 0 in mode `flat`. */
function toolBytes({ wire }: Scope): number {
  if (wire.tools.length === 0) return 0;
  const bytes = sizes.get(wire) ?? utf8Length(toolText(wire.tools));
  sizes.set(wire, bytes);
  return bytes;
}

function toolText(tools: Scope["wire"]["tools"]): string {
  return canonicalJson(tools as unknown as Json);
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
export async function fitPrompt(
  parts: Parts,
  run: Run,
  scope: Scope,
  mode: AskMode,
  signal: SignalSource,
): Promise<Fitted> {
  let built = promptOf(run, scope, mode);
  if (!built.ok && run.promptBytesMax !== null) built = shrunk(run, scope, mode, built);
  const window = run.began?.window;
  if (!built.ok || window === undefined) return { built, counted: { tokens: 0, by: "estimate" } };
  const windowTokens = Math.min(window.tokens, parts.probing.found?.windowTokens ?? window.tokens);
  const room = windowTokens - outputTokensIn(window, windowTokens) - TEMPLATE_TOKENS;
  let counted = estimated(built.prompt, scope, run);
  for (let fitting = 1; fitting <= FITTINGS_MAX; fitting++) {
    // No token is less than a byte.
    if (built.prompt.bytes + toolBytes(scope) <= room) break;
    const tokens = await countTokens(parts, built.prompt, scope, signal);
    if (tokens === null) break;
    counted = { tokens, by: "tokeniser" };
    if (tokens <= room) break;
    const part = fitting === FITTINGS_MAX ? 0 : (room / tokens) * 0.97;
    const smaller = promptOf(
      run,
      scope,
      mode,
      Math.floor(Math.max(built.prompt.bytes * part, room - toolBytes(scope))),
    );
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
  const bytes = prompt.bytes + toolBytes(scope);
  return { tokens: began === null ? 0 : estimateTokens(bytes, began.window), by: "estimate" };
}

/** What a prompt has by the server's tokeniser, or null where there is none. */
export async function countTokens(
  parts: Parts,
  prompt: Prompt,
  { wire }: Scope,
  source: SignalSource,
): Promise<number | null> {
  if (parts.model.countTokens === undefined || parts.probing.found?.tokeniser !== true) return null;
  const tools = wire.tools.length === 0 ? "" : toolText(wire.tools);
  return await parts.model.countTokens(`${prompt.system}\n${prompt.user}\n${tools}`, source.signal);
}

export function requestOf(
  { probing }: Parts,
  prompt: Prompt,
  began: Began,
  { mode, wire }: Scope,
  source: SignalSource,
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
    get signal() {
      return source.signal;
    },
    ...(onDelta === null ? {} : { onDelta }),
  };
}

/** What a row says of a prompt. The digest is worked out when the row is written or read. */
export function promptFacts({ system, user, bytes, bytesMax, cut }: Prompt, hash: Hash): PromptFacts {
  let digest = "";
  return Object.freeze({
    get digest() {
      if (digest === "") digest = hash(`${system}\u0000${user}`);
      return digest;
    },
    bytes,
    bytesMax,
    cut: cut.length === 0 ? NOTHING_CUT : Object.freeze([...cut]),
  });
}

const NOTHING_CUT: readonly string[] = Object.freeze([]);
