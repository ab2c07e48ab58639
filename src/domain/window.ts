/** The model's context window and what is known about its bytes. */
export type Window = {
  /** Tokens that prompt and completion share. */
  readonly tokens: number;
  /** Tokens kept free for the reply. */
  readonly outputTokens: number;
  /** UTF-8 bytes that one token is taken to cover. A low figure is the careful one. */
  readonly bytesPerToken: number;
  /** Where `bytesPerToken` comes from: a measurement's name, or `unmeasured`. */
  readonly measured: string;
};

export const DEFAULT_WINDOW: Window = { tokens: 16_384, outputTokens: 1_024, bytesPerToken: 3, measured: "unmeasured" };

/** Bytes that a prompt may take so that it and the reply fit the window. */
export function promptBytesMax(window: Window): number {
  return Math.max(0, Math.floor((window.tokens - window.outputTokens) * window.bytesPerToken));
}

/** Tokens of a reply, where the server's own window may be smaller than the one that was declared: at most half of it. */
export function outputTokensIn(window: Window, windowTokens: number | null): number {
  if (windowTokens === null || windowTokens >= window.tokens) return window.outputTokens;
  return Math.max(1, Math.min(window.outputTokens, Math.floor(windowTokens / 2)));
}

export function estimateTokens(bytes: number, window: Window): number {
  return Math.ceil(bytes / window.bytesPerToken);
}
