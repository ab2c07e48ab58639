import type { Harvested, HarvestKind } from "../domain/control-map.ts";
import type { WebSource } from "../domain/harvest-source.ts";
import type { MapLimits } from "../domain/map-limits.ts";
import type { Parsed } from "../domain/parsed.ts";
import type { Clock } from "./world.ts";

/**
 * A Harvester looks at one interface and gives its ControlMap. What keeps it from one is a code of HARVEST_CODES with a sentence,
 * never a half-read map; it rejects only for a bug. Whatever it opened is closed when it answers.
 *
 * The contract, checked by test/contract/harvester.ts on each of them: looking twice at an unchanged interface gives the same map
 * but for its time; ids are unique; controls stand in the interface's order; every bound of MapLimits holds, itself included.
 */
export type Harvester = {
  readonly kind: HarvestKind;
  harvest(): Promise<Parsed<Harvested>>;
};

/** Makes the harvester of a live page. */
export type WebHarvest = (source: WebSource, limits: MapLimits, clock: Pick<Clock, "now">) => Harvester;
