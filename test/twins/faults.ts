import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "../../src/index.ts";
import type { House } from "../crash/house.ts";
import { memoryWorld, ONCE_TOOLS, openScenario, REQUESTS, WITHOUT_PROBE } from "../crash/scenario.ts";

/**
 * Claim R11: the storage fails at its N-th call, or at its N-th statement, for every N of a run with effects. Each time
 * the run stops there as `ledger_unavailable`, nothing happens without its `started` row, and with a healthy store it is
 * carried to the end that it would have had.
 */
export type Shelf = {
  /** Opens the store that lies there. A store in memory has no statements and no pages. */
  open(options?: { readonly seam?: (point: string) => void; readonly pagesMax?: number }): Store;
  clear(): void;
};

export function memoryShelf(house: House): Shelf {
  const store = house.memory.openMemoryStore();
  // It is there as long as somebody holds it, so nobody may close it.
  const kept = replaced(store, { close: async () => {} });
  return { open: () => kept, clear: () => {} };
}

export function sqliteShelf(house: House, directory: string): Shelf {
  mkdirSync(directory);
  const path = join(directory, "ledger.db");
  return {
    open: (options) => house.sqlite.openSqliteStore({ path, ...options }),
    clear: () => rmSync(directory, { recursive: true }),
  };
}

/** The same store with some of its methods replaced. */
export function replaced(store: Store, methods: Partial<Store>): Store {
  const bound: Store = new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      return typeof method === "function" ? method.bind(target) : method;
    },
  });
  return new Proxy(bound, {
    get: (target, name) => Reflect.get(Object.hasOwn(methods, name) ? methods : target, name),
  });
}

/** What one carrying of the scenario came to. */
type Carried = {
  readonly endings: readonly string[];
  readonly exitCodes: readonly number[];
  readonly details: readonly string[];
};

/** What the scenario leaves where nothing fails. */
export type Whole = { readonly rows: readonly string[]; readonly keys: readonly string[] };

type World = ReturnType<typeof memoryWorld>;

/** How the storage fails at `n`: gives a store over the shelf, which fails there and says so. */
export type Failing = (shelf: Shelf, n: number, failed: () => void) => Store;

/** Every writing call in turn, as anybody can with src/testing. */
export function failingCalls(house: House): Failing {
  return (shelf, n, failed) =>
    house.testing.faultyStore(shelf.open(), {
      failAt: n,
      onCall: (_name, call) => {
        if (call === n) failed();
      },
    });
}

/** Every call in turn, reading ones as well. */
export function failingReads(house: House): Failing {
  return (shelf, n, failed) => {
    let calls = 0;
    return eachCall(shelf.open(), async (name, call) => {
      calls += 1;
      if (calls !== n) return call();
      failed();
      throw new house.door.StoreError("unavailable", `${name}: planted fault`);
    });
  };
}

/** Every statement, commit and acknowledgement in turn. What fails after the commit is written all the same. */
export const failingStatements: Failing = (shelf, n, failed) => {
  let points = 0;
  const seam = (): void => {
    points += 1;
    if (points !== n) return;
    failed();
    throw new Error("EIO: planted fault");
  };
  return shelf.open({ seam });
};

/** A file that may grow to `n` pages: SQLite's own error of a full disk, wherever it comes. */
export const fullAfter: Failing = (shelf, n, failed) => {
  const store = orFailed(failed, () => shelf.open({ pagesMax: n }));
  return eachCall(store, async (_name, call) => {
    try {
      return await call();
    } catch (error) {
      failed();
      throw error;
    }
  });
};

function orFailed<T>(failed: () => void, open: () => T): T {
  try {
    return open();
  } catch (error) {
    failed();
    throw error;
  }
}

function eachCall(store: Store, around: (name: string, call: () => unknown) => Promise<unknown>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      // A claim that cannot be given up ends with its process, which these tests do not.
      if (name === "close" || name === "release") return method.bind(target);
      return (...given: unknown[]) => around(String(name), () => method.apply(target, given));
    },
  });
}

