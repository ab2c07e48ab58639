import type { Usage } from "../domain/event.ts";
import { tokensAtLeast } from "../domain/tokens.ts";
import { utf8Length } from "../domain/utf8.ts";
import { estimateTokens, type Window } from "../domain/window.ts";
import type { Prompt } from "../loop/index.ts";
import type { ModelPrice } from "../ports/model.ts";
import { REPLY_BYTES_MAX } from "./answer.ts";
import type { Answer } from "./model-reply.ts";

/** A count of a prompt's tokens that is not the server's own word. */
export type Counted = { readonly tokens: number; readonly by: "tokeniser" | "estimate" };

/**
 * What is charged. A server's own count of the prompt is taken where it can be true; else the tokeniser's, and without one
 * our estimate, which says that it is one.
 */
export function usageOf(
  answer: Pick<Answer, "text" | "calls" | "promptTokens" | "completionTokens">,
  prompt: Prompt,
  counted: Counted,
  window: Window,
  price: ModelPrice | undefined,
): Usage {
  const args = answer.calls.reduce((sum, call) => sum + call.name.length + call.args.length, 0);
  const text = answer.text.length > REPLY_BYTES_MAX ? answer.text.slice(0, REPLY_BYTES_MAX) : answer.text;
  const said = utf8Length(text) + Math.min(args, REPLY_BYTES_MAX);
  const told = countOf(answer.promptTokens);
  const believed = told !== null && !isTooFew(told, prompt, counted);
  const promptTokens = believed ? told : counted.tokens;
  const [completionTokens, guessed] = completionOf(answer.completionTokens, estimateTokens(said, window));
  const cost = promptTokens * (price?.promptMicro ?? 0) + completionTokens * (price?.completionMicro ?? 0);
  const estimated = guessed || (!believed && counted.by === "estimate");
  return {
    promptTokens,
    completionTokens,
    costMicro: Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(cost / 1_000)),
    estimated,
  };
}

/** A reply has few tokens, and no text has tokens of four times as many bytes as we take for one. */
function completionOf(told: number | null, estimate: number): readonly [number, boolean] {
  const counted = countOf(told);
  return counted !== null && counted * 4 >= estimate ? [counted, false] : [estimate, true];
}

/** A count below this part of what the tokeniser says is not the same text. Templates add tokens and take none away. */
const TOKENISER_PART = 0.9;

/**
 * Whether a server's count is smaller than the prompt can have: by its own tokeniser, or by the fewest tokens that any
 * tokeniser makes of it. Then the server read only a part of the prompt, or does not count what it had read before.
 */
export function isTooFew(told: number, { system, user }: Prompt, counted: Counted): boolean {
  if (counted.by === "tokeniser") return told < counted.tokens * TOKENISER_PART;
  // What is near the estimate cannot be below the least, and needs no counting.
  if (told * 2 >= counted.tokens) return false;
  return told < tokensAtLeast(system) + tokensAtLeast(user);
}

/** No window holds more; a count beyond it is a lie that would use up the budget at once. */
const TOKENS_MAX = 100_000_000;

/** A server's count is only a number if it is one. */
export function countOf(tokens: number | null): number | null {
  return tokens !== null && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX ? tokens : null;
}
