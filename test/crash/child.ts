/**
 * The process that dies. `child.ts HOUSE DIR...` carries the scenario's runs with that house (see openHouse) on a SQLite
 * file in DIR: from the beginning, or from wherever a dead process left them. At the crash point CRASH_AT it kills
 * itself, as `kill -9` would. It prints one line of JSON for each DIR.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openHouse } from "./house.ts";
import { type EffectLine, openScenario, REQUESTS, type World } from "./scenario.ts";

/** Where a point was: what had been called and done when it was reached. */
export type Point = { readonly label: string; readonly calls: number; readonly effects: number };

export type Carried = {
  readonly points: readonly Point[];
  readonly outcomes: readonly { readonly ending: string; readonly detail: string; readonly text: string }[];
};

const [where = "", ...directories] = process.argv.slice(2);
const crashAt = Number(process.env.CRASH_AT ?? 0);
const house = await openHouse(where);

for (const directory of directories) process.stdout.write(`${JSON.stringify(await carryIn(directory))}\n`);

async function carryIn(directory: string): Promise<Carried> {
  const points: Point[] = [];
  const [effects, calls] = [linesIn(directory, "effects"), linesIn(directory, "calls")];
  const point = (label: string): void => {
    points.push({ label, calls: calls.count(), effects: effects.count() });
    if (points.length === crashAt) process.kill(process.pid, "SIGKILL");
  };
  const world: World = {
    point,
    effect: (line) => effects.add(JSON.stringify(line)),
    effects: () => effects.all().map((line): EffectLine => JSON.parse(line)),
    called: (digest) => calls.add(digest),
  };
  const path = join(directory, "ledger.db");
  const fresh = !existsSync(path);
  const store = house.sqlite.openSqliteStore({ path, seam: point });
  const { box, carry } = openScenario(house, store, world);
  const outcomes: Carried["outcomes"][number][] = [];
  for (const request of REQUESTS) {
    const { ending, detail, text, run } = await carry(request, fresh);
    outcomes.push({ ending, detail, text });
    // A run that has ended stays ended, however often somebody resumes it.
    await box.resume(run);
    if (ending !== "answered") break;
  }
  await box.close();
  return { points, outcomes };
}

/** A file of lines that are on the disk when `add` returns. */
function linesIn(directory: string, name: string) {
  const path = join(directory, name);
  const all = (): readonly string[] => (existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : []);
  let count = all().length;
  const file = openSync(path, "a");
  process.on("exit", () => closeSync(file));
  return {
    all,
    count: () => count,
    add: (line: string): void => {
      writeSync(file, `${line}\n`);
      fsyncSync(file);
      count += 1;
    },
  };
}