/** The scenario as it is where nothing fails. */
export async function carryWhole(house: House, shelf: Shelf): Promise<Whole> {
  const world = memoryWorld();
  const { endings } = await carryAll(house, shelf.open(), world);
  assert.deepEqual(
    endings,
    REQUESTS.map(() => "answered"),
  );
  return { rows: await rowsOf(shelf), keys: keysOf(world) };
}

/**
 * Fails at N = 1, 2, 3 … until nothing fails any more. `then`: the storage fails once more while the run is resumed.
 * Returns how many places there were.
 */
export async function failEverywhere(
  house: House,
  newShelf: (n: number) => Shelf,
  failing: Failing,
  whole: Whole,
  then?: { readonly failing: Failing; readonly n: number },
): Promise<number> {
  for (let n = 1; ; n++) {
    const where = (what: string): string => `fault ${n}${then === undefined ? "" : `, then ${then.n}`}: ${what}`;
    const shelf = newShelf(n);
    const world = memoryWorld();
    if (!(await failOnce(house, shelf, world, (failed) => failing(shelf, n, failed), where))) return n - 1;
    if (then !== undefined) await failOnce(house, shelf, world, (failed) => then.failing(shelf, then.n, failed), where);
    await judgeHealthy(house, shelf, world, whole, where);
    shelf.clear();
  }
}

type Where = (what: string) => string;

/** Carries the scenario over a store that fails. False where it came to its end without having failed. */
async function failOnce(
  house: House,
  shelf: Shelf,
  world: World,
  open: (failed: () => void) => Store,
  where: Where,
): Promise<boolean> {
  const bare: string[] = [];
  let at: { readonly effects: number; readonly calls: number } | null = null;
  const sofar = () => ({ effects: world.effects().length, calls: world.calls.length });
  const store = openOrNull(house, () =>
    open(() => {
      at ??= sofar();
    }),
  );
  if (store !== null) {
    const started = new Set<string>(await startedIn(shelf));
    const effect: World["effect"] = (line) => {
      if (!started.has(`${line.run} ${line.step}`)) bare.push(`${line.tool} ${line.step}`);
      world.effect(line);
    };
    const { endings, exitCodes, details } = await carryAll(house, hearStarted(store, started), { ...world, effect });
    if (at === null) return false;
    assert.equal(endings.at(-1), "ledger_unavailable", where(`the run says so: ${details.join("; ")}`));
    assert.equal(exitCodes.at(-1), 1, where("and does not exit 0"));
    assert.notEqual(details.at(-1), "", where("and says why"));
  }
  assert.deepEqual(bare, [], where("an effect without its started row"));
  assert.deepEqual(sofar(), at, where("and then nothing more"));
  return true;
}

/** A store that was only full yesterday can be opened today. */
function openHealthy(shelf: Shelf): Store {
  try {
    return shelf.open();
  } catch (error) {
    throw new assert.AssertionError({ message: `the healthy store cannot be opened: ${error}` });
  }
}

/** With a healthy store the run is carried to the end that it would have had. */
async function judgeHealthy(house: House, shelf: Shelf, world: World, whole: Whole, where: Where): Promise<void> {
  const unsure = (await openTools(shelf)).includes(WITHOUT_PROBE);
  const { endings } = await carryAll(house, openHealthy(shelf), world);
  judgeEffects(world, where);
  if (unsure) assert.equal(endings.at(-1), "outcome_unknown", where("nobody can say whether it was sent"));
  else {
    assert.deepEqual(
      endings,
      REQUESTS.map(() => "answered"),
      where("with a healthy store it is carried to its end"),
    );
    assert.deepEqual(await rowsOf(shelf), whole.rows, where("with the same rows"));
    assert.deepEqual(keysOf(world), whole.keys, where("and the same effects"));
  }
  const { box } = openScenario(house, openHealthy(shelf), world);
  assert.deepEqual((await box.verifyLedger()).faults, [], where("the ledger verifies"));
  await box.close();
}

