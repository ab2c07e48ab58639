import { saysOverflow } from "../../domain/overflow.ts";

/** Where a server says how long its window is, prompt and reply together. */
const WINDOW = [/\bcontext length (?:is|of)(?: only)? (\d{1,9})\b/i, /max_new_tokens`? must be <= ?(\d{1,9})\b/i];

/**
 * Whether the prompt was too long for the server. vLLM and TGI say the same of a reply that alone would not fit, which no
 * shorter prompt mends: where they name their window and `outputTokens` fill it, it is `false`.
 */
export function isOverflow(status: number, about: string, outputTokens: number): boolean {
  if (!saysOverflow(status, about)) return false;
  const windows = WINDOW.map((form) => Number(form.exec(about)?.[1] ?? Number.POSITIVE_INFINITY));
  return outputTokens < Math.min(...windows);
}
