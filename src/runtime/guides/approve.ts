import type { GuideApproved, GuideSignature } from "../../domain/guide-record.ts";
import { type GuideState, nameOf, newestVerification, statementOf } from "../../guides/index.ts";
import { said } from "../approvals.ts";
import { SignalboxError } from "../error.ts";
import type { Approver, Parts } from "../parts.ts";
import type { ApprovedRule, GuideSigning, GuideWord } from "./api.ts";
import { guidesIn } from "./guide-parts.ts";
import { namedRevision } from "./named-revision.ts";
import { guideApprover, neededWhy } from "./person.ts";
import { appendRecords, soundChain } from "./read-chain.ts";

/** What a person is about to say, before they sign it. */
type Unsigned = Omit<GuideApproved, "signature">;

/**
 * A person takes responsibility for exactly the bytes that they name reaching a model. It rests on the newest verification
 * of these bytes, which must have passed and which they have not used before; a green check never stands in for it.
 *
 * @throws SignalboxError `unknown_approver`, `approver_lacks_role`, `no_reason`, `digest_needed`, `unknown_revision`,
 *   `verification_failed`, `approval_replayed`, `signature_missing`, `signature_invalid`, `chain_broken`.
 */
export function approveRule(
  parts: Parts,
  id: string,
  word: GuideWord & { readonly signature?: GuideSigning },
): Promise<ApprovedRule> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  return said(async () => {
    const state = await soundChain(parts);
    const unsigned = approvalOf(parts, state, id, by, why);
    const signature = signatureOf(parts, unsigned, by, word.signature);
    const [placed] = await appendRecords(parts, state, [{ ...unsigned, signature }]);
    const { revision, rule, verification } = unsigned;
    const cited = { seq: placed?.seq ?? 0, hash: placed?.hash ?? "" };
    return { rule, revision, by: by.id, verification, cited, signature };
  });
}

/** The exact text that the signature of an approval is over. */
export async function statementFor(parts: Parts, id: string, word: GuideWord): Promise<string> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  return statementOf(approvalOf(parts, await soundChain(parts), id, by, why));
}

function approvalOf(parts: Parts, state: GuideState, id: string, by: Approver, why: string): Unsigned {
  const of = namedRevision(state, id);
  const verification = newestVerification(state, of);
  if (verification?.record.passed !== true) {
    throw new SignalboxError("verification_failed", `the newest verification of ${nameOf(of)} did not pass`, {
      exitCode: 3,
      hint: "signalbox guides lint says what is wrong",
    });
  }
  const { hash, seq } = verification;
  const { role } = guidesIn(parts);
  return { kind: "guide_approved", at: parts.clock.now(), ...of, verification: { seq, hash }, by: by.id, role, why };
}

function signatureOf(
  parts: Parts,
  unsigned: Unsigned,
  { id, keys }: Approver,
  signing: GuideSigning | undefined,
): GuideSignature | null {
  const { signatures, signaturesRequired } = guidesIn(parts);
  if (signing === undefined) {
    if (!signaturesRequired) return null;
    throw new SignalboxError("signature_missing", `the config requires that ${id} signs the approval`, {
      exitCode: 3,
      hint: "sign what `guides statement` prints: ssh-keygen -Y sign -n signalbox-guides",
    });
  }
  const statement = statementOf(unsigned);
  const made = "privateKey" in signing ? signatures.sign(statement, signing.privateKey) : null;
  if (made?.ok === false) throw new SignalboxError(made.why.code, made.why.detail);
  const value = made === null ? ("signature" in signing ? signing.signature : "") : made.value;
  const read = signatures.verify(statement, value, keys);
  if (read.ok) return read.value;
  throw new SignalboxError("signature_invalid", `${read.why.code}: ${read.why.detail}`, {
    exitCode: 3,
    hint: "a statement names the newest verification and your reason: take it anew where either has changed",
  });
}
