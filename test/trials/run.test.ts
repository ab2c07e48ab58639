import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import type { TrialReport, TrialRun } from "../../src/domain/trial-run.ts";
import {
  readTrialFile,
  runTrial,
  type TrialOptions,
  type TrialProgress,
  type TrialWorld,
} from "../../src/runtime/index.ts";
import { reportTrial } from "../../src/trials/index.ts";
import {
  type Behaviour,
  chance,
  design,
  digest,
  GOES_ON,
  STOPS,
  served,
  type Told,
  worldOf,
} from "../checks/trial-world.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trials-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name = "runs.jsonl"): string => join(folder, name);
const lines = (name?: string): readonly string[] => readFileSync(at(name), "utf8").split("\n").slice(0, -1);
const runsIn = (name?: string): readonly TrialRun[] => readTrialFile(at(name), digest).runs;

/** Follows the rule where it is told and not drowned. */
const drowns: Behaviour = ({ copies, neighbours }) => (copies > 0 && neighbours < 40 ? STOPS : GOES_ON);

async function ran(behaviour: Behaviour, document: Json = design(), options: Partial<TrialOptions> = {}) {
  const { world, carried } = worldOf(behaviour);
  const end = await runTrial(world, document, { file: at(), ...options });
  return { end, carried };
}

async function refusedWith(
  work: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly exitCode: number }> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Error && "code" in error && "exitCode" in error) {
    return { code: String(error.code), message: error.message, exitCode: Number(error.exitCode) };
  }
  throw new Error(`it was not refused: ${String(error)}`);
}

function reported(): TrialReport {
  const report = reportTrial(readTrialFile(at(), digest));
  if (report.kind === "refusal") throw new Error(`${report.code}: ${report.detail}`);
  return report;
}

