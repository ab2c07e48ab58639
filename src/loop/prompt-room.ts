import type { ModelFailed, Probed } from "../domain/event.ts";
import { outputTokensIn, promptBytesMax } from "../domain/window.ts";
import { promptBytes } from "./prompt.ts";
import type { Run } from "./run.ts";

/** Bytes of prompt that the server's own window takes, where a probe found it to be smaller than the declared one. */
export function promptRoom(run: Run, { windowTokens }: Probed): number | null {
  const window = run.began?.window;
  if (window === undefined || windowTokens === null || windowTokens >= window.tokens || windowTokens < 1) {
    return run.promptBytesMax;
  }
  const outputTokens = outputTokensIn(window, windowTokens);
  return promptBytesMax({ ...window, tokens: windowTokens, outputTokens });
}

/** Not less than this part at once, so that a server which miscounts does not cost the whole history. */
const PART_LEAST = 0.25;
const PART_MOST = 0.5;

/**
 * The bound of the next prompt after one that was too long for the server: strictly smaller than what was sent, and as
 * large as the server was seen to take. null where it did not fail for its length.
 */
export function smallerPrompt(run: Run, { code, promptBytes: sent, fits }: ModelFailed): number | null {
  if (code !== "context_overflow" && code !== "prompt_truncated") return null;
  const bytes = sent === 0 ? promptBytes(run) : Math.min(sent, promptBytes(run));
  const seen = (fits ?? 0) * (run.began?.window.bytesPerToken ?? 0);
  return Math.floor(Math.min(bytes * PART_MOST, Math.max(bytes * PART_LEAST, seen)));
}
