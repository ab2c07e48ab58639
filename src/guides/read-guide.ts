import { MAP_NAME } from "../domain/control-map.ts";
import type { RuleGuide } from "../domain/guide.ts";
import type { Json } from "../domain/json.ts";
import { isDigest } from "../domain/revision.ts";
import type { HeaderMap, HeaderNode } from "./header-node.ts";
import { GUIDE_KEYS, parseGuide } from "./parse-guide.ts";
import type { Note } from "./places.ts";

const OWN_KEYS: readonly string[] = ["map", "digest", ...GUIDE_KEYS];

/** The `guide` of a header: the steps that the rule's text was made of, and the map that they were grounded in. */
export function readGuide(node: HeaderNode, note: Note): RuleGuide | undefined {
  if (node.kind !== "map") {
    note("bad_value", node.at, "`guide` has to be a mapping, as `signalbox guides plan` writes it");
    return undefined;
  }
  const stray = node.entries.find(({ key }) => !OWN_KEYS.includes(key));
  if (stray !== undefined) {
    note("bad_value", stray.at, `\`guide\` has no such key: ${OWN_KEYS.join(", ")} are`);
    return undefined;
  }
  const [map, digest] = [textAt(node, "map"), textAt(node, "digest")];
  if (map === null || !MAP_NAME.test(map) || !isDigest(digest)) {
    note("bad_value", node.at, "`guide` needs the name of its map and the 64 digits of its digest");
    return undefined;
  }
  const rest = node.entries.filter(({ key }) => key !== "map" && key !== "digest");
  const guide = parseGuide(jsonOf({ ...node, entries: rest }), "");
  if (guide.ok) return { map, digest, guide: guide.value };
  note("bad_value", node.at, `\`guide\`: ${guide.why.detail}`);
  return undefined;
}

function textAt({ entries }: HeaderMap, wanted: string): string | null {
  const value = entries.find(({ key }) => key === wanted)?.value;
  return value?.kind === "scalar" && typeof value.value === "string" ? value.value : null;
}

/** As JSON. Keys were read as they stand, so none of them reaches a prototype. */
function jsonOf(node: HeaderNode): Json {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(jsonOf);
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, jsonOf(value)]));
  }
}
