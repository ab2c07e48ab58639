import { describe, expect, test } from "vitest";
import { GLOB_ALTERNATIVES_MAX, GLOB_DEPTH_MAX, GLOB_UNITS_MAX, parseGlob } from "./glob.ts";

const code = (text: string): string => {
  const read = parseGlob(text);
  return read.ok ? "ok" : read.why.code;
};

describe("a glob that is refused", () => {
  test.each([
    ["", "glob_empty"],
    ["/", "glob_empty"],
    ["./", "glob_empty"],
    [".//./", "glob_empty"],
    ["src/[", "glob_unclosed"],
    ["src/[a-", "glob_unclosed"],
    ["src/[]", "glob_unclosed"],
    ["src/[!]", "glob_unclosed"],
    ["*.{js,ts", "glob_unclosed"],
    ["*.{js,{ts,tsx}", "glob_unclosed"],
    ["*.{js", "glob_unclosed"],
    // What is left of a pattern that was split at its comma.
    ["ts}", "glob_unopened"],
    ["a{}b", "glob_empty_braces"],
    ["[z-a]", "glob_bad_range"],
  ])("%j: %s", (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  test("a message says where, and how it would be written", () => {
    expect(parseGlob("src/*.[ch")).toMatchObject({ why: { detail: "the [ at 7 is not closed: a [ itself is [[]" } });
    expect(parseGlob("x}")).toMatchObject({ why: { detail: "the } at 2 closes nothing: a } itself is written [}]" } });
  });

  test("its length at the border", () => {
    expect(code("a".repeat(GLOB_UNITS_MAX - 1))).toBe("ok");
    expect(code("a".repeat(GLOB_UNITS_MAX))).toBe("ok");
    expect(code("a".repeat(GLOB_UNITS_MAX + 1))).toBe("glob_too_long");
  });

  test("its alternatives at the border, of all braces together", () => {
    const braces = (alternatives: number): string => `{${",".repeat(alternatives - 1)}}`;
    expect(code(`{a,b}${braces(GLOB_ALTERNATIVES_MAX - 3)}`)).toBe("ok");
    expect(code(`{a,b}${braces(GLOB_ALTERNATIVES_MAX - 2)}`)).toBe("ok");
    expect(code(`{a,b}${braces(GLOB_ALTERNATIVES_MAX - 1)}`)).toBe("glob_too_many_alternatives");
  });

  test("its depth at the border", () => {
    const nested = (depth: number): string => `${"{a,".repeat(depth)}b${"}".repeat(depth)}`;
    expect([GLOB_DEPTH_MAX - 1, GLOB_DEPTH_MAX, GLOB_DEPTH_MAX + 1].map((depth) => code(nested(depth)))).toEqual([
      "ok",
      "ok",
      "glob_too_deep",
    ]);
  });
});
