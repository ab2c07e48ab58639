/** The public screens: what there is, in which format, and the controls that somebody else's harvester saw on each. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NoData } from "../figures/figure.ts";

/** Beside the repository, where the public data is unpacked for development. */
export const HARVEST_DATA = fileURLToPath(new URL("../../../shared/data/guides", import.meta.url));

export const FORMATS = [
  "uiautomator-xml",
  "appium-uiautomator2-xml",
  "appium-xcuitest-xml",
  "autodroid-html",
  "playwright-aria-ai",
  "webarena-actree",
  "refexp-jsonl",
  "miniwob-html",
] as const;
export type Format = (typeof FORMATS)[number];

export type PublicMap = {
  readonly name: string;
  /** Below the data's folder. */
  readonly file: string;
  readonly format: Format;
  /** The instruction of a MiniWoB++ page, which is written on the page and is no part of its interface. */
  readonly instruction: string | null;
};

/** A control as the reference has it: what it does not give is not there. */
export type ReferenceControl = {
  readonly id: string;
  readonly role: string;
  readonly text?: string;
  readonly desc?: string;
  readonly childText?: readonly string[];
  readonly resourceId?: string;
  /** Null where nobody knows. */
  readonly clickable?: boolean | null;
  readonly value?: string;
};

/** What the reference calls a control, unless that is only what stands in a field: no map has that. */
export function nameOf({ text = "", value = "" }: ReferenceControl): string {
  return text === value ? "" : text;
}

export type HarvestData = {
  readonly folder: string;
  readonly maps: readonly PublicMap[];
  readonly reference: ReadonlyMap<string, readonly ReferenceControl[]>;
};

export function hasHarvestData(folder = HARVEST_DATA): boolean {
  return existsSync(join(folder, "maps.json")) && existsSync(join(folder, "controls.jsonl"));
}

export function loadHarvestData(folder = HARVEST_DATA): HarvestData {
  if (!hasHarvestData(folder)) throw new NoData(`no screens in ${folder}: say where they are with --data DIR`);
  const rows: readonly Row[] = JSON.parse(readFileSync(join(folder, "maps.json"), "utf8"));
  const lines = readFileSync(join(folder, "controls.jsonl"), "utf8").split("\n");
  const reference = lines
    .filter((line) => line !== "")
    .map((line): { readonly map: string; readonly controls: readonly ReferenceControl[] } => JSON.parse(line));
  return {
    folder,
    maps: rows.map(({ map, file, format, task }) => ({
      name: map,
      file,
      format: formatOf(format),
      instruction: task ?? null,
    })),
    reference: new Map(reference.map(({ map, controls }) => [map, controls])),
  };
}

type Row = { readonly map: string; readonly file: string; readonly format: string; readonly task?: string };

/** The rows say a format in its own words, with what was done to the file behind it. */
function formatOf(words: string): Format {
  const format = FORMATS.find((one) => words === one || words.startsWith(`${one} `));
  if (format === undefined)
    throw new NoData(`a map is in the format ${JSON.stringify(words)}, which is not known here`);
  return format;
}
