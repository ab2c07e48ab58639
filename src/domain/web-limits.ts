import { MAP_LIMITS, type MapLimits } from "./map-limits.ts";

/** How much a live page may cost. */
export type WebLimits = MapLimits & {
  /** Nodes of all documents of a page. */
  readonly nodesMax: number;
  /** For how long a screen shows no change before it is at rest. */
  readonly restMs: number;
  /** For one screen: to load, and to come to rest. */
  readonly screenMs: number;
  /** For the whole harvest, the start of the browser included. */
  readonly totalMs: number;
};

export const WEB_LIMITS: WebLimits = {
  ...MAP_LIMITS,
  nodesMax: 50_000,
  restMs: 150,
  screenMs: 15_000,
  totalMs: 300_000,
};
