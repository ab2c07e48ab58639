/**
 * A Profile: what one model or device can take of guide text: how many bytes, where they stand in the prompt, and how large
 * its window is; with the measurement that these figures come from, or the label `unmeasured`.
 */
import { canonicalJson } from "./canonical.ts";
import { DEFAULT_WINDOW } from "./window.ts";

/** Where the text of the served rules stands in a prompt: before or after our own system text, or around the user's. */
export const SLOTS = ["system_start", "system_end", "first_user", "last_user"] as const;
export type Slot = (typeof SLOTS)[number];

export type Profile = {
  readonly name: string;
  /** UTF-8 bytes that the text of rules may take, separators included. Rules of channel B are not counted here. */
  readonly budgetBytes: number;
  readonly slot: Slot;
  /** Tokens of the model's window, prompt and completion together. */
  readonly contextTokens: number;
  /** UTF-8 bytes that one token is taken to cover. */
  readonly bytesPerToken: number;
  /** Where the figures come from: a measurement's name, or `unmeasured`. */
  readonly measured: string;
};

/** The label of figures that nobody measured. */
export const UNMEASURED = "unmeasured";

/** What a profile has where its declaration says nothing else. */
export const DEFAULT_PROFILE: Profile = {
  name: "default",
  budgetBytes: 2_048,
  slot: "system_end",
  contextTokens: DEFAULT_WINDOW.tokens,
  bytesPerToken: DEFAULT_WINDOW.bytesPerToken,
  measured: UNMEASURED,
};

/**
 * The text whose SHA-256 names a profile: what a rule's verification is about. Where the figures come from, and how many
 * bytes a token has, are not part of it: measuring a profile again voids no approval, a smaller budget does.
 */
export function profileText({ name, budgetBytes, slot, contextTokens }: Profile): string {
  return canonicalJson({ name, budgetBytes, slot, contextTokens });
}