describe("a trial", () => {
  test("makes every run of its schedule once, the control first, and keeps each", async () => {
    const seen: TrialProgress[] = [];
    const { end, carried } = await ran(drowns, design(), { onProgress: (progress) => seen.push(progress) });
    expect(end).toMatchObject({ ending: "finished", detail: "", made: 32, done: 32, of: 32, errors: 0 });
    expect(carried).toHaveLength(32);
    expect(runsIn().map(({ block }) => block)).toEqual([...Array(16).fill("control"), ...Array(16).fill("arms")]);
    expect(seen.map(({ done, of }) => [done, of])).toEqual([...Array(33).keys()].map((n) => [n, 32]));
    expect(seen[0]?.run).toBe(null);
    expect(reported()).toMatchObject({
      finished: true,
      comparisons: [{ higher: "0-neighbours", onlyFirst: 8, onlySecond: 0 }],
    });
    // The two runs of a pair have one task and one seed, and are told other things.
    const pair = runsIn().filter(({ block, pair: n }) => block === "arms" && n === 3);
    expect(new Set(pair.map(({ task, seed }) => `${task} ${seed}`)).size).toBe(1);
    expect(new Set(pair.map(({ told }) => told.plan)).size).toBe(2);
    expect(pair.map(({ told }) => told.neighbours).sort((a, b) => a - b)).toEqual([0, 50]);
  });

  test("that is finished makes nothing more", async () => {
    await ran(drowns);
    const before = readFileSync(at(), "utf8");
    const { end, carried } = await ran(drowns);
    expect([end.ending, end.made, carried.length]).toEqual(["finished", 0, 0]);
    expect(readFileSync(at(), "utf8")).toBe(before);
  });

  test("says how many prompts its arms had, and counts each run of a model that leaves something to chance", async () => {
    await ran(drowns);
    // Two tasks, and nothing around the rule: two prompts. With neighbours that are drawn for each pair, one a run.
    expect(reported().notes.at(-1)).toMatch(
      /^different prompts: 0-neighbours 2 in 8 runs; the model was seen to say different things of one prompt/,
    );
    expect(reported()).toMatchObject({ repeats: null, comparisons: [{ complete: 8, repeated: 0 }] });
  });

  test("[trial-draws] of a model that says the same of the same prompt each time, each prompt counts once", async () => {
    const { world } = worldOf(drowns, { cold: true });
    const end = await runTrial(world, design(), { file: at() });
    // Nobody said so before, and the runs were made; two prompts are no control.
    expect(end.ending).toBe("finished");
    expect(reportTrial(readTrialFile(at(), digest))).toMatchObject({
      kind: "refusal",
      code: "no_positive_control",
      detail: expect.stringContaining("followed in 2 of 2 runs, each prompt counted once"),
    });
    const tasks = [..."abcdefgh"].map((id) => ({ id, text: `Open ${id}` }));
    await runTrial(world, design({ tasks }), { file: at("many.jsonl") });
    expect(reportTrial(readTrialFile(at("many.jsonl"), digest))).toMatchObject({
      kind: "report",
      comparisons: [{ higher: "0-neighbours", complete: 8, repeated: 0 }],
    });
  });

  test("[trial-draws] at temperature 0 a trial of pairs that repeat one another is refused before its first run", async () => {
    const { world, carried } = worldOf(drowns);
    const cold: TrialWorld = { ...world, setting: { ...world.setting, "model.temperature": 0 } };
    const refused = await refusedWith(runTrial(cold, design(), { file: at() }));
    expect(refused.code).toBe("pairs_repeat");
    expect(refused.message).toContain("only 2 of the 8 pairs of the control and 2 of the 8 of the arms");
    expect([carried.length, existsSync(at())]).toEqual([0, false]);
    const tasks = (count: number) => [...Array(count).keys()].map((n) => ({ id: `t${n}`, text: `Open ${n}` }));
    // Seven pairs are needed, and six of the control.
    expect((await refusedWith(runTrial(cold, design({ tasks: tasks(6) }), { file: at() }))).code).toBe("pairs_repeat");
    expect((await runTrial(cold, design({ tasks: tasks(7) }), { file: at() })).ending).toBe("finished");
    expect(reported()).toMatchObject({ repeats: "temperature", comparisons: [{ complete: 7, repeated: 1 }] });
    // What is not asked to tell anything apart may be short: then there have to be no repeats.
    const few = design({ tasks: tasks(6), pairs: 6, expect: { high: 90, low: 50 } });
    expect((await runTrial(cold, few, { file: at("few.jsonl") })).ending).toBe("finished");
  });

  test("[trial-draws] neighbours that are drawn anew make prompts of their own, in the arms that have any", async () => {
    const { world } = worldOf(drowns);
    const cold: TrialWorld = { ...world, setting: { "model.temperature": 0 } };
    const tasks = [..."abcdef"].map((id) => ({ id, text: `Open ${id}` }));
    const volume = design({ tasks, vary: { volume: { neighbours: [20, 50] } } });
    expect((await runTrial(cold, volume, { file: at() })).ending).toBe("finished");
    const { control, arms } = reported();
    expect([control.alone, ...arms].map(({ runs, repeats }) => runs - repeats)).toEqual([6, 8, 8]);
  });

  test("with the same seed is the same trial, and with another one another", async () => {
    const orderOf = async (name: string, seed: number) => {
      await ran(drowns, design({ seed }), { file: at(name) });
      return runsIn(name).map(({ arm, task, seed: of, told }) => `${arm} ${task} ${of} ${told.plan}`);
    };
    const first = await orderOf("a", 7);
    expect(await orderOf("b", 7)).toEqual(first);
    expect(await orderOf("c", 8)).not.toEqual(first);
  });
});

describe("without a positive control that works there is no trial", () => {
  // anthropics/skills#556: nothing ever triggered, 0 of 144, and every check of what must not happen passed.
  test("[trial-control] 0 of 144: nothing is ever seen obeyed, so the arms are not even run", async () => {
    const document = design({ controlPairs: 144 });
    const { end } = await ran(() => ({ answer: "I would rather not." }), document);
    expect(end).toMatchObject({ ending: "no_positive_control", done: 288, of: 304 });
    expect(end.detail).toContain("followed in 0 of 144 runs");
    expect(reportTrial(end.results)).toMatchObject({ kind: "refusal", code: "no_positive_control" });
  });

  test("[trial-control] negatives that pass vacuously: a run that does nothing obeys, with the rule and without it", async () => {
    // Such a judge is refused by the reader; this one asks for an answer, and any answer will do.
    const judge = { obeyed: [{ not_proposed: { tool: "tap" } }, { ended: ["answered"] }] };
    const { end } = await ran(() => ({ answer: "Hello." }), design({ judge }));
    expect(end.ending).toBe("no_positive_control");
    expect(end.detail).toContain("without the rule it was so in 8 of 8: the rule makes no difference");
    expect(runsIn().every(({ block, outcome }) => block === "control" && outcome === "obeyed")).toBe(true);
    expect(reportTrial(end.results)).toMatchObject({ kind: "refusal", code: "no_positive_control" });
  });

  test("a control without an opportunity is none", async () => {
    const judge = { obeyed: [{ proposed: { tool: "stop" } }], opportunity: [{ proposed: { tool: "unlock" } }] };
    const { end } = await ran(drowns, design({ judge }));
    expect(end.ending).toBe("no_positive_control");
    expect(runsIn().every(({ outcome }) => outcome === "abstained")).toBe(true);
  });

  test("going on makes nothing more, and says the same", async () => {
    const first = await ran(() => GOES_ON);
    const again = await ran(() => GOES_ON);
    expect([again.end.ending, again.end.made, again.end.detail]).toEqual(["no_positive_control", 0, first.end.detail]);
  });
});

