/** Every public screen that is a text, harvested. Pages need a browser: see test/harvest/web.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMarkup } from "../../src/adapters/markup-saxes/index.ts";
import type { Harvested } from "../../src/domain/control-map.ts";
import { MAP_LIMITS } from "../../src/domain/map-limits.ts";
import type { Parsed } from "../../src/domain/parsed.ts";
import { readControlLines, readText, type TextKind } from "../../src/guides/index.ts";
import type { Format, HarvestData, PublicMap } from "./data.ts";

export const KINDS: Readonly<Record<Exclude<Format, "miniwob-html">, TextKind>> = {
  "uiautomator-xml": "android",
  "appium-uiautomator2-xml": "android",
  "appium-xcuitest-xml": "ios",
  "autodroid-html": "autodroid",
  "playwright-aria-ai": "aria",
  "webarena-actree": "actree",
  "refexp-jsonl": "jsonl",
};

export type Outcome = { readonly map: PublicMap; readonly harvested: Parsed<Harvested> };

/** The maps of one format. A file that holds several is read once. */
export function harvestFormat(format: keyof typeof KINDS, { folder, maps }: HarvestData): readonly Outcome[] {
  const kind = KINDS[format];
  const inFormat = maps.filter((map) => map.format === format);
  return filesOf(inFormat).flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return harvestFile(
      kind,
      file,
      text,
      inFormat.filter((map) => map.file === file),
    );
  });
}

export function filesOf(maps: readonly PublicMap[]): readonly string[] {
  return [...new Set(maps.map(({ file }) => file))];
}

function harvestFile(kind: TextKind, where: string, text: string, maps: readonly PublicMap[]): readonly Outcome[] {
  const reading = { app: null, where, text, screen: null, map: null, at: 0 };
  if (kind !== "jsonl") {
    return maps.map((map) => {
      const leaveOut = map.instruction === null || kind !== "aria" ? [] : [map.instruction];
      return { map, harvested: readText(kind, { ...reading, leaveOut }, MAP_LIMITS, readMarkup) };
    });
  }
  const lines = readControlLines({ ...reading, leaveOut: [] }, MAP_LIMITS);
  return maps.map((map) => {
    const found = lines.ok ? lines.value.get(map.name) : lines;
    return { map, harvested: found ?? { ok: false, why: { code: "unknown_map", detail: map.name } } };
  });
}
