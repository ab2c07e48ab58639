import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { MAP_NAME } from "../../domain/control-map.ts";
import { MAP_LIMITS } from "../../domain/map-limits.ts";
import type { MapFiles } from "../../ports/map-files.ts";
import { readInside } from "./read-inside.ts";

/** A folder of maps: `NAME.json` for each. */
export function mapsFolder(folder: string): MapFiles {
  return {
    read: async (name) => {
      if (!MAP_NAME.test(name)) return null;
      const file = `${name}.json`;
      try {
        lstatSync(join(folder, file));
        return readInside(realpathSync(folder), file, MAP_LIMITS.bytesMax);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
        return code === "ENOENT" || code === "ENOTDIR" ? null : { name: file, bytes: new Uint8Array(0), failed: code };
      }
    },
  };
}
