import { describe, expect, test } from "vitest";
import type { Control, Screen } from "./control-map.ts";
import { drawMap, type MapDraft } from "./draw-map.ts";
import { MAP_LIMITS } from "./map-limits.ts";

const control = (id: string, more: Partial<Control> = {}): Control => ({
  id,
  screen: "start",
  role: "button",
  text: id,
  desc: "",
  childText: [],
  resourceId: "",
  value: "",
  clickable: true,
  disabled: false,
  ...more,
});
const START: Screen = { id: "start", title: "Start", where: "/", entry: [] };

function draft(controls: readonly Control[], screens: readonly Screen[] = [START]): MapDraft {
  return { app: "shop", source: { kind: "web", where: "http://127.0.0.1/" }, at: 5, screens, controls, findings: [] };
}

const codeOf = (one: MapDraft, limits = MAP_LIMITS): string => {
  const drawn = drawMap(one, limits);
  return drawn.ok ? "drawn" : drawn.why.code;
};

describe("a map", () => {
  test("is what was drafted", () => {
    const given = [control("a", { desc: "d", childText: ["x", "y"], resourceId: "r", value: "v", disabled: true })];
    const drawn = drawMap(draft(given), MAP_LIMITS);
    expect(drawn).toEqual({
      ok: true,
      value: {
        map: {
          version: 1,
          app: "shop",
          source: { kind: "web", where: "http://127.0.0.1/" },
          at: 5,
          screens: [START],
          controls: given,
        },
        findings: [],
      },
    });
  });

  test("has texts as a screen shows them, within their bound, that can be recorded", () => {
    const drawn = drawMap(
      draft([control("a", { text: " two\n\twords ", desc: "\ud800x", childText: ["", " "], value: "ä".repeat(9) })]),
      { ...MAP_LIMITS, textBytesMax: 11 },
    );
    if (!drawn.ok) throw new Error(drawn.why.detail);
    const { map, findings } = drawn.value;
    expect(map.controls[0]).toMatchObject({
      text: "two words",
      desc: "\ufffdx",
      childText: [],
      value: "ääääää".slice(0, 5),
    });
    expect(findings.map(({ rule, where }) => [rule, where])).toEqual([["text_mended", 'control "a"']]);
  });

  test("lists the first findings of a kind, and counts the others", () => {
    const many = Array.from({ length: 25 }, (_, i) => control(`c${i}`, { text: `a\u200bb${i}` }));
    const drawn = drawMap(draft(many), MAP_LIMITS);
    if (!drawn.ok) throw new Error(drawn.why.detail);
    expect(drawn.value.findings).toHaveLength(21);
    expect(drawn.value.findings[0]?.message).toBe("there are characters in its name that nobody sees: U+200B");
    expect(drawn.value.findings.at(-1)?.message).toBe("and 5 more of this kind");
  });

  test("an emoji of several is seen as one, and nothing is hidden in it", () => {
    const drawn = drawMap(
      draft([control("a", { text: "👩‍👩‍👧 👍🏽‍ x" }), control("b", { text: "👩🏽‍🚀" })]),
      MAP_LIMITS,
    );
    expect(drawn.ok && drawn.value.findings.map(({ where }) => where)).toEqual(['control "a"']);
  });

  test("refuses what does not hang together", () => {
    expect(codeOf(draft([]))).toBe("no_controls");
    expect(codeOf(draft([control("a", { screen: "gone" })]))).toBe("unknown_screen");
    expect(codeOf(draft([control("a")], [START, START]))).toBe("duplicate_screen");
    expect(codeOf(draft([control("a")], [START, { ...START, id: "two", entry: ["b"] }]))).toBe("unknown_entry");
    expect(codeOf(draft([control("a")], [START, { ...START, id: "two", entry: ["a"] }]))).toBe("drawn");
    expect(codeOf(draft([control("a"), control("b")]), { ...MAP_LIMITS, controlsMax: 1 })).toBe("too_many_controls");
    expect(codeOf(draft([control("a")], [START, { ...START, id: "b" }]), { ...MAP_LIMITS, screensMax: 1 })).toBe(
      "too_many_screens",
    );
  });

  test("of the texts in a control the first 200 are kept, and a finding says that there were more", () => {
    const drawn = (count: number) => {
      const childText = Array.from({ length: count }, (_, i) => `t${i}`);
      const made = drawMap(draft([control("a", { childText })]), MAP_LIMITS);
      if (!made.ok) throw new Error(made.why.detail);
      const { map, findings } = made.value;
      return [
        map.controls[0]?.childText.length,
        map.controls[0]?.childText.at(-1),
        ...findings.map(({ rule }) => rule),
      ];
    };
    expect(drawn(199)).toEqual([199, "t198"]);
    expect(drawn(200)).toEqual([200, "t199"]);
    expect(drawn(201)).toEqual([200, "t199", "texts_left_out"]);
  });

  test("the texts of all controls have a bound together, in bytes", () => {
    const controls = [
      control("ä", { childText: ["x", "y"], desc: "d" }),
      control("b", { value: "v", resourceId: "r" }),
    ];
    const bytes = 2 * 2 + 6 + 2 + 1 + 2 * 1 + 6 + 2;
    const at = (mapBytesMax: number) => codeOf(draft(controls), { ...MAP_LIMITS, mapBytesMax });
    expect([at(bytes - 1), at(bytes), at(bytes + 1)]).toEqual(["too_large", "drawn", "drawn"]);
  });
});
