/** The score on the labelled pairs, where the public data lies beside the repository. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FULL_TEXT, FUZZY } from "../bench/ground/baselines.ts";
import { GUIDES_DATA, indexOf, loadGroundData } from "../bench/ground/data.ts";
import { appOf, withoutItsWords } from "../bench/ground/folds.ts";
import { asCareful, balance, mostBalanced, tried } from "../bench/ground/threshold.ts";
import { evaluate, ground, type Pair } from "../src/guides/index.ts";
import { ON_PAIRS } from "../tools/score-page.ts";
import { mapOf } from "./ground-map.ts";

test("on the core pairs the score is as good as it was when it was published", (context) => {
  if (!existsSync(GUIDES_DATA)) context.skip(`the public data is not at ${GUIDES_DATA}`);
  const data = loadGroundData(join(GUIDES_DATA, "pairs.jsonl"), join(GUIDES_DATA, "controls.jsonl"));
  const index = indexOf(data);
  const core = data.pairs.filter((pair) => pair.core);
  const { precision, recall, negatives } = evaluate(core, ({ map, intent }) => ground(index(map), intent).bound);
  expect(core.length).toBe(402);
  expect([precision, recall, negatives].map(({ rate }) => Number(rate?.toFixed(3)))).toEqual(ON_PAIRS.all);
});

test("on apps whose own words the lists have not, it is as good as its page says", async (context) => {
  if (!existsSync(GUIDES_DATA)) context.skip(`the public data is not at ${GUIDES_DATA}`);
  const data = loadGroundData(join(GUIDES_DATA, "pairs.jsonl"), join(GUIDES_DATA, "controls.jsonl"));
  const { precision, recall, negatives } = await withoutItsWords(data);
  expect([precision, recall, negatives].map(({ rate }) => Number(rate?.toFixed(3)))).toEqual(ON_PAIRS.lists);
});

test.each([
  ["autodroid/calendar-02216b6104", "autodroid/calendar"],
  ["nodered/edit-change", "nodered/edit"],
  // Screens of unknown apps, in five parts.
  ["refexp/17872", "refexp/2"],
  ["one", "one"],
])("%s is a screen of %s", (map, app) => {
  expect(appOf(map)).toBe(app);
});

/** Ways to put the same, and whether the score finds it all the same: of those that it finds as they stand, at least that share. */
const WAYS: Readonly<Record<string, readonly [(intent: string) => string, number]>> = {
  "first,": [(intent) => `first, ${intent}`, 0.97],
  "a place": [(intent) => `on the current screen, ${intent}`, 0.97],
  "could you": [(intent) => `Could you ${intent}?`, 0.97],
  "a story": [(intent) => `I was talking to a colleague yesterday and now I would like you to ${intent}`, 0.97],
  "a reason": [(intent) => `${intent.replace(/\.$/, "")} because it has been bothering me since last week`, 0.97],
  "a letter less": [(intent) => intent.replace(/([A-Za-z]{3})[A-Za-z](?=[A-Za-z]{3})/, "$1"), 0.85],
  "two letters swapped": [(intent) => intent.replace(/([A-Za-z]{2})([a-z])([a-z])(?=[A-Za-z]{2})/, "$1$3$2"), 0.85],
};

test.each(Object.entries(WAYS))("%s: what is said otherwise is as well bound, and no worse", (_, [put, least]) => {
  if (!existsSync(GUIDES_DATA)) return;
  const data = loadGroundData(join(GUIDES_DATA, "pairs.jsonl"), join(GUIDES_DATA, "controls.jsonl"));
  const index = indexOf(data);
  const bound = (map: string, intent: string) => ground(index(map), intent).bound;
  const core = data.pairs.filter((pair) => pair.core);
  const found = core.filter(({ map, intent, expected }) => expected !== null && bound(map, intent) === expected);
  const kept = evaluate(found, ({ map, intent }) => bound(map, put(intent)));
  expect(kept.recall.rate).toBeGreaterThanOrEqual(least);
  expect(kept.counts.wrong).toBeLessThanOrEqual(1);
  const none = core.filter(({ expected }) => expected === null);
  expect(evaluate(none, ({ map, intent }) => bound(map, put(intent))).negatives.rate).toBeGreaterThan(0.97);
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
