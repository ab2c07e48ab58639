import { canonicalJson } from "../domain/canonical.ts";
import type { GuideApproved } from "../domain/guide-record.ts";

/** The version of the statement: what is signed says itself what it is, so that it cannot pass for anything else. */
export const STATEMENT = "signalbox-guide-approval/1";

/** What of an approval a signature covers: all of it, but when it was said. */
export type Stated = Pick<GuideApproved, "rule" | "revision" | "verification" | "by" | "role" | "why">;

/**
 * The exact text that the signature of an approval is over: canonical JSON (RFC 8785), without a line break at its end. It
 * names the verification by number and hash, which no second approval of this person can use (chain.ts), so a signature
 * cannot be said twice.
 */
export function statementOf({ by, revision, role, rule, verification, why }: Stated): string {
  const { hash, seq } = verification;
  return canonicalJson({ statement: STATEMENT, by, revision, role, rule, verification: { hash, seq }, why });
}
