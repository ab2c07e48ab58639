import { describe, expect, test } from "vitest";
import { onWords, someProfile, someRule, someTask } from "../../test/checks/guide-rules.ts";
import type { GuideTask, Rule } from "../domain/rule.ts";
import { ruleSet } from "./rule-set.ts";
import { explainSelection, select } from "./select.ts";

const selected = (rules: readonly Rule[], task: GuideTask, profile = "phone"): readonly string[] =>
  select(ruleSet(rules), task, profile).selected.map(({ id }) => id);

const fires = (about: Partial<Rule>, task: GuideTask, profile = "phone"): boolean =>
  selected([someRule("a", about)], task, profile).length === 1;

describe("the task", () => {
  test("a rule without a matcher is for every task, the empty one too", () => {
    expect(fires({}, someTask(""))).toBe(true);
  });

  test("a phrase fires where all of its words occur, in any order, and one phrase is enough", () => {
    const task = { phrases: [["refund", "order"], ["cancel"]], words: [], least: 1 };
    expect(fires({ task }, someTask("The order, to refund it"))).toBe(true);
    expect(fires({ task }, someTask("Cancel!"))).toBe(true);
    expect(fires({ task }, someTask("refund refund"))).toBe(false);
    expect(fires({ task }, someTask("refunded orders"))).toBe(false);
  });

  test("as many of the words as it says, and one less is not enough", () => {
    const words = ["refund*", "order", "receipt"];
    const task = { phrases: [], words, least: 2 };
    expect(fires({ task }, someTask("order order order"))).toBe(false);
    expect(fires({ task }, someTask("refunding an order"))).toBe(true);
    expect(fires({ task: { ...task, least: 3 } }, someTask("refunding an order"))).toBe(false);
    expect(fires({ task: { ...task, least: 3 } }, someTask("refunding an order's receipt"))).toBe(true);
    expect(fires({ task: { ...task, phrases: [["gift"]] } }, someTask("a gift"))).toBe(true);
  });
});

describe("app, paths and profile", () => {
  test("a glob of each, and one of several is enough", () => {
    expect(fires({ app: ["com.shop", "com.bank.*"] }, someTask("", { app: "com.bank.card" }))).toBe(true);
    expect(fires({ app: ["com.shop", "com.bank.*"] }, someTask("", { app: "com.mail" }))).toBe(false);
    expect(fires({ paths: ["src/**/*.rb"] }, someTask("", { paths: ["x.ts", "src/a/b.rb"] }))).toBe(true);
    expect(fires({ paths: ["src/**/*.rb"] }, someTask("", { paths: ["x.ts"] }))).toBe(false);
    expect(fires({ profile: ["pho*"] }, someTask(""))).toBe(true);
    expect(fires({ profile: ["desk"] }, someTask(""))).toBe(false);
  });

  test("a safety rule is for its files however they are written, and it too", () => {
    const written = [
      "gr\u00f6\u00dfe/a.ts",
      "gro\u0308\u00dfe/a.ts",
      "gr\u00f6\u00dfe\\a.ts",
      "lib/../gr\u00f6\u00dfe/./a.ts",
    ];
    const globs = ["gr\u00f6\u00dfe/**", "gro\u0308\u00dfe/*.ts", "gr\u00f6\u00dfe\\**", "./x/../gr\u00f6\u00dfe/"];
    for (const glob of globs) {
      for (const path of written) {
        expect([glob, path, fires({ paths: [glob], safety: true }, someTask("", { paths: [path] }))]).toEqual([
          glob,
          path,
          true,
        ]);
      }
    }
    expect(fires({ app: ["gr\u00f6\u00dfe.*"] }, someTask("", { app: "gro\u0308\u00dfe.shop" }))).toBe(true);
    expect(fires({ profile: ["gro\u0308\u00dfe"] }, someTask(""), "gr\u00f6\u00dfe")).toBe(true);
  });

  test("one text is a pattern of names and another one of paths", () => {
    const both = { app: ["a\\b"], paths: ["a\\b"] };
    expect(fires(both, someTask("", { app: "a\\b", paths: ["a/b"] }))).toBe(true);
    expect(fires(both, someTask("", { app: "a/b", paths: ["a/b"] }))).toBe(false);
  });

  test("a matcher needs something to fire on, even one that matches everything", () => {
    expect(fires({ app: ["*"] }, someTask(""))).toBe(false);
    expect(fires({ paths: ["**"] }, someTask(""))).toBe(false);
  });
});

test("all matchers of a rule have to fire, and a report names the first that does not", () => {
  const all = { task: onWords("refund"), app: ["shop"], paths: ["*.ts"], profile: ["phone"] };
  const set = ruleSet([someRule("a", all)]);
  const because = (text: string, app: string, path: string, name: string): readonly string[] =>
    explainSelection(set, someTask(text, { app, paths: [path] }), someProfile(0, { name })).map((one) => one.because);
  expect(because("refund", "shop", "x.ts", "phone")).toEqual([]);
  expect(because("refund", "shop", "x.ts", "desk")).toEqual(["profile"]);
  expect(because("refund", "shop", "x.js", "desk")).toEqual(["paths"]);
  expect(because("refund", "bank", "x.js", "desk")).toEqual(["app"]);
  expect(because("charge", "bank", "x.js", "desk")).toEqual(["task"]);
});

test("authored order: by order, then by id as code units", () => {
  const rules = [
    someRule("b"),
    someRule("a", { order: 1 }),
    someRule("\uff5e"),
    someRule("𝒳"),
    someRule("B"),
    someRule("c", { order: -1 }),
  ];
  // By code points the last two of order 0 would stand the other way round.
  expect(selected(rules, someTask(""))).toEqual(["c", "B", "b", "𝒳", "\uff5e", "a"]);
});

test("an id that is a name of every object is an id", () => {
  const rules = ["__proto__", "constructor", "toString"].map((id) =>
    someRule(id, { task: onWords(id.toLowerCase().replaceAll("_", "")) }),
  );
  expect(selected(rules, someTask("constructor __proto__"))).toEqual(["__proto__", "constructor"]);
});

describe("what no parser leaves is a bug, and not a rule that quietly never fires", () => {
  const hostile: readonly (readonly [string, Partial<Rule>])[] = [
    ["a pattern that cannot be read", { app: ["[a"] }],
    ["a path pattern that cannot be read", { paths: ["{a"] }],
    ["a word that is not in its compared form", { task: onWords("Refund") }],
    ["a word that is several", { task: onWords("e-mail") }],
    ["a phrase without words", { task: onWords() }],
    ["no way to fire", { task: { phrases: [], words: [], least: 1 } }],
    ["none of the words", { task: { phrases: [], words: ["a"], least: 0 } }],
    ["more words than there are", { task: { phrases: [], words: ["a"], least: 2 } }],
    ["half a surrogate pair in the text", { body: "a\ud83d" }],
    ["an order that is no number", { order: Number.NaN }],
  ];
  test.each(hostile)("%s", (_, about) => {
    expect(() => ruleSet([someRule("a", about)])).toThrow(TypeError);
  });
});
