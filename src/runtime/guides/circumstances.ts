import { hasRole } from "../../domain/approval.ts";
import { dayIn } from "../../domain/dates.ts";
import type { GuideApproved } from "../../domain/guide-record.ts";
import { type Profile, profileText } from "../../domain/profile.ts";
import { type Circumstances, type Placed, type SignatureVerdict, statementOf } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import { guidesIn } from "./guide-parts.ts";

/** What it is like here and now, as far as approvals depend on it. */
export function circumstancesOf(parts: Parts, profile: Profile): Circumstances {
  const { map, role, signaturesRequired } = guidesIn(parts);
  return {
    profile: { name: profile.name, digest: parts.hash(profileText(profile)) },
    map,
    today: dayIn(parts.zone, parts.clock.now()),
    role,
    mayApprove: (by, wanted) => hasRole(parts.approvers.get(by)?.roles ?? [], wanted),
    signature: (approval) => (signaturesRequired ? verdictOf(parts, approval) : NOT_ASKED),
    signaturesRequired,
  };
}

const NOT_ASKED: SignatureVerdict = { kind: "valid" };

function verdictOf(parts: Parts, approval: Placed<GuideApproved>): SignatureVerdict {
  const known = parts.guideBook.signatures.get(approval.seq);
  if (known !== undefined) return known;
  const verdict = judged(parts, approval.record);
  parts.guideBook.signatures.set(approval.seq, verdict);
  return verdict;
}

function judged(parts: Parts, approval: GuideApproved): SignatureVerdict {
  const { by, signature } = approval;
  if (signature === null) return { kind: "missing" };
  const keys = parts.approvers.get(by)?.keys ?? [];
  const read = guidesIn(parts).signatures.verify(statementOf(approval), signature.value, keys);
  if (!read.ok) return { kind: "invalid", detail: `${read.why.code}: ${read.why.detail}` };
  return read.value.key === signature.key
    ? { kind: "valid" }
    : { kind: "invalid", detail: "the signature is by another key than its record says" };
}
