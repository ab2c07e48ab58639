import { expect, test } from "vitest";
import { isTypo, mayHaveTypo } from "./typos.ts";

test.each([
  ["dowload", "download", true],
  ["downlload", "download", true],
  ["dawnload", "download", true],
  ["dwonload", "download", true],
  ["frist", "first", true],
  // Five letters are too few for any other typo, and the first letter is never one.
  ["fixst", "first", false],
  ["cmute", "mute", false],
  ["uninstall", "install", false],
  ["xownload", "download", false],
  ["download", "download", false],
  ["downloads", "downloaded", false],
])("%s for %s: %s", (one, other, is) => {
  expect(isTypo(one, other)).toBe(is);
  expect(isTypo(other, one)).toBe(is);
});

test("short words, long ones and what is no word have none", () => {
  expect(["four", "a".repeat(33), "abc12", "sign up"].map(mayHaveTypo)).toEqual([false, false, false, false]);
  expect(["fives", "a".repeat(32)].map(mayHaveTypo)).toEqual([true, true]);
});