function judgeEffects(world: World, where: (what: string) => string): void {
  const times = new Map<string, number>();
  for (const { tool, key } of world.effects()) {
    if (ONCE_TOOLS.includes(tool)) times.set(key, (times.get(key) ?? 0) + 1);
  }
  for (const [key, count] of times) assert.equal(count, 1, where(`the effect ${key} happened ${count} times`));
}

/** Carries the requests in order, each as far as it comes, and stops at the first that was not answered. */
async function carryAll(house: House, store: Store, world: World): Promise<Carried> {
  const { box, carry } = openScenario(house, store, world);
  const endings: string[] = [];
  const exitCodes: number[] = [];
  const details: string[] = [];
  for (const request of REQUESTS) {
    const { ending, exitCode, detail } = await carry(request).catch((error) => refusalOf(house, error));
    endings.push(ending);
    exitCodes.push(exitCode);
    details.push(detail);
    if (ending !== "answered") break;
  }
  await box.close();
  return { endings, exitCodes, details };
}

/** What a caller is thrown where there is no run yet that could end. */
function refusalOf({ door }: House, error: unknown): { ending: string; exitCode: number; detail: string } {
  if (error instanceof door.SignalboxError) {
    return { ending: error.code, exitCode: error.exitCode, detail: error.message };
  }
  // A read that fails throws the store's own error: there, nothing was begun and nothing has changed.
  if (error instanceof door.StoreError && error.code === "unavailable") {
    return { ending: "ledger_unavailable", exitCode: 1, detail: error.message };
  }
  throw new assert.AssertionError({ message: `the caller was thrown ${String(error)}` });
}

/** A file that cannot even be made gives no store: then there is nothing to carry. */
function openOrNull(house: House, open: () => Store): Store | null {
  try {
    return open();
  } catch (error) {
    assert.ok(error instanceof house.door.StoreError && error.code === "unavailable", String(error));
    return null;
  }
}

/** The same store; `started` gets every step whose `started` row it has acknowledged. */
function hearStarted(store: Store, started: Set<string>): Store {
  return replaced(store, {
    decide: async (query, judge) => {
      let step: string | null = null;
      await store.decide(query, (seen) => {
        const write = judge(seen);
        step = write.rows.some(({ kind }) => kind === "started") ? `${query.run} ${query.step}` : null;
        return write;
      });
      if (step !== null) started.add(step);
    },
  });
}

/** The steps whose `started` row is there. */
async function startedIn(shelf: Shelf): Promise<readonly string[]> {
  const store = openHealthy(shelf);
  const started: string[] = [];
  for (const run of await store.listRunIds()) {
    for (const { kind, body } of await store.readRows(run))
      if (kind === "started") started.push(`${run} ${fieldOf(body, "step")}`);
  }
  await store.close();
  return started;
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}

/** Tools of the steps that were started and of which nobody knows how they came out. */
async function openTools(shelf: Shelf): Promise<readonly unknown[]> {
  const store = openHealthy(shelf);
  const open = new Map<string, unknown>();
  for (const run of await store.listRunIds()) {
    let decided: unknown = null;
    for (const { kind, body } of await store.readRows(run)) {
      const step = `${run} ${fieldOf(body, "step")}`;
      if (kind === "decided") decided = fieldOf(body, "tool");
      // A row leaves out what the one before it says.
      if (kind === "started") open.set(step, fieldOf(body, "tool") ?? decided);
      if (kind === "finished" && fieldOf(body, "outcome") !== "outcome_unknown") open.delete(step);
    }
  }
  await store.close();
  return [...open.values()];
}

async function rowsOf(shelf: Shelf): Promise<readonly string[]> {
  const store = openHealthy(shelf);
  const rows: string[] = [];
  for (const run of await store.listRunIds()) {
    for (const row of await store.readRows(run)) rows.push(`${row.seq} ${row.kind} ${row.hash}`);
  }
  await store.close();
  return rows;
}

function keysOf(world: World): readonly string[] {
  return [...new Set(world.effects().map(({ key }) => key))];
}
