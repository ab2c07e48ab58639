/**
 * A process of its own that only reads, and looks every 10 ms at what a cap holds: the sum in the books, and the sum of
 * the reservations that are not released. Started by cap-crash.ts: cap-sampler.ts <path>. Says `ready`, and on one line on
 * stdin what it saw, as one line of JSON.
 */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

/** What was seen: how often, the most that was held, and looks at which the two sums differed. */
export type Seen = { samples: number; highest: number; differing: number };

const db = new DatabaseSync(process.argv[2] ?? "", { readOnly: true, timeout: 5_000 });
const look = db.prepare(`SELECT coalesce((SELECT sum(held) FROM cap_usage), 0) AS held,
  coalesce((SELECT sum(amount) FROM reservations WHERE state IN ('settled', 'reserved', 'kept')), 0) AS reserved`);
const seen: Seen = { samples: 0, highest: 0, differing: 0 };
let over = false;
once(process.stdin, "data").then(() => {
  over = true;
});
console.log("ready");
while (!over) {
  // One statement is one snapshot.
  const { held, reserved } = look.get() as { held: number; reserved: number };
  seen.samples += 1;
  seen.highest = Math.max(seen.highest, held, reserved);
  if (held !== reserved) seen.differing += 1;
  await setTimeout(10);
}
db.close();
console.log(JSON.stringify(seen));
process.exit(0);
