/**
 * Every public screen is harvested or refused with a reason, and the controls are those that somebody else's harvester saw. Where
 * they are not, the totals say how many and the comment says why. Read where the data is; nothing of it is here.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { type Agreement, added, agreementOf, NOTHING } from "../../bench/harvest/agreement.ts";
import { HARVEST_DATA, hasHarvestData, loadHarvestData } from "../../bench/harvest/data.ts";
import { harvestFormat, KINDS, type Outcome } from "../../bench/harvest/harvest-all.ts";
import { mapText } from "../../src/domain/control-map.ts";

type TextFormat = keyof typeof KINDS;

const there = hasHarvestData();
const data = there ? loadHarvestData() : null;

beforeEach((context) => {
  if (!there) context.skip(`the public data is not at ${HARVEST_DATA}`);
});

function outcomesOf(format: TextFormat): readonly Outcome[] {
  return data === null ? [] : harvestFormat(format, data);
}

function agreement(format: TextFormat): Agreement {
  return outcomesOf(format)
    .map(({ map, harvested }) => agreementOf(harvested, data?.reference.get(map.name)))
    .reduce(added, NOTHING);
}

const same = (maps: number, controls: number): Partial<Agreement> => ({
  maps,
  refused: 0,
  compared: maps,
  equal: maps,
  controls,
  reference: controls,
  both: controls,
  missing: 0,
  extra: 0,
  role: 0,
  text: 0,
  desc: 0,
  childText: 0,
  resourceId: 0,
  clickable: 0,
});

/** Pinned: a change of a number here is a change of what a harvest is. */
const TOTALS: Readonly<Record<TextFormat, Partial<Agreement>>> = {
  "uiautomator-xml": same(3, 19),
  // The reference calls a field by the password that stands in it.
  "appium-uiautomator2-xml": { ...same(9, 99), text: 1 },
  "appium-xcuitest-xml": same(4, 97),
  // The reference keeps a text inside a button that is the button's own text again, 28 times.
  "autodroid-html": { ...same(187, 2_365), childText: 28 },
  // The other 79 snapshots are of MiniWoB++ pages, whose controls the reference has by the HTML. Ours has more of the four:
  // what is marked as clickable without a role that says so (42), cells (4) and an item of a list (1) with a text. The reference
  // lost the last quotation mark of four texts, and has no placeholder.
  "playwright-aria-ai": {
    ...same(83, 433),
    compared: 4,
    equal: 0,
    controls: 1_500,
    extra: 47,
    text: 4,
    desc: 1,
  },
  // One tree has an id twice: the reference dropped the second of them.
  "webarena-actree": { ...same(3, 16), equal: 2, controls: 17, extra: 1 },
  "refexp-jsonl": same(545, 15_429),
};

describe("the public screens", () => {
  test.each(Object.entries(TOTALS) as [TextFormat, Partial<Agreement>][])("%s", (format, totals) => {
    expect(agreement(format)).toEqual({ ...NOTHING, ...totals });
  });

  test("there is no map that is not looked at: texts here, pages in web.test.ts", () => {
    const formats = (data?.maps ?? []).map(({ format }) => format);
    expect([...new Set(formats)].sort()).toEqual([...Object.keys(KINDS), "miniwob-html"].sort());
    expect(formats).toHaveLength(905);
    expect(formats.filter((format) => format === "miniwob-html")).toHaveLength(71);
    expect(
      new Set([...(data?.reference.keys() ?? [])].filter((name) => !data?.maps.some((map) => map.name === name))),
    ).toEqual(new Set());
  });

  test("the instruction of a MiniWoB++ page is in no map of its snapshot", () => {
    const outcomes = outcomesOf("playwright-aria-ai").filter(({ map }) => map.instruction !== null);
    expect(outcomes).toHaveLength(79);
    for (const { map, harvested } of outcomes) {
      if (!harvested.ok) throw new Error(`${map.name}: ${harvested.why.detail}`);
      // Some of the pages have a field or a picture that nothing names.
      expect(
        harvested.value.findings.filter(({ rule }) => rule !== "nameless"),
        map.name,
      ).toEqual([]);
      const texts = harvested.value.map.controls.map(({ text }) => text);
      expect(texts, map.name).not.toContain(map.instruction);
    }
  });

  test("every map can be recorded, its ids are unique, and reading it again gives the same", () => {
    for (const format of Object.keys(TOTALS) as TextFormat[]) {
      const texts = outcomesOf(format).map(({ harvested }) => (harvested.ok ? mapText(harvested.value.map) : ""));
      const again = outcomesOf(format).map(({ harvested }) => (harvested.ok ? mapText(harvested.value.map) : ""));
      expect(again).toEqual(texts);
      for (const { map, harvested } of outcomesOf(format)) {
        const ids = harvested.ok ? harvested.value.map.controls.map(({ id }) => id) : [];
        expect(new Set(ids).size, map.name).toBe(ids.length);
      }
    }
  });
});
