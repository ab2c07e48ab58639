/**
 * What every store checks of a write to the guides' chain before it writes any of it. The judge of the guides says the same
 * and more (src/guides/chain.ts); this much is structural, so that no writer can leave it out.
 */

import { GUIDES } from "../domain/guide-record.ts";
import { CHAIN_START } from "../domain/head.ts";
import type { Row } from "../domain/row.ts";
import { StoreError } from "./store.ts";
import type { ChainHead } from "./written-rows.ts";

export const GUIDE_LAWS = {
  kind: "a row of the guides is of one of their kinds",
  order: "a row hangs on the one before it",
  verified: "a verification is of bytes that are kept here",
  approved:
    "an approval cites a verification of this rule and revision that passed and that they were not taken back since, once",
  revoked: "a revocation cites an approval of this rule and revision that stands",
  published:
    "a publication cites an approval of this rule and revision that stands and that they were not withdrawn since, and says something new",
  withdrawn: "a withdrawal is of what is published",
  revision: "a revision is kept once, and never changed",
} as const;

/** The end of a chain in which there is nothing yet. */
export const NO_ROWS: ChainHead = { seq: 0, hash: CHAIN_START };

/** The last of the rows of a write, once they are known to continue the guides' chain. */
export function lastOfGuides(rows: readonly Row[], head: ChainHead): Row {
  let previous = head;
  let last: Row | null = null;
  for (const row of rows) {
    if (row.run !== GUIDES) throw new TypeError(`a row of run ${row.run} in a write to the guides`);
    if (row.seq !== previous.seq + 1 || row.prev !== previous.hash) {
      if (last !== null) throw new TypeError(`row ${row.seq} of the guides hangs on no row before it`);
      throw new StoreError("conflict", `the guides have gone on to row ${head.seq}: somebody else wrote to them`);
    }
    previous = row;
    last = row;
  }
  if (last === null) throw new TypeError("a write has at least one row");
  return last;
}
