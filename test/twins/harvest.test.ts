/** Each law of a harvest has twins: the same checks catch every planted fault. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HARVEST_CHECKS, type HarvestCheck, type HarvestHouse } from "../checks/harvest.ts";
import { WRITTEN } from "../harvest/texts.ts";
import { type Copy, type Patch, withCopy, withTwin } from "./twin.ts";

// Node itself loads a copy, past vite, which takes ten times as long to transform what is used once.
const nativeRequire = createRequire(import.meta.url);
const RUNS = 1_500;

function runCheck({ src, checks }: Copy, name: HarvestCheck): void {
  const own: typeof HARVEST_CHECKS = nativeRequire(join(checks, "harvest.ts")).HARVEST_CHECKS;
  const house: HarvestHouse = {
    guides: nativeRequire(join(src, "guides/index.ts")),
    markup: nativeRequire(join(src, "adapters/markup-saxes/index.ts")),
    map: nativeRequire(join(src, "domain/control-map.ts")),
    limits: nativeRequire(join(src, "domain/map-limits.ts")),
    ids: nativeRequire(join(src, "domain/unique-ids.ts")),
    write: (kind, names) => WRITTEN[kind](names, 0),
    seed: 7,
    runs: RUNS,
  };
  own[name](house);
}

type Twin = { readonly fault: string; readonly check: HarvestCheck; readonly patch: Patch };

const TWINS: readonly Twin[] = [
  {
    fault: "a number that another control has already",
    check: "ids-unique",
    patch: { file: "domain/unique-ids.ts", find: "while (given.has(id));", replace: "while (false);" },
  },
  {
    fault: "half a surrogate pair is kept",
    check: "nothing-throws and map-holds",
    patch: { file: "domain/clean-text.ts", find: "const formed = wellFormed(text);", replace: "const formed = text;" },
  },
  {
    fault: "one control too many",
    check: "nothing-throws and map-holds",
    patch: {
      file: "domain/draw-map.ts",
      find: "if (controls.length > controlsMax)",
      replace: "if (controls.length > controlsMax + 1)",
    },
  },
  {
    fault: "ids as they come",
    check: "nothing-throws and map-holds",
    patch: { file: "domain/draw-map.ts", find: "  return items;\n", replace: "  return controls;\n" },
  },
  {
    fault: "elements as deep as they like",
    check: "bombs-refused",
    patch: {
      file: "adapters/markup-saxes/read-markup.ts",
      find: "if (this.#open.length >= depthMax)",
      replace: "if (this.#open.length >= 10 * depthMax)",
    },
  },
  {
    fault: "YAML is composed however deep it is",
    check: "bombs-refused",
    patch: { file: "guides/harvest/read-yaml.ts", find: "if (deeper > depthMax)", replace: "if (deeper < 0)" },
  },
  {
    fault: "a document type is passed over",
    check: "nothing-fetched",
    patch: {
      file: "adapters/markup-saxes/read-markup.ts",
      find: 'this.parser.on("doctype",',
      replace: 'this.parser.on("ready",',
    },
  },
  {
    fault: "a reference out of a document leads nowhere, quietly",
    check: "nothing-fetched",
    patch: {
      file: "guides/harvest/schema-fields.ts",
      find: 'if (!ref.startsWith("#"))',
      replace: "if (ref.length < 0)",
    },
  },
  {
    fault: "what is hidden stays hidden",
    check: "hidden-told",
    patch: { file: "domain/draw-map.ts", find: "if (points.length > 0)", replace: "if (points.length > 9)" },
  },
  {
    fault: "a snapshot's field has what is written into it",
    check: "nothing-written",
    patch: {
      file: "guides/harvest/read-aria.ts",
      find: 'heldText(role === "slider" ? inner : "",',
      replace: 'heldText(isField ? inner : "",',
    },
  },
  {
    fault: "a password is what the field is called",
    check: "nothing-written",
    patch: {
      file: "guides/harvest/read-android.ts",
      find: 'get("hint") || (isPassword ? "" : get("text"))',
      replace: 'get("hint") || get("text")',
    },
  },
  {
    fault: "a text inside a password's field is what it holds",
    check: "nothing-written",
    patch: {
      file: "guides/harvest/walk-elements.ts",
      find: "isSecret ? [] : childText(texts)",
      replace: "childText(texts)",
    },
  },
  {
    fault: "a field for a password is one that says so itself",
    check: "nothing-written",
    patch: {
      file: "guides/harvest/schema-fields.ts",
      find: "for (const part of partsOf(next)) open.push(part);",
      replace: "",
    },
  },
  {
    fault: "a role is written in one way",
    check: "nothing-written",
    patch: { file: "domain/written-roles.ts", find: "last.toLowerCase()", replace: "last" },
  },
  {
    fault: "what stands in a box is a text of a tree",
    check: "nothing-written",
    patch: { file: "guides/harvest/read-actree.ts", find: "if (boxes.hold(node)) continue;", replace: "" },
  },
];

describe("the harvest's twins", () => {
  test("without a fault every check passes", () =>
    withCopy("harvest control", [], (copy) => {
      for (const name of Object.keys(HARVEST_CHECKS) as HarvestCheck[]) runCheck(copy, name);
    }));

  for (const { fault, check, patch } of TWINS) {
    test(`${check}: ${fault}`, () => withTwin(`harvest ${fault}`, [patch], (copy) => runCheck(copy, check)));
  }

  test("every check has a twin", () => {
    expect(new Set(TWINS.map(({ check }) => check))).toEqual(new Set(Object.keys(HARVEST_CHECKS)));
  });
});
