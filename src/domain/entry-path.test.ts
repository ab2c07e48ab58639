import { describe, expect, test } from "vitest";
import { parseEntryPaths } from "./entry-path.ts";
import type { Json } from "./json.ts";

describe("the paths of a harvest", () => {
  test("what they may say", () => {
    const json: Json = [
      { screen: "cart", steps: [{ click: "Cart" }] },
      { screen: "menu", from: "cart", steps: [{ click: { name: "More", role: "button" } }], shows: "Log out" },
      {
        screen: "paid",
        from: "cart",
        steps: [{ fill: { id: "cart/textbox:code" }, text: "" }, { click: { name: "Pay" } }],
      },
    ];
    expect(parseEntryPaths(json, "start")).toEqual({
      ok: true,
      value: [
        {
          screen: "cart",
          from: null,
          steps: [{ do: "click", target: { by: "name", name: "Cart", role: null } }],
          shows: null,
        },
        {
          screen: "menu",
          from: "cart",
          steps: [{ do: "click", target: { by: "name", name: "More", role: "button" } }],
          shows: "Log out",
        },
        {
          screen: "paid",
          from: "cart",
          steps: [
            { do: "fill", target: { by: "id", id: "cart/textbox:code" }, text: "" },
            { do: "click", target: { by: "name", name: "Pay", role: null } },
          ],
          shows: null,
        },
      ],
    });
  });

  const step = [{ click: "x" }];
  test.each<[string, Json, string]>([
    ["no list", {}, "have to be a list"],
    ["no object", ["x"], "path 1 has to be an object"],
    ["unknown key", [{ screen: "a", steps: step, next: 1 }], 'unknown key "next"'],
    ["no screen", [{ steps: step }], "`screen`"],
    ["a screen that is a path", [{ screen: "../a", steps: step }], "`screen`"],
    ["the first screen again", [{ screen: "start", steps: step }], "is there already"],
    [
      "a screen twice",
      [
        { screen: "a", steps: step },
        { screen: "a", steps: step },
      ],
      "path 2: the screen",
    ],
    ["from nowhere", [{ screen: "a", from: "b", steps: step }], "which no path before it leads to"],
    ["from itself", [{ screen: "a", from: "a", steps: step }], "which no path before it leads to"],
    ["no steps", [{ screen: "a", steps: [] }], "`steps`"],
    ["a step with two acts", [{ screen: "a", steps: [{ click: "x", fill: "y", text: "" }] }], "step 1 has to be"],
    ["a fill without a text", [{ screen: "a", steps: [{ fill: "y" }] }], "step 1 has to be"],
    ["a target without a name", [{ screen: "a", steps: [{ click: "" }] }], "a control is a name"],
    ["a target with both", [{ screen: "a", steps: [{ click: { id: "x", name: "y" } }] }], "a control is a name"],
    ["an empty sign", [{ screen: "a", steps: step, shows: "" }], "`shows`"],
  ])("%s", (_, json, detail) => {
    const read = parseEntryPaths(json, "start");
    expect(read.ok ? "" : read.why.code).toBe("bad_source");
    expect(read.ok ? "" : read.why.detail).toContain(detail);
  });

  test("steps of a path: 50, and no more", () => {
    const path = (count: number): Json => [{ screen: "a", steps: Array(count).fill({ click: "x" }) }];
    expect([49, 50, 51].map((count) => parseEntryPaths(path(count), "start").ok)).toEqual([true, true, false]);
  });
});
