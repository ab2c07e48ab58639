import { GUIDES } from "../domain/guide-record.ts";
import { isJsonObject, own } from "../domain/json.ts";
import type { Row } from "../domain/row.ts";
import { type FaultCode, type Verification, verifyRun } from "./verify.ts";

/** The guides' chain as it could be read, and the revisions that are kept beside it. */
export type GuideRows = {
  readonly rows: readonly Row[];
  readonly unreadable: { readonly seq: number; readonly detail: string } | null;
  /** The first row that may not follow those before it. This room knows nothing of what a row says, so it is told. */
  readonly refused: { readonly seq: number; readonly detail: string } | null;
  /** Each revision by its name: what the SHA-256 of its bytes is, or null where they cannot be read. */
  readonly revisions: ReadonlyMap<string, string | null>;
};

/**
 * Verifies the guides' chain: its hashes, what its rows say of each other, that the bytes of each verified revision are there
 * and are what their name says, and that the checkpoint's row is still on it. What it cannot find by itself is that rows were
 * cut off its end: a revocation that is gone is gone without a trace, unless a checkpoint was kept.
 */
export function addGuides(verification: Verification, guides: GuideRows): void {
  const { faults, options } = verification;
  const { refused, revisions, rows, unreadable } = guides;
  const fault = (seq: number | null, code: FaultCode, detail: string) =>
    faults.push({ run: GUIDES, seq, code, detail });
  verification.guides = rows.length;
  verification.revisions = revisions.size;
  const verdict = verifyRun(rows, options.hash);
  if (!verdict.ok) fault(verdict.seq, verdict.code, verdict.detail);
  else if (rows[0] !== undefined && rows[0].run !== GUIDES) fault(1, "wrong_run", `it belongs to run ${rows[0].run}`);
  else if (unreadable !== null) fault(unreadable.seq, "unreadable", unreadable.detail);
  else if (refused !== null) fault(refused.seq, "guide_refused", refused.detail);
  const needed = new Map<string, number>();
  for (const row of rows) {
    const revision = revisionOf(row);
    if (revision !== null && !needed.has(revision)) needed.set(revision, row.seq);
  }
  for (const [revision, seq] of needed) {
    if (!revisions.has(revision)) fault(seq, "revision_missing", `the bytes of revision ${revision} are gone`);
  }
  for (const [name, digest] of revisions) {
    const seq = needed.get(name);
    if (digest === null) fault(seq ?? null, "revision_damaged", `the bytes of revision ${name} cannot be read`);
    else if (digest !== name)
      fault(seq ?? null, "revision_damaged", `the bytes of revision ${name} have digest ${digest}`);
    if (seq === undefined && unreadable === null)
      fault(null, "revision_unexplained", `no row says what revision ${name} is`);
  }
  const then = options.checkpoint?.guides ?? null;
  if (then === null || rows[then.seq - 1]?.hash === then.hash) return;
  const what = rows[then.seq - 1] === undefined ? "the chain does not reach it" : "the chain has another row there";
  fault(Math.min(then.seq, rows.length + 1), "checkpoint_missing", `the checkpoint names row ${then.seq}: ${what}`);
}

function revisionOf({ body, kind }: Row): string | null {
  const revision = kind === "guide_verified" && isJsonObject(body) ? own(body, "revision") : null;
  return typeof revision === "string" ? revision : null;
}
