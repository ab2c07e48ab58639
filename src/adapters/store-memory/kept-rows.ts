import { canonicalJson } from "../../domain/canonical.ts";
import type { Json } from "../../domain/json.ts";
import { jsonFrom } from "../../domain/json-text.ts";
import { ChainedRow, plainRow, type Row } from "../../domain/row.ts";
import { StoreError } from "../../ports/store.ts";

/** A row that nobody can change: a chained one as it is, of any other a copy with its body as canonical text. */
export type KeptRow = Omit<Row, "body"> & { readonly text: string };

export function keep(row: Row): KeptRow {
  if (row instanceof ChainedRow) return row;
  const { run, seq, at, kind, body, prev, hash } = row;
  return { run, seq, at, kind, text: canonicalJson(body), prev, hash };
}

export function handedOut(kept: KeptRow): Row {
  if (kept instanceof ChainedRow) return plainRow(kept);
  const { run, seq, at, kind, text, prev, hash } = kept;
  return { run, seq, at, kind, body: jsonOf(text), prev, hash };
}

/** The rows as they are handed out. `damaged` names the first that has no text, since what it says is not JSON. */
export function readable(rows: readonly KeptRow[]): {
  readonly before: readonly Row[];
  readonly damaged: StoreError | null;
} {
  const before: Row[] = [];
  for (const row of rows) {
    try {
      before.push(handedOut(row));
    } catch (error) {
      if (!isNoText(error)) throw error;
      const { run, seq } = row;
      const message = `row ${seq} of run ${run} cannot be read: ${error.message}`;
      return { before, damaged: new StoreError("damaged", message, { cause: error, where: { run, seq, before } }) };
    }
  }
  return { before, damaged: null };
}

export function jsonOf(text: string): Json {
  return jsonFrom(text);
}

/** What canonicalJson throws for a value that is not JSON, or too deep. */
export function isNoText(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError;
}
