import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { ruleFile } from "../guides/box.ts";
import { carryStage, nextStage, openStages, STAGES } from "./guide-stages.ts";
import { newScratch } from "./scratch.ts";

let directory: string;
let folder: string;
let fresh: string;

beforeAll(async () => {
  directory = newScratch("guides");
  folder = join(directory, "rules");
  mkdirSync(folder);
  for (const [id, body] of [
    ["a", "A is told."],
    ["b", "B is told."],
  ] as const) {
    writeFileSync(join(folder, `${id}.md`), ruleFile({ id }, body));
  }
  fresh = join(directory, "fresh.db");
  await openSqliteStore({ path: fresh }).close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function carry(path: string, crashAt = 0) {
  copyFileSync(fresh, path);
  const script = join(import.meta.dirname, "guide-child.ts");
  const args = ["--conditions=signalbox-source", "--no-warnings", script, path, folder];
  const env = { ...process.env, CRASH_AT: String(crashAt) };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  const [status, signal] = (await once(child, "close")) as [number | null, string | null];
  return { path, signal, status, points: said === "" ? [] : (JSON.parse(said) as string[]) };
}

/** How many processes are born at once to die. */
const AT_ONCE = 4;

/** By the stages that are done: what is served. */
const SERVED: readonly string[] = ["", "", "", "", "A is told.\n\nB is told.", "A is told.", ""];

test("[guide-chain] killed at any point of any stage, the state is what the last record says, and the way goes on from there", async () => {
  const { points, status } = await carry(join(directory, "whole.db"));
  expect(status).toBe(0);
  // Each stage is one transaction, which begins with its rows and ends with its commit.
  expect(points.filter((point) => point.endsWith(": commit"))).toEqual(STAGES.map((stage) => `${stage}: commit`));
  expect(points.length).toBeGreaterThan(3 * STAGES.length);

  const killed: Awaited<ReturnType<typeof carry>>[] = [];
  for (let from = 0; from < points.length; from += AT_ONCE) {
    const some = points.slice(from, from + AT_ONCE).map((_, i) => from + i + 1);
    killed.push(...(await Promise.all(some.map((n) => carry(join(directory, `killed-${n}.db`), n)))));
  }
  for (const [index, point] of points.entries()) {
    const { path = "", signal } = killed[index] ?? {};
    expect(signal, point).toBe("SIGKILL");
    const box = openStages(path, folder);
    expect((await box.verifyLedger()).faults, point).toEqual([]);
    // What was not acknowledged is whole or not there: the stage that was killed is next, or the one after it.
    const [stage = ""] = point.split(": ");
    const done = STAGES.indexOf(stage as (typeof STAGES)[number]) + (point.endsWith(": committed") ? 1 : 0);
    expect(await nextStage(box), point).toBe(STAGES[done] ?? null);
    const served = async () => {
      const outcome = await box.guides.serve({ task: "x" });
      return outcome.kind === "plan" ? outcome.served.text : outcome.code;
    };
    expect(await served(), point).toBe(SERVED[done]);
    for (let next = await nextStage(box); next !== null; next = await nextStage(box)) {
      await carryStage(box, next);
      expect(await served(), `${point}, then ${next}`).toBe(SERVED[STAGES.indexOf(next) + 1]);
    }
    expect(await box.verifyLedger()).toMatchObject({ ok: true, guides: 8 });
    await box.close();
  }
}, 180_000);
