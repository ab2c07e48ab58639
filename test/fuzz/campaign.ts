/** Batch after batch of operations on a house, until there are enough of them or something is wrong. */
import { setImmediate } from "node:timers/promises";
import type { House } from "../crash/house.ts";
import { drawFrom } from "../hostile/draw.ts";
import type { Counts } from "../hostile/tally.ts";
import { Batch } from "./batch.ts";
import { Books } from "./books.ts";
import { Boxes, type Stage } from "./boxes.ts";

export type Order = {
  readonly house: House;
  readonly seed: number;
  readonly operations: number;
  readonly faultsMax: number;
  readonly progress?: (operations: number) => void;
};

export type Report = {
  readonly operations: number;
  readonly counts: Counts;
  readonly faults: readonly string[];
  /** Most bytes that were kept after a collection, beyond what was kept after the first batches. */
  readonly heapGrowth: number;
};

const WARM = 60;
const HEAP_EVERY = 100;

export async function fuzz({ house, seed, operations, faultsMax, progress }: Order): Promise<Report> {
  const counts: Counts = new Map();
  const faults: string[] = [];
  const unheard = (reason: unknown): void => void faults.push(`nobody heard of ${String(reason)}`);
  process.on("unhandledRejection", unheard);
  const before = prototypes();
  const stage: Stage = { books: new Books(), act: () => null, replies: [] };
  const boxes = new Boxes(house, stage);
  let [done, base, heapGrowth] = [0, 0, 0];
  for (let n = 0; done < operations && faults.length < faultsMax; n++) {
    const batch = new Batch(house, boxes, stage, drawFrom(seed, n), counts);
    stage.act = (variant, call, proposed) => batch.act(variant, call, proposed);
    done += await batch.carry();
    faults.push(...batch.books.faults.map((fault) => `batch ${n}: ${batch.storyOf(fault)}`));
    if (prototypes() !== before) faults.push(`batch ${n}: a prototype was changed`);
    if (n >= WARM && n % HEAP_EVERY === 0) {
      globalThis.gc?.();
      const { heapUsed } = process.memoryUsage();
      if (base === 0) base = heapUsed;
      heapGrowth = Math.max(heapGrowth, heapUsed - base);
    }
    progress?.(done);
    // What has died is only cleared away, and what nobody heard only found, when the process comes back to its event loop.
    await setImmediate();
  }
  process.off("unhandledRejection", unheard);
  return { operations: done, counts, faults, heapGrowth };
}

function prototypes(): string {
  const { approved } = {} as { readonly approved?: unknown };
  const all = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Promise.prototype];
  return `${all.map((one) => Reflect.ownKeys(one).map(String).join()).join(";")} ${String(approved)}`;
}
