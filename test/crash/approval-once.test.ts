import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApprovalBox } from "./approval-box.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-once-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROCESSES = 4;

/** A user of the approval, once it is ready. */
async function user(...args: readonly string[]): Promise<ChildProcess> {
  const script = join(import.meta.dirname, "approval-user.ts");
  const child = spawn(process.execPath, ["--conditions=signalbox-source", script, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => `it ended with ${code}`);
  if (child.stdout === null) throw new Error("no stdout");
  const said = once(child.stdout, "data").then(([data]) => String(data).trim());
  expect(await Promise.race([ended, said])).toBe("ready");
  return child;
}

/** Stages and approves in a process of its own; the run. */
function approvedRun(path: string, how: "stage-run" | "stage-decide"): string {
  const script = join(import.meta.dirname, "approval-user.ts");
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--conditions=signalbox-source", script, path, "theirs", how],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  expect(status).toBe(0);
  return stdout.trim();
}

/** Lets all of them go at once. What each attempt of each came to; null for a process that died. */
async function came(children: readonly ChildProcess[]): Promise<readonly (readonly string[] | null)[]> {
  const outputs = children.map(async (child) => {
    let text = "";
    child.stdout?.on("data", (data) => {
      text += String(data);
    });
    await once(child, "close");
    return text.trim() === "" ? null : (JSON.parse(text) as string[]);
  });
  for (const child of children) child.stdin?.end("go\n");
  return Promise.all(outputs);
}

function effectsIn(file: string): number {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
}

describe("[rails-approval-once] 64 that want to use one approval, in 4 processes", () => {
  test("decide: one is allowed", async () => {
    const [path, effects] = [join(folder, "decide.db"), join(folder, "decide.log")];
    approvedRun(path, "stage-decide");
    const box = openApprovalBox(path, () => 1);
    const children = await Promise.all(
      Array.from({ length: PROCESSES }, () => user(path, "theirs", "decide", effects)),
    );
    const outcomes = (await came(children)).flat();
    expect(outcomes).toHaveLength(64);
    expect(outcomes.filter((outcome) => outcome === "allow")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "outcome_open")).toHaveLength(63);
    expect((await box.verifyLedger()).faults).toEqual([]);
    await box.close();
  });

  test.each([
    ["decide", "die", 0],
    ["decide", "die-after", 1],
    ["guard", "die", 0],
    ["guard", "die-after", 1],
  ])(
    "%s: the one who was allowed is killed (%s) and settles nothing: no other process does it again",
    async (how, dies, done) => {
      const [path, effects] = [join(folder, `${how}-${dies}.db`), join(folder, `${how}-${dies}.log`)];
      approvedRun(path, "stage-decide");
      const box = openApprovalBox(path, () => 1);
      expect(await came([await user(path, "theirs", how, effects, dies)])).toEqual([null]);
      expect(await box.approvals.show("theirs-1")).toMatchObject({ state: "used", outcome: "started" });
      // Others ask for the same step: by another name for it, and saying that the attempt before is over.
      const others = await Promise.all(["decide", "guard", "retry"].map((by) => user(path, "theirs", by, effects)));
      expect(new Set((await came(others)).flat())).toEqual(new Set(["outcome_open"]));
      expect(effectsIn(effects)).toBe(done);
      const again = box.approvals.approve("theirs-1", { as: "user:sue" });
      await expect(again).rejects.toMatchObject({ code: "approval_used" });
      // A person who looked says how it came out. Where it was not done, the next attempt needs another approval.
      const outcome = done === 1 ? "done" : "failed";
      await box.outcomes.resolve("theirs-1", { as: "user:sue", outcome, why: "seen in the log", gone: true });
      const [after] = await came([await user(path, "theirs", "guard", effects)]);
      expect(new Set(after)).toEqual(new Set([done === 1 ? "done" : "staged"]));
      expect(effectsIn(effects)).toBe(done);
      expect((await box.verifyLedger()).faults).toEqual([]);
      await box.close();
    },
    60_000,
  );

  test("resume: the effect happens once", async () => {
    const [path, effects] = [join(folder, "resume.db"), join(folder, "resume.log")];
    const run = approvedRun(path, "stage-run");
    const box = openApprovalBox(path, () => 1);
    const children = await Promise.all(Array.from({ length: PROCESSES }, () => user(path, run, "resume", effects)));
    const outcomes = (await came(children)).flat();
    expect(outcomes).toHaveLength(64);
    expect(effectsIn(effects)).toBe(1);
    // Whoever came too late was told that somebody else carries the run, or what it had come to.
    expect(new Set(outcomes)).toEqual(new Set(["answered", "run_is_carried"]));
    expect(await box.approvals.show(`${run}-1`)).toMatchObject({ state: "used", outcome: "done" });
    expect((await box.verifyLedger()).faults).toEqual([]);
    await box.close();
  });

  test("the one who used it is killed before the effect: it stays used, and nothing is done a second time", async () => {
    const [path, effects] = [join(folder, "killed.db"), join(folder, "killed.log")];
    const run = approvedRun(path, "stage-run");
    const box = openApprovalBox(path, () => 1);
    expect(await came([await user(path, run, "resume", effects, "die")])).toEqual([null]);
    expect(await box.approvals.show(`${run}-1`)).toMatchObject({ state: "used", outcome: "started" });
    expect((await box.outcomes.list()).map(({ id, state }) => [id, state])).toEqual([[`${run}-1`, "open"]]);
    const [after] = await came([await user(path, run, "resume", effects)]);
    expect(new Set(after)).toEqual(new Set(["outcome_unknown, nothing performed", "run_is_carried"]));
    expect(effectsIn(effects)).toBe(0);
    const again = box.approvals.approve(`${run}-1`, { as: "user:sue" });
    await expect(again).rejects.toMatchObject({ code: "approval_used" });
    expect((await box.verifyLedger()).faults).toEqual([]);
    await box.close();
  });
});
