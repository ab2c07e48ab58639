import type { Clock, Ids } from "../ports/world.ts";

export type SimulatedClock = Clock & {
  /** Moves time on and wakes every sleeper whose time has come. */
  advance(ms: number): void;
  /** Sets the time, backwards too, without waking anybody. */
  set(now: number): void;
};

/** A clock that you hold in your hand. Starts at `start`, milliseconds since 1970-01-01T00:00Z. */
export function simulatedClock(start: number): SimulatedClock {
  let now = start;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener(
          "abort",
          () => {
            sleepers.delete(sleeper);
            resolve();
          },
          { once: true },
        );
      }),
    advance: (ms) => {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
    set: (to) => {
      now = to;
    },
  };
}

/** Ids that are the same in every run of a test: `run00000000000000000001`, … */
export function countedIds(prefix = "run"): Ids {
  let n = 0;
  return {
    next: () => {
      n += 1;
      return prefix + String(n).padStart(20, "0");
    },
  };
}
