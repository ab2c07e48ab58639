import type { Clock } from "../ports/world.ts";

export type Timed<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timeout" }
  /** `begun`: whether the work had been started when the caller cancelled. */
  | { readonly kind: "cancelled"; readonly begun: boolean };

const NEVER_BEGUN: Timed<never> = { kind: "cancelled", begun: false };
const CANCELLED: Timed<never> = { kind: "cancelled", begun: true };
const TIMEOUT: Timed<never> = { kind: "timeout" };

/**
 * Runs `work` with a signal that aborts at the deadline or when the caller cancels. It answers at the deadline even if
 * `work` ignores its signal; what `work` does after that is not waited for. An already aborted caller starts nothing. Work
 * that is over at once is answered at once, without a promise.
 */
export function within<T>(
  clock: Clock,
  ms: number,
  cancel: AbortSignal | null,
  work: (signal: AbortSignal) => T | Promise<T>,
): Timed<Awaited<T>> | Promise<Timed<Awaited<T>>> {
  if (cancel?.aborted === true) return NEVER_BEGUN;
  const controller = new AbortController();
  let value: T | Promise<T>;
  let later: boolean;
  try {
    value = work(controller.signal);
    later = isThenable(value);
  } catch (error) {
    return stopped(cancel, controller) ?? { kind: "threw", error };
  }
  if (!later) return stopped(cancel, controller) ?? { kind: "value", value: value as Awaited<T> };
  return new Waiting<Awaited<T>>(clock, ms, cancel, controller).on(value as Promise<Awaited<T>>);
}

function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** A caller who cancelled while the work was done is not told of a result that he has given up. */
function stopped(cancel: AbortSignal | null, controller: AbortController): Timed<never> | null {
  if (cancel?.aborted !== true) return null;
  controller.abort(cancel.reason);
  return CANCELLED;
}

/**
 * Work that goes on. A timer is set for it only when the process has nothing else to do at once: what goes on in memory is
 * over by then, and setting and clearing a timer would cost more than it does.
 */
class Waiting<T> {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #until: number;
  readonly #cancel: AbortSignal | null;
  readonly #controller: AbortController;
  #resolve: (timed: Timed<T>) => void = () => {};
  #timer: AbortController | null = null;
  #over = false;

  constructor(clock: Clock, ms: number, cancel: AbortSignal | null, controller: AbortController) {
    this.#clock = clock;
    this.#ms = ms;
    this.#until = clock.now() + ms;
    this.#cancel = cancel;
    this.#controller = controller;
  }

  on(value: Promise<T>): Promise<Timed<T>> {
    const answer = new Promise<Timed<T>>((resolve) => {
      this.#resolve = resolve;
    });
    Promise.resolve(value).then(
      (result) => this.#end(stopped(this.#cancel, this.#controller) ?? { kind: "value", value: result }),
      (error: unknown) => this.#end(stopped(this.#cancel, this.#controller) ?? { kind: "threw", error }),
    );
    armLater(this);
    return answer;
  }

  get over(): boolean {
    return this.#over;
  }

  /** Sets the timer and listens to the caller, from now on. */
  arm(): void {
    const cancel = this.#cancel;
    if (stopped(cancel, this.#controller) !== null) {
      this.#end(CANCELLED);
      return;
    }
    // A clock that was set in the meantime neither shortens the time nor lengthens it.
    const left = Math.min(this.#ms, this.#until - this.#clock.now());
    if (left <= 0) {
      this.#late();
      return;
    }
    const timer = new AbortController();
    this.#timer = timer;
    if (cancel !== null) {
      const onAbort = (): void => {
        this.#controller.abort(cancel.reason);
        this.#end(CANCELLED);
      };
      cancel.addEventListener("abort", onAbort, { once: true });
      timer.signal.addEventListener("abort", () => cancel.removeEventListener("abort", onAbort), { once: true });
    }
    this.#clock.sleep(left, timer.signal).then(
      // The clock's sleep also ends when the work is done first; then there is nothing left to abort.
      () => (timer.signal.aborted ? undefined : this.#late()),
      // A clock that cannot sleep has no deadlines; the work itself still ends.
      () => undefined,
    );
  }

  #late(): void {
    this.#controller.abort(new Error(`deadline of ${this.#ms} ms`));
    this.#end(TIMEOUT);
  }

  #end(timed: Timed<T>): void {
    if (this.#over) return;
    this.#over = true;
    disarm(this);
    this.#timer?.abort(DONE);
    this.#resolve(timed);
  }
}

/** A reason of our own: without one the platform makes an exception with a stack each time. */
const DONE = new Error("done");

type Armable = { readonly over: boolean; arm(): void };

/** What waits for its timer. Work mostly ends in the order of a stack, so that the list stays as long as what is open. */
let unarmed: Armable[] = [];
let arming = false;

function armLater(waiting: Armable): void {
  unarmed.push(waiting);
  if (arming) return;
  arming = true;
  setImmediate(armAll);
}

function armAll(): void {
  arming = false;
  const open = unarmed;
  unarmed = [];
  for (const waiting of open) if (!waiting.over) waiting.arm();
}

function disarm(waiting: Armable): void {
  if (unarmed.at(-1) === waiting) unarmed.pop();
}
