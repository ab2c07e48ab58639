import { DIGEST_DIGITS_MIN, isDigestOf } from "../../domain/approval.ts";
import { readRevisionName } from "../../domain/revision.ts";
import { type GuideState, revisionsOf } from "../../guides/index.ts";
import { SignalboxError, textOf } from "../error.ts";

export type NamedRevision = { readonly rule: string; readonly revision: string };

/**
 * The revision that a person names as `RULE@DIGEST`, by the digest of what they saw or at least `digitsMin` digits of it: one that
 * was verified, and exactly one.
 *
 * @throws SignalboxError `digest_needed`, `bad_digest`, `unknown_revision`, `ambiguous_digest`.
 */
export function namedRevision(state: GuideState, id: string, digitsMin: number = DIGEST_DIGITS_MIN): NamedRevision {
  const named = readRevisionName(textOf(id));
  if (named === null) {
    throw new SignalboxError("digest_needed", `which bytes of ${shown(id)} is meant says their digest`, {
      hint: `name what you saw: ${shown(id)}@DIGEST, with at least ${digitsMin} digits`,
    });
  }
  const { digest, rule } = named;
  if (!/^[0-9a-fA-F]{1,64}$/.test(digest) || digest.length < digitsMin) {
    const hint =
      digitsMin > DIGEST_DIGITS_MIN
        ? {
            hint: `files that begin alike can be made on purpose: signalbox guides show ${shown(rule)} prints the digest`,
          }
        : {};
    throw new SignalboxError("bad_digest", `a digest is named by ${digitsMin} to 64 of its digits: ${shown(id)}`, hint);
  }
  const found = revisionsOf(state, rule).filter((revision) => isDigestOf(digest, revision));
  const [revision, other] = found;
  if (revision === undefined) throw neverVerified(id, rule);
  if (other !== undefined) {
    throw new SignalboxError(
      "ambiguous_digest",
      `${shown(id)} is the beginning of ${found.length} digests: name more of it`,
    );
  }
  return { rule, revision };
}

/** The same, where a rule alone means those of its bytes that were verified last. */
export function newestNamed(state: GuideState, id: string): NamedRevision {
  if (textOf(id).includes("@")) return namedRevision(state, id);
  const revision = revisionsOf(state, textOf(id)).at(-1);
  if (revision !== undefined) return { rule: textOf(id), revision };
  throw neverVerified(id, id);
}

function neverVerified(id: string, rule: string): SignalboxError {
  return new SignalboxError("unknown_revision", `${shown(id)} was never verified`, {
    exitCode: 3,
    hint: `signalbox guides verify ${shown(rule)}`,
  });
}

function shown(id: string): string {
  return textOf(id).slice(0, 90);
}
