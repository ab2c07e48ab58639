import { canonicalJson } from "../domain/canonical.ts";
import type { Json } from "../domain/json.ts";
import type { Row } from "../domain/row.ts";

/** The `prev` of a chain's first row. */
export const CHAIN_START = "0".repeat(64);

/** SHA-256 (keyed where configured) of UTF-8 text as 64 hex digits; handed in, since this room reaches for nothing. */
export type HashText = (text: string) => string;

/** The text that a row's hash covers: the canonical JSON of all of its other fields. */
export function rowText(row: Omit<Row, "hash">): string {
  return `{"at":${row.at},"body":${canonicalJson(row.body)},"kind":${JSON.stringify(row.kind)},"prev":"${row.prev}","run":${JSON.stringify(row.run)},"seq":${row.seq}}`;
}

/** The end of a chain: what the next row hangs on. */
export type ChainEnd = { readonly run: string; readonly seq: number; readonly hash: string };

export function chainStart(run: string): ChainEnd {
  return { run, seq: 0, hash: CHAIN_START };
}

/** The next row of a chain. */
export function chainRow(end: ChainEnd, at: number, kind: string, body: Json, hash: HashText): Row {
  const open = { run: end.run, seq: end.seq + 1, at, kind, body, prev: end.hash };
  return { ...open, hash: hash(rowText(open)) };
}
