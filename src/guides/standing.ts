/** Where rules and their revisions stand: what the records of the chain come to. */
import { canonicalJson } from "../domain/canonical.ts";
import type {
  GuideApproved,
  GuidePublished,
  GuideRecord,
  GuideRecordKind,
  GuideVerified,
  RuleState,
} from "../domain/guide-record.ts";
import type { Json } from "../domain/json.ts";
import { type GuideState, inOrder, type Placed, saidOf, takenBack } from "./chain.ts";

type Of = Pick<GuideVerified, "rule" | "revision">;

/** A rule that is published, with the two records that its publication rests on. */
export type PublishedRevision = {
  readonly publication: Placed<GuidePublished>;
  readonly approval: Placed<GuideApproved>;
  readonly verification: Placed<GuideVerified>;
};

/** What is published, by the rules' ids in the order of code units. */
export function publishedNow(state: GuideState): readonly PublishedRevision[] {
  const rules = [...state.published.keys()].sort();
  return rules.flatMap((rule) => publishedOf(state, rule) ?? []);
}

export function publishedOf(state: GuideState, rule: string): PublishedRevision | null {
  const publication = state.published.get(rule);
  return publication === undefined ? null : restsOn(state, publication);
}

/** What was published when this row was the chain's newest, in the same order. */
export function publishedAt(state: GuideState, seq: number): readonly PublishedRevision[] {
  if (seq === state.seq) return publishedNow(state);
  const then = new Map<string, Placed<GuidePublished>>();
  for (const [at, { hash, record }] of state.records) {
    if (at > seq) break;
    if (record.kind === "guide_published") then.set(record.rule, { seq: at, hash, record });
    if (record.kind === "guide_withdrawn") then.delete(record.rule);
  }
  return [...then.keys()].sort().flatMap((rule) => {
    const publication = then.get(rule);
    return publication === undefined ? [] : restsOn(state, publication);
  });
}

/** The newest publication of exactly these bytes, also where others have taken their place since; null where there is none. */
export function publicationOf(state: GuideState, of: Of): PublishedRevision | null {
  const { published: seq } = saidOf(state, of);
  if (seq === 0) return null;
  return restsOn(state, placed(state, seq, "guide_published"));
}

/** A publication with the two records that it rests on. */
function restsOn(state: GuideState, publication: Placed<GuidePublished>): PublishedRevision {
  const approval = placed(state, publication.record.approval.seq, "guide_approved");
  return { publication, approval, verification: verificationOf(state, approval) };
}

/** The row by which a rule, or exactly these bytes of it, stopped being served after a publication; 0 where none did. */
export function withdrawnSince(state: GuideState, { publication: { record, seq } }: PublishedRevision): number {
  const { withdrawn } = saidOf(state, record);
  if (withdrawn > seq) return withdrawn;
  if (state.published.has(record.rule)) return 0;
  // Another revision took its place, and that one was withdrawn.
  return revisionsOf(state, record.rule).reduce(
    (newest, revision) => Math.max(newest, saidOf(state, { ...record, revision }).withdrawn),
    0,
  );
}

/** The verification that an approval rests on. */
export function verificationOf(state: GuideState, { record }: Placed<GuideApproved>): Placed<GuideVerified> {
  return placed(state, record.verification.seq, "guide_verified");
}

/** The state of a revision. A later receipt takes nothing from one that is approved or published: only a person does. */
export function stateOfRevision(state: GuideState, of: Of): RuleState {
  const current = state.published.get(of.rule);
  const isCurrent = current?.record.revision === of.revision;
  if (isCurrent && !state.revoked.has(current.record.approval.seq)) return "published";
  if (standingApprovals(state, of).length > 0) return "approved";
  if (isCurrent) return "revoked";
  const { approved, verified, withdrawn } = saidOf(state, of);
  const receipt = verified?.newest ?? 0;
  if (takenBack(state, of) > receipt) return withdrawn > (approved?.newest ?? 0) ? "withdrawn" : "revoked";
  if (receipt === 0) return "draft";
  return placed(state, receipt, "guide_verified").record.passed ? "verified" : "failed";
}

/** Whether an approval of these bytes stands that is newer than what is published of the rule, or than their own publication. */
export function isToPublish(state: GuideState, of: Of): boolean {
  const [newest] = standingApprovals(state, of);
  if (newest === undefined) return false;
  const current = state.published.get(of.rule);
  return current?.record.revision !== of.revision || newest.seq > current.seq;
}

/** The newest verification of these bytes; null where there is none. */
export function newestVerification(state: GuideState, of: Of): Placed<GuideVerified> | null {
  const { verified } = saidOf(state, of);
  return verified === null ? null : placed(state, verified.newest, "guide_verified");
}

/** Every verification of these bytes, the newest first. */
export function verificationsOf(state: GuideState, of: Of): readonly Placed<GuideVerified>[] {
  return [...inOrder(saidOf(state, of).verified)].map((seq) => placed(state, seq, "guide_verified"));
}

/** The newest verification of these bytes that passed; null where none did. */
export function newestPassing(state: GuideState, of: Of): Placed<GuideVerified> | null {
  return verificationsOf(state, of).find(({ record }) => record.passed) ?? null;
}

/**
 * The newest verification of these bytes, where it says what `record` would say and can be approved on by anybody: nobody has used
 * it, nothing was taken back since, and no other bytes of the rule were verified after it but those that are still there.
 */
export function standingReceipt(
  state: GuideState,
  record: GuideVerified,
  isThere: (revision: string) => boolean,
): Placed<GuideVerified> | null {
  const newest = newestVerification(state, record);
  if (newest === null || takenBack(state, record) > newest.seq) return null;
  for (const seq of inOrder(saidOf(state, record).approved)) {
    if (placed(state, seq, "guide_approved").record.verification.seq === newest.seq) return null;
  }
  const all = revisionsOf(state, record.rule);
  if (!all.slice(all.indexOf(record.revision) + 1).every(isThere)) return null;
  return textOf(newest.record) === textOf(record) ? newest : null;
}

/** What a receipt says, but when. */
function textOf({ at: _, ...said }: GuideVerified): string {
  return canonicalJson(said as unknown as Json);
}

/** The approvals of these bytes that nobody took back, and since which they were not withdrawn; newest first. */
export function standingApprovals(state: GuideState, of: Of): readonly Placed<GuideApproved>[] {
  const { approved, withdrawn } = saidOf(state, of);
  return [...inOrder(approved)]
    .filter((seq) => seq > withdrawn && !state.revoked.has(seq))
    .map((seq) => placed(state, seq, "guide_approved"));
}

/** Every revision of a rule that was verified; the last of them is the one that was verified last. */
export function revisionsOf(state: GuideState, rule: string): readonly string[] {
  return [...new Set(inOrder(state.revisions.get(rule) ?? null))].reverse();
}

function placed<Kind extends GuideRecordKind>(
  state: GuideState,
  seq: number,
  kind: Kind,
): Placed<Extract<GuideRecord, { kind: Kind }>> {
  const found = state.records.get(seq);
  if (found?.record.kind !== kind) throw new TypeError(`row ${seq} of the guides is no ${kind}`);
  return found as Placed<Extract<GuideRecord, { kind: Kind }>>;
}