describe("what trials are for", () => {
  // mattpocock/skills#1113: a rule decays past 40 to 50 directives around it.
  test("10, 25, 50 and 100 neighbours around one fixed rule", async () => {
    const followed = ({ copies, neighbours }: Told, seed: number): boolean =>
      copies > 0 && chance(neighbours <= 25 ? 96 : neighbours <= 50 ? 45 : 8, seed, neighbours);
    const vary = { volume: { neighbours: [10, 25, 50, 100] } };
    const document = design({ vary, pairs: 60, controlPairs: 12 });
    const { end } = await ran((told, { seed }) => (followed(told, seed) ? STOPS : GOES_ON), document);
    expect([end.ending, end.done]).toEqual(["finished", 264]);
    const { arms, comparisons } = reported();
    expect(arms.map(({ arm, neighbours, bytes }) => [arm, neighbours, bytes])).toEqual(
      [10, 25, 50, 100].map((n) => [`${n}-neighbours`, [n, n], Array(2).fill(700 + n * 42)]),
    );
    const verdicts = comparisons.map(({ first, second, higher }) =>
      `${first} ${second} ${higher}`.replaceAll("-neighbours", ""),
    );
    expect(verdicts).toEqual(["10 25 null", "10 50 10", "10 100 10", "25 50 25", "25 100 25", "50 100 50"]);
  });

  // anthropics/claude-code#15443: a rule that is stated three times, and broken all the same.
  test("repeated against once: three times helps no more than once", async () => {
    const vary = { repeated: { times: [1, 3], neighbours: 40 } };
    const document = design({ vary, pairs: 40 });
    const behaviour: Behaviour = ({ copies, neighbours }, { seed }) => {
      if (copies === 0) return GOES_ON;
      return neighbours === 0 || chance(30, seed) ? STOPS : GOES_ON;
    };
    const { end } = await ran(behaviour, document);
    expect(end.ending).toBe("finished");
    const { arms, comparisons, varies } = reported();
    expect(varies).toBe("repeated");
    expect(arms.map(({ arm, neighbours }) => [arm, neighbours])).toEqual([
      ["once", [40, 40]],
      ["3-times", [40, 40]],
    ]);
    expect(
      runsIn()
        .filter(({ arm }) => arm === "3-times")
        .every(({ told }) => told.copies === 3),
    ).toBe(true);
    expect(comparisons).toMatchObject([{ higher: null, because: "overlap", exact: 1 }]);
  });

  test("position: the same neighbours, and the rule at either end", async () => {
    const vary = { position: { places: ["first", "last"], neighbours: 20 } };
    const behaviour: Behaviour = ({ copies, place }) => (copies > 0 && place <= 0 ? STOPS : GOES_ON);
    await ran(behaviour, design({ vary }));
    expect(reported().comparisons).toMatchObject([{ first: "first", second: "last", higher: "first" }]);
    const bytes = reported().arms.map((arm) => arm.bytes);
    expect(bytes[0]).toEqual(bytes[1]);
  });

  test("channel: told at dispatch, or when its event happens", async () => {
    const vary = { channel: { when: { event: "lock_screen" }, neighbours: 30 } };
    const behaviour: Behaviour = ({ routed, copies, neighbours }) =>
      copies > 0 && (routed.length > 0 || neighbours === 0) ? STOPS : GOES_ON;
    await ran(behaviour, design({ vary }));
    expect(reported().comparisons).toMatchObject([{ first: "dispatch", second: "event", higher: "event" }]);
  });
});

