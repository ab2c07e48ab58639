import { setTimeout } from "node:timers/promises";
import type { Clock } from "signalbox";

/**
 * A clock that starts at a given moment (milliseconds since 1970-01-01T00:00Z) and runs on from there: data that stand
 * still are judged on their own day, while deadlines pass as they should.
 */
export function clockFrom(start: number): Clock {
  const began = performance.now();
  return {
    now: () => start + Math.floor(performance.now() - began),
    async sleep(ms, signal) {
      await setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
        if (signal?.aborted !== true) throw error;
      });
    },
  };
}
