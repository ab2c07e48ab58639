import type { CapEntry, CapFilter, CapHolder } from "../../ports/store.ts";
import type { Database } from "./database.ts";
import { type Columns, reading, textIn, wholeIn } from "./read.ts";
import { seqOfId } from "./row-id.ts";

/**
 * What is held of the caps and by whom (Store.readCaps). These are read for people, now and then, and have no index of
 * their own: each of the three passes once over the reservations.
 */
export function readCaps(
  db: Database,
  { cap, key, range, limit }: CapFilter,
  carried: (runs: ReadonlySet<string>) => ReadonlyMap<string, boolean | null>,
): readonly CapEntry[] {
  const filter = [cap ?? null, key ?? null, range?.from ?? null, range?.below ?? null, limit] as const;
  const all = (sql: string): readonly Columns[] => db.statement(sql).all(...filter);
  return reading("the use of the caps", () => {
    const sums = new Map(all(SUMS).map((columns) => [slotOf(columns), columns] as const));
    const holders = new Map<string, Omit<CapHolder, "carried">[]>();
    for (const columns of all(HOLDERS)) {
      const slot = slotOf(columns);
      const holder = readHolder(columns);
      const known = holders.get(slot);
      if (known === undefined) holders.set(slot, [holder]);
      else known.push(holder);
    }
    const alive = carried(new Set([...holders.values()].flat().map(({ run }) => run)));
    return all(SHOWN).map((columns) => {
      const slot = slotOf(columns);
      const sum = sums.get(slot) ?? {};
      return {
        cap: textIn(columns, "cap"),
        key: textIn(columns, "key"),
        window: textIn(columns, "window"),
        limit: wholeIn(sum, "limit"),
        settled: wholeIn(sum, "settled"),
        reserved: wholeIn(sum, "reserved"),
        kept: wholeIn(sum, "kept"),
        movedAt: wholeIn(columns, "at"),
        open: wholeIn(sum, "open"),
        holders: (holders.get(slot) ?? []).map((holder) => ({ ...holder, carried: alive.get(holder.run) ?? null })),
      };
    });
  });
}

function slotOf(columns: Columns): string {
  return JSON.stringify([textIn(columns, "cap"), textIn(columns, "key"), textIn(columns, "window")]);
}

function readHolder(columns: Columns): Omit<CapHolder, "carried"> {
  return {
    run: textIn(columns, "run"),
    step: seqOfId(wholeIn(columns, "effect")),
    tool: textIn(columns, "tool"),
    state: textIn(columns, "state") === "kept" ? "kept" : "reserved",
    amount: wholeIn(columns, "amount"),
    since: wholeIn(columns, "at"),
    outside: columns.outside === 1,
  };
}

/** The slots that are shown: each query begins from them, so that all three speak of the same. */
const SHOWN = `SELECT c.cap, c.key, c."window", c.row, r.at FROM cap_usage c JOIN rows r ON r.id = c.row
WHERE c.held > 0 AND c.cap = coalesce(?1, c.cap) AND c.key = coalesce(?2, c.key)
  AND (?3 IS NULL OR (c."window" >= ?3 AND c."window" < ?4))
ORDER BY r.at DESC, c.row DESC, c.cap, c.key, c."window" LIMIT ?5`;

/** Their reservations that count, each with the row that decided on it. */
const HELD = `shown AS MATERIALIZED (${SHOWN}),
held AS (SELECT v.*, d.id AS decided, d.at, d.body ->> '$.tool' AS tool
  FROM shown s JOIN reservations v ON v.cap = s.cap AND v.key = s.key AND v."window" = s."window"
  JOIN rows d ON d.id = v.effect - (v.effect & 16777215) + v.seq WHERE v.state <> 'released')`;

const SUMS = `WITH ${HELD}, newest AS (SELECT *, row_number() OVER (PARTITION BY cap, key, "window" ORDER BY at DESC, decided DESC) AS nth FROM held)
SELECT cap, key, "window", max("limit") FILTER (WHERE nth = 1) AS "limit",
  coalesce(sum(amount) FILTER (WHERE state = 'settled'), 0) AS settled,
  coalesce(sum(amount) FILTER (WHERE state = 'reserved'), 0) AS reserved,
  coalesce(sum(amount) FILTER (WHERE state = 'kept'), 0) AS kept,
  count(*) FILTER (WHERE state <> 'settled') AS open
FROM newest GROUP BY cap, key, "window"`;

const HOLDERS = `WITH ${HELD}, nth AS (SELECT *, row_number() OVER (PARTITION BY cap, key, "window" ORDER BY at DESC, decided DESC) AS nth
  FROM held WHERE state <> 'settled')
SELECT n.*, u.run, b.body ->> '$.outside' AS outside FROM nth n
JOIN runs u ON u.first = n.effect - (n.effect & 16777215) + 1 JOIN rows b ON b.id = u.first
WHERE n.nth <= ?5 ORDER BY n.at DESC, n.decided DESC`;
