/**
 * The chain of the guides (design 7.4): what was said of revisions, folded. Verification, approval and publication are
 * separate records, and each of them rests on the one that it cites, by number and hash.
 *
 * Laws, tested in chain.test.ts and test/laws/guide-chain.test.ts:
 *   no-approval-unverified   an approval cites a verification of these very bytes, of this rule, that passed
 *   no-publication-unapproved  a publication cites an approval of these very bytes, of this rule, that nobody took back
 *   only-backwards           a record cites what stood before it, so nothing can vouch for itself, by whatever detour
 *   used-once                a person's approval uses its verification up: taken back, it cannot be said again
 *   new-word                 bytes that were taken back or withdrawn are verified, approved and published anew: no approval rests on
 *                            a verification of before, and no publication on an approval from before a withdrawal
 *
 * The same judge stands at both gates: what it refuses is not appended, and where it stands in a store it is not served.
 */
import type {
  Cited,
  GuideApproved,
  GuidePinned,
  GuidePublished,
  GuideRecord,
  GuideVerified,
} from "../domain/guide-record.ts";
import type { Row } from "../domain/row.ts";
import { unreachable } from "../domain/unreachable.ts";
import { parseRecord } from "./parse-record.ts";

export const CHAIN_CODES = [
  "unknown_kind",
  "unreadable_record",
  /** It cites itself or a later row. */
  "cites_ahead",
  /** The row of this number is another one than the one that is cited. */
  "cites_other_row",
  /** What is cited is no verification, or no approval. */
  "cites_wrong_kind",
  "receipt_of_another_rule",
  "receipt_of_other_bytes",
  "verification_failed",
  "approval_replayed",
  "approval_revoked",
  /** These bytes were taken back or withdrawn after they were verified. */
  "verification_outdated",
  /** They were withdrawn after they were approved. */
  "approval_withdrawn",
  "already_published",
  "not_published",
  "pin_without_reason",
] as const;
/** Why a record may not follow the records before it. */
export type ChainCode = (typeof CHAIN_CODES)[number];

/** A record at its place in the chain. */
export type Placed<R extends GuideRecord = GuideRecord> = Cited & { readonly record: R };

/** A list that shares its tail, newest first: to add to it costs the same however long it is. null: nothing. */
export type Newest<T> = { readonly newest: T; readonly older: Newest<T> } | null;

/** What was said of one revision of one rule, by the numbers of the rows. */
export type Said = {
  readonly verified: Newest<number>;
  readonly approved: Newest<number>;
  /** The newest row that took an approval of it back, or 0. */
  readonly revoked: number;
  /** The newest row by which it was withdrawn, or 0. */
  readonly withdrawn: number;
  /** The newest row by which it was published, or 0. */
  readonly published: number;
};

/** Where the chain stands. Read it by the functions of standing.ts. */
export type GuideState = Cited & {
  readonly records: ReadonlyMap<number, Placed>;
  /** By saidKey. */
  readonly said: ReadonlyMap<string, Said>;
  /** By rule: its revisions as they were verified; one that was verified again behind another is named again. */
  readonly revisions: ReadonlyMap<string, Newest<string>>;
  /** By the number of the approval, that of its revocation. */
  readonly revoked: ReadonlyMap<number, number>;
  /** Which verifications were used, and by whom: see useKey. */
  readonly used: ReadonlySet<string>;
  /** By rule: the publication that holds. */
  readonly published: ReadonlyMap<string, Placed<GuidePublished>>;
  /** By name: the newest pin. */
  readonly pins: ReadonlyMap<string, Placed<GuidePinned>>;
};

/** A chain that nothing was said in yet. */
export const NO_GUIDES: GuideState = {
  seq: 0,
  hash: "0".repeat(64),
  records: new Map(),
  said: new Map(),
  revisions: new Map(),
  revoked: new Map(),
  used: new Set(),
  published: new Map(),
  pins: new Map(),
};

export type Judged = { readonly ok: true } | { readonly ok: false; readonly code: ChainCode; readonly detail: string };

/** A chain that does not hold together, from this row on. */
export type BrokenChain = {
  readonly kind: "broken";
  readonly seq: number;
  readonly code: ChainCode;
  readonly detail: string;
};

