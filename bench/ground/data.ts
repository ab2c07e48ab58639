import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ControlMap } from "../../src/domain/control-map.ts";
import type { Parsed } from "../../src/domain/parsed.ts";
import { type GroundIndex, groundIndex, type Pair, readControlMaps, readPairs } from "../../src/guides/index.ts";
import { NoData } from "../figures/figure.ts";

/** Beside the repository, where the public data is unpacked for development. */
export const GUIDES_DATA = fileURLToPath(new URL("../../../shared/data/guides", import.meta.url));

export type GroundData = {
  readonly pairs: readonly Pair[];
  readonly maps: ReadonlyMap<string, ControlMap>;
};

/** Reads pairs and controls in the format of that data. @throws NoData where a file is missing or says something else. */
export function loadGroundData(pairsFile: string, controlsFile: string): GroundData {
  const pairs = read(pairsFile, readPairs);
  const maps = new Map(read(controlsFile, readControlMaps).map((map) => [map.source.where, map]));
  const lost = pairs.find(({ map }) => !maps.has(map));
  if (lost !== undefined)
    throw new NoData(`${controlsFile} has no map ${JSON.stringify(lost.map)}, which pairs are about`);
  return { pairs, maps };
}

function read<T>(file: string, parse: (text: string) => Parsed<readonly T[]>): readonly T[] {
  if (!existsSync(file))
    throw new NoData(`there is no ${file}: name one with --pairs and --controls, or the folder of both with --data`);
  const values = parse(readFileSync(file, "utf8"));
  if (!values.ok) throw new NoData(`${file}: ${values.why.detail}`);
  return values.value;
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The index of each map, made when it is first asked for. */
export function indexOf({ maps }: GroundData): (map: string) => GroundIndex {
  const made = new Map<string, GroundIndex>();
  return (name) => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const map = maps.get(name);
    if (map === undefined) throw new Error(`no map ${name}`);
    const index = groundIndex(map, sha256);
    made.set(name, index);
    return index;
  };
}
