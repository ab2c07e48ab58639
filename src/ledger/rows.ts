import { canonicalJson } from "../domain/canonical.ts";
import { CHAIN_START } from "../domain/head.ts";
import type { Json } from "../domain/json.ts";
import { type Row, type RowEnd, rowText } from "../domain/row.ts";

/** SHA-256 (keyed where configured) of UTF-8 text as 64 hex digits; handed in, since this room reaches for nothing. */
export type HashText = (text: string) => string;

/** The end of a chain: what the next row hangs on. */
export type ChainEnd = RowEnd;

export function chainStart(run: string): ChainEnd {
  return { run, seq: 0, hash: CHAIN_START };
}

/** The next row of a chain. */
export function chainRow(end: ChainEnd, at: number, kind: string, body: Json, hash: HashText): Row {
  const open = { run: end.run, seq: end.seq + 1, at, kind, body, prev: end.hash };
  return { ...open, hash: hash(rowText(open, canonicalJson(body))) };
}
