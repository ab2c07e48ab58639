import { hash } from "node:crypto";
import { GUIDES } from "../../domain/guide-record.ts";
import { CHAIN_START } from "../../domain/head.ts";
import type { Revision } from "../../domain/revision.ts";
import { bodyText, plainRow, type Row } from "../../domain/row.ts";
import { lastOfGuides, NO_ROWS } from "../../ports/guide-laws.ts";
import type { ChainHead } from "../../ports/written-rows.ts";
import type { Database } from "./database.ts";
import { isTriggered, oneLine } from "./errors.ts";
import { bytesIn, type Columns, hashIn, reading, readRowsFrom, textIn, wholeIn } from "./read.ts";
import { hashBytes } from "./row-id.ts";
import { REVISION_LAW } from "./schema-guides.ts";
import { SQL } from "./sql.ts";

/** Appends to the guides' chain, inside of a transaction. The triggers keep the laws; this says whose mistake it is. */
export function appendGuides(db: Database, given: readonly Row[], revisions: readonly Revision[]): void {
  const rows = given.map(plainRow);
  lastOfGuides(rows, headOf(db));
  for (const { bytes, digest } of revisions) {
    if (hash("sha256", bytes, "hex") !== digest) throw new TypeError(`the bytes of revision ${digest} are others`);
    const there = db.statement(SQL.revision).get(digest);
    if (there === undefined) db.write("insert revision", SQL.insertRevision, digest, bytes);
    else if (!isOf(there, bytes)) mend(db, { bytes, digest });
  }
  for (const row of rows) {
    const { at, hash: name, kind, seq } = row;
    const [body, digest] = [bodyText(row), hashBytes(name)];
    try {
      db.write("insert guide row", SQL.insertGuideRow, seq, at, kind, body, digest);
    } catch (error) {
      throw isTriggered(error) ? new TypeError(oneLine(error), { cause: error }) : error;
    }
  }
}

function isOf(columns: Columns, bytes: Uint8Array): boolean {
  const { bytes: kept } = columns;
  return kept instanceof Uint8Array && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).equals(kept);
}

/**
 * Puts bytes back under their name, where what is kept there is others. No connection ever changes anything here, and that stays
 * so: the trigger that says it is gone and back within the transaction that does this, and nobody else sees it gone.
 */
function mend(db: Database, { bytes, digest }: Revision): void {
  db.write("lift the law", SQL.liftRevisionLaw);
  db.write("mend revision", SQL.mendRevision, bytes, digest);
  db.write("put the law back", REVISION_LAW);
}

/** The rows behind `after`. */
export function readGuides(db: Database, after: number): readonly Row[] {
  const before = after < 1 ? undefined : db.statement(SQL.guideRow).get(after);
  const prev = before === undefined ? CHAIN_START : reading(`row ${after} of the guides`, () => hashIn(before, "hash"));
  return readRowsFrom({ run: GUIDES, seq: Math.max(0, after), hash: prev }, db.statement(SQL.guideRows), after);
}

export function readRevision(db: Database, digest: string): Uint8Array | null {
  const columns = db.statement(SQL.revision).get(digest);
  return columns === undefined ? null : reading(`revision ${digest}`, () => Uint8Array.from(bytesIn(columns, "bytes")));
}

export function listRevisions(db: Database): readonly string[] {
  const all = db.statement(SQL.revisions).all();
  return reading("the names of the revisions", () => all.map((columns) => textIn(columns, "digest")));
}

function headOf(db: Database): ChainHead {
  const columns = db.statement(SQL.newestGuideRow).get();
  if (columns === undefined) return NO_ROWS;
  return reading("the newest row of the guides", () => ({
    seq: wholeIn(columns, "id"),
    hash: hashIn(columns, "hash"),
  }));
}
