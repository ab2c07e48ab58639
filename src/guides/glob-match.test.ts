import { describe, expect, test } from "vitest";
import type { Parsed } from "../domain/parsed.ts";
import { type Glob, parseGlob, parsePathGlob } from "./glob.ts";
import { GLOB_STEPS_MAX, matchesName, matchesPath, NAME_UNITS_MAX } from "./glob-match.ts";
import { normalPath } from "./normal-path.ts";

function glob(text: string, read: (text: string) => Parsed<Glob> = parseGlob): Glob {
  const made = read(text);
  if (!made.ok) throw new Error(made.why.detail);
  return made.value;
}

/** As a task and a rule come to it, whoever wrote them. */
function isFor(pattern: string, path: string): boolean {
  return matchesPath(glob(pattern, parsePathGlob), normalPath(path));
}

describe("paths", () => {
  const cases: readonly (readonly [pattern: string, matches: readonly string[], not: readonly string[]])[] = [
    ["src/x.ts", ["src/x.ts", "./src/x.ts", "/src/x.ts"], ["src/x_ts", "a/src/x.ts", "src/X.ts", "src/x.tsx"]],
    // Without a slash: the last segment, wherever it is.
    ["*.ts", ["x.ts", "src/deep/x.ts", ".ts"], ["x.ts/y", "x.js"]],
    ["Makefile", ["Makefile", "a/b/Makefile"], ["makefile", "Makefile/x"]],
    ["*", ["a", "a/b"], []],
    ["**", ["a", "a/b/c.x"], []],
    // A slash before it is nothing, and still says that the pattern is about the whole path.
    ["/x.ts", ["x.ts", "/x.ts", "./x.ts"], ["a/x.ts"]],
    ["./*.ts", ["x.ts"], ["a/x.ts"]],
    ["src/*.ts", ["src/x.ts", "src/.ts"], ["src/a/x.ts", "x.ts"]],
    ["src/**/*.ts", ["src/x.ts", "src/a/x.ts", "src/a/b/x.ts"], ["x.ts", "src/x.js", "srcx.ts"]],
    ["**/*.ts", ["x.ts", "a/x.ts"], ["x.tsx"]],
    ["src/**", ["src/x", "src/a/b"], ["src", "srcx/y"]],
    ["src/", ["src/x", "src/a/b"], ["src", "a/src/x"]],
    ["a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c"], ["a/c", "a/bc", "a/xb/c"]],
    // Two stars cross slashes wherever they stand; only as whole folders can they be none.
    ["**manifest.json", ["manifest.json", "a/my-manifest.json"], ["manifest.json5"]],
    ["a**/b", ["a/b", "ax/y/b"], ["ab", "b"]],
    ["***/x", ["x", "a/x"], ["ax"]],
    ["a?c", ["abc", "d/a🦊c"], ["a/c", "ac", "abbc"]],
    ["[a-c]x[!0-9]", ["axb", "cx-"], ["dxb", "ax0", "ax/"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[^a]", ["^", "a"], ["b"]],
    ["a[!b]c/d", ["axc/d"], ["a/c/d"]],
    ["**/*.{js,ts}", ["x.js", "a/b.ts"], ["x.jsx", "x.{js,ts}"]],
    ["{src,lib}/**/*.{c,h,{cc,hh}}", ["src/x.c", "lib/a/x.hh"], ["doc/x.c", "src/x.hc"]],
    ["x{,.min}.js", ["x.js", "x.min.js"], ["x..js"]],
    ["{a/**,b}/c", ["a/x/c", "b/c"], ["a/c/d", "c"]],
    ["{a,**/b}/c", ["a/c", "b/c", "x/b/c"], ["x/a/c"]],
    ["*.{ts}", ["x.ts"], ["x.{ts}"]],
    // Everything else stands for itself.
    ["app/(shop)/$id+.^|.tsx", ["app/(shop)/$id+.^|.tsx"], ["app/shop/id.tsx", "app/(shop)/$idd.x|.tsx"]],
    ["a,b", ["a,b"], ["a", "b"]],
    // One file however it is written, and one pattern.
    ["a\\b", ["a\\b", "a/b"], ["ab", "x/a/b"]],
    ["a/*.ts", ["a\\x.ts", ".\\a\\x.ts", "a//x.ts", "b/../a/x.ts", "../a/./x.ts"], ["a/../x.ts", "b/x.ts"]],
    ["gr\u00f6\u00dfe/**", ["gr\u00f6\u00dfe/a", "gro\u0308\u00dfe/a"], ["grosse/a", "gro\u00dfe/a"]],
    ["gro\u0308\u00dfe/**", ["gr\u00f6\u00dfe/a", "gro\u0308\u00dfe/a"], ["grosse/a"]],
    ["é*", ["é", "éx", "e\u0301x"], ["ex"]],
    ["[é]", ["e\u0301"], ["e"]],
    ["a/./b//c", ["a/b/c"], ["a/c"]],
    ["lib/../web/**", ["web/a.ts"], ["lib/a.ts", "lib/web/a.ts"]],
    ["../web/**", ["web/a.ts", "../web/a.ts"], ["x/web/a.ts"]],
    ["lib/../x.ts", ["x.ts"], ["a/x.ts"]],
    ["a/{b,c}/../d", ["a/d"], ["a/b/d", "d"]],
    ["a/*/../d", ["a/d"], ["a/b/d"]],
    ["a/b/..", ["a/c", "a/b"], ["a", "b"]],
    ["a/.", ["a/b"], ["a", "ab"]],
    ["a/.b", ["a/.b"], ["a/b"]],
    ["a/..b", ["a/..b"], ["b"]],
    ["a/...", ["a/..."], ["a/x"]],
    ["{.a,..b}/c", [".a/c", "..b/c"], ["a/c"]],
  ];
  for (const [pattern, matches, not] of cases) {
    test(pattern, () => {
      expect(matches.filter((path) => !isFor(pattern, path))).toEqual([]);
      expect(not.filter((path) => isFor(pattern, path))).toEqual([]);
    });
  }
});

describe("names", () => {
  const cases: readonly (readonly [pattern: string, matches: readonly string[], not: readonly string[]])[] = [
    [
      "com.example.*",
      ["com.example.a", "com.example.a/b", "com.example."],
      ["com.example", "comXexample.a", "org.com.example.a"],
    ],
    ["*", ["", "a", "a/b"], []],
    ["**", ["", "a/b"], []],
    ["phone-?", ["phone-1", "phone-/"], ["phone-", "phone-12"]],
    ["settings", ["settings"], ["a/settings", "Settings", "settings "]],
    // Slashes are nothing special, and none before a name is overlooked.
    ["/a", ["/a"], ["a", "./a"]],
    ["a/", ["a/"], ["a/b", "a"]],
    ["**/x", ["/x", "a/b/x"], ["x"]],
    ["[!/]x", ["ax"], ["/x"]],
    ["testID[0]", ["testID0"], ["testID[0]"]],
    ["+33 (0)$", ["+33 (0)$"], ["+33 0"]],
    ["{web,native}:*", ["web:shop", "native:"], ["webshop"]],
    ["a\\b/../c", ["a\\b/../c"], ["a/b/../c", "a/c"]],
  ];
  for (const [pattern, matches, not] of cases) {
    test(pattern, () => {
      expect(matches.filter((name) => !matchesName(glob(pattern), name))).toEqual([]);
      expect(not.filter((name) => matchesName(glob(pattern), name))).toEqual([]);
    });
  }
});

// Claim S9. Each is a shape that makes a matcher go back; here no step is taken twice.
describe("no pattern makes a long text hang", () => {
  const a = "a".repeat(NAME_UNITS_MAX);
  const folders = "a/".repeat(NAME_UNITS_MAX / 2);
  const hostile: readonly (readonly [pattern: string, text: string])[] = [
    ["*a*a*a*a*a*a*a*a*b", a],
    ["**a**a**a**a**a**b", a],
    [`${"*a".repeat(200)}b`, a],
    [`${"a*".repeat(200)}b`, a],
    [`${"*".repeat(500)}b`, a],
    [`${"?*".repeat(100)}b`, a],
    [`${"[a-z]*".repeat(80)}!`, a],
    [`${"[!b]*".repeat(100)}b`, a],
    [`${"{a,aa}".repeat(60)}*b`, a],
    [`${"{a,*}".repeat(60)}b`, a],
    [`${"{*,**}".repeat(60)}b`, a],
    [`${"{,a}".repeat(60)}*b`, a],
    [`${"{a,{a,{a,{a,*}}}}".repeat(12)}b`, a],
    [`${"{*a,".repeat(8)}*b${"}".repeat(8)}`, a],
    [`${"**/".repeat(100)}b`, folders],
    [`${"*/".repeat(100)}b`, folders],
    [`${"**/*a".repeat(60)}/b`, folders],
    [`${"**/{a,**/a}/".repeat(40)}b`, folders],
    [`a${"/**".repeat(100)}/b`, folders],
    [`${"(a+)+$".repeat(50)}*`, "a+(".repeat(NAME_UNITS_MAX / 3)],
    [`${"*".repeat(500)}🦊`, "🦊".repeat(NAME_UNITS_MAX / 2)],
    [`[${"a-z".repeat(150)}]*b`, a],
  ];
  for (const [i, [pattern, text]] of hostile.entries()) {
    test(`${i + 1}: ${pattern.slice(0, 24)}`, () => {
      const read = glob(pattern);
      expect(read.ops.length).toBeLessThanOrEqual(pattern.length + 3);
      // With an end that its patterns can have, so that none is told apart by it.
      for (const whole of [text, text.slice(0, -read.tail.length - 1) + read.tail]) {
        for (const matches of [matchesName, matchesPath]) {
          const steps = { count: 0 };
          matches(read, whole, steps);
          expect(steps.count).toBeLessThanOrEqual((whole.length + 1) * read.ops.length);
          expect(steps.count).toBeLessThanOrEqual(GLOB_STEPS_MAX);
        }
      }
    });
  }

  test("twice the text is twice the steps, and not four times", () => {
    const read = glob("*a*a*a*a*a*[bc]");
    const [once = 1, twice = 0] = [2_000, 4_000].map((length) => {
      const steps = { count: 0 };
      expect(matchesName(read, "a".repeat(length), steps)).toBe(false);
      return steps.count;
    });
    expect(twice / once).toBeLessThan(2.1);
    expect(once).toBeGreaterThan(10_000);
  });

  test("the longest name is matched, and a longer one or a megabyte never", () => {
    const steps = { count: 0 };
    expect(matchesPath(glob("*a"), a.slice(1), steps)).toBe(true);
    expect(matchesPath(glob("*a"), a, steps)).toBe(true);
    steps.count = 0;
    for (const text of [`${a}a`, "a".repeat(1_000_000)]) {
      expect(() => matchesPath(glob("*a"), text, steps)).toThrow(RangeError);
      expect(() => matchesName(glob("*a"), text, steps)).toThrow(RangeError);
    }
    expect(steps.count).toBe(0);
  });
});
