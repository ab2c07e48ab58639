import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Memory from "../../src/adapters/store-memory/index.ts";
import type * as Sqlite from "../../src/adapters/store-sqlite/index.ts";
import type * as Door from "../../src/index.ts";
import type * as Rails from "../../src/rails/index.ts";
import type * as Gate from "../../src/runtime/call-tool.ts";
import type * as Testing from "../../src/testing/index.ts";

/** The doors of one house: of the real one, or of a copy with a planted fault. */
export type House = {
  readonly door: typeof Door;
  readonly sqlite: typeof Sqlite;
  readonly memory: typeof Memory;
  readonly testing: typeof Testing;
  readonly rails: typeof Rails;
  /** No door of the house, but the last gate before an effect. */
  readonly gate: typeof Gate;
};

/** Where in `src` each of them is. */
export const DOORS = {
  door: "index.ts",
  sqlite: "adapters/store-sqlite/index.ts",
  memory: "adapters/store-memory/index.ts",
  testing: "testing/index.ts",
  rails: "rails/index.ts",
  gate: "runtime/call-tool.ts",
} as const satisfies { readonly [name in keyof House]: string };

/** Opens the doors of a house: of a `src`, or of one file that `bundle` made of it. */
export async function openHouse(src: string): Promise<House> {
  if (src.endsWith(".mjs")) return open(src);
  return {
    door: await open(src, DOORS.door),
    sqlite: await open(src, DOORS.sqlite),
    memory: await open(src, DOORS.memory),
    testing: await open(src, DOORS.testing),
    rails: await open(src, DOORS.rails),
    gate: await open(src, DOORS.gate),
  };
}

// What a path names is what it exports: the one claim here that no compiler checks.
function open<T>(...path: readonly string[]): Promise<T> {
  return import(/* @vite-ignore */ pathToFileURL(join(...path)).href);
}
