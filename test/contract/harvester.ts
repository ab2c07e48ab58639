import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type ControlMap, type Harvested, type HarvestKind, mapText } from "../../src/domain/control-map.ts";
import { HARVEST_CODES, type MapLimits } from "../../src/domain/map-limits.ts";
import type { Parsed } from "../../src/domain/parsed.ts";
import { utf8Length } from "../../src/domain/utf8.ts";
import type { Harvester } from "../../src/ports/harvester.ts";

/** An interface as a harvester's own source: buttons, or whatever it has that can be used, with these names, on each screen. */
export type Interface = {
  readonly screens: readonly (readonly string[])[];
  /** Elements inside one another, where the format has any. */
  readonly depth?: number;
};

export type Subject = {
  readonly kind: HarvestKind;
  /** Time is what the clock says, one more each time that it is asked. */
  harvester(source: Interface, limits: Partial<MapLimits>): Promise<Harvester>;
  /** A source that is not this harvester's at all. */
  foreign(): Promise<Harvester>;
  /** Bytes of a source, as its bound counts them. */
  bytes(source: Interface): number;
  /** What `depthMax` has to be for a source of that depth; null where the format has no depth. */
  depthOf(source: Interface): number | null;
  /** Whether the source can say two screens. */
  readonly manyScreens: boolean;
  /** Whether controls of equal names have equal ids in the source, so that a finding names them. */
  readonly idsOfNames: boolean;
};

const sha = (map: ControlMap): string => createHash("sha256").update(mapText(map)).digest("hex");
const NAMES = ["Save", "Open", "Search", "Delete", "About us", "Zoom in"] as const;
const one = (...names: readonly string[]): Interface => ({ screens: [names] });

/** The contract of every Harvester. One that passes it is a harvester; run it with a way to say an interface in its source. */
export function harvesterContract(name: string, subject: Subject): void {
  const look = async (source: Interface, limits: Partial<MapLimits> = {}): Promise<Parsed<Harvested>> => {
    return await (await subject.harvester(source, limits)).harvest();
  };
  const map = async (source: Interface, limits: Partial<MapLimits> = {}): Promise<Harvested> => {
    const outcome = await look(source, limits);
    if (!outcome.ok) throw new Error(`${outcome.why.code}: ${outcome.why.detail}`);
    return outcome.value;
  };
  const code = async (source: Interface, limits: Partial<MapLimits>): Promise<string> => {
    const outcome = await look(source, limits);
    return outcome.ok ? "harvested" : outcome.why.code;
  };
  const named = ({ controls }: ControlMap): readonly string[] =>
    controls.filter(({ clickable }) => clickable).map(({ text }) => text);

  describe(`harvester contract: ${name}`, () => {
    test("it says its kind, its source and its time", async () => {
      const harvester = await subject.harvester(one(...NAMES), {});
      expect(harvester.kind).toBe(subject.kind);
      const outcome = await harvester.harvest();
      if (!outcome.ok) throw new Error(outcome.why.detail);
      expect(outcome.value.map).toMatchObject({ version: 1, app: null, source: { kind: subject.kind } });
      expect(outcome.value.map.source.where).not.toBe("");
      expect(outcome.value.map.at).toBeGreaterThan(0);
    });

    test("looking again at what has not changed gives the same digest at another time", async () => {
      const harvester = await subject.harvester(one(...NAMES), {});
      const [first, second] = [await harvester.harvest(), await harvester.harvest()];
      if (!first.ok || !second.ok) throw new Error("refused");
      expect(sha(second.value.map)).toBe(sha(first.value.map));
      expect(second.value.map.at).toBeGreaterThan(first.value.map.at);
      expect(sha((await map(one(...NAMES.slice(1)))).map)).not.toBe(sha(first.value.map));
    });

    test("controls stand in the interface's order, by their names", async () => {
      expect(named((await map(one(...NAMES))).map)).toEqual(NAMES);
      const backwards = NAMES.toReversed();
      expect(named((await map(one(...backwards))).map)).toEqual(backwards);
    });

    test("ids are unique, whatever is called the same, and what had to be numbered is named", async () => {
      const { map: found, findings } = await map(one("Save", "Save", "Open", "Save"));
      expect(named(found)).toEqual(["Save", "Save", "Open", "Save"]);
      expect(new Set(found.controls.map(({ id }) => id)).size).toBe(found.controls.length);
      if (subject.idsOfNames) expect(findings.map(({ rule }) => rule)).toContain("duplicate_id");
    });

    test("every control is on a screen that is there, and so is every step of the way to one", async () => {
      const source = subject.manyScreens
        ? {
            screens: [
              ["Save", "Next"],
              ["Save", "Back"],
            ],
          }
        : one("Save", "Next");
      const { screens, controls } = (await map(source)).map;
      expect(screens).toHaveLength(source.screens.length);
      expect(new Set(controls.map(({ screen }) => screen))).toEqual(new Set(screens.map(({ id }) => id)));
      const ids = new Set(controls.map(({ id }) => id));
      for (const step of screens.flatMap(({ entry }) => entry)) expect(ids).toContain(step);
      expect(ids.size).toBe(controls.length);
    });

    test("a further screen renames no control of the first", async () => {
      if (!subject.manyScreens) return;
      const alone = (await map(one("Save", "Next"))).map.controls.map(({ id }) => id);
      const both = (
        await map({
          screens: [
            ["Save", "Next"],
            ["Save", "Back"],
          ],
        })
      ).map.controls.map(({ id }) => id);
      expect(both.slice(0, alone.length)).toEqual(alone);
    });

    test("what is hidden in a name is kept and named", async () => {
      const { map: found, findings } = await map(one("Pay\u202enow", "Open"));
      expect(named(found)).toEqual(["Pay\u202enow", "Open"]);
      const hidden = findings.filter(({ rule }) => rule === "hidden_in_name");
      expect(hidden).toHaveLength(1);
      expect(hidden[0]?.message).toContain("U+202E");
      expect(hidden[0]?.severity).toBe("warning");
    });

    test("names are literal: pattern characters, quotes, scripts, one letter, symbols", async () => {
      const names = [
        "+33 ",
        "a[0]",
        "$(x)",
        "\"quoted\" 'name'",
        "取消",
        "إلغاء",
        "+",
        "x",
        "e\u0301",
        "👩‍👩‍👧",
        "back\\slash",
      ];
      expect(named((await map(one(...names))).map)).toEqual(names.map((text) => text.trim()));
    });

    bounds(subject, map, code);

    test("nothing that could be used or seen is a refusal, and so is another kind of source", async () => {
      expect(HARVEST_CODES as readonly string[]).toContain(await code(one(), {}));
      const outcome = await (await subject.foreign()).harvest();
      expect(outcome.ok).toBe(false);
      if (outcome.ok) return;
      expect(HARVEST_CODES as readonly string[]).toContain(outcome.why.code);
      expect(outcome.why.detail).toMatch(/^[^\n]{8,400}$/);
    });
  });
}

