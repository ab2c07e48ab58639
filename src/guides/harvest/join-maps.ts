import { onScreen } from "../../domain/control-id.ts";
import type { Control, Harvested } from "../../domain/control-map.ts";
import { drawMap } from "../../domain/draw-map.ts";
import type { MapLimits } from "../../domain/map-limits.ts";
import { type Parsed, unparsed } from "../../domain/parsed.ts";

/**
 * Several maps of one interface as one, their screens in order. The first keeps its ids; in the others a control's id begins with
 * its screen, so that adding a screen renames nothing.
 */
export function joinMaps(parts: readonly Harvested[], limits: MapLimits): Parsed<Harvested> {
  const [first, ...others] = parts;
  if (first === undefined) return unparsed("bad_source", "there is nothing to harvest");
  if (others.length === 0) return { ok: true, value: first };
  const controls: Control[] = [...first.map.controls];
  for (const { map } of others) {
    for (const control of map.controls) controls.push({ ...control, id: onScreen(control.screen, control.id) });
  }
  const { app, source, at } = first.map;
  return drawMap(
    {
      app,
      source: { kind: source.kind, where: parts.map(({ map }) => map.source.where).join(", ") },
      at,
      screens: parts.flatMap(({ map }) => map.screens),
      controls,
      findings: parts.flatMap(({ findings }) => findings),
    },
    limits,
  );
}
