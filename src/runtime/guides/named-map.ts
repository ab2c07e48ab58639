import type { ControlMap } from "../../domain/control-map.ts";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import { type GroundIndex, groundIndex, parseMap } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { guidesIn } from "./guide-parts.ts";

/** A map of the config's folder, with its digest, prepared for grounding. */
export type NamedMap = {
  readonly name: string;
  readonly digest: string;
  readonly map: ControlMap;
  readonly index: GroundIndex;
};

/** Maps are few, and a large one is read in no time only once. */
const KEPT_MAX = 32;

/**
 * The map of this name as its file is now. Codes: `no_maps` where the config names no folder, `unknown_map`, `unreadable_map`, and
 * those of parseMap.
 */
export async function namedMap(parts: Parts, name: string): Promise<Parsed<NamedMap>> {
  const { maps } = guidesIn(parts);
  if (maps === null) return unparsed("no_maps", 'the config names no folder of maps: guides: { …, maps: "./maps" }');
  const file = await maps.read(name);
  if (file === null) return unparsed("unknown_map", `there is no map ${name}`);
  if (file.failed !== null) return unparsed("unreadable_map", `map ${name} ${file.failed}`);
  const key = `${name} ${parts.hashBytes(file.bytes)}`;
  const known = parts.guideBook.maps.get(key);
  if (known !== undefined) return parsed(known);
  const text = decodeUtf8(file.bytes);
  const read = text.ok ? parseMap(text.value) : text;
  if (!read.ok) return unparsed(read.why.code, `map ${name}: ${read.why.detail}`);
  const map = read.value;
  const index = groundIndex(map, parts.hash);
  const named: NamedMap = { name, digest: index.digest, map, index };
  if (parts.guideBook.maps.size >= KEPT_MAX) parts.guideBook.maps.clear();
  parts.guideBook.maps.set(key, named);
  return parsed(named);
}
