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
 * that is over at once is answered at once, without a promise; what it came to counts, also where the caller has cancelled
 * in the meantime.
 */
export function within<T>(
  clock: Clock,
  ms: number,
  cancel: AbortSignal | null,
  work: (signal: AbortSignal) => T | Promise<T>,
): Timed<Awaited<T>> | Promise<Timed<Awaited<T>>> {
  if (cancel?.aborted === true) return NEVER_BEGUN;
  const until = clock.now() + ms;
  const controller = new AbortController();
  let later: PromiseLike<Awaited<T>> | null;
  let value: T | Promise<T>;
  try {
    value = work(controller.signal);
    later = promisedBy<Awaited<T>>(value);
  } catch (error) {
    return { kind: "threw", error };
  }
  if (later === null) return { kind: "value", value: value as Awaited<T> };
  return new Waiting<Awaited<T>>(clock, { ms, until }, cancel, controller).on(later);
}

/** What is waited for, or null where the value is there. Whatever a stranger's `then` does, it is read once. */
function promisedBy<T>(value: unknown): PromiseLike<T> | null {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return null;
  const then: unknown = (value as { readonly then?: unknown }).then;
  if (typeof then !== "function") return null;
  if (value instanceof Promise && then === Promise.prototype.then) return value;
  return new Promise<T>((resolve, reject) => {
    Reflect.apply(then, value, [resolve, reject]);
  });
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
  #reject: (error: unknown) => void = () => {};
  #timer: AbortController | null = null;
  #over = false;

  constructor(
    clock: Clock,
    { ms, until }: { readonly ms: number; readonly until: number },
    cancel: AbortSignal | null,
    controller: AbortController,
  ) {
    this.#clock = clock;
    this.#ms = ms;
    this.#until = until;
    this.#cancel = cancel;
    this.#controller = controller;
  }

  on(value: PromiseLike<T>): Promise<Timed<T>> {
    const answer = new Promise<Timed<T>>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    value.then(
      (result) => this.#end({ kind: "value", value: result }),
      (error: unknown) => this.#end({ kind: "threw", error }),
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
    if (cancel?.aborted === true) {
      this.#cancelled(cancel);
      return;
    }
    // A clock that is set back does not lengthen the time.
    const left = Math.min(this.#ms, this.#until - this.#clock.now());
    if (left <= 0) {
      this.#late();
      return;
    }
    const timer = new AbortController();
    this.#timer = timer;
    if (cancel !== null) {
      const onAbort = (): void => this.#cancelled(cancel);
      cancel.addEventListener("abort", onAbort, { once: true });
      timer.signal.addEventListener("abort", () => cancel.removeEventListener("abort", onAbort), { once: true });
    }
    this.#clock.sleep(left, timer.signal).then(
      // The clock's sleep also ends when the work is done first; then there is nothing left to abort.
      () => (timer.signal.aborted ? undefined : this.#late()),
      (error: unknown) => this.fail(error),
    );
  }

  /** A clock that cannot be used is a bug of whoever gave it: the caller of `within` is told. */
  fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer?.abort(DONE);
    this.#reject(error);
  }

  /** The work hears of it first: what it then says at once, that nothing happened for example, counts. */
  #cancelled(cancel: AbortSignal): void {
    this.#controller.abort(cancel.reason);
    soon(() => this.#end(CANCELLED));
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

/** The platform's own, whatever a test puts in its place later: a lost call would cost every deadline of the process. */
const soon = setImmediate;

type Armable = { readonly over: boolean; arm(): void; fail(error: unknown): void };

/** What waits for its timer. Work mostly ends in the order of a stack, so that the list stays as long as what is open. */
let unarmed: Armable[] = [];
let arming = false;

function armLater(waiting: Armable): void {
  unarmed.push(waiting);
  if (arming) return;
  arming = true;
  soon(armAll);
}

function armAll(): void {
  arming = false;
  const open = unarmed;
  unarmed = [];
  for (const waiting of open) {
    if (waiting.over) continue;
    try {
      waiting.arm();
    } catch (error) {
      waiting.fail(error);
    }
  }
}

function disarm(waiting: Armable): void {
  if (unarmed.at(-1) === waiting) unarmed.pop();
}
