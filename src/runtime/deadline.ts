import type { Clock } from "../ports/world.ts";

export type Timed<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timeout" }
  /** `begun`: whether the work had been started when the caller cancelled. */
  | { readonly kind: "cancelled"; readonly begun: boolean };

/** A reason of our own: without one the platform makes an exception with a stack each time. */
const DONE = new Error("done");
const NEVER_BEGUN: Timed<never> = { kind: "cancelled", begun: false };

/**
 * Microtasks that work is given before a timer is set for it: work in memory is done by then, and setting and clearing a
 * timer would cost more than it does. What waits for anything outside of the process takes longer.
 */
const TICKS = 8;

/**
 * Runs `work` with a signal that aborts at the deadline or when the caller cancels. It answers at the deadline even if
 * `work` ignores its signal; what `work` does after that is not waited for. An already aborted caller starts nothing.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  cancel: AbortSignal | null,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<Timed<Awaited<T>>> {
  const stopped = (): boolean => cancel?.aborted === true;
  if (stopped()) return NEVER_BEGUN;
  const until = clock.now() + ms;
  const source = new Source();
  const worked = attempt(work, source);
  for (let tick = 0; tick < TICKS; tick++) {
    await undefined;
    if (source.done) return stopped() ? cancelledIn(source, cancel) : await worked;
  }
  return await raced(clock, { ms, until }, cancel, source, worked);
}

async function raced<T>(
  clock: Clock,
  { ms, until }: { readonly ms: number; readonly until: number },
  cancel: AbortSignal | null,
  source: Source,
  worked: Promise<Timed<T>>,
): Promise<Timed<T>> {
  if (cancel?.aborted === true) return cancelledIn(source, cancel);
  // A clock that was set in the meantime neither shortens the time nor lengthens it.
  const left = Math.min(ms, until - clock.now());
  if (left <= 0) {
    source.abort(new Error(`deadline of ${ms} ms`));
    return { kind: "timeout" };
  }
  const timer = new AbortController();
  const cancelled = new Promise<Timed<never>>((resolve) => {
    const onAbort = (): void => resolve(cancelledIn(source, cancel));
    cancel?.addEventListener("abort", onAbort, { once: true });
    timer.signal.addEventListener("abort", () => cancel?.removeEventListener("abort", onAbort), { once: true });
  });
  const late = clock.sleep(left, timer.signal).then((): Timed<never> => {
    // The clock's sleep also ends when the work is done first; then there is nothing left to abort.
    if (!timer.signal.aborted) source.abort(new Error(`deadline of ${ms} ms`));
    return { kind: "timeout" };
  });
  try {
    return await Promise.race([worked, late, cancelled]);
  } finally {
    timer.abort(DONE);
  }
}

function cancelledIn(source: Source, cancel: AbortSignal | null): Timed<never> {
  source.abort(cancel?.reason);
  return { kind: "cancelled", begun: true };
}

async function attempt<T>(work: (signal: AbortSignal) => T | Promise<T>, source: Source): Promise<Timed<Awaited<T>>> {
  try {
    return { kind: "value", value: await work(source.signal) };
  } catch (error) {
    return { kind: "threw", error };
  } finally {
    source.done = true;
  }
}

/** What stops the work, and whether it is over. */
class Source {
  readonly #controller = new AbortController();
  done = false;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }
}
