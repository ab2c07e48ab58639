import type { Control, ControlMap } from "../../src/domain/control-map.ts";
import { namesOf } from "../../src/guides/ground/names-of.ts";
import { ground, groundIndex } from "../../src/guides/index.ts";
import { median } from "../figures/median.ts";
import { type Baseline, FULL_TEXT, FUZZY } from "./baselines.ts";
import { type GroundData, sha256 } from "./data.ts";

export const CONTROLS = 5_000;
export const INTENTS = 1_000;
const ROUNDS = 3;
/** Fuzzy match is so slow that a part says enough. */
const FUZZY_PART = 10;

export type Speed = {
  readonly indexSeconds: number;
  readonly seconds: number;
  /** The time at double the controls, and at double the intents, over that. */
  readonly doubleControls: number;
  readonly doubleIntents: number;
  /** Names looked at, an intent, of all that there are. */
  readonly looked: number;
  readonly names: number;
  readonly fullTextSeconds: number;
  readonly fuzzySeconds: number;
};

/** 1,000 of the intents against 5,000 of the controls as one map, in seconds of a processor: the middle of three rounds. */
export function speedOn(data: GroundData): Speed {
  const map = mapOf(data, CONTROLS);
  const index = groundIndex(map, sha256);
  const intents = intentsOf(data, INTENTS);
  const of = (controls: ControlMap, asked: readonly string[]): number => {
    const prepared = groundIndex(controls, sha256);
    return seconds(() => {
      for (const intent of asked) ground(prepared, intent);
    });
  };
  const [one, wide, long] = interleaved([
    () => of(map, intents),
    () => of(mapOf(data, 2 * CONTROLS), intents),
    () => of(map, intentsOf(data, 2 * INTENTS)),
  ]);
  return {
    indexSeconds: median(Array.from({ length: ROUNDS }, () => seconds(() => groundIndex(map, sha256)))),
    seconds: one ?? Number.NaN,
    doubleControls: (wide ?? Number.NaN) / (one ?? Number.NaN),
    doubleIntents: (long ?? Number.NaN) / (one ?? Number.NaN),
    looked: intents.reduce((sum, intent) => sum + ground(index, intent).looked, 0) / intents.length,
    names: index.entries.length,
    fullTextSeconds: searchSeconds(FULL_TEXT, map, intents),
    fuzzySeconds: FUZZY_PART * searchSeconds(FUZZY, map, intents.slice(0, INTENTS / FUZZY_PART)),
  };
}

/** The middle time of each, measured in turn, so that a busy moment does not fall on one of them. */
function interleaved(works: readonly (() => number)[]): readonly number[] {
  const times = Array.from({ length: ROUNDS }, () => works.map((work) => work()));
  return works.map((_, i) => median(times.map((round) => round[i] ?? Number.NaN)));
}

function searchSeconds(baseline: Baseline, map: ControlMap, intents: readonly string[]): number {
  const search = baseline.over(map);
  return seconds(() => {
    for (const intent of intents) search(intent);
  });
}

function seconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The first controls with a name of all maps, as one map; where there are too few, all of them again under other names. */
function mapOf({ maps }: GroundData, count: number): ControlMap {
  const all = [...maps.values()].flatMap(({ controls }) => controls).filter((control) => namesOf(control).length > 0);
  const controls: Control[] = [];
  for (let i = 0; all.length > 0 && controls.length < count; i++) {
    const control = all[i % all.length] as Control;
    const again = Math.floor(i / all.length);
    controls.push({ ...control, id: `${i}`, text: again === 0 ? control.text : `${control.text} ${again}` });
  }
  return { version: 1, app: null, source: { kind: "jsonl", where: "all" }, at: 0, screens: [], controls };
}

function intentsOf({ pairs }: GroundData, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => pairs[i % pairs.length]?.intent ?? "");
}
