import type { Harvested } from "../../domain/control-map.ts";
import type { SourceText, TextSource, WebSource } from "../../domain/harvest-source.ts";
import { MAP_LIMITS, type MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";
import { joinMaps, Passwords, type Reading, readText, type TextKind } from "../../guides/index.ts";
import type { Harvester, WebHarvest } from "../../ports/harvester.ts";
import type { MarkupReader } from "../../ports/markup-reader.ts";
import type { Clock } from "../../ports/world.ts";

/** What the world gives a harvest. */
export type HarvestParts = {
  readonly clock: Pick<Clock, "now">;
  readonly readMarkup: MarkupReader;
  /** Loaded only when a page is asked for: a browser is nothing that everybody has. */
  readonly loadWeb: () => Promise<WebHarvest>;
};

/** What is to be harvested, by its kind. */
export type HarvestRequest =
  | { readonly kind: "web"; readonly source: WebSource }
  | { readonly kind: TextKind; readonly source: TextSource };

/** Harvests a live page, or texts of one format, to one map. */
export async function harvest(
  request: HarvestRequest,
  parts: HarvestParts,
  limits: MapLimits = MAP_LIMITS,
): Promise<Parsed<Harvested>> {
  if (request.kind !== "web") return await textHarvester(request.kind, request.source, parts, limits).harvest();
  const web = await parts.loadWeb();
  return await web(request.source, limits, parts.clock).harvest();
}

/** A harvester of texts: each text is a screen, and they are joined in their order. */
export function textHarvester(
  kind: TextKind,
  source: TextSource,
  { clock, readMarkup }: Pick<HarvestParts, "clock" | "readMarkup">,
  limits: MapLimits = MAP_LIMITS,
): Harvester {
  return { kind, harvest: async () => harvestTexts(kind, source, clock.now(), readMarkup, limits) };
}

function harvestTexts(
  kind: TextKind,
  { app, texts, leaveOut, map }: TextSource,
  at: number,
  readMarkup: MarkupReader,
  limits: MapLimits,
): Parsed<Harvested> {
  if (texts.length > limits.screensMax) {
    return unparsed("too_many_screens", `more than ${limits.screensMax} texts, each of which is a screen`);
  }
  const read: Harvested[] = [];
  const passwords = new Passwords();
  for (const text of texts) {
    const screen = text.screen ?? (texts.length === 1 ? null : screenOf(text));
    const reading: Reading = { app, where: text.where, text: text.text, screen, leaveOut, map, at };
    const harvested = readText(kind, reading, limits, readMarkup, passwords);
    if (!harvested.ok) {
      const detail = texts.length === 1 ? harvested.why.detail : `${text.where}: ${harvested.why.detail}`;
      return unparsed(harvested.why.code, detail);
    }
    read.push(harvested.value);
  }
  return joinMaps(read, limits);
}

/** A screen that nobody named is called like its file. */
function screenOf({ where }: SourceText): string {
  const name = where.slice(Math.max(where.lastIndexOf("/"), where.lastIndexOf("\\")) + 1);
  return name.replace(/\.[A-Za-z0-9.]{1,16}$/, "") || where;
}
