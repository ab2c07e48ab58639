import { DIGEST_DIGITS_MIN, isDigestOf } from "../../domain/approval.ts";
import { readRevisionName } from "../../domain/revision.ts";
import { type GuideState, revisionsOf } from "../../guides/index.ts";
import { SignalboxError, textOf } from "../error.ts";

export type NamedRevision = { readonly rule: string; readonly revision: string };

/**
 * The revision that a person names as `RULE@DIGEST`, by the digest of what they saw or at least 8 digits of it: one that was
 * verified, and exactly one.
 *
 * @throws SignalboxError `digest_needed`, `bad_digest`, `unknown_revision`, `ambiguous_digest`.
 */
export function namedRevision(state: GuideState, id: string): NamedRevision {
  const named = readRevisionName(textOf(id));
  if (named === null) {
    throw new SignalboxError("digest_needed", `which bytes of ${shown(id)} is meant says their digest`, {
      hint: `name what you saw: ${shown(id)}@DIGEST, with at least ${DIGEST_DIGITS_MIN} digits`,
    });
  }
  const { digest, rule } = named;
  if (!/^[0-9a-fA-F]{1,64}$/.test(digest) || digest.length < DIGEST_DIGITS_MIN) {
    throw new SignalboxError(
      "bad_digest",
      `a digest is named by ${DIGEST_DIGITS_MIN} to 64 of its digits: ${shown(id)}`,
    );
  }
  const found = revisionsOf(state, rule).filter((revision) => isDigestOf(digest, revision));
  const [revision, other] = found;
  if (revision === undefined) {
    throw new SignalboxError("unknown_revision", `${shown(id)} was never verified`, {
      exitCode: 3,
      hint: `signalbox guides verify ${shown(rule)}`,
    });
  }
  if (other !== undefined) {
    throw new SignalboxError(
      "ambiguous_digest",
      `${shown(id)} is the beginning of ${found.length} digests: name more of it`,
    );
  }
  return { rule, revision };
}

function shown(id: string): string {
  return textOf(id).slice(0, 90);
}
