import { expect, test } from "vitest";
import { closure, type Locked } from "./closure.ts";

const packages = new Map<string, Locked>([
  ["node_modules/a", { dependencies: { b: "1", c: "1" }, optionalDependencies: { absent: "1" } }],
  ["node_modules/a/node_modules/b", { dependencies: { c: "1", a: "1" } }],
  ["node_modules/b", { dependencies: { unrelated: "1" } }],
  ["node_modules/c", { peerDependencies: { d: "1", e: "1" }, peerDependenciesMeta: { e: { optional: true } } }],
  ["node_modules/d", {}],
  ["node_modules/e", {}],
  ["node_modules/unrelated", {}],
]);

test("the closure finds the nearest copy, takes peers that are not optional, and ends in a circle", () => {
  expect([...closure(packages, ["a"])].sort()).toEqual([
    "node_modules/a",
    "node_modules/a/node_modules/b",
    "node_modules/c",
    "node_modules/d",
  ]);
  expect([...closure(packages, ["b", "e"])].sort()).toEqual([
    "node_modules/b",
    "node_modules/e",
    "node_modules/unrelated",
  ]);
  expect([...closure(packages, ["nobody"])]).toEqual([]);
});
