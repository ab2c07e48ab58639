/** How servers and providers say that a prompt is longer than the model's window. Phrases, since there is no common code. */
const PHRASES: readonly RegExp[] = [
  // OpenAI and what imitates it, vLLM, llama.cpp, LM Studio, Mistral: "maximum context length", "exceed_context_size_error".
  /\bcontext[ _-](?:length|size|window|limit)/i,
  /\bexceed_context_size/i,
  /\bmaximum (?:model|prompt) length\b/i,
  // Hosted models: by the prompt, by the input, by its tokens.
  /\b(?:prompt|input) is too long\b/i,
  /\binput token count\b[^.]{0,80}\bexceeds\b/i,
  /\btoo many (?:input )?tokens\b/i,
  /\breduce the length of (?:the |your )?(?:messages|prompt|input)\b/i,
  // Self-hosted servers that speak of no context length: LM Studio, TGI, SGLang.
  /\bcontext (?:the )?overflows?\b/i,
  /\bn_keep\b[^.]{0,40}\bn_ctx\b/i,
  /\binputs?`? must have less than \d{1,9} tokens\b/i,
  /\binputs?`? tokens \+ `?max_new_tokens`? must be <= ?\d{1,9}/i,
  /\binput length\b[^.]{0,40}\bexceeds the maximum\b/i,
  /\brequested token count exceeds\b/i,
  // vLLM: "The decoder prompt (length 5000) is longer than the maximum model length of 4096".
  /\bprompt\b[^.]{0,60}\b(?:is )?(?:longer than|too long)\b/i,
];

/** What is looked at of a body; the words stand near its beginning. */
const UNITS_MAX = 16_384;

/**
 * Whether an answer says that the prompt does not fit. `status` is the HTTP status, or null where there is none, as in the
 * middle of a stream. "Too many tokens" with 429 is a rate: the same prompt will do later.
 */
export function saysOverflow(status: number | null, text: string): boolean {
  if (status === 413) return true;
  if (status !== null && status !== 400 && status !== 422 && status !== 500) return false;
  const looked = text.slice(0, UNITS_MAX);
  return PHRASES.some((phrase) => phrase.test(looked));
}
