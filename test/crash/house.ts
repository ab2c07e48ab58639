import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Sqlite from "../../src/adapters/store-sqlite/index.ts";
import type * as Door from "../../src/index.ts";
import type * as Testing from "../../src/testing/index.ts";

/** The doors of one house: of the real one, or of a copy with a planted fault. */
export type House = { readonly door: typeof Door; readonly sqlite: typeof Sqlite; readonly testing: typeof Testing };

/** Opens the doors of the house whose `src` this is. */
export async function openHouse(src: string): Promise<House> {
  const open = (path: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(join(src, path)).href);
  const [door, sqlite, testing] = await Promise.all([
    open("index.ts") as Promise<typeof Door>,
    open("adapters/store-sqlite/index.ts") as Promise<typeof Sqlite>,
    open("testing/index.ts") as Promise<typeof Testing>,
  ]);
  return { door, sqlite, testing };
}
