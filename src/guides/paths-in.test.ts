import { describe, expect, test } from "vitest";
import { NAME_UNITS_MAX } from "./glob-match.ts";
import { pathsIn } from "./paths-in.ts";

describe("the files that a task names", () => {
  test.each([
    ["fix web/x.ts", ["web/x.ts"]],
    ["Fix ./web/x.ts, /lib/y.rb and README.md.", ["web/x.ts", "lib/y.rb", "README.md"]],
    ["see `src/a.ts:12:5`, src/b.ts#L10-L20 and (src/c.ts)?", ["src/a.ts", "src/b.ts", "src/c.ts"]],
    ["**src/a.ts** __init__.py", ["src/a.ts", "__init__.py"]],
    ["app/[id]/(shop)/page.tsx [src/x.ts]", ["app/[id]/(shop)/page.tsx", "src/x.ts"]],
    ["(see src/x.ts) and [id].tsx", ["src/x.ts", "[id].tsx"]],
    ["look at @src/app.ts and .env, .github/workflows/ci.yml", ["src/app.ts", ".env", ".github/workflows/ci.yml"]],
    ["open ../shared/Makefile ~/notes /etc/hosts", ["shared/Makefile", "~/notes", "etc/hosts"]],
    ["web\\x.ts", ["web/x.ts"]],
    ["src/../web/x.ts, lib//y.ts and .\\web\\.\\x.ts", ["web/x.ts", "lib/y.ts"]],
    ["gro\u0308\u00dfe/a.ts", ["gr\u00f6\u00dfe/a.ts"]],
    ["web/x.ts/.. and ../..", []],
    ["修复web/x.ts文件，谢谢", ["修复web/x.ts文件", "web/x.ts"]],
    ["文档/说明.md", ["文档/说明.md"]],
    ["x.ts x.ts ./x.ts", ["x.ts"]],
    ["a.tar.gz v2.d.ts", ["a.tar.gz", "v2.d.ts"]],
    ["build the Dockerfile, src/Makefile (and `LICENSE`)", ["Dockerfile", "src/Makefile", "LICENSE"]],
    ["my-Dockerfile Dockerfiles a profile; Profile", []],
    ["upgrade Node.js and ASP.NET to .NET 9, fix node.js and src/Node.js", ["node.js", "src/Node.js"]],
    // What is no file: prose, numbers, dates, addresses, patterns, commands.
    ["e.g. this and/or that, 24/7 at 3.5 p.m. on 12/05/2024 ... . .. / //", []],
    ["https://example.com/a/b.html", []],
    ["all **/*.ts and src/*.rb", []],
    ["/review it", []],
    ["", []],
  ])("%j", (text, paths) => {
    expect(pathsIn(text)).toEqual(paths);
  });

  test("what is longer than a path is none", () => {
    const named = (units: number): string => `${"a".repeat(units - 3)}.ts`;
    expect(pathsIn(named(NAME_UNITS_MAX))).toHaveLength(1);
    expect(pathsIn(named(NAME_UNITS_MAX + 1))).toEqual([]);
  });

  test.each([
    ["brackets", "(".repeat(4_000)],
    ["brackets that match", `${"(".repeat(2_000)}${")".repeat(2_000)}`],
    ["dots", ".".repeat(4_000)],
    ["dots and letters", ".a".repeat(2_000)],
    ["colons and digits", ":1".repeat(2_000)],
    ["slashes", "./".repeat(2_000)],
    ["stars", "*".repeat(4_000)],
  ])("a megabyte of %s ends", (_, word) => {
    expect(pathsIn(`${word} `.repeat(250))).toBeInstanceOf(Array);
    expect(pathsIn(word.repeat(250))).toEqual([]);
  });
});
