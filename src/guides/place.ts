import type { Profile, Slot } from "../domain/profile.ts";
import type { Refusal } from "../domain/served.ts";
import type { Part } from "./part.ts";
import { bytesWith, NOTHING, onChannelB, windowBytes } from "./taken.ts";

export type Placed = { readonly kind: "placed"; readonly slot: Slot };

/**
 * Place: the text goes where the profile says, and room is held in the window for every rule of channel B, as if all of
 * them were injected, each after a separator. Where text and channel do not fit, no plan can exist: the channel cannot drop.
 */
export function place(
  kept: readonly Part[],
  routed: readonly Part[],
  { name, slot, contextTokens, bytesPerToken }: Omit<Profile, "measured" | "budgetBytes">,
): Placed | Refusal {
  const text = kept.reduce((taken, part) => bytesWith(taken, part), NOTHING).bytes;
  const channel = routed.reduce((bytes, part) => bytes + onChannelB(part), 0);
  const window = windowBytes(contextTokens, bytesPerToken);
  if (text + channel <= window) return { kind: "placed", slot };
  return {
    kind: "refusal",
    code: "channel_b_exceeds_window",
    detail: `the text takes ${text} bytes and channel B ${channel}, and the window of profile ${name} has ${window}`,
    rules: routed.map(({ id }) => id),
  };
}