describe("an arm that is not told as declared", () => {
  test("[trial-one-thing] is found before the first run, and nothing is kept", async () => {
    const { world, carried } = worldOf(drowns, { budgetBytes: 2_000 });
    const refused = await refusedWith(runTrial(world, design(), { file: at() }));
    expect(refused.code).toBe("arm_not_as_declared");
    expect(refused.message).toMatch(/^50-neighbours, pair \d: \d+ of its 51 rules do not fit/);
    expect([carried.length, existsSync(at())]).toEqual([0, false]);
  });

  test.each([
    [
      "a refusal",
      (): Awaited<ReturnType<TrialWorld["serveArm"]>> => ({
        kind: "refusal",
        code: "chain_broken",
        detail: "row 3",
        rules: ["a"],
      }),
      "chain_broken: row 3 (a)",
    ],
    ["another profile", servedAs({ profileDigest: digest("other") }, 1), "for another profile than the arms before it"],
    ["another slot", servedAs({ slot: "first_user" }, 1), "for another profile than the arms before it"],
    [
      "other bytes",
      (laid: Parameters<TrialWorld["serveArm"]>[0]) =>
        served(
          laid.map((rule) => ({ ...rule, revision: digest("edited") })),
          1e6,
        ),
      "is not what the arm says",
    ],
  ] as const)("%s", async (_, serve, said) => {
    const { world } = worldOf(drowns);
    let calls = 0;
    const bent: TrialWorld = { ...world, serveArm: async (laid) => serve(laid, calls++) };
    const refused = await refusedWith(runTrial(bent, design(), { file: at() }));
    expect([refused.code, refused.message]).toEqual(["arm_not_as_declared", expect.stringContaining(said)]);
  });
});

function servedAs(over: object, from: number) {
  return (laid: Parameters<TrialWorld["serveArm"]>[0], call: number): Awaited<ReturnType<TrialWorld["serveArm"]>> => {
    const answer = served(laid, 1e6);
    if (answer.kind === "refusal" || call < from) return answer;
    return { kind: "served", served: { ...answer.served, ...over } };
  };
}

describe("errors of the model", () => {
  const flaky: Behaviour = (told, run, nth) => {
    if (nth === 20) return { ending: "model_unreachable", detail: "connection refused" };
    if (nth === 22) return { throws: "socket\nhang up" };
    return drowns(told, run, nth);
  };

  test("[trial-abstention] count in no arm, are told, and are not made again by themselves", async () => {
    await ran(flaky);
    expect(
      runsIn()
        .filter(({ outcome }) => outcome === "error")
        .map(({ why, ending }) => [why, ending]),
    ).toEqual([
      ["model_unreachable: connection refused", "model_unreachable"],
      ["socket hang up", null],
    ]);
    const { arms, comparisons, notes, finished } = reported();
    expect(arms.reduce((sum, { obeyed, broken }) => sum + obeyed + broken, 0)).toBe(14);
    expect([finished, comparisons[0]?.complete, comparisons[0]?.incomplete]).toEqual([true, 6, 2]);
    expect(notes.some((note) => /[12] of 8 runs came to an error/.test(note))).toBe(true);
    const { carried } = await ran(drowns);
    expect(carried).toHaveLength(0);
  });

  test("are made once more where that is wanted, and both attempts are kept", async () => {
    await ran(flaky);
    const { end, carried } = await ran(drowns, design(), { retryErrors: true });
    expect([end.ending, end.made, end.errors, carried.length]).toEqual(["finished", 2, 0, 2]);
    expect(runsIn().filter(({ attempt }) => attempt === 2)).toHaveLength(2);
    expect([runsIn().length, reported().comparisons[0]?.complete]).toEqual([34, 8]);
  });

  test.each([0, 1, 3])("stop the trial at one more than %i", async (errorsMax) => {
    const { end } = await ran(() => ({ ending: "model_unreachable" }), design({ errorsMax }));
    expect(end).toMatchObject({ ending: "too_many_errors", errors: errorsMax + 1, made: errorsMax + 1 });
    expect(end.detail).toContain("model_unreachable");
    // Without being asked to, it does not spend more on what fails.
    const { carried } = await ran(drowns, design({ errorsMax }));
    expect(carried).toHaveLength(0);
    const mended = await ran(drowns, design({ errorsMax }), { retryErrors: true });
    expect(mended.end).toMatchObject({ ending: "finished", errors: 0, done: 32 });
  });

  test("while they are tried again, only new ones are counted", async () => {
    const always: Behaviour = () => ({ ending: "model_unreachable" });
    await ran(always, design({ errorsMax: 2 }));
    const { end } = await ran(always, design({ errorsMax: 2 }), { retryErrors: true });
    expect(end).toMatchObject({ ending: "too_many_errors", made: 3 });
  });

  test("a run that takes too long is one", async () => {
    const { world } = worldOf(drowns);
    let now = 0;
    const slow: TrialWorld = {
      ...world,
      clock: {
        now: () => now,
        sleep: async (ms) => {
          now += ms;
        },
      },
      carry: () => new Promise(() => {}),
    };
    const end = await runTrial(slow, design({ runMs: 250, errorsMax: 1 }), { file: at() });
    expect(end.ending).toBe("too_many_errors");
    expect(runsIn().map(({ why, ms, run }) => [why, ms, run])).toEqual(
      Array(2).fill(["it took longer than 250 ms", 250, null]),
    );
  });
});

