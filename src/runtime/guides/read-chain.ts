import { GUIDES, type GuideRecord } from "../../domain/guide-record.ts";
import type { Revision } from "../../domain/revision.ts";
import type { Row } from "../../domain/row.ts";
import {
  beginFold,
  bodyOfRecord,
  foldGuides,
  type GuideState,
  isBroken,
  judgeRecord,
  NO_GUIDES,
  type Placed,
  take,
} from "../../guides/index.ts";
import { chainRow, verifyRun } from "../../ledger/index.ts";
import { StoreError } from "../../ports/store.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";

/** A chain that is not what was written, or that says what it may not: from this row on. */
export type Unsound = { readonly kind: "unsound"; readonly seq: number; readonly detail: string };

/**
 * The guides' chain as it is now. What this box has read before is not read again, but the newest row of it must still be
 * there: a chain that was cut while we looked at it is found without any checkpoint.
 */
export async function readChain(parts: Parts): Promise<GuideState | Unsound> {
  const { guideBook, ledgerHash, store } = parts;
  const known = guideBook.state ?? NO_GUIDES;
  let rows: readonly Row[];
  try {
    rows = await store.readGuides(Math.max(0, known.seq - 1));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    return unsound(error.where?.seq ?? known.seq + 1, error.message);
  }
  if (known.seq > 0) {
    const [newest, ...later] = rows;
    if (newest?.seq !== known.seq || newest.hash !== known.hash) {
      return unsound(known.seq, "chain_cut: the row that was its newest is no longer there");
    }
    rows = later;
  }
  const stray = rows.find(({ run }) => run !== GUIDES);
  if (stray !== undefined) return unsound(stray.seq, `wrong_run: the row belongs to run ${stray.run}`);
  const verified = verifyRun(rows, ledgerHash, known);
  if (!verified.ok) return unsound(verified.seq, `${verified.code}: ${verified.detail}`);
  const folded = rows.length === 0 ? known : foldGuides(rows, known);
  if (isBroken(folded)) return unsound(folded.seq, `${folded.code}: ${folded.detail}`);
  remember(parts, folded);
  return folded;
}

/** Two readings may overtake each other. */
function remember({ guideBook }: Parts, state: GuideState): void {
  if (state.seq >= (guideBook.state?.seq ?? 0)) guideBook.state = state;
}

function unsound(seq: number, detail: string): Unsound {
  return { kind: "unsound", seq, detail };
}

export function isUnsound(chain: GuideState | Unsound): chain is Unsound {
  return "kind" in chain;
}

/** @throws SignalboxError `chain_broken`. */
export async function soundChain(parts: Parts): Promise<GuideState> {
  const chain = await readChain(parts);
  if (!isUnsound(chain)) return chain;
  throw new SignalboxError("chain_broken", `row ${chain.seq} of the guides: ${chain.detail}`, {
    exitCode: 7,
    hint: "signalbox ledger verify lists everything that does not fit",
  });
}

/**
 * Appends records to the chain, and keeps the bytes of revisions, in one transaction: all of them or none. Each is judged by
 * what stands before it, and the store refuses the write where the chain has gone on since `state` was read (`conflict`).
 *
 * @throws SignalboxError with the judge's code for a record that may not follow.
 */
export async function appendRecords(
  parts: Parts,
  state: GuideState,
  records: readonly GuideRecord[],
  revisions: readonly Revision[] = [],
): Promise<readonly Placed[]> {
  const folding = beginFold(state);
  const rows: Row[] = [];
  const placed: Placed[] = [];
  for (const record of records) {
    const judged = judgeRecord(folding, record);
    if (!judged.ok) throw new SignalboxError(judged.code, judged.detail, { exitCode: 3 });
    const end = { run: GUIDES, seq: folding.seq, hash: folding.hash };
    const row = chainRow(end, record.at, record.kind, bodyOfRecord(record), parts.ledgerHash);
    const one: Placed = { seq: row.seq, hash: row.hash, record };
    take(folding, one);
    rows.push(row);
    placed.push(one);
  }
  await parts.store.appendGuides(rows, revisions);
  remember(parts, folding);
  return placed;
}
