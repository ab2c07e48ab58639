import { foldGuides, isBroken } from "../guides/index.ts";
import {
  addGuides,
  addRun,
  addUnreadableRun,
  beginVerification,
  type Checkpoint,
  type Fault,
  type FaultCode,
  finishVerification,
  type GuideRows,
  type LedgerVerdict,
  makeCheckpoint,
  type Verification,
} from "../ledger/index.ts";
import { type RunEntry, type Store, StoreError } from "../ports/store.ts";
import type { HashBytes } from "../ports/world.ts";
import { SignalboxError } from "./error.ts";
import type { Parts } from "./parts.ts";

type Books = Pick<Parts, "store" | "ledgerHash" | "hashBytes">;

/** How often the ledger is read again where a fault may be a writer's doing. */
const READS_AGAIN_MAX = 3;

/** What a ledger can look like while somebody writes it, since heads, entries, rows and books are read one after another. */
const WHILE_WRITTEN: ReadonlySet<FaultCode> = new Set([
  "head_missing",
  "head_mismatch",
  "head_not_on_chain",
  "run_missing",
  "books_disagree",
  "revision_missing",
  "revision_unexplained",
]);

/**
 * Verifies everything that the store holds, also while others write it. A fault that a writer's move between two reads
 * explains is reported only if it is there again, word for word, when everything is read again: real damage stays, and
 * a writer has moved on. For that, no time need pass: the second reading begins after the move.
 */
export async function verifyLedger(parts: Books, checkpoint: Checkpoint | null): Promise<LedgerVerdict> {
  let verdict = await readOnce(parts, checkpoint);
  for (let again = 0; again < READS_AGAIN_MAX && verdict.faults.some(mayBeWriting); again++) {
    const before = new Set(verdict.faults.map(wordsOf));
    const next = await readOnce(parts, checkpoint);
    const faults = next.faults.filter((fault) => !mayBeWriting(fault) || before.has(wordsOf(fault)));
    verdict = { ...next, faults, ok: faults.length === 0 };
  }
  return verdict;
}

/** @throws SignalboxError `ledger_damaged` where the ledger does not verify. */
export async function takeCheckpoint(parts: Books & Pick<Parts, "clock" | "ledgerKeyed">): Promise<Checkpoint> {
  const verdict = await verifyLedger(parts, null);
  if (!verdict.ok) {
    throw new SignalboxError("ledger_damaged", "a damaged ledger gets no checkpoint: it would vouch for the damage", {
      exitCode: 7,
      hint: "signalbox ledger verify",
    });
  }
  const { store, ledgerHash: hash, ledgerKeyed: keyed } = parts;
  const entries: RunEntry[] = [];
  for (const id of await store.listRunIds()) {
    const entry = await store.readRun(id);
    if (entry !== null) entries.push(entry);
  }
  const guides = (await store.readGuides(0)).at(-1) ?? null;
  return makeCheckpoint({ at: parts.clock.now(), entries, heads: await store.readHeads(), guides, keyed, hash });
}

async function readOnce(
  { store, ledgerHash, hashBytes }: Books,
  checkpoint: Checkpoint | null,
): Promise<LedgerVerdict> {
  const [heads, books, ids] = [await store.readHeads(), await store.checkBooks(), await store.listRunIds()];
  const verification = beginVerification({ heads, books, checkpoint, hash: ledgerHash });
  for (const id of ids) await addRunOf(verification, store, id);
  addGuides(verification, await readGuideRows(store, hashBytes));
  return finishVerification(verification);
}

/** The run's rows, or those before the first that cannot be read. */
export async function addRunOf(verification: Verification, store: Parts["store"], id: string): Promise<void> {
  let entry: RunEntry | null = null;
  try {
    entry = await store.readRun(id);
    if (entry === null) addUnreadableRun(verification, id, null, "the index of runs does not know it");
    else addRun(verification, { entry, rows: await store.readRows(id) });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    if (error.where === null) {
      addUnreadableRun(verification, id, null, error.message);
      return;
    }
    // What the index says may stand in the row that cannot be read. Then the rows before it are what there is.
    const { seq, before } = error.where;
    const known = entry ?? { run: id, headSeq: seq, headHash: "", ending: null };
    addRun(verification, { entry: known, rows: before, unreadable: { seq, detail: error.message } });
  }
}

/** The guides' chain, judged, and every revision that is kept, named anew. */
export async function readGuideRows(store: Store, hashBytes: HashBytes): Promise<GuideRows> {
  const { rows, unreadable } = await readChain(store);
  const folded = foldGuides(rows);
  const refused = isBroken(folded) ? { seq: folded.seq, detail: `${folded.code}: ${folded.detail}` } : null;
  const revisions = new Map<string, string | null>();
  // After the rows: a revision that is written meanwhile has its row, and the next reading sees it.
  for (const name of await store.listRevisions()) revisions.set(name, await digestOf(store, name, hashBytes));
  return { rows, unreadable, refused, revisions };
}

async function readChain(store: Store): Promise<Pick<GuideRows, "rows" | "unreadable">> {
  try {
    return { rows: await store.readGuides(0), unreadable: null };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    const { before, seq } = error.where ?? { before: [], seq: 1 };
    return { rows: before, unreadable: { seq, detail: error.message } };
  }
}

async function digestOf(store: Store, name: string, hashBytes: HashBytes): Promise<string | null> {
  try {
    const bytes = await store.readRevision(name);
    return bytes === null ? null : hashBytes(bytes);
  } catch (error) {
    if (error instanceof StoreError && error.code === "damaged") return null;
    throw error;
  }
}

function mayBeWriting(fault: Fault): boolean {
  return WHILE_WRITTEN.has(fault.code);
}

function wordsOf({ run, seq, code, detail }: Fault): string {
  return JSON.stringify([run, seq, code, detail]);
}
