/** How servers and gateways say that they could not read what their own model said. */
const PHRASES: readonly RegExp[] = [
  // Ollama, vLLM, llama.cpp, LM Studio: of a tool call, in either order of the words.
  /\b(?:error|failed|failure|unable|cannot|could not|couldn't)\b[^.:;]{0,24}\bpars(?:e|ing)\b[^.;]{0,40}\b(?:tool|function)[ _-]?calls?\b/i,
  /\b(?:tool|function)[ _-]?calls?\b[^.:;]{0,24}\bpars(?:e|ing)\b[^.:;]{0,16}\b(?:error|failed|failure)\b/i,
  /\binvalid (?:tool|function)[ _-]?call(?:'s)?(?: arguments?)?\b/i,
  // llama.cpp reads what its model wrote by a grammar.
  /\bfailed to parse (?:input at pos|the (?:model'?s? )?output|model output)\b/i,
  // Gateways that check it themselves.
  /\b(?:tool_use_failed|json_validate_failed)\b/i,
];

const STATUSES: readonly number[] = [400, 422, 500];
/** What is looked at of a body; the words stand near its beginning. */
const UNITS_MAX = 16_384;

/**
 * Whether an answer says that the model and not the server is at fault: it wrote a tool call, or a reply under a schema,
 * that its server could not read. The same request may well succeed, and counts as a malformed reply, not as a retry.
 */
export function saysUnreadableCall(status: number | null, text: string): boolean {
  if (status !== null && !STATUSES.includes(status)) return false;
  const looked = text.slice(0, UNITS_MAX);
  return PHRASES.some((phrase) => phrase.test(looked));
}