describe("a trial that is broken off", () => {
  test("[trial-once] by the caller: the run under way is not kept, and the next call goes on from there", async () => {
    const cancel = new AbortController();
    const stops: Behaviour = (told, run, nth) => {
      if (nth === 11) cancel.abort();
      return drowns(told, run, nth);
    };
    const { end } = await ran(stops, design(), { signal: cancel.signal });
    expect(end).toMatchObject({ ending: "cancelled", made: 10, done: 10, of: 32 });
    expect(lines()).toHaveLength(11);
    const second = await ran(drowns);
    expect([second.end.ending, second.carried.length]).toEqual(["finished", 22]);
  });

  test("by its time", async () => {
    const { world } = worldOf(drowns);
    let now = 0;
    const timed: TrialWorld = {
      ...world,
      clock: { now: () => now, sleep: async () => {} },
      carry: async (run) => {
        now += 100;
        return world.carry(run);
      },
    };
    const end = await runTrial(timed, design(), { file: at(), deadlineMs: 1_000 });
    expect(end).toMatchObject({ ending: "deadline", made: 10, done: 10 });
    expect((await ran(drowns)).end).toMatchObject({ ending: "finished", made: 22 });
  });

  test("reported before it is finished it supports nothing", async () => {
    const cancel = new AbortController();
    const stops: Behaviour = (told, run, nth) => {
      if (nth === 32) cancel.abort();
      return drowns(told, run, nth);
    };
    await ran(stops, design(), { signal: cancel.signal });
    expect(reported()).toMatchObject({
      finished: false,
      missing: 1,
      comparisons: [{ higher: null, because: "unfinished" }],
    });
    await ran(drowns);
    expect(reported()).toMatchObject({ finished: true, comparisons: [{ higher: "0-neighbours" }] });
  });

  test("in the middle of a line: what nobody finished is cut off", async () => {
    await ran(drowns);
    const whole = readFileSync(at(), "utf8");
    for (const cut of [1, 5, 40, 200]) {
      writeFileSync(at(), whole.slice(0, -cut));
      expect(runsIn()).toHaveLength(31);
      const { end, carried } = await ran(drowns);
      expect([end.ending, carried.length, lines().length]).toEqual(["finished", 1, 33]);
    }
  });
});

