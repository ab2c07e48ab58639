import { readMarkup } from "../../src/adapters/markup-saxes/index.ts";
import { MAP_LIMITS, type MapLimits } from "../../src/domain/map-limits.ts";
import { utf8Length } from "../../src/domain/utf8.ts";
import { TEXT_KINDS } from "../../src/guides/index.ts";
import type { Harvester } from "../../src/ports/harvester.ts";
import { textHarvester } from "../../src/runtime/harvest/harvest.ts";
import { DEPTH, written } from "../harvest/texts.ts";
import { harvesterContract } from "./harvester.ts";

for (const kind of TEXT_KINDS) {
  let time = 0;
  const of = (texts: readonly string[], limits: Partial<MapLimits> = {}): Harvester => {
    const source = {
      app: null,
      texts: texts.map((text, i) => ({ where: `screen-${i + 1}.txt`, text, screen: null })),
      leaveOut: [],
      map: null,
    };
    const now = (): number => {
      time += 1;
      return time;
    };
    return textHarvester(kind, source, { clock: { now }, readMarkup }, { ...MAP_LIMITS, ...limits });
  };
  harvesterContract(kind, {
    kind,
    harvester: async (source, limits) => of(written(kind, source), limits),
    foreign: async () => of(["This is a sentence, and no interface.\n"]),
    bytes: (source) => Math.max(...written(kind, source).map(utf8Length)),
    depthOf: ({ depth = 0 }) => DEPTH[kind](depth),
    manyScreens: true,
    idsOfNames: kind === "aria" || kind === "mcp" || kind === "openapi",
  });
}
