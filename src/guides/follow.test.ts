import { expect, test } from "vitest";
import type { Guide, Milestone } from "../domain/guide.ts";
import { followParts } from "./follow.ts";

const step = (intent: string, screen: string | null): Milestone => ({ screen, intent, control: null });
const guide = (entry: readonly Milestone[], milestones: readonly Milestone[], id = "g"): Guide => ({
  ...{ version: 1, id, task: "do it", preconditions: ["p"], entry, milestones, fallback: "f", scope: "s" },
});
const partsOf = (of: Guide) =>
  followParts(of, ({ screen }) => screen).map(({ screen, guide: { id, entry, milestones } }) => {
    expect(entry).toEqual([]);
    return [id, screen, milestones.map(({ intent }) => intent).join(" ")];
  });

test("the entry is for the start, and each screen has its part", () => {
  const entry = [step("e1", "start"), step("e2", "menu")];
  expect(partsOf(guide(entry, [step("1", "a"), step("2", "a"), step("3", "b")]))).toEqual([
    ["g", null, "e1 e2"],
    ["g-2", "a", "1 2"],
    ["g-3", "b", "3"],
  ]);
});

test("without an entry the first part waits too, and has the guide's id", () => {
  expect(partsOf(guide([], [step("1", "a")]))).toEqual([["g", "a", "1"]]);
});

test("a step back to a screen that had its part stays with the step that it comes after, and so does one without a screen", () => {
  expect(partsOf(guide([], [step("1", "a"), step("2", "b"), step("3", "a"), step("4", null), step("5", "c")]))).toEqual(
    [
      ["g", "a", "1"],
      ["g-2", "b", "2 3 4"],
      ["g-3", "c", "5"],
    ],
  );
  expect(partsOf(guide([], [step("1", null), step("2", "a")]))).toEqual([
    ["g", null, "1"],
    ["g-2", "a", "2"],
  ]);
});

test("a milestone on the screen where the entry begins is told when that is up", () => {
  expect(partsOf(guide([step("e", "a")], [step("1", "a")]))).toEqual([
    ["g", null, "e"],
    ["g-2", "a", "1"],
  ]);
});

test("ids have room for their number", () => {
  const [, second] = partsOf(guide([step("e", null)], [step("1", "a")], "x".repeat(64)));
  expect(second?.[0]).toBe(`${"x".repeat(60)}-2`);
});
