import { describe, expect, test, vi } from "vitest";
import { simulatedClock } from "../testing/index.ts";
import { within } from "./deadline.ts";

const clock = simulatedClock(0);
const never = (): Promise<never> => new Promise(() => {});
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const thenable = <T extends object>(object: T, then: PropertyDescriptor): T =>
  // biome-ignore lint/suspicious/noThenProperty: what a stranger's `then` can do is what is tested
  Object.defineProperty(object, "then", then);

describe("work within a deadline", () => {
  test("what is over at once is answered at once", () => {
    expect(within(clock, 10, null, () => 5)).toEqual({ kind: "value", value: 5 });
    const error = new Error("no");
    expect(
      within(clock, 10, null, () => {
        throw error;
      }),
    ).toEqual({ kind: "threw", error });
  });

  test("whatever can be waited for is waited for", async () => {
    const callable = thenable(() => {}, { value: (resolve: (value: string) => void) => resolve("lazy") });
    expect(await within(clock, 10, null, () => callable as never)).toEqual({ kind: "value", value: "lazy" });
    const throwing = (): never => {
      throw new Error("boo");
    };
    const own = thenable(Promise.resolve(1), { value: throwing });
    expect(await within(clock, 10, null, () => own)).toMatchObject({ kind: "threw" });
    let reads = 0;
    const read = () => {
      reads += 1;
      if (reads > 1) throw new Error("read twice");
      return (resolve: (value: number) => void) => resolve(7);
    };
    const fickle = thenable({}, { get: read });
    expect(await within(clock, 10, null, () => fickle as never)).toEqual({ kind: "value", value: 7 });
  });

  test("it answers at the deadline, and the signal says so to the work", async () => {
    const time = simulatedClock(0);
    let signal: AbortSignal | null = null;
    const timed = within(time, 10, null, (given) => {
      signal = given;
      return never();
    });
    await nextTurn();
    time.advance(10);
    expect(await timed).toEqual({ kind: "timeout" });
    expect((signal as AbortSignal | null)?.aborted).toBe(true);
  });

  test("time that passed before the timer was set is counted", async () => {
    const time = simulatedClock(0);
    const timed = within(time, 10, null, never);
    time.advance(10);
    expect(await timed).toEqual({ kind: "timeout" });
  });

  test("a caller who has cancelled before starts nothing", () => {
    let begun = false;
    const work = (): void => {
      begun = true;
    };
    expect(within(clock, 10, AbortSignal.abort(), work)).toEqual({ kind: "cancelled", begun: false });
    expect(begun).toBe(false);
  });

  test("a cancel ends the waiting; what the work says of it at once counts", async () => {
    const first = new AbortController();
    const ignoring = within(clock, 10, first.signal, never);
    await nextTurn();
    first.abort();
    expect(await ignoring).toEqual({ kind: "cancelled", begun: true });

    const second = new AbortController();
    const error = new Error("nothing happened");
    const obeying = within(
      clock,
      10,
      second.signal,
      (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(error))),
    );
    await nextTurn();
    second.abort();
    expect(await obeying).toEqual({ kind: "threw", error });
  });

  test("what was finished when the caller cancelled is not lost", async () => {
    const controller = new AbortController();
    const done = within(clock, 10, controller.signal, async () => {
      controller.abort();
      return "receipt";
    });
    expect(await done).toEqual({ kind: "value", value: "receipt" });
  });

  test("a clock that cannot sleep is told to whoever gave it, and costs nobody else a deadline", async () => {
    const broken = {
      now: () => 0,
      sleep: () => {
        throw new Error("no sleep");
      },
    };
    const time = simulatedClock(0);
    const failing = within(broken, 10, null, never) as Promise<unknown>;
    const other = within(time, 10, null, never);
    await expect(failing).rejects.toThrow("no sleep");
    time.advance(10);
    expect(await other).toEqual({ kind: "timeout" });
  });

  test("timers that a test puts in the platform's place lose no deadline", async () => {
    vi.useFakeTimers();
    const time = simulatedClock(0);
    const lost = within(time, 10, null, never);
    vi.useRealTimers();
    await nextTurn();
    time.advance(10);
    expect(await lost).toEqual({ kind: "timeout" });
  });

  test("of work that is over no listener stays at the caller's signal", async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, "addEventListener");
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    await within(clock, 10, controller.signal, () => new Promise((resolve) => setTimeout(resolve, 5)));
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
  });
});
