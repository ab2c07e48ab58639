export const ABORTED: unique symbol = Symbol("aborted");

/**
 * What `work` comes to, or ABORTED as soon as the signal says so, even if `work` never heeds it. What it does after that is
 * not waited for, and an aborted signal starts nothing.
 */
export function unlessAborted(signal: AbortSignal, work: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(ABORTED);
    const onAbort = (): void => resolve(ABORTED);
    signal.addEventListener("abort", onAbort, { once: true });
    new Promise((begin) => begin(work()))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}
