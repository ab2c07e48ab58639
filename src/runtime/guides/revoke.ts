import type { GuideRevoked, RuleState } from "../../domain/guide-record.ts";
import { nameOf, standingApprovals, stateOfRevision } from "../../guides/index.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { GuideWord } from "./api.ts";
import { namedRevision } from "./named-revision.ts";
import { guideApprover, neededWhy } from "./person.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { say } from "./say.ts";

/**
 * Takes every approval of these bytes back, whoever gave it: what one person found wrong is not served on the word of
 * another. Where they are published, an ordinary rule is withheld from now on, and a safety rule stops serving altogether.
 *
 * @throws SignalboxError `not_approved`, `approval_revoked`, and as `approveRule` for who and which.
 */
export function revokeRule(parts: Parts, id: string, word: GuideWord): Promise<void> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  return say(parts, async () => {
    const state = await soundChain(parts);
    const of = namedRevision(state, id);
    const records = standingApprovals(state, of).map(
      ({ hash, seq }): GuideRevoked => ({
        kind: "guide_revoked",
        at: parts.clock.now(),
        ...of,
        approval: { seq, hash },
        by: by.id,
        why,
      }),
    );
    if (records.length === 0) {
      const [code, what] = unapproved(stateOfRevision(state, of));
      throw new SignalboxError(code, `the approval of ${nameOf(of)} ${what}`, { exitCode: 3 });
    }
    await appendRecords(parts, state, records);
  });
}

function unapproved(state: RuleState): readonly [string, string] {
  switch (state) {
    case "revoked":
      return ["approval_revoked", "was taken back already"];
    case "withdrawn":
      return ["approval_withdrawn", "ended when it was withdrawn"];
    default:
      return ["not_approved", "is not there"];
  }
}
