import type { ModelFailed } from "../domain/event.ts";
import { outputTokensIn, promptBytesMax } from "../domain/window.ts";
import type { Run } from "./run.ts";

/**
 * Bytes that everything which the model reads may take: by the window that was declared, or by the server's own where a
 * probe found that to be smaller.
 */
export function windowBytes({ began, probed }: Run): number {
  if (began === null) return 0;
  const { window } = began;
  const tokens = probed?.windowTokens ?? window.tokens;
  if (tokens >= window.tokens || tokens < 1) return promptBytesMax(window);
  return promptBytesMax({ ...window, tokens, outputTokens: outputTokensIn(window, tokens) });
}

/** Not less than this part at once, so that a server which miscounts does not cost the whole history. */
const PART_LEAST = 0.25;
const PART_MOST = 0.5;

/**
 * The bound of system and user text after a prompt that was too long for the server: strictly smaller than what was sent,
 * and as large as the server was seen to take. null where it did not fail for its length.
 */
export function smallerPrompt(run: Run, { code, promptBytes: sent, fits }: ModelFailed): number | null {
  if (code !== "context_overflow" && code !== "prompt_truncated") return null;
  const bytes = sent === 0 ? windowBytes(run) : sent;
  const seen = (fits ?? 0) * (run.began?.window.bytesPerToken ?? 0);
  return Math.floor(Math.min(bytes * PART_MOST, Math.max(bytes * PART_LEAST, seen)));
}
