import { expect, test } from "vitest";
import { TASK_PATHS_MAX } from "../domain/rule.ts";
import { NAME_UNITS_MAX } from "./glob-match.ts";
import { guideTask } from "./guide-task.ts";

test("a task is about the files that it names, and those that are given besides, each once", () => {
  expect(guideTask("fix web/x.ts")).toEqual({
    ok: true,
    value: { text: "fix web/x.ts", app: null, paths: ["web/x.ts"] },
  });
  expect(guideTask("fix web/x.ts", { app: "shop", paths: ["a.ts"] })).toMatchObject({
    value: { app: "shop", paths: ["web/x.ts", "a.ts"] },
  });
  expect(guideTask("fix web/x.ts", { paths: ["a.ts", "web/x.ts"] })).toMatchObject({
    value: { app: null, paths: ["web/x.ts", "a.ts"] },
  });
  expect(guideTask("do it", { app: null, paths: [] })).toMatchObject({ value: { app: null, paths: [] } });
});

test("a name without a character and one over the border are refused", () => {
  const long = "a".repeat(NAME_UNITS_MAX);
  expect(guideTask("", { app: long, paths: [long.slice(1), long] })).toMatchObject({ ok: true });
  expect(guideTask("", { app: `${long}a` })).toMatchObject({ why: { code: "app_too_long" } });
  expect(guideTask("", { paths: ["a", `${long}a`] })).toMatchObject({ why: { code: "path_too_long" } });
  expect(guideTask("", { app: "" })).toMatchObject({ why: { code: "app_empty" } });
  expect(guideTask("", { paths: [""] })).toMatchObject({ why: { code: "path_empty" } });
});

test("a file is the same one however it is written, and whoever names it", () => {
  const said = (text: string, ...paths: readonly string[]): readonly string[] => {
    const task = guideTask(text, { paths });
    return task.ok ? task.value.paths : [task.why.code];
  };
  expect(said("fix web/x.ts", "web\\x.ts", "./web/x.ts", "lib/../web/x.ts", "web//x.ts")).toEqual(["web/x.ts"]);
  expect(said("", "gro\u0308\u00dfe/x.ts")).toEqual(["gr\u00f6\u00dfe/x.ts"]);
  expect(said("", "web/")).toEqual(["web/"]);
  // What names the root alone names no file, and must not pass for one that no rule is about.
  for (const root of [".", "./", "/", "..", "web/.."]) expect(said("", root)).toEqual(["path_empty"]);
  // Composing makes it longer than a path can be.
  const long = `${"\u{1d160}".repeat(1_000)}.ts`;
  expect(said(`fix ${long}`)).toEqual([]);
  expect(said("", long)).toEqual(["path_too_long"]);
});

test("more files than are looked at: one more is kept than that, which says so", () => {
  const named = (many: number): readonly string[] => Array.from({ length: many }, (_, i) => `${i}.ts`);
  const kept = (text: string, paths: readonly string[]): number => {
    const task = guideTask(text, { paths });
    return task.ok ? task.value.paths.length : 0;
  };
  for (const [many, expected] of [
    [TASK_PATHS_MAX, TASK_PATHS_MAX],
    [TASK_PATHS_MAX + 1, TASK_PATHS_MAX + 1],
    [3 * TASK_PATHS_MAX, TASK_PATHS_MAX + 1],
  ] as const) {
    expect(kept(named(many).join(" "), [])).toBe(expected);
    expect(kept("", named(many))).toBe(expected);
  }
  expect(kept(named(TASK_PATHS_MAX).join(" "), ["0.ts"])).toBe(TASK_PATHS_MAX);
  expect(kept(named(TASK_PATHS_MAX).join(" "), ["a.rb"])).toBe(TASK_PATHS_MAX + 1);
  // Handed on, as a nested run is by the run around it, it still says so.
  const outer = guideTask(named(3 * TASK_PATHS_MAX).join(" "));
  expect(kept("inner", outer.ok ? outer.value.paths : [])).toBe(TASK_PATHS_MAX + 1);
});
