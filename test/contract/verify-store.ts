import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { sha256Bytes } from "../../src/adapters/world-node/index.ts";
import {
  addGuides,
  beginVerification,
  type Checkpoint,
  finishVerification,
  type HashText,
  type LedgerVerdict,
  makeCheckpoint,
} from "../../src/ledger/index.ts";
import { type RunEntry, type Store, StoreError } from "../../src/ports/store.ts";
import { addRunOf, readGuideRows } from "../../src/runtime/verify.ts";

/** Verifies everything that a store holds, as `signalbox ledger verify` does. What cannot be read is a fault like others. */
export async function verifyStore(
  store: Store,
  hash: HashText,
  checkpoint: Checkpoint | null = null,
): Promise<LedgerVerdict> {
  const books = await orDamage(store.checkBooks(), (error) => [error.message]);
  const heads = await orDamage(store.readHeads(), (error) => {
    books.push(error.message);
    return [];
  });
  const ids = await orDamage(store.listRunIds(), (error) => {
    books.push(error.message);
    return [];
  });
  const verification = beginVerification({ heads, books, checkpoint, hash });
  for (const id of ids) await addRunOf(verification, store, id);
  try {
    addGuides(verification, await readGuideRows(store, sha256Bytes));
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    verification.faults.push({ run: null, seq: null, code: "unreadable", detail: error.message });
  }
  return finishVerification(verification);
}

async function orDamage<T>(reading: Promise<readonly T[]>, otherwise: (error: StoreError) => T[]): Promise<T[]> {
  try {
    return [...(await reading)];
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    return otherwise(error);
  }
}

/** The same for a file. One that cannot be opened is reported too. */
export async function verifyFile(
  path: string,
  hash: HashText,
  checkpoint: Checkpoint | null = null,
): Promise<LedgerVerdict> {
  let store: Store;
  try {
    store = openSqliteStore({ path });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const fault = { run: null, seq: null, code: "unreadable" as const, detail: error.message };
    return { ok: false, faults: [fault], runs: 0, rows: 0, heads: 0, guides: 0, revisions: 0 };
  }
  try {
    return await verifyStore(store, hash, checkpoint);
  } finally {
    await store.close();
  }
}

export async function checkpointOf(store: Store, hash: HashText, keyed: boolean): Promise<Checkpoint> {
  const entries: RunEntry[] = [];
  for (const id of await store.listRunIds()) {
    const entry = await store.readRun(id);
    if (entry !== null) entries.push(entry);
  }
  const guides = (await store.readGuides(0)).at(-1) ?? null;
  return makeCheckpoint({ at: 5_000, entries, heads: await store.readHeads(), guides, keyed, hash });
}