/** A state that is being added to. It can be read like any other. */
export type Folding = {
  -readonly [name in keyof GuideState]: GuideState[name] extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : GuideState[name] extends ReadonlySet<infer V>
      ? Set<V>
      : GuideState[name];
};

/** Whether a record may follow what was said before. */
export function judgeRecord(state: GuideState, record: GuideRecord): Judged {
  switch (record.kind) {
    case "guide_verified":
      return FINE;
    case "guide_approved":
      return judgeApproval(state, record);
    case "guide_revoked":
      return judgeCited(state, record, record.approval, "guide_approved") ?? judgeStanding(state, record.approval);
    case "guide_published":
      return judgePublication(state, record);
    case "guide_withdrawn":
      return state.published.get(record.rule)?.record.revision === record.revision
        ? FINE
        : refused("not_published", `${nameOf(record)} is not what is published`);
    case "guide_pinned":
      return record.reason === null && state.pins.has(record.name)
        ? refused("pin_without_reason", `${record.name} is pinned already, and pinned anew only with a reason`)
        : FINE;
    default:
      return unreachable(record);
  }
}

function judgeApproval(state: GuideState, approval: GuideApproved): Judged {
  const bad = judgeCited(state, approval, approval.verification, "guide_verified");
  if (bad !== null) return bad;
  const { by, verification } = approval;
  const cited = state.records.get(verification.seq)?.record;
  if (cited?.kind !== "guide_verified" || !cited.passed) {
    return refused("verification_failed", `verification ${verification.seq} did not pass`);
  }
  if (state.used.has(useKey(verification.seq, by))) {
    return refused("approval_replayed", `${by} has used verification ${verification.seq} already: verify anew`);
  }
  const back = takenBack(state, approval);
  if (back < verification.seq) return FINE;
  const says = `row ${back} took ${nameOf(approval)} back after verification ${verification.seq}: verify anew`;
  return refused("verification_outdated", says);
}

function judgePublication(state: GuideState, publication: GuidePublished): Judged {
  const bad = judgeCited(state, publication, publication.approval, "guide_approved");
  if (bad !== null) return bad;
  const before = state.published.get(publication.rule);
  if (before?.record.approval.seq === publication.approval.seq) {
    return refused("already_published", `${nameOf(publication)} is published on this approval already`);
  }
  const { withdrawn } = saidOf(state, publication);
  if (withdrawn > publication.approval.seq) {
    const says = `row ${withdrawn} withdrew ${nameOf(publication)} after approval ${publication.approval.seq}`;
    return refused("approval_withdrawn", `${says}: verify and approve it anew`);
  }
  return judgeStanding(state, publication.approval);
}

/** null where the row that a record cites is before it, is that row, is of this kind, and is about the same bytes. */
function judgeCited(
  state: GuideState,
  record: Pick<GuideVerified, "rule" | "revision">,
  cited: Cited,
  kind: "guide_verified" | "guide_approved",
): Judged | null {
  if (cited.seq > state.seq) return refused("cites_ahead", `row ${cited.seq} is not before it`);
  const found = state.records.get(cited.seq);
  if (found === undefined || found.hash !== cited.hash) {
    return refused("cites_other_row", `row ${cited.seq} has another hash than the one that is cited`);
  }
  const { record: receipt } = found;
  if (receipt.kind !== kind) return refused("cites_wrong_kind", `row ${cited.seq} is of the kind ${receipt.kind}`);
  if (receipt.rule !== record.rule) {
    return refused(
      "receipt_of_another_rule",
      `row ${cited.seq} is about ${receipt.rule}, and not about ${record.rule}`,
    );
  }
  if (receipt.revision !== record.revision) {
    return refused(
      "receipt_of_other_bytes",
      `row ${cited.seq} is about ${nameOf(receipt)}, and not about ${nameOf(record)}`,
    );
  }
  return null;
}

function judgeStanding(state: GuideState, approval: Cited): Judged {
  const revoked = state.revoked.get(approval.seq);
  if (revoked === undefined) return FINE;
  return refused("approval_revoked", `approval ${approval.seq} was taken back by row ${revoked}`);
}

const FINE: Judged = { ok: true };

