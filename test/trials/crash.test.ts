/** A trial is killed at every border between what is durable and what is not, and goes on from there. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTrialFile } from "../../src/runtime/index.ts";
import { reportTrial } from "../../src/trials/index.ts";
import { digest } from "../checks/trial-world.ts";
import { CRASH_RUNS } from "./crash-design.ts";

const CHILD = fileURLToPath(new URL("crash-child.ts", import.meta.url));
let base = "";
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "trial-crash-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Died = { readonly signal: NodeJS.Signals | null; readonly stdout: string; readonly stderr: string };

function run(folder: string, crashAt: number): Promise<Died> {
  mkdirSync(folder, { recursive: true });
  // What a process compiled that was not killed is not compiled again: that is most of what a process takes.
  const env = { ...process.env, CRASH_AT: String(crashAt), NODE_COMPILE_CACHE: join(base, "compiled") };
  const child = spawn(process.execPath, ["--no-warnings", CHILD, folder], { env, stdio: ["ignore", "pipe", "pipe"] });
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (_code, signal) => resolve({ signal, stdout, stderr }));
  });
}

const runsOf = (folder: string) => readTrialFile(join(folder, "runs.jsonl"), digest);
const carriedIn = (folder: string): readonly string[] =>
  existsSync(join(folder, "carried")) ? readFileSync(join(folder, "carried"), "utf8").split("\n").slice(0, -1) : [];
const keyOf = ({ seed, told }: { readonly seed: number; readonly told: { readonly plan: string } }): string =>
  `${seed} ${told.plan}`;

/** What a killed process left, and what the next one made of it. */
async function killedAt(points: readonly number[], folder: string): Promise<void> {
  let durable: readonly string[] = [];
  for (const at of points) {
    const { signal, stderr } = await run(folder, at);
    expect(signal, stderr).toBe("SIGKILL");
    durable = existsSync(join(folder, "runs.jsonl")) ? runsOf(folder).runs.map(keyOf) : [];
  }
  const before = carriedIn(folder);
  const { stdout, stderr } = await run(folder, 0);
  expect(stdout, stderr).not.toBe("");
  const after = carriedIn(folder).slice(before.length);
  // What was durable is not made again, everything else is made once, and no run is missing or there twice.
  expect(after.filter((key) => durable.includes(key))).toEqual([]);
  expect(after).toHaveLength(CRASH_RUNS - durable.length);
  expect(new Set([...durable, ...after]).size).toBe(CRASH_RUNS);
}

describe("killed", () => {
  test("[trial-once] at every border once: the runs are those of a trial that nobody killed", async () => {
    const whole = await run(join(base, "whole"), 0);
    const { points, ending } = JSON.parse(whole.stdout) as { readonly points: number; readonly ending: string };
    // Two borders of the first line; and of each run where it is begun, in its line, behind it, and where it is durable.
    expect([ending, points]).toEqual(["finished", 2 + 4 * CRASH_RUNS]);
    const bare = (folder: string) => runsOf(folder).runs.map(({ at: _, ms: __, run: ___, ...same }) => same);
    const right = bare(join(base, "whole"));
    const report = reportTrial(runsOf(join(base, "whole")));
    const all = [...Array(points).keys()].map((i) => i + 1);
    const check = async (at: number): Promise<void> => {
      const folder = join(base, String(at));
      await killedAt([at], folder);
      expect(bare(folder), `killed at ${at}`).toEqual(right);
      const other = reportTrial(runsOf(folder));
      expect({ ...other, from: 0, to: 0 }).toEqual({ ...report, from: 0, to: 0 });
    };
    // Two at a time, since the machine may have no more.
    while (all.length > 0) await Promise.all(all.splice(0, 2).map(check));
  }, 180_000);

  test("again and again: in the middle of every second line that a process writes", async () => {
    // Each process cuts off what the one before it left, makes one run, and dies in the line of the next.
    await killedAt(Array(12).fill(6), join(base, "again"));
  }, 120_000);
});
