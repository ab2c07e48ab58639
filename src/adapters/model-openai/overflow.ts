import { saysOverflow } from "../../domain/overflow.ts";

/** How self-hosted servers say it that do not speak of a context length. */
const PHRASES: readonly RegExp[] = [
  // LM Studio: "Trying to keep the first 15857 tokens when context the overflows", "n_keep (15028) >= n_ctx (7424)".
  /\bcontext (?:the )?overflows?\b/i,
  /\bn_keep\b[^.]{0,40}\bn_ctx\b/i,
  // TGI: "`inputs` must have less than 1024 tokens", "`inputs` tokens + `max_new_tokens` must be <= 2048".
  /\binputs?`? must have less than \d+ tokens\b/i,
  /\binputs?`? tokens \+ `?max_new_tokens`? must be <= ?\d+/i,
  // SGLang: "Input length (160062 tokens) exceeds the maximum allowed length", "Requested token count exceeds".
  /\binput length\b[^.]{0,40}\bexceeds the maximum\b/i,
  /\brequested token count exceeds\b/i,
  // vLLM: "The decoder prompt (length 5000) is longer than the maximum model length of 4096".
  /\bprompt\b[^.]{0,60}\b(?:is )?(?:longer than|too long)\b/i,
];

/** Where a server says how long its window is, prompt and reply together. */
const WINDOW = [/\bcontext length (?:is|of)(?: only)? (\d{1,9})\b/i, /max_new_tokens`? must be <= ?(\d{1,9})\b/i];

/** Statuses with which servers say that a prompt is too long. */
const STATUSES: readonly number[] = [400, 413, 422, 500];

/**
 * Whether the prompt was too long for the server. vLLM and TGI say the same of a reply that alone would not fit, which no
 * shorter prompt mends: where they name their window and `outputTokens` fill it, it is `false`.
 */
export function isOverflow(status: number, about: string, outputTokens: number): boolean {
  if (!STATUSES.includes(status)) return false;
  if (!saysOverflow(status, about) && !PHRASES.some((phrase) => phrase.test(about))) return false;
  const windows = WINDOW.map((form) => Number(form.exec(about)?.[1] ?? Number.POSITIVE_INFINITY));
  return outputTokens < Math.min(...windows);
}
