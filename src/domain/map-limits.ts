/** How large an interface may be. Every bound is inclusive: a source exactly at the bound is harvested. */
export type MapLimits = {
  /** Bytes of the source in UTF-8; of a live page, what it loads. */
  readonly bytesMax: number;
  readonly controlsMax: number;
  readonly screensMax: number;
  /** Elements inside one another. */
  readonly depthMax: number;
  /** Bytes of one text of a control; what is longer is cut, and the map's findings say so. */
  readonly textBytesMax: number;
  /** Bytes of all texts of all controls. A source may say a text once for a thousand of them. */
  readonly mapBytesMax: number;
};

export const MAP_LIMITS: MapLimits = {
  bytesMax: 16_777_216,
  controlsMax: 20_000,
  screensMax: 200,
  depthMax: 256,
  textBytesMax: 4_096,
  mapBytesMax: 8_388_608,
};

/** Why there is no map. The kinds that read text share them; each file says which it gives. */
export const HARVEST_CODES = [
  "too_large",
  "too_deep",
  "too_many_controls",
  "too_many_screens",
  "no_controls",
  "duplicate_screen",
  "unknown_screen",
  "unknown_entry",
  // The source is not what it was said to be.
  "not_utf8",
  "not_xml",
  "doctype",
  "not_yaml",
  "not_json",
  "not_aria",
  "not_android",
  "not_ios",
  "not_autodroid",
  "not_actree",
  "not_mcp",
  "not_openapi",
  "not_jsonl",
  "remote_ref",
  // Several maps, or several texts, where one was meant.
  "several_maps",
  "unknown_map",
  "unreadable_source",
  "bad_source",
  // A live page.
  "no_browser",
  "bad_url",
  "page_failed",
  "left_origin",
  "timed_out",
  "step_target_missing",
  "step_target_ambiguous",
  "step_failed",
  "screen_not_reached",
] as const;
export type HarvestCode = (typeof HARVEST_CODES)[number];
