import type { Began, RunEvent } from "../domain/event.ts";
import type { Seen } from "../rails/index.ts";
import { eventsOf } from "./journal.ts";
import type { Parts } from "./parts.ts";
import { checkVerified, damaged } from "./recorded.ts";
import { type Witness, witness } from "./witness.ts";

/** Earlier runs of a thread that are read, the newest of them. What older ones saw was never seen. */
const RUNS_MAX = 50;
const LISTED_MAX = 1_000;

/**
 * What was seen in a run's thread until now: by the run itself, by the thread's earlier runs and, for a nested run, by the
 * runs around it. The others' rows are verified and read once a run, when something is first decided in it.
 */
export async function seenBy(parts: Parts, by: Witness, began: Began): Promise<Seen> {
  if (by.threadRead) return by.seen;
  let outermost = began;
  while (outermost.parent !== null) {
    const events = await hear(parts, by, outermost.parent.run);
    const first = events[0];
    if (first?.kind !== "began") throw damaged(outermost.parent.run, "it does not begin with its beginning");
    outermost = first;
  }
  const listed = await parts.store.listRuns({ thread: outermost.thread, limit: LISTED_MAX });
  const at = listed.findIndex(({ run }) => run === outermost.run);
  const earlier = at === -1 ? [] : listed.slice(at + 1, at + 1 + RUNS_MAX);
  for (const { run } of earlier.reverse()) await hear(parts, by, run);
  by.threadRead = true;
  return by.seen;
}

/** Hears all that another run saw. Its open step is its own. */
async function hear(parts: Parts, { tools, seen }: Witness, run: string): Promise<readonly RunEvent[]> {
  const rows = await parts.store.readRows(run);
  checkVerified(parts, run, rows);
  const events = eventsOf(rows);
  const by: Witness = { tools, seen, open: new Map(), threadRead: true };
  for (const event of events) witness(by, event);
  return events;
}