type Look = (source: Interface, limits?: Partial<MapLimits>) => Promise<Harvested>;
type Code = (source: Interface, limits: Partial<MapLimits>) => Promise<string>;

/** Each bound at one below, the bound, and one above. */
function bounds(subject: Subject, map: Look, code: Code): void {
  const at = async (source: Interface, name: keyof MapLimits, size: number): Promise<readonly string[]> => [
    await code(source, { [name]: size - 1 }),
    await code(source, { [name]: size }),
    await code(source, { [name]: size + 1 }),
  ];

  test("bound: controls", async () => {
    const count = (await map(one(...NAMES))).map.controls.length;
    expect(await at(one(...NAMES), "controlsMax", count)).toEqual(["too_many_controls", "harvested", "harvested"]);
  });

  test("bound: bytes of all texts of a map", async () => {
    const { controls } = (await map(one(...NAMES))).map;
    const texts = controls.flatMap(({ id, role, text, desc, childText, resourceId, value }) => [
      ...[id, role, text, desc, resourceId, value, ...childText],
    ]);
    const size = utf8Length(texts.join(""));
    expect(await at(one(...NAMES), "mapBytesMax", size)).toEqual(["too_large", "harvested", "harvested"]);
  });

  test("bound: bytes", async () => {
    const source = one(...NAMES);
    expect(await at(source, "bytesMax", subject.bytes(source))).toEqual(["too_large", "harvested", "harvested"]);
  });

  test("bound: depth", async () => {
    const source = { screens: [["Save"]], depth: 12 };
    const depth = subject.depthOf(source);
    if (depth === null) return;
    expect(await at(source, "depthMax", depth)).toEqual(["too_deep", "harvested", "harvested"]);
  });

  test("bound: screens", async () => {
    if (!subject.manyScreens) return;
    const source = {
      screens: [
        ["Save", "Next"],
        ["Back", "Next"],
      ],
    };
    expect(await at(source, "screensMax", 2)).toEqual(["too_many_screens", "harvested", "harvested"]);
  });

  test("bound: the bytes of a text, which is cut inside of no character", async () => {
    const name = "ä".repeat(20);
    const seen = async (textBytesMax: number) => {
      const { map: found, findings } = await map(one(name), { textBytesMax });
      const text = found.controls.find(({ clickable }) => clickable)?.text;
      return [text, findings.some(({ rule }) => rule === "text_cut")];
    };
    expect(await seen(39)).toEqual(["ä".repeat(19), true]);
    expect(await seen(40)).toEqual([name, false]);
    expect(await seen(41)).toEqual([name, false]);
  });
}