function refused(code: ChainCode, detail: string): Judged {
  return { ok: false, code, detail };
}

/** Folds rows behind a state. Their hashes are the ledger's to check; what they say is judged here, row by row. */
export function foldGuides(rows: readonly Row[], from: GuideState = NO_GUIDES): GuideState | BrokenChain {
  const folding = beginFold(from);
  for (const row of rows) {
    const read = parseRecord(row);
    // The parser has two codes, and both are of this table.
    if (!read.ok) return broken(row.seq, read.why.code as ChainCode, read.why.detail);
    const judged = judgeRecord(folding, read.value);
    if (!judged.ok) return broken(row.seq, judged.code, judged.detail);
    take(folding, { seq: row.seq, hash: row.hash, record: read.value });
  }
  return folding;
}

function broken(seq: number, code: ChainCode, detail: string): BrokenChain {
  return { kind: "broken", seq, code, detail };
}

export function isBroken(folded: GuideState | BrokenChain): folded is BrokenChain {
  return "kind" in folded;
}

/** A state to add to; `from` stays as it is. */
export function beginFold(from: GuideState): Folding {
  return {
    ...from,
    records: new Map(from.records),
    said: new Map(from.said),
    revisions: new Map(from.revisions),
    revoked: new Map(from.revoked),
    used: new Set(from.used),
    published: new Map(from.published),
    pins: new Map(from.pins),
  };
}

/** Adds a record that was judged. */
export function take(folding: Folding, placed: Placed): void {
  const { hash, record, seq } = placed;
  folding.seq = seq;
  folding.hash = hash;
  folding.records.set(seq, placed);
  switch (record.kind) {
    case "guide_verified": {
      const { revision, rule } = record;
      const said = saidOf(folding, record);
      folding.said.set(saidKey(record), { ...said, verified: { newest: seq, older: said.verified } });
      const older = folding.revisions.get(rule) ?? null;
      if (older?.newest !== revision) folding.revisions.set(rule, { newest: revision, older });
      return;
    }
    case "guide_approved": {
      const said = saidOf(folding, record);
      folding.said.set(saidKey(record), { ...said, approved: { newest: seq, older: said.approved } });
      folding.used.add(useKey(record.verification.seq, record.by));
      return;
    }
    case "guide_revoked":
      folding.said.set(saidKey(record), { ...saidOf(folding, record), revoked: seq });
      folding.revoked.set(record.approval.seq, seq);
      return;
    case "guide_published":
      folding.said.set(saidKey(record), { ...saidOf(folding, record), published: seq });
      folding.published.set(record.rule, { seq, hash, record });
      return;
    case "guide_withdrawn":
      folding.said.set(saidKey(record), { ...saidOf(folding, record), withdrawn: seq });
      folding.published.delete(record.rule);
      return;
    case "guide_pinned":
      folding.pins.set(record.name, { seq, hash, record });
      return;
    default:
      unreachable(record);
  }
}

const NOTHING: Said = { verified: null, approved: null, revoked: 0, withdrawn: 0, published: 0 };

export function saidOf(state: GuideState, of: Pick<GuideVerified, "rule" | "revision">): Said {
  return state.said.get(saidKey(of)) ?? NOTHING;
}

/** What is in a list, newest first. */
export function* inOrder<T>(list: Newest<T>): Generator<T> {
  for (let at = list; at !== null; at = at.older) yield at.newest;
}

/** The newest row by which these bytes were taken back or withdrawn, or 0: what was verified before it is verified anew. */
export function takenBack(state: GuideState, of: Pick<GuideVerified, "rule" | "revision">): number {
  const { revoked, withdrawn } = saidOf(state, of);
  return Math.max(revoked, withdrawn);
}

/** A digest has no space in it, so no two pairs have one key. */
function saidKey({ revision, rule }: Pick<GuideVerified, "rule" | "revision">): string {
  return `${revision} ${rule}`;
}

function useKey(verification: number, by: string): string {
  return `${verification} ${by}`;
}

/** A revision as people name it: `rule@0123456789ab`. */
export function nameOf({ revision, rule }: Pick<GuideVerified, "rule" | "revision">): string {
  return `${rule}@${revision.slice(0, 12)}`;
}
