import { describe, expect, test } from "vitest";
import { indexOf } from "../../../test/ground-map.ts";
import type { Guide, Milestone } from "../../domain/guide.ts";
import { groundGuide } from "./ground-guide.ts";

const INDEX = indexOf([
  { id: "open", text: "Settings" },
  { id: "font", text: "Font size", screen: "settings" },
  { id: "medium", text: "Medium", role: "radio", screen: "fonts" },
  { id: "one", text: "Amount", role: "textbox" },
  { id: "two", text: "Amount", role: "textbox" },
  { id: "bare", role: "ImageButton", resourceId: "app:id/btn" },
  { id: "off", text: "Delete", disabled: true },
]);

function step(intent: string, more: Partial<Milestone> = {}): Milestone {
  return { screen: null, intent, control: null, ...more };
}

function guideOf(milestones: readonly Milestone[], entry: readonly Milestone[] = []): Guide {
  return {
    ...{ version: 1, id: "fonts", task: "make the text larger", preconditions: [], entry, milestones },
    ...{ fallback: "ask", scope: "this app" },
  };
}

const found = (...milestones: readonly Milestone[]) =>
  groundGuide(INDEX, guideOf(milestones)).findings.map(({ rule, where, controls }) => [rule, where, ...controls]);

test("every step of the entry and of the milestones is grounded, in its place", () => {
  const guide = guideOf(
    [step("choose Medium", { screen: "fonts" })],
    [step("open the settings"), step("tap Font size")],
  );
  const grounded = groundGuide(INDEX, guide);
  expect(grounded).toMatchObject({ guide: "fonts", version: "score/1", map: INDEX.digest, findings: [] });
  expect(grounded.steps.map(({ where, control }) => [where, control])).toEqual([
    ["entry 1", "open"],
    ["entry 2", "font"],
    ["milestone 1", "medium"],
  ]);
});

describe("ids", () => {
  test("one that is not in the map is an error with the id in it (browser-use#1514, #5438)", () => {
    const { findings, steps } = groundGuide(INDEX, guideOf([step("open the settings", { control: "15" })]));
    expect(findings).toEqual([
      {
        ...{ rule: "absent_id", severity: "error", where: "milestone 1" },
        ...{ message: 'there is no control "15" in the map', controls: ["15"] },
      },
    ]);
    expect(steps[0]?.control).toBe(null);
  });

  test.each(["1100-1102", "/div/a[1]", "__proto__", "", "\u202e".repeat(3), "x".repeat(1_000)])(
    "an invented one is refused by name: %j (stagehand#854, #657)",
    (control) => {
      const [finding, ...others] = groundGuide(INDEX, guideOf([step("open the settings", { control })])).findings;
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ rule: "absent_id", severity: "error", controls: [control] });
      expect(finding?.message).toContain(JSON.stringify(control.slice(0, 20)).slice(0, -1));
      expect(finding?.message.length).toBeLessThan(200);
    },
  );

  test("the words are held against it", () => {
    expect(found(step("open the settings", { control: "font" }))).toEqual([
      ["id_mismatch", "milestone 1", "font", "open"],
    ]);
    expect(found(step("open the settings", { control: "open" }))).toEqual([]);
    expect(found(step("rotate the picture", { control: "open" }))).toEqual([["unbound", "milestone 1"]]);
  });

  test("it settles what the words leave open", () => {
    expect(found(step("enter 5 in Amount"))).toEqual([["ambiguous", "milestone 1", "one", "two"]]);
    expect(found(step("enter 5 in Amount", { control: "two" }))).toEqual([]);
  });

  test("of a control without a name it is an error: nobody could follow", () => {
    expect(found(step("tap the gear icon", { control: "bare" }))).toEqual([["unnamed_target", "milestone 1", "bare"]]);
  });

  test("of a disabled control it is a warning", () => {
    expect(found(step("delete", { control: "off" }))).toEqual([["disabled_target", "milestone 1", "off"]]);
  });
});

describe("screens", () => {
  test("one that is not in the map, and a control on another", () => {
    expect(found(step("open the settings", { screen: "nowhere" }))).toEqual([["absent_screen", "milestone 1"]]);
    expect(found(step("open the settings", { screen: "fonts", control: "open" }))).toContainEqual([
      "other_screen",
      "milestone 1",
      "open",
    ]);
    expect(found(step("open the settings", { screen: "fonts" }))).toEqual([["other_screen", "milestone 1", "open"]]);
    expect(found(step("rotate the picture", { screen: "fonts" }))).toEqual([["unbound", "milestone 1"]]);
  });
});

test("a guide that was grounded in another map is stale, and one without milestones is none", () => {
  const guide = guideOf([step("open the settings")]);
  expect(groundGuide(INDEX, guide, INDEX.digest).findings).toEqual([]);
  expect(groundGuide(INDEX, guide, "0".repeat(64)).findings).toMatchObject([
    { rule: "stale_map", severity: "error", where: "guide" },
  ]);
  expect(groundGuide(INDEX, guideOf([])).findings).toMatchObject([
    { rule: "no_milestones", severity: "error", where: "guide" },
  ]);
});
