import { expect, test } from "vitest";
import { clockFrom } from "./clock.ts";

test("a clock starts at its moment and runs on from there", async () => {
  const clock = clockFrom(1_000_000);
  expect(clock.now()).toBeLessThan(1_010_000);
  await clock.sleep(20);
  expect(clock.now()).toBeGreaterThanOrEqual(1_000_019);
});

test("an aborted sleep ends early and without an error", async () => {
  const clock = clockFrom(0);
  await clock.sleep(3_600_000, AbortSignal.abort());
  await clock.sleep(3_600_000, AbortSignal.timeout(5));
  expect(clock.now()).toBeLessThan(60_000);
});
