/**
 * The chain of the guides again, slowly and plainly (design 7.4): no maps, no state that is carried along. Everything is
 * looked up in the list of what was said before.
 */
import type { Cited, GuideRecord } from "../src/domain/guide-record.ts";

export type Said = Cited & { readonly record: GuideRecord };

/** Whether `record` may be said after all of this. */
export function maySay(before: readonly Said[], record: GuideRecord): boolean {
  if (record.kind === "guide_verified") return true;
  if (record.kind === "guide_pinned") return record.reason !== null || !before.some((said) => pins(said, record.name));
  if (record.kind === "guide_withdrawn") return revisionServed(before, record.rule) === record.revision;
  if (record.kind === "guide_approved") {
    const receipt = citedBy(before, record.verification)?.record;
    if (receipt?.kind !== "guide_verified" || !receipt.passed) return false;
    if (receipt.rule !== record.rule || receipt.revision !== record.revision) return false;
    if (isSaidSince(before, record.verification.seq, record, ["guide_revoked", "guide_withdrawn"])) return false;
    return !before.some(
      ({ record: said }) =>
        said.kind === "guide_approved" && said.by === record.by && said.verification.seq === record.verification.seq,
    );
  }
  const approval = citedBy(before, record.approval)?.record;
  if (approval?.kind !== "guide_approved") return false;
  if (approval.rule !== record.rule || approval.revision !== record.revision) return false;
  if (isRevoked(before, record.approval)) return false;
  if (record.kind === "guide_revoked") return true;
  if (isSaidSince(before, record.approval.seq, record, ["guide_withdrawn"])) return false;
  const current = publicationServed(before, record.rule);
  return current === null || current.approval.seq !== record.approval.seq;
}

function pins({ record }: Said, name: string): boolean {
  return record.kind === "guide_pinned" && record.name === name;
}

function citedBy(before: readonly Said[], { hash, seq }: Cited): Said | undefined {
  return before.find((said) => said.seq === seq && said.hash === hash);
}

/** Whether a record of these kinds was said of the same bytes after row `seq`. */
function isSaidSince(
  before: readonly Said[],
  seq: number,
  of: { readonly rule: string; readonly revision: string },
  kinds: readonly GuideRecord["kind"][],
): boolean {
  return before.some(
    ({ record, seq: at }) =>
      at > seq &&
      kinds.includes(record.kind) &&
      "revision" in record &&
      record.rule === of.rule &&
      record.revision === of.revision,
  );
}

function isRevoked(before: readonly Said[], approval: Cited): boolean {
  return before.some(({ record }) => record.kind === "guide_revoked" && record.approval.seq === approval.seq);
}

function publicationServed(before: readonly Said[], rule: string) {
  const last = before.findLast(
    ({ record }) => (record.kind === "guide_published" || record.kind === "guide_withdrawn") && record.rule === rule,
  );
  return last?.record.kind === "guide_published" ? last.record : null;
}

function revisionServed(before: readonly Said[], rule: string): string | null {
  return publicationServed(before, rule)?.revision ?? null;
}

/** What may reach a model: the published revisions whose approval stands, as `rule revision`, sorted. */
export function mayReachModels(said: readonly Said[]): readonly string[] {
  const rules = new Set(said.flatMap(({ record }) => (record.kind === "guide_published" ? [record.rule] : [])));
  return [...rules]
    .flatMap((rule) => {
      const publication = publicationServed(said, rule);
      return publication === null || isRevoked(said, publication.approval) ? [] : [`${rule} ${publication.revision}`];
    })
    .sort();
}
