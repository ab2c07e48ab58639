/** The score on the labelled pairs, where the public data lies beside the repository. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FULL_TEXT, FUZZY } from "../bench/ground/baselines.ts";
import { GUIDES_DATA, indexOf, loadGroundData } from "../bench/ground/data.ts";
import { asCareful, balance, mostBalanced, tried } from "../bench/ground/threshold.ts";
import { evaluate, ground, type Pair } from "../src/guides/index.ts";
import { mapOf } from "./ground-map.ts";

test("on the core pairs the score is as good as it was when it was published", (context) => {
  if (!existsSync(GUIDES_DATA)) context.skip(`the public data is not at ${GUIDES_DATA}`);
  const data = loadGroundData(join(GUIDES_DATA, "pairs.jsonl"), join(GUIDES_DATA, "controls.jsonl"));
  const index = indexOf(data);
  const core = data.pairs.filter((pair) => pair.core);
  const { precision, recall, negatives } = evaluate(core, ({ map, intent }) => ground(index(map), intent).bound);
  expect(core.length).toBe(402);
  expect(precision.rate).toBeGreaterThan(0.96);
  expect(recall.rate).toBeGreaterThan(0.81);
  expect(negatives.rate).toBeGreaterThan(0.97);
});

test("[ground-landmark] of the pairs that say a control by another, few are bound at all", (context) => {
  if (!existsSync(GUIDES_DATA)) context.skip(`the public data is not at ${GUIDES_DATA}`);
  const data = loadGroundData(join(GUIDES_DATA, "pairs.jsonl"), join(GUIDES_DATA, "controls.jsonl"));
  const index = indexOf(data);
  const deictic = data.pairs.filter(({ kind }) => kind === "refexp-deictic");
  const { counts } = evaluate(deictic, ({ map, intent }) => ground(index(map), intent).bound);
  expect(deictic.length).toBe(388);
  expect(counts.wrong).toBeLessThan(25);
});

const MAP = mapOf(["Save", "Save as", "Settings", "Delete"]);
const pair = (intent: string, expected: string | null): Pair => ({
  ...{ id: intent, map: "m", intent, expected },
  accept: [],
  kind: "k",
  core: true,
});
const PAIRS = [pair("save", "c0"), pair("open the settings", "c2"), pair("rotate", null), pair("delet", "c3")];

test.each([FUZZY, FULL_TEXT])(
  "$name ranks controls, best first, and its threshold is chosen on the pairs",
  ({ over }) => {
    const search = over(MAP);
    expect(search("open the settings")[0]?.id).toBe("c2");
    expect(search("delet")[0]?.id).toBe("c3");
    const all = tried(
      PAIRS,
      PAIRS.map(({ intent }) => search(intent)),
    );
    const best = mostBalanced(all);
    for (const one of all) expect(balance(one.result)).toBeLessThanOrEqual(balance(best?.result ?? one.result));
    const careful = asCareful(all, 1);
    expect(careful?.result.negatives.rate).toBe(1);
    expect(careful?.result.recall.rate).toBeGreaterThan(0.5);
  },
);
