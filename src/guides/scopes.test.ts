import { describe, expect, test } from "vitest";
import { someRule, someTask } from "../../test/checks/guide-rules.ts";
import type { GuideTask, Rule } from "../domain/rule.ts";
import { TASK_PATHS_MAX } from "../domain/rule.ts";
import { outsideOf, SCOPE_STEPS_MAX, scopesOf } from "./scopes.ts";

const files = (many: number): readonly string[] => Array.from({ length: many }, (_, i) => `src/${i}.ts`);

/** What becomes of each rule, and how many steps it took. */
function judged(rules: readonly Rule[], task: GuideTask, max = SCOPE_STEPS_MAX) {
  const steps = { count: 0, max };
  const judge = outsideOf(scopesOf(rules), task, "phone", steps);
  return { all: rules.map((_, i) => judge(i)), steps: steps.count };
}

describe("a task about more files than are looked at is about every file", () => {
  const rules = [
    someRule("ruby", { paths: ["*.rb"] }),
    someRule("none", {}),
    someRule("elsewhere", { paths: ["*.rb"], app: ["bank"] }),
    someRule("desk", { paths: ["*.rb"], profile: ["desk"] }),
  ];

  test("at the border, and one beyond it", () => {
    const at = (many: number) => judged(rules, someTask("", { app: "shop", paths: files(many) })).all;
    expect(at(TASK_PATHS_MAX)).toEqual([
      { outside: "paths", assumed: false },
      { outside: null, assumed: false },
      { outside: "app", assumed: false },
      { outside: "paths", assumed: false },
    ]);
    expect(at(TASK_PATHS_MAX + 1)).toEqual([
      { outside: null, assumed: true },
      { outside: null, assumed: false },
      { outside: "app", assumed: false },
      { outside: "profile", assumed: false },
    ]);
  });
});

describe("what would take too many steps is not looked at, and counts as matching", () => {
  test("the pattern at the border, and those after it; what was asked before stays asked", () => {
    const rules = ["*b", "*c*", "*d*", "*e*"].map((glob) => someRule(glob, { paths: [glob] }));
    const task = someTask("", { paths: ["ab"] });
    const fired = (max: number, some = rules): readonly string[] =>
      judged(some, task, max).all.map(({ outside, assumed }) =>
        outside !== null ? "no" : assumed ? "assumed" : "yes",
      );
    const taken = judged(rules, task).steps;
    const before = judged(rules.slice(0, 3), task).steps;
    expect(fired(taken)).toEqual(["yes", "no", "no", "no"]);
    expect(fired(before)).toEqual(["yes", "no", "no", "assumed"]);
    expect(fired(0)).toEqual(["assumed", "assumed", "assumed", "assumed"]);
    // What its end or its beginning tells needs no looking.
    expect(fired(0, [someRule("a", { paths: ["*c"] }), someRule("b", { paths: ["*e"] })])).toEqual(["no", "assumed"]);
  });

  test("an app and a profile likewise", () => {
    const task = someTask("", { app: "shop" });
    const rules = [someRule("a", { app: ["*x*"] }), someRule("b", { profile: ["*x*"] })];
    expect(judged(rules, task).all.map(({ outside }) => outside)).toEqual(["app", "profile"]);
    expect(judged(rules, task, 0).all).toEqual([
      { outside: null, assumed: true },
      { outside: null, assumed: true },
    ]);
  });

  // Claim S9: each took seconds.
  const braces = (part: string, many: number): string => Array.from({ length: many }, () => part).join(",");
  const long = Array.from({ length: 8 }, (_, i) => `${"a/".repeat(2_000)}f${i}.ts`);
  test.each<readonly [string, number, (i: number) => string, readonly string[]]>([
    ["a folder anywhere", 100, (i) => `**/x${i}/**`, files(TASK_PATHS_MAX)],
    ["many stars in braces", 50, (i) => `{${braces("*a*", 80)}}${i}*`, files(TASK_PATHS_MAX)],
    ["long paths", 100, (i) => `{${braces("**/a", 100)}}/x${i}*`, long],
    ["ends of files", 2_000, (i) => `*.t${i}`, files(TASK_PATHS_MAX)],
    ["beginnings of files", 2_000, (i) => `lib${i}/**`, files(TASK_PATHS_MAX)],
  ])("%s: the steps of all rules together are bounded", (_, many, glob, paths) => {
    const rules = Array.from({ length: many }, (_, i) => someRule(`r${i}`, { paths: [glob(i)] }));
    const { all, steps } = judged(rules, someTask("", { paths }));
    // The one pattern that goes over it may still tell each path by its end.
    expect(steps).toBeLessThanOrEqual(SCOPE_STEPS_MAX + 2 * TASK_PATHS_MAX);
    expect(all.filter(({ assumed }) => assumed).length).toBeGreaterThan(many / 2);
    expect(all.every(({ outside, assumed }) => assumed || outside === "paths")).toBe(true);
  });

  test("what people have is far within it", () => {
    const globs = (i: number): readonly string[] => [`src/area${i}/**/*.{ts,tsx}`, `**/area${i}/**`, `*.area${i}.md`];
    const rules = Array.from({ length: 100 }, (_, i) => someRule(`r${i}`, { paths: globs(i) }));
    const paths = Array.from({ length: 30 }, (_, i) => `src/area${i}/components/deep/name-of-a-file-${i}.ts`);
    const { all, steps } = judged(rules, someTask("", { paths }));
    expect(all.filter(({ outside }) => outside === null)).toHaveLength(30);
    expect(all.some(({ assumed }) => assumed)).toBe(false);
    expect(steps).toBeLessThan(SCOPE_STEPS_MAX);
  });
});
