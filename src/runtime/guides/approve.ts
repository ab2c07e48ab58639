import type { GuideApproved, GuideSignature } from "../../domain/guide-record.ts";
import { APPROVED_DIGITS_MIN } from "../../domain/revision.ts";
import { type GuideState, judgeRecord, nameOf, newestVerification, statementOf } from "../../guides/index.ts";
import { SignalboxError } from "../error.ts";
import type { Approver, Parts } from "../parts.ts";
import type { ApprovedRule, GuideSigning, GuideWord } from "./api.ts";
import { guidesIn } from "./guide-parts.ts";
import { namedRevision } from "./named-revision.ts";
import { guideApprover, neededWhy } from "./person.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { say } from "./say.ts";

/** What a person is about to say, before they sign it. */
type Unsigned = Omit<GuideApproved, "signature">;

/**
 * A person takes responsibility for exactly the bytes that they name reaching a model: for all of these rules, or for none. Each
 * approval rests on the newest verification of its bytes, which must have passed and which they have not used before; a green
 * check never stands in for it.
 *
 * @throws SignalboxError `unknown_approver`, `approver_lacks_role`, `no_reason`, `digest_needed`, `bad_digest`,
 *   `unknown_revision`, `verification_failed`, `approval_replayed`, `signature_missing`, `signature_invalid`, `chain_broken`.
 */
export async function approveRules(
  parts: Parts,
  ids: readonly string[],
  word: GuideWord & { readonly signature?: GuideSigning },
): Promise<readonly ApprovedRule[]> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  if (ids.length === 0) throw new SignalboxError("usage", "name the rules to be approved");
  if (ids.length > 1 && word.signature !== undefined && "signature" in word.signature) {
    throw new SignalboxError("usage", "a signature is over one statement: approve the rules one by one, or with a key");
  }
  return say(parts, async () => {
    const state = await soundChain(parts);
    const unsigned = ids.map((id) => approvalOf(parts, state, id, by, why));
    refuseTwice(unsigned);
    const records = unsigned.map((one) => ({ ...one, signature: signatureOf(parts, one, by, word.signature) }));
    const placed = await appendRecords(parts, state, records);
    return records.map(({ revision, rule, signature, verification }, i) => {
      const cited = { seq: placed[i]?.seq ?? 0, hash: placed[i]?.hash ?? "" };
      return { rule, revision, by: by.id, verification, cited, signature };
    });
  });
}

function refuseTwice(all: readonly Unsigned[]): void {
  const seen = new Set<string>();
  for (const { revision, rule } of all) {
    const name = `${rule}@${revision}`;
    if (seen.has(name)) throw new SignalboxError("usage", `${name} is named twice`);
    seen.add(name);
  }
}

/** The same of one rule. */
export async function approveRule(
  parts: Parts,
  id: string,
  word: GuideWord & { readonly signature?: GuideSigning },
): Promise<ApprovedRule> {
  const [approved] = await approveRules(parts, [id], word);
  if (approved === undefined) throw new TypeError("one rule has one approval");
  return approved;
}

/** The exact text that the signature of an approval is over. What may not be said is not signed either. */
export async function statementFor(parts: Parts, id: string, word: GuideWord): Promise<string> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  const state = await soundChain(parts);
  const unsigned = approvalOf(parts, state, id, by, why);
  const judged = judgeRecord(state, { ...unsigned, signature: null });
  if (!judged.ok) throw new SignalboxError(judged.code, judged.detail, { exitCode: 3 });
  return statementOf(unsigned);
}

function approvalOf(parts: Parts, state: GuideState, id: string, by: Approver, why: string): Unsigned {
  const of = namedRevision(state, id, APPROVED_DIGITS_MIN);
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
