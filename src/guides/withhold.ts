import type { GuideApproved } from "../domain/guide-record.ts";
import type { WithheldCode } from "../domain/served.ts";
import { unreachable } from "../domain/unreachable.ts";
import type { GuideState, Placed } from "./chain.ts";
import type { PublishedRevision } from "./standing.ts";

/** What the world is like where a rule is to be served, as far as its approval depends on it. */
export type Circumstances = {
  /** The profile that is served for, and the digest of what it is today. */
  readonly profile: { readonly name: string; readonly digest: string };
  /** The digest of the control map in use; null where there is none to compare with. */
  readonly map: string | null;
  /** The day in the configured zone, `YYYY-MM-DD`. */
  readonly today: string;
  /** The role that approves guides today. */
  readonly role: string;
  /** Whether today's config lets this person approve for the role. */
  readonly mayApprove: (by: string, role: string) => boolean;
  /** What the signature of an approval comes to under the keys that the config names today. */
  readonly signature: (approval: Placed<GuideApproved>) => SignatureVerdict;
  readonly signaturesRequired: boolean;
};

export type SignatureVerdict =
  | { readonly kind: "missing" }
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly detail: string };

export type Withholding = { readonly code: WithheldCode; readonly detail: string };

/**
 * Why a published revision is not served here and now, though its records are in order: null where it is. An approval says
 * that a person took responsibility then; whether that still covers serving it is asked each time.
 */
export function withholdingOf(
  state: GuideState,
  rule: Pick<PublishedRevision, "approval" | "verification"> & { readonly expires: string | null },
  serving: Circumstances,
): Withholding | null {
  const { approval, expires, verification } = rule;
  const held = withholdingOfApproval(state, approval, serving);
  if (held !== null) return held;
  const { map, profiles } = verification.record;
  const { name, digest } = serving.profile;
  const checked = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (checked !== digest) {
    const how = checked === undefined ? "was not verified for" : "was verified for another";
    return { code: "stale_profile", detail: `it ${how} profile ${name}: verify and approve it anew` };
  }
  if (map !== null && serving.map !== null && map !== serving.map) {
    return { code: "stale_map", detail: "it was verified against another control map: verify and approve it anew" };
  }
  if (expires !== null && serving.today >= expires) {
    return { code: "expired", detail: `it expired on ${expires}` };
  }
  return null;
}

/** The part of it that depends on the approval alone. */
export function withholdingOfApproval(
  state: GuideState,
  approval: Placed<GuideApproved>,
  serving: Pick<Circumstances, "role" | "mayApprove" | "signature" | "signaturesRequired">,
): Withholding | null {
  const { record, seq } = approval;
  const revoked = state.revoked.get(seq);
  if (revoked !== undefined) return { code: "approval_revoked", detail: `row ${revoked} took its approval back` };
  if (record.role !== serving.role || !serving.mayApprove(record.by, record.role)) {
    return {
      code: "approver_lost_role",
      detail: `${record.by} may not approve guides (any more): role ${serving.role}`,
    };
  }
  const signature = serving.signature(approval);
  switch (signature.kind) {
    case "valid":
      return null;
    case "missing":
      return serving.signaturesRequired
        ? { code: "signature_missing", detail: `${record.by} did not sign the approval` }
        : null;
    case "invalid":
      return serving.signaturesRequired ? { code: "signature_invalid", detail: signature.detail } : null;
    default:
      return unreachable(signature);
  }
}
