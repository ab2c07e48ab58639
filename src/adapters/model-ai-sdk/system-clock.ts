import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../ports/world.ts";

/** The machine's clock, for the waits between attempts where the caller gives none. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      // A sleep that is cut short ends early and is no error; see Clock.
      if (signal?.aborted !== true) throw error;
    }
  },
};
