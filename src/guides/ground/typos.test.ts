import { expect, test } from "vitest";
import { isTypo, mayHaveTypo, meantBy, spellingsOf } from "./typos.ts";

test.each([
  ["dowload", "download", true],
  ["downlload", "download", true],
  ["dawnload", "download", true],
  ["dwonload", "download", true],
  ["odwnload", "download", true],
  ["frist", "first", true],
  ["ifrst", "first", true],
  ["hotos", "photos", false],
  ["chage", "change", true],
  // Five letters are too few for another letter, and four for one that is missing. The first letter is never another.
  ["black", "block", false],
  ["fixst", "first", false],
  ["font", "front", false],
  ["cmute", "mute", false],
  ["uninstall", "install", false],
  ["xownload", "download", false],
  ["download", "download", false],
  ["downloads", "downloaded", false],
  ["dowloadd", "download", false],
])("%s for %s: %s", (one, other, is) => {
  expect(isTypo(one, other)).toBe(is);
  expect(isTypo(other, one)).toBe(is);
});

test("short words, long ones and what is no word have none", () => {
  expect(["four", "a".repeat(33), "abc12", "sign up"].map(mayHaveTypo)).toEqual([false, false, false, false]);
  expect(["fives", "a".repeat(32)].map(mayHaveTypo)).toEqual([true, true]);
});

test("what is meant is found by any of its forms, and all that is as near", () => {
  const spellings = spellingsOf([
    { form: "sort", stem: "sort" },
    { form: "sorting", stem: "sort" },
    { form: "sortings", stem: "sortings" },
  ]);
  expect([...meantBy(spellings, ["sortign"])]).toEqual(["sort"]);
  expect([...meantBy(spellings, ["srt", "sortingx"])].sort()).toEqual(["sort", "sortings"]);
  expect([...meantBy(spellings, ["srt"])]).toEqual([]);
});
