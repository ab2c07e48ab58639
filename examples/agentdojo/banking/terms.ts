/** What all tools of the bank that do something have in common. */
import { z } from "signalbox";

/** Who decides what the rules do not: the holder of the account. */
export const OWNER = "owner";

export const Account = z.string().min(1).max(64);
export const Amount = z.number().positive().max(1_000_000);
export const Subject = z.string().max(140);
export const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/);

/** An account that neither the request nor the bank's own books name is for the owner to look at. */
export const ACCOUNT_SEEN = { from: ["request", "trusted"], otherwise: { stage: OWNER } } as const;

/** A subject reaches a stranger's statement: a link, an address or an account in it must have been named. */
export const TEXT_SEEN = { from: ["request", "trusted"], inside: true, otherwise: { stage: OWNER } } as const;

/** What the holder's own data become must stand in the request itself. */
export const REQUESTED = { from: ["request"], otherwise: { stage: OWNER } } as const;

export const PER_DAY = { calendar: "day", zone: "UTC" } as const;

/** Caps count whole cents. */
export function cents({ amount }: { readonly amount?: number | null | undefined }): number {
  return Math.round((amount ?? 0) * 100);
}
