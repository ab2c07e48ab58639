import { expect, test } from "vitest";
import { growthOf, LINEAR_MAX } from "./growth.ts";

/** Takes the processor for so many milliseconds. */
function spin(ms: number): void {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= ms * 1_000) return;
  }
}

test("a quadratic cost shows, however little it is at first", () => {
  expect(growthOf((n) => spin(0.15 * n ** 2), 1)).toBeGreaterThan(LINEAR_MAX);
});

test("a linear one passes, and so does what costs next to nothing", () => {
  expect(growthOf((n) => spin(0.15 * n), 1)).toBeLessThan(LINEAR_MAX);
  expect(growthOf(() => {}, 1)).toBeLessThan(LINEAR_MAX);
});