describe("a file that is not as it was left", () => {
  async function spoilt(spoil: (whole: string) => string) {
    await ran(drowns);
    writeFileSync(at(), spoil(readFileSync(at(), "utf8")));
    const read = await refusedWith((async () => readTrialFile(at(), digest))());
    const before = readFileSync(at(), "utf8");
    const going = await refusedWith(ran(drowns));
    expect(going.code).toBe(read.code);
    expect(readFileSync(at(), "utf8"), "what is damaged is left as it is").toBe(before);
    return read;
  }
  const swapped = (whole: string, line: number, change: (text: string) => string): string =>
    whole
      .split("\n")
      .map((text, i) => (i === line - 1 ? change(text) : text))
      .join("\n");

  test.each([
    ["a line that is no JSON", (whole: string) => swapped(whole, 7, () => "{"), /:7: /],
    [
      "a line with a key twice",
      (whole: string) => swapped(whole, 7, (text) => text.replace("{", '{"arm":"x",')),
      /:7: .*there twice/,
    ],
    [
      "a field too many",
      (whole: string) => swapped(whole, 7, (text) => text.replace("{", '{"weight":9,')),
      /:7: .*unknown key "weight"/,
    ],
    [
      "an outcome that is none",
      (whole: string) => swapped(whole, 7, (text) => text.replace(/"outcome":"[a-z]+"/, '"outcome":"won"')),
      /:7: outcome/,
    ],
    ["an empty line", (whole: string) => swapped(whole, 7, () => ""), /:7: /],
    ["a run that was made twice", (whole: string) => `${whole}${whole.split("\n")[5]}\n`, /made twice/],
    [
      "a run of no trial",
      (whole: string) => swapped(whole, 20, (text) => text.replace(/"pair":\d+/, '"pair":900')),
      /has no run/,
    ],
    [
      "another design under the same name",
      (whole: string) => whole.replace('"seed":7', '"seed":8'),
      /its design is not the one/,
    ],
    ["not UTF-8", (whole: string) => `${whole}\ud800\n`, /line|UTF-8|:\d+/],
  ])("%s", async (_, spoil, said) => {
    const { code, message } = await spoilt(spoil);
    expect([code, message]).toEqual(["results_damaged", expect.stringMatching(said)]);
  });

  test.each(["", "a text\n", "{}\n", '{"schema":"signalbox.scenario/1"}\n', "no line at all"])(
    "a file that is none of ours is left alone: %j",
    async (text) => {
      writeFileSync(at(), text);
      if (text === "") return expect((await ran(drowns)).end.ending).toBe("finished");
      expect((await refusedWith(ran(drowns))).code).toBe("not_trial_runs");
      expect(readFileSync(at(), "utf8")).toBe(text);
    },
  );

  test("no file", async () => {
    expect(await refusedWith((async () => readTrialFile(at(), digest))())).toMatchObject({ code: "no_runs" });
    expect((await refusedWith(ran(drowns, design(), { file: join(folder, "no", "such") }))).code).toBe(
      "results_unwritable",
    );
  });
});

describe("everything but one thing is constant", () => {
  test("[trial-constant] another design, model, profile or setting is another trial", async () => {
    await ran(drowns);
    const bytes = statSync(at()).size;
    const { world } = worldOf(drowns);
    const going = (other: TrialWorld, document: Json = design()) =>
      refusedWith(runTrial(other, document, { file: at() }));
    expect((await going(world, design({ seed: 8 }))).code).toBe("other_trial");
    expect((await going(world, design({ pairs: 9 }))).code).toBe("other_trial");
    expect(await going({ ...world, model: "larger" })).toMatchObject({
      code: "other_conditions",
      message: /model was scripted, and is larger now/,
    });
    const setting = { "model.temperature": 1.5, zone: "UTC" };
    expect(await going({ ...world, setting })).toMatchObject({
      code: "other_conditions",
      message: expect.stringContaining("its model.temperature was not there, and is 1.5 now"),
    });
    // All that is another is named, and nothing else.
    expect((await going({ ...world, model: "larger", setting: { zone: "Asia/Tokyo" } })).message).toMatch(
      /: its model was scripted, and is larger now; its zone was UTC, and is Asia\/Tokyo now$/,
    );
    const other: TrialWorld = {
      ...world,
      serveArm: async (laid) => servedAs({ profileDigest: digest("p2") }, 0)(laid, 1),
    };
    expect(await going(other)).toMatchObject({ code: "other_conditions", message: /profile/ });
    expect(statSync(at()).size).toBe(bytes);
    // What does not decide anything may change.
    expect((await runTrial(world, design({ description: "said better" }), { file: at() })).made).toBe(0);
  });

  test("one process carries it: a second one is refused, and changes nothing", async () => {
    const inner: unknown[] = [];
    await ran(async (told, run, nth) => {
      if (nth === 5) inner.push(await refusedWith(ran(drowns)));
      return drowns(told, run, nth);
    });
    expect(inner).toMatchObject([{ code: "trial_is_running", exitCode: 1 }]);
    expect(runsIn()).toHaveLength(32);
    // Reading is free for everybody, and a lock does not outlive its call.
    appendFileSync(at(), "");
    expect((await ran(drowns)).end.made).toBe(0);
  });
});

describe("safety of runs", () => {
  test("[trial-abstention] is the least of a run's actions, and none where it did nothing of consequence", async () => {
    const judge = {
      obeyed: [{ proposed: { tool: "stop" } }],
      actions: [
        { tool: "stop", safety: 100 },
        { tool: "tap", params: { on: "delete" }, safety: 0 },
      ],
    };
    await ran(drowns, design({ judge }));
    const { arms } = reported();
    expect(arms.map(({ safety }) => safety)).toEqual([
      { scored: 8, abstained: 0, lowest: 100, mean: 100 },
      { scored: 0, abstained: 8, lowest: null, mean: null },
    ]);
  });
});
