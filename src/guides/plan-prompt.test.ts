import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Control, ControlMap, Screen } from "../domain/control-map.ts";
import { groundIndex } from "./ground/ground-index.ts";
import { planPrompt } from "./plan-prompt.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const quote = (text: string): string => `> ${text}`;

function control(id: string, screen: string, text: string, more: Partial<Control> = {}): Control {
  const empty = { desc: "", childText: [], resourceId: "", value: "" };
  return { id, screen, role: "button", text, ...empty, clickable: true, disabled: false, ...more };
}

const screen = (id: string, entry: readonly string[] = [`go-${id}`]): Screen => ({ id, title: "", where: "", entry });
const NAMES = ["catalogue", "orders", "stock", "account", "reports"];
const SCREENS = [screen("start", []), ...NAMES.map((id) => screen(id))];

/** Six screens, of which the third is a table with 2,000 rows: a button and a line of text in each. */
const ROWS = Array.from({ length: 2_000 }, (_, i) => [
  control(`refund-${i}`, "orders", "Refund order"),
  control(`row-${i}`, "orders", `Order ${10_000 + i} of customer ${i}`, { role: "text", clickable: false }),
]).flat();
const CONTROLS = [
  ...NAMES.map((id) => control(`go-${id}`, "start", `Open ${id}`)),
  control("filter", "catalogue", "Filter"),
  ...ROWS,
  control("recount", "stock", "Recount"),
  control("reset", "account", "Reset password"),
  ...Array.from({ length: 30 }, (_, i) => control(`field-${i}`, "account", `Field ${i}`, { role: "textbox" })),
  control("monthly", "reports", "Monthly"),
];

const mapOf = (controls: readonly Control[], screens: readonly Screen[] = SCREENS): ControlMap => ({
  ...{ version: 1, app: "shop", source: { kind: "jsonl", where: "shop" }, at: 1, screens, controls },
});
const promptOf = (map: ControlMap, bytesMax: number, task = "Reset a customer's password") =>
  planPrompt(groundIndex(map, sha256), task, { bytesMax, quote });
const linesOf = (user: string): readonly string[] => user.split("\n").filter((line) => line.startsWith("> "));

describe("a table of 2,000 rows", () => {
  const { user, leftOut, leftOutOn } = promptOf(mapOf(CONTROLS), 20_000);

  test("hides nothing that the task speaks of, and no screen", () => {
    for (const { id } of SCREENS) expect(user).toMatch(new RegExp(`^> ${id} \\|`, "m"));
    for (const { id, screen: on, text } of CONTROLS.filter((one) => !one.id.startsWith("row-"))) {
      if (text !== "Refund order") expect(user).toContain(`> ${id} | ${on} |`);
    }
  });

  test("has equal names in one line, with their number", () => {
    expect(linesOf(user).filter((line) => line.includes("Refund order"))).toEqual([
      "> refund-0 | orders | button | Refund order | ×2000",
    ]);
  });

  test("names what was left out, by screen", () => {
    expect(leftOut).toBeGreaterThan(1_000);
    expect(leftOutOn).toEqual([{ screen: "orders", controls: leftOut }]);
    expect(user).toContain(`> orders |  | by go-orders | ${leftOut} controls not shown`);
    expect(user.endsWith(`\n(${leftOut} more controls are not shown)`)).toBe(true);
  });

  test("is shown the same in whatever order the map has it", () => {
    const turned = promptOf(mapOf([...CONTROLS].reverse(), [...SCREENS].reverse()), 20_000);
    expect(linesOf(turned.user).toSorted()).toEqual(linesOf(user).toSorted());
    expect(linesOf(turned.user)).not.toEqual(linesOf(user));
  });
});

test("the ways come first, then the task's words, by synonyms too, and then as much of one screen as of the others", () => {
  const screens = [screen("start", []), screen("a", ["menu"]), screen("b", ["menu"])];
  const many = (on: string) =>
    Array.from({ length: 400 }, (_, i) => control(`${on}${i}`, on, `${on.repeat(3)}${i} item`));
  const controls = [...many("a"), control("bin", "b", "Trash"), ...many("b"), control("menu", "start", "Sections")];
  const { user } = promptOf(mapOf(controls, screens), 8_000, "delete the letter");
  const lines = linesOf(user).slice(4);
  expect(lines.slice(0, 2)).toEqual(["> menu | start | button | Sections", "> bin | b | button | Trash"]);
  const [a, b] = ["a", "b"].map((on) => lines.filter((line) => line.includes(` | ${on} | `)).length);
  expect(a).toBeGreaterThan(50);
  expect(Math.abs((a ?? 0) - (b ?? 0))).toBeLessThanOrEqual(2);
});

test("what can be used comes before what only stands there, and rare words before those of every row", () => {
  const rows = Array.from({ length: 300 }, (_, i) => control(`row${i}`, "start", `Invoice ${i}`));
  const texts = Array.from({ length: 300 }, (_, i) => control(`t${i}`, "start", `note ${i}x`, { clickable: false }));
  const controls = [...texts, ...rows, control("save", "start", "Void")];
  const lines = linesOf(promptOf(mapOf(controls, [screen("start", [])]), 6_000, "see what there is").user);
  expect(lines.at(-1)).toBe("> save | start | button | Void");
  expect(lines.some((line) => line.includes("note "))).toBe(false);
});

describe("the bound", () => {
  test("holds whatever it is, for many screens with long ways too, and each part leaves room for the next", () => {
    const long = (i: number): Screen => ({ ...screen(`s${i}`, ["menu"]), title: "Ä".repeat(200) });
    const screens = [screen("start", []), ...Array.from({ length: 199 }, (_, i) => long(i))];
    const controls = [control("menu", "start", "Menu"), control("reset", "s198", "Reset password"), ...ROWS].map(
      (one) => ({ ...one, screen: one.screen === "orders" ? "s0" : one.screen }),
    );
    const map = mapOf(controls, screens);
    for (const bytesMax of [2_000, 2_400, 3_000, 5_000, 9_000, 46_080, 200_000]) {
      const { system, user, bytes } = promptOf(map, bytesMax);
      expect(bytes).toBe(Buffer.byteLength(system + user));
      expect(bytes).toBeLessThanOrEqual(bytesMax);
      if (bytesMax > 3_000) expect(user).toContain("> reset | s198 | button | Reset password");
    }
    expect(linesOf(promptOf(map, 46_080).user).filter((line) => line.includes(" | s0 | ")).length).toBeGreaterThan(300);
    expect(promptOf(map, 9_000).user).toMatch(
      /\n\(\d+ more screens are not shown\)\n\(\d+ more controls are not shown\)$/,
    );
    expect(() => promptOf(map, 1_000)).toThrow(RangeError);
  });

  test("leaves nothing out of a map that fits, and something where one byte less does not", () => {
    const map = mapOf(CONTROLS.filter(({ id }) => !/^(?:row|refund)-/.test(id)));
    const whole = promptOf(map, 100_000);
    expect(whole).toMatchObject({ leftOut: 0, leftOutOn: [] });
    expect(whole.user).not.toContain("not shown");
    let least = whole.bytes;
    while (promptOf(map, least).leftOut > 0) least += 1;
    expect(least - whole.bytes).toBeLessThan(400);
    expect(promptOf(map, least - 1).leftOut).toBe(1);
  });
});
