import type { Clock } from "../ports/world.ts";

export type Timed<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timeout" }
  /** `begun`: whether the work had been started when the caller cancelled. */
  | { readonly kind: "cancelled"; readonly begun: boolean };

/** A reason of our own: without one the platform makes an exception with a stack each time. */
const DONE = new Error("done");

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
  if (cancel?.aborted === true) return { kind: "cancelled", begun: false };
  const controller = new AbortController();
  const timer = new AbortController();
  const cancelled = new Promise<Timed<never>>((resolve) => {
    const onAbort = (): void => {
      controller.abort(cancel?.reason);
      resolve({ kind: "cancelled", begun: true });
    };
    cancel?.addEventListener("abort", onAbort, { once: true });
    timer.signal.addEventListener("abort", () => cancel?.removeEventListener("abort", onAbort), { once: true });
  });
  const late = clock.sleep(ms, timer.signal).then((): Timed<never> => {
    // The clock's sleep also ends when the work is done first; then there is nothing left to abort.
    if (!timer.signal.aborted) controller.abort(new Error(`deadline of ${ms} ms`));
    return { kind: "timeout" };
  });
  const worked = attempt(() => work(controller.signal));
  try {
    return await Promise.race([worked, late, cancelled]);
  } finally {
    timer.abort(DONE);
  }
}

async function attempt<T>(work: () => T | Promise<T>): Promise<Timed<Awaited<T>>> {
  try {
    return { kind: "value", value: await work() };
  } catch (error) {
    return { kind: "threw", error };
  }
}
