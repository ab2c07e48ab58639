import type { LostCode, RefusalCode, WithheldCode } from "../../domain/served.ts";

const ANEW = "start another run: it is told what is published now";

/** What a person can do about a run that could not be told its rules, by the code that its ending names. */
const HINTS: { readonly [code in RefusalCode | WithheldCode | LostCode]: string } = {
  safety_exceeds_budget:
    "shorten the safety rules, give some of them a `when`, or serve a profile with a larger budget",
  channel_b_exceeds_window: "declare a larger window, or shorten the rules that have a `when`",
  unreadable_header: "signalbox guides lint says what is wrong; `guides.exclude` names files that are no rules",
  duplicate_id: "signalbox guides list says which rules are published: withdraw one of them",
  unknown_profile: "declare it in `profiles`, or start another run",
  chain_broken: "signalbox ledger verify lists everything that does not fit",
  revision_damaged:
    "give the rule's file the bytes of that digest again and signalbox guides verify puts them back; else restore the database, or, where a newer revision is published, start another run",
  safety_withheld: "signalbox guides list: verify, approve and publish the rule anew, or withdraw it",
  secret_in_guide: "take the secret out of the rule's file; then verify, approve and publish it",
  expired: ANEW,
  approval_revoked: ANEW,
  stale_profile: ANEW,
  stale_map: ANEW,
  approver_lost_role: ANEW,
  signature_missing: ANEW,
  signature_invalid: ANEW,
  withdrawn: ANEW,
  not_published: ANEW,
  receipt_mismatch: `signalbox ledger verify, and who can write the ledger? ${ANEW}`,
};

/** `detail`: that of an ending `guide_refused`. Without a code it says that the prompt does not fit. */
export function guideHint(detail: string): string {
  const code = /^([a-z_]+): /.exec(detail)?.[1] ?? "";
  return Object.hasOwn(HINTS, code)
    ? HINTS[code as keyof typeof HINTS]
    : "declare a larger window, or give the principal fewer or shorter tools";
}
