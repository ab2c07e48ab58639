/** What the runner of trials promises, as checks that the product passes and each planted fault fails (test/twins/trials.test.ts). */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../src/domain/json.ts";
import type { TrialOptions } from "../../src/runtime/index.ts";
import { type Behaviour, design, GOES_ON, STOPS, worldOf } from "./trial-world.ts";

/** The runner that is checked: the product's, or a copy's with a planted fault. */
export type Runner = Pick<typeof import("../../src/runtime/trials/run-trial.ts"), "runTrial">;

type Check = (runner: Runner) => Promise<void>;

/** Follows the rule where it is told and not drowned. */
const drowns: Behaviour = ({ copies, neighbours }) => (copies > 0 && neighbours < 40 ? STOPS : GOES_ON);

type Ran = {
  readonly end: Awaited<ReturnType<Runner["runTrial"]>>;
  readonly carried: readonly string[];
};

async function inFolder(work: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trial-runs-"));
  try {
    await work(join(folder, "runs.jsonl"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ran(
  runner: Runner,
  file: string,
  behaviour: Behaviour,
  more: Partial<TrialOptions> & { readonly document?: Json; readonly budgetBytes?: number } = {},
): Promise<Ran> {
  const { document = design(), budgetBytes = 1e6, ...options } = more;
  const { world, carried } = worldOf(behaviour, { budgetBytes });
  return { end: await runner.runTrial(world, document, { file, ...options }), carried };
}

const goesOnFromThere: Check = (runner) =>
  inFolder(async (file) => {
    const cancel = new AbortController();
    const stops: Behaviour = (told, run, nth) => {
      if (nth === 21) cancel.abort();
      return drowns(told, run, nth);
    };
    const first = await ran(runner, file, stops, { signal: cancel.signal });
    assert.deepEqual([first.end.ending, first.end.done, first.carried.length], ["cancelled", 20, 21]);
    const second = await ran(runner, file, drowns);
    assert.deepEqual([second.end.ending, second.carried.length], ["finished", 12]);
    assert.equal(new Set([...first.carried.slice(0, 20), ...second.carried]).size, 32, "each run once");
    assert.equal((await ran(runner, file, drowns)).carried.length, 0);
  });

const controlComesFirst: Check = (runner) =>
  inFolder(async (file) => {
    const { end, carried } = await ran(runner, file, () => GOES_ON);
    assert.deepEqual([end.ending, carried.length], ["no_positive_control", 16]);
  });

const toldAsDeclared: Check = (runner) =>
  inFolder(async (file) => {
    let calls = 0;
    const counts: Behaviour = (...run) => {
      calls += 1;
      return drowns(...run);
    };
    const code = await ran(runner, file, counts, { budgetBytes: 2_000 }).then(
      () => "made",
      (error: { readonly code?: unknown }) => error.code,
    );
    assert.deepEqual([code, calls, existsSync(file)], ["arm_not_as_declared", 0, false]);
  });

const errorsStopIt: Check = (runner) =>
  inFolder(async (file) => {
    const failing: Behaviour = () => ({ ending: "model_unreachable" });
    const { end } = await ran(runner, file, failing, { document: design({ errorsMax: 3 }) });
    assert.deepEqual([end.ending, end.errors, end.made], ["too_many_errors", 4, 4]);
  });

const halfALine: Check = (runner) =>
  inFolder(async (file) => {
    const whole = await ran(runner, file, drowns);
    assert.equal(whole.end.ending, "finished");
    // As a process leaves it that died while it wrote, and had more to write than whoever comes next.
    appendFileSync(file, `{"arm":"${"x".repeat(20_000)}`);
    assert.equal((await ran(runner, file, drowns)).carried.length, 0);
    const text = readFileSync(file, "utf8");
    assert.ok(text.endsWith("}\n") && !text.includes("xxx"), "what nobody finished is cut off");
  });

async function codeOf(work: Promise<unknown>): Promise<{ readonly code: unknown; readonly message: string }> {
  return work.then(
    () => ({ code: "made", message: "" }),
    (error: { readonly code?: unknown; readonly message: string }) => ({ code: error.code, message: error.message }),
  );
}

const tasks = (count: number) => [...Array(count).keys()].map((n) => ({ id: `t${n}`, text: `Open ${n}` }));

const repeatsCostNothing: Check = (runner) =>
  inFolder(async (file) => {
    const { world, carried } = worldOf(drowns);
    const cold = { ...world, setting: { ...world.setting, "model.temperature": 0 } };
    // Seven pairs are needed of the arms; with neighbours in both of them no pair repeats another, and the control does.
    const many = { volume: { neighbours: [20, 50] } };
    for (const document of [design({ tasks: tasks(6) }), design({ tasks: tasks(5), vary: many })]) {
      const { code } = await codeOf(runner.runTrial(cold, document, { file }));
      assert.deepEqual([code, carried.length, existsSync(file)], ["pairs_repeat", 0, false]);
    }
    const { code } = await codeOf(runner.runTrial(cold, design({ tasks: tasks(6), vary: many }), { file }));
    assert.equal(code, "made");
  });

const repeatsAreSeen: Check = (runner) =>
  inFolder(async (file) => {
    const saidIn = async (cold: boolean): Promise<number> => {
      const { world } = worldOf(drowns, { cold });
      const { results } = await runner.runTrial(world, design(), { file: `${file}.${cold}` });
      return new Set(results.runs.map(({ said, told, task }) => `${said ?? "nothing"} ${told.plan} ${task}`)).size;
    };
    // Two tasks: two prompts of each arm of the control and of the smaller arm, of which one is the rule alone, and eight drawn.
    assert.deepEqual([await saidIn(true), await saidIn(false)], [12, 32]);
  });

const sameSetting: Check = (runner) =>
  inFolder(async (file) => {
    const { world } = worldOf(drowns);
    const of = (setting: object) => ({ ...world, setting: { ...world.setting, ...setting } });
    const cancel = new AbortController();
    await runner.runTrial(of({ "model.temperature": 0.2 }), design(), {
      file,
      signal: cancel.signal,
      onProgress: ({ done }) => {
        if (done === 2) cancel.abort();
      },
    });
    const other = of({ "model.temperature": 1.5, "model.mode": "tools" });
    const { code, message } = await codeOf(runner.runTrial(other, design(), { file }));
    assert.equal(code, "other_conditions");
    assert.ok(message.includes("its model.mode was not there, and is tools now"), message);
    assert.ok(message.includes("its model.temperature was 0.2, and is 1.5 now"), message);
    const end = await runner.runTrial(of({ "model.temperature": 0.2 }), design(), { file });
    assert.deepEqual([end.ending, end.made], ["finished", 30]);
  });

export const TRIAL_RUN_CHECKS = {
  goesOnFromThere,
  controlComesFirst,
  toldAsDeclared,
  errorsStopIt,
  repeatsCostNothing,
  repeatsAreSeen,
  sameSetting,
  halfALine,
} satisfies { readonly [name: string]: Check };
