import { describe, expect, test } from "vitest";
import { GLOB_ALTERNATIVES_MAX, GLOB_DEPTH_MAX, GLOB_UNITS_MAX, parseGlob, parsePathGlob } from "./glob.ts";

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

describe("a pattern of paths that is refused, since no path is written so", () => {
  const pathCode = (text: string): string => {
    const read = parsePathGlob(text);
    return read.ok ? "ok" : read.why.code;
  };

  test.each([
    ["..", "glob_empty"],
    ["a/..", "glob_empty"],
    ["a/../", "glob_empty"],
    ["{./a,b}", "glob_loose_part"],
    ["{.,a}/b", "glob_loose_part"],
    ["a/{..,b}/c", "glob_loose_part"],
    ["a/{b,.{.,x}}", "glob_loose_part"],
    ["a/{b,..}", "glob_loose_part"],
    ["{a//b,c}", "glob_loose_part"],
    ["{,a}/b", "glob_loose_part"],
    ["a/{,b}/c", "glob_loose_part"],
    ["{a/,b}/c", "glob_loose_part"],
    ["a/**/../b", "glob_loose_part"],
    ["a/{,b}../../c", "glob_loose_part"],
    ["a/{,b}/../c", "glob_loose_part"],
    ["**/..", "glob_loose_part"],
    ["[/]/../b", "glob_loose_part"],
    ["{a/b,c}/../d", "glob_loose_part"],
    ["a[/]b", "glob_never"],
    ["a[\\]b", "glob_never"],
    // What is wrong is not taken out with its folder.
    ["{}/../b", "glob_empty_braces"],
    ["[z-a]/../b", "glob_bad_range"],
    ["[/../b", "glob_unclosed"],
    ["{/../b", "glob_unclosed"],
    ["}/../b", "glob_unopened"],
  ])("%j: %s", (text, expected) => {
    expect(pathCode(text)).toBe(expected);
  });

  test.each(["a[!/]b", "{,**/}a", "src/{,test/}x", "a/{b,c}", "{.a,..}b", "a.", "a..", "[./]x"])(
    "%j is none of them",
    (text) => {
      expect(pathCode(text)).toBe("ok");
    },
  );

  test("its length, where composing makes it longer", () => {
    const long = "\u{1d160}".repeat(90);
    expect([long.length, long.normalize("NFC").length]).toEqual([180, 540]);
    expect([code(long), pathCode(long)]).toEqual(["glob_too_long", "glob_too_long"]);
  });
});
