/**
 * The guides' chain and the bytes of revisions (design 7.4). One chain beside those of the runs, and triggers that keep
 * GUIDE_LAWS whatever connection writes: no publication without the approval that it cites, no approval without the
 * verification, no verification without the bytes, and nothing of all that changed or deleted afterwards.
 */

import { GUIDE_RECORD_KINDS } from "../../domain/guide-record.ts";
import { CHAIN_START } from "../../domain/head.ts";
import { GUIDE_LAWS } from "../../ports/guide-laws.ts";
import { listOf } from "./sql.ts";
import { never, trigger } from "./triggers.ts";

export const GUIDE_TABLES = [
  `CREATE TABLE guide_rows (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  hash BLOB NOT NULL
) STRICT`,

  // What the triggers look for: who has used a verification, what was taken back, what is published.
  `CREATE INDEX guide_uses ON guide_rows (body ->> '$.verification.seq') WHERE kind = 'guide_approved'`,
  `CREATE INDEX guide_revocations ON guide_rows (body ->> '$.approval.seq') WHERE kind = 'guide_revoked'`,
  `CREATE INDEX guide_publications ON guide_rows (body ->> '$.rule', seq)
WHERE kind IN ('guide_published', 'guide_withdrawn')`,
  `CREATE INDEX guide_takings ON guide_rows (body ->> '$.rule', seq)
WHERE kind IN ('guide_revoked', 'guide_withdrawn')`,

  `CREATE TABLE revisions (
  digest TEXT NOT NULL PRIMARY KEY CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  bytes BLOB NOT NULL
) STRICT`,
];

/** For people with the sqlite shell. The store reads none of them. */
export const GUIDE_VIEWS = [
  `CREATE VIEW guides AS
SELECT g.seq, g.at, g.kind, g.body ->> '$.rule' AS rule, g.body ->> '$.revision' AS revision, g.body ->> '$.by' AS by,
  g.body, coalesce((SELECT lower(hex(p.hash)) FROM guide_rows p WHERE p.seq = g.seq - 1), '${CHAIN_START}') AS prev,
  lower(hex(g.hash)) AS hash
FROM guide_rows g`,
];

/** The row of this kind that NEW cites under this name is there, before it, with this hash, about the same bytes. */
function cites(name: string, kind: string, further = ""): string {
  return `EXISTS (SELECT 1 FROM guide_rows c WHERE c.seq = NEW.body ->> '$.${name}.seq' AND c.seq < NEW.seq
    AND c.kind = '${kind}' AND lower(hex(c.hash)) = NEW.body ->> '$.${name}.hash'
    AND c.body ->> '$.rule' = NEW.body ->> '$.rule' AND c.body ->> '$.revision' = NEW.body ->> '$.revision'${further})`;
}

const STANDS = `${cites("approval", "guide_approved")}
    AND NOT EXISTS (SELECT 1 FROM guide_rows v WHERE v.kind = 'guide_revoked'
      AND v.body ->> '$.approval.seq' = NEW.body ->> '$.approval.seq')`;

/** No row of these kinds says since the row that NEW cites under this name that its bytes are no longer wanted. */
function notSince(name: string, kinds = ""): string {
  return `NOT EXISTS (SELECT 1 FROM guide_rows t WHERE t.kind IN ('guide_revoked', 'guide_withdrawn')${kinds}
    AND t.body ->> '$.rule' = NEW.body ->> '$.rule' AND t.seq > NEW.body ->> '$.${name}.seq'
    AND t.body ->> '$.revision' = NEW.body ->> '$.revision')`;
}

/** Whether this is so of the newest row by which the rule was published or withdrawn. */
function newest(what: string): string {
  return `(SELECT ${what} FROM guide_rows p WHERE p.kind IN ('guide_published', 'guide_withdrawn')
    AND p.body ->> '$.rule' = NEW.body ->> '$.rule' ORDER BY p.seq DESC LIMIT 1)`;
}

/** What must hold for a row of each kind. */
const HOLDS = {
  verified: "EXISTS (SELECT 1 FROM revisions b WHERE b.digest = NEW.body ->> '$.revision')",
  approved: `${cites("verification", "guide_verified", " AND c.body ->> '$.passed' = 1")}
    AND NOT EXISTS (SELECT 1 FROM guide_rows a WHERE a.kind = 'guide_approved'
      AND a.body ->> '$.verification.seq' = NEW.body ->> '$.verification.seq'
      AND a.body ->> '$.by' IS NEW.body ->> '$.by')
    AND ${notSince("verification")}`,
  revoked: STANDS,
  published: `${STANDS}
    AND ${notSince("approval", " AND t.kind = 'guide_withdrawn'")}
    AND ${newest("p.kind = 'guide_published' AND p.body ->> '$.approval.seq' = NEW.body ->> '$.approval.seq'")} IS NOT TRUE`,
  withdrawn: newest("p.kind = 'guide_published' AND p.body ->> '$.revision' = NEW.body ->> '$.revision'"),
} as const;

function law(name: keyof typeof GUIDE_LAWS): { readonly says: string } {
  return { says: `guides: ${GUIDE_LAWS[name]}` };
}

/** Taken away for as long as bytes are put back that are not those of their name: see guide-shelf.ts. */
export const REVISION_LAW = never("revisions", "UPDATE");

// Those that refuse what is there already do so for INSERT OR REPLACE, which would delete it without a delete trigger.
export const GUIDE_TRIGGERS = [
  trigger(
    "guide_rows_in_order",
    "INSERT",
    "guide_rows",
    "NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM guide_rows)",
    law("order"),
  ),
  trigger(
    "guide_rows_of_a_kind",
    "INSERT",
    "guide_rows",
    `(NEW.kind IN (${listOf(GUIDE_RECORD_KINDS)})) IS NOT TRUE`,
    law("kind"),
  ),
  ...(Object.keys(HOLDS) as (keyof typeof HOLDS)[]).map((name) =>
    trigger(
      `guide_${name}`,
      "INSERT",
      "guide_rows",
      `NEW.kind = 'guide_${name}' AND (${HOLDS[name]}) IS NOT TRUE`,
      law(name),
    ),
  ),
  trigger(
    "revisions_once",
    "INSERT",
    "revisions",
    "EXISTS (SELECT 1 FROM revisions WHERE digest = NEW.digest)",
    law("revision"),
  ),
  ...[never("guide_rows", "UPDATE"), never("guide_rows", "DELETE"), REVISION_LAW, never("revisions", "DELETE")],
];
