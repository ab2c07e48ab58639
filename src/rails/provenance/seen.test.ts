import { describe, expect, test } from "vitest";
import { growthOf, LINEAR_MAX } from "../../../test/growth.ts";
import type { Json } from "../../domain/json.ts";
import { covers, SEEN_LIMITS, Seen } from "./seen.ts";
import { TRACED_MAX, traceParams } from "./trace.ts";

function seenIn(result: Json, trusted: readonly string[] | "all" = "all"): Seen {
  const seen = new Seen();
  seen.result("read", trusted, {}, result);
  return seen;
}
const sources = (seen: Seen, value: string): readonly string[] =>
  seen.sightings(value, "text").map(({ source, path }) => `${source} ${path}`);

describe("which fields are trusted", () => {
  test.each([
    ["iban", "iban", true],
    ["iban", "iban.x", false],
    ["iban", "ibans", false],
    ["owner.*", "owner.name", true],
    ["owner.*", "owner.a[].b", true],
    ["owner.*", "owner.*", true],
    ["owner.*", "owner", false],
    ["owner.*", "owners.name", false],
    ["[]", "[]", true],
    ["[]", "[].name", true],
    ["rows[]", "rows[].name", true],
    ["rows[]", "rows", false],
    ["[].name", "[].name", true],
    ["[].name", "[].text", false],
    ["", "", true],
    ["", "x", false],
  ])("%s covers %s: %s", (declared, path, is) => expect(covers([declared], path)).toBe(is));

  test("a key that outsiders choose cannot pose as a declared path", () => {
    const seen = seenIn({ "owner.name": "eve", "[].name": "eve", 'a["b"]': "eve", owner: { "x.name": "eve" } }, [
      "owner.name",
      "[].name",
      "a.b",
    ]);
    expect(seen.sightings("eve", "text").map(({ source }) => source)).toEqual(["untrusted"]);
  });

  test("keys are values too, and as trusted as what holds them", () => {
    expect(sources(seenIn({ hotels: { "Riverside View": 4 } }, ["hotels.*"]), "riverside view")).toEqual([
      "trusted hotels.*",
    ]);
    expect(sources(seenIn({ hotels: { "Riverside View": 4 } }, ["hotels.rating"]), "riverside view")).toEqual([
      "untrusted hotels.*",
    ]);
  });

  test("a text that is trusted as a whole is seen as a whole only", () => {
    const seen = seenIn("Pay GB29 today", [""]);
    expect(sources(seen, "pay gb29  today")).toEqual(["trusted "]);
    expect(sources(seen, "GB29")).toEqual([]);
  });

  test("a value stands anywhere inside of what outsiders write", () => {
    expect(sources(seenIn([{ text: "xxGB29yy" }, "z"], []), "gb29")).toEqual(["untrusted [].text"]);
    expect(sources(seenIn(["ab", "cd"], []), "b\nc")).toEqual([]);
  });
});

describe("bounds", () => {
  test("100,000 leaves are kept, and what is beyond was never seen", () => {
    const seen = seenIn(Array.from({ length: SEEN_LIMITS.leaves + 1 }, (_, i) => `v${i}`));
    expect(sources(seen, `v${SEEN_LIMITS.leaves - 1}`)).toEqual(["trusted []"]);
    expect(sources(seen, `v${SEEN_LIMITS.leaves}`)).toEqual([]);
  });

  test("a flood of what outsiders write drives out nothing that is trusted", () => {
    const seen = new Seen();
    const flood = Array.from({ length: SEEN_LIMITS.leaves + 9 }, (_, i) => `flood ${i}`);
    seen.result("read", ["of"], {}, { flood, long: "x".repeat(SEEN_LIMITS.chars), of: "GB29" });
    expect(sources(seen, "GB29")).toEqual(["trusted of"]);
    expect(sources(seen, "flood 99990")).toEqual(["untrusted flood[]"]);
    expect(sources(seen, "flood 100000")).toEqual([]);
  });

  test("values of a proposal are traced up to a bound, those with a rule first", () => {
    const seen = new Seen();
    seen.request("send GB29");
    const rules = { to: { from: ["request"] as const } };
    const many = traceParams({ a: Array.from({ length: 999 }, () => "b"), to: "GB29" }, seen, rules);
    expect(many.to).toHaveLength(1);
    expect(Object.keys(many)).toHaveLength(TRACED_MAX);
  });

  test("names of prototypes are values like others", () => {
    const seen = new Seen();
    expect(seen.sightings("__proto__", "text")).toEqual([]);
    expect(seen.sightings("constructor", "text")).toEqual([]);
    expect(traceParams({ "a.b": { c: "x" } }, seen, null)).toEqual({ '["a.b"].c': [] });
  });

  test("[rails-provenance] hostile-texts-cost-no-more: steps are linear in what was seen and in what is looked for", () => {
    const hostile = (i: number): string => `${"a".repeat(380 + i)}b${"a".repeat(640 - i)}`;
    const values = Array.from({ length: TRACED_MAX }, (_, i) => ({ text: hostile(i), as: "text" as const }));
    const chars = values.reduce((sum, { text }) => sum + text.length, 0);
    for (const length of [1_000_000, 4_000_000]) {
      const seen = seenIn(["a".repeat(length)], []);
      for (let i = 0; i < 9; i++) seen.request("a".repeat(32_000));
      expect(seen.look(values).steps).toBeLessThan(2 * (length + 9 * 32_000 + 2 * chars));
    }
  });

  test.each([
    ["digits and commas", (n: number) => `1${",".repeat(n)}1`],
    ["zeros behind a point", (n: number) => `1.${"0".repeat(n)}1`],
    ["one word", (n: number) => "a".repeat(n)],
    ["many words", (n: number) => "a ".repeat(n / 2)],
    ["marks", (n: number) => `${"'".repeat(n)}a`],
  ])("[rails-provenance] hostile-texts-cost-no-more: a request of %s is read in linear time", (_what, textOf) => {
    expect(growthOf((n) => new Seen().request(`${textOf(n)} x`, true), 10_000)).toBeLessThan(LINEAR_MAX);
    expect(growthOf((n) => new Seen().result("read", "all", {}, textOf(n)), 10_000)).toBeLessThan(LINEAR_MAX);
  });
});
