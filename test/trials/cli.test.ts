import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Io } from "../../src/apps/cli/io.ts";
import { report } from "../../src/apps/cli/report.ts";
import { trialCommands } from "../../src/apps/cli/trials.ts";
import { type Behaviour, design, GOES_ON, STOPS, worldOf } from "../checks/trial-world.ts";
import { codeOf, compiled, ran } from "../examples.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trial-cli-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Said = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly carried: readonly string[];
};

const drowns: Behaviour = ({ copies, neighbours }) => (copies > 0 && neighbours < 40 ? STOPS : GOES_ON);

/** The command line in this process, with a world that a test hands in. */
async function cli(
  argv: readonly string[],
  behaviour: Behaviour = drowns,
  terminal: Partial<Io> & { readonly signal?: AbortSignal } = {},
): Promise<Said> {
  let [stdout, stderr, code] = ["", "", -1];
  const { signal, ...given } = terminal;
  const io: Io = {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env: { NO_COLOR: "1", LANG: "C.UTF-8" },
    cwd: folder,
    isTty: false,
    ...given,
  };
  const { world, carried } = worldOf(behaviour);
  const program = new Command("signalbox").exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const done = (exitCode: number): void => {
    code = exitCode;
  };
  trialCommands(program, { io, signal, done, door: (_io, _options, _design, work) => work(world) });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    code = report(io, error, { json: argv.includes("--json"), debug: false, command: "signalbox trial" });
  }
  return { code, stdout, stderr, carried };
}

function written(document: object = design()): void {
  writeFileSync(join(folder, "drowned.json"), JSON.stringify(document));
}

const documentIn = ({ stdout }: Said): Record<string, unknown> => {
  expect(stdout.split("\n")).toHaveLength(2);
  return JSON.parse(stdout);
};

describe("trial plan", () => {
  test("of a design: its arms, its runs, and how many pairs which difference needs", async () => {
    written(design({ vary: { volume: { neighbours: [0, 10, 25, 50, 100] } } }));
    const said = await cli(["trial", "plan", "drowned.json"]);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain("arms    0-neighbours, 10-neighbours, 25-neighbours, 50-neighbours, 100-neighbours");
    expect(said.stdout).toContain("runs    56 runs: 8 pairs, and the positive control");
    expect(said.stdout).toContain("level 0.005 for each of 10 comparisons");
    expect(said.stdout).toMatch(/> +100 % +5 % +\d+ +\d+ +\d+/);
    const document = documentIn(await cli(["trial", "plan", "drowned.json", "--json"]));
    expect(document).toMatchObject({
      schema: "signalbox.trial-plan/1",
      plan: { high: 1, low: 0.05, comparisons: 10, alpha: 0.005 },
      design: { pairs: 8, runs: 56 },
    });
  });

  test("of a design that can support nothing: which pairs are missing, and which only repeat others", async () => {
    written(design({ expect: { high: 90, low: 50 } }));
    const said = await cli(["trial", "plan", "drowned.json"]);
    expect(said.stdout).toContain("short   an ordering takes 31 complete pairs: 8 pairs can support none");
    expect(said.stdout).toContain("repeats only 2 pairs of the arms and 2 of the control have prompts of their own");
    expect(said.stdout).toContain("it takes 8 and 6, so add tasks or give the model a temperature");
    expect(documentIn(await cli(["trial", "plan", "drowned.json", "--json"]))).toMatchObject({
      design: { ownPairs: { control: 2, arms: 2 } },
    });
    const tasks = [..."abcdefgh"].map((id) => ({ id, text: id }));
    written(design({ tasks }));
    expect((await cli(["trial", "plan", "drowned.json"])).stdout).not.toMatch(/short|repeats/);
  });

  test("of two rates: the source's own pilot needs six pairs, and had three", async () => {
    const document = documentIn(await cli(["trial", "plan", "--high", "100", "--low", "0", "--json"]));
    expect(document).toMatchObject({ plan: { needed: { separate: 4, mcnemar: 6, supported: 6 } }, design: null });
    const said = await cli(["trial", "plan", "--high", "90", "--low", "50"]);
    expect(said.stdout).toMatch(/> +90 % +50 % +24 +25 +31/);
    expect((await cli(["trial", "plan", "--high", "51", "--low", "50"])).stdout).toContain("too many");
  });

  test.each([
    [["trial", "plan"], "takes a design, or --high and --low"],
    [["trial", "plan", "--high", "90"], "takes a design"],
    [["trial", "plan", "--high", "50", "--low", "50"], "is not lower"],
    [["trial", "plan", "--high", "101", "--low", "5"], "--high takes a percentage"],
    [["trial", "plan", "--high", "9e1", "--low", "5"], "--high takes a percentage"],
    [["trial", "plan", "--high", "90", "--low", "50", "--discordance", "5"], "between 40 % and 60 %"],
    [["trial", "plan", "--high", "90", "--low", "50", "--arms", "1"], "--arms takes"],
    [["trial", "plan", "none.json"], "none.json cannot be read"],
  ])("%j is told what is wrong with it", async (argv, said) => {
    const { code, stderr, stdout } = await cli(argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(said);
  });
});

test("the example of docs/trials.md compiles, and reports what the command does", async () => {
  written();
  await cli(["trial", "run", "drowned.json"]);
  const code = codeOf("docs/trials.md");
  const example = compiled("trials", code);
  const path = "trials/lock-screen.runs.jsonl";
  expect(code).toContain(path);
  const [needed, ...orders] = ran(example, code.replace(path, join(folder, "drowned.runs.jsonl")))
    .trimEnd()
    .split("\n");
  expect(needed).toBe("31");
  const { comparisons } = documentIn(await cli(["trial", "report", "drowned.runs.jsonl", "--json"])) as {
    comparisons: { first: string; second: string; higher: string | null }[];
  };
  expect(comparisons.length).toBeGreaterThan(0);
  expect(orders).toEqual(
    comparisons.map(({ first, second, higher }) => `${first} ${second} ${higher ?? "not supported"}`),
  );
}, 60_000);

describe("trial run", () => {
  test("makes the runs and says what to do next; again it makes none", async () => {
    written();
    const said = await cli(["trial", "run", "drowned.json"]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toBe(
      "finished · 32 of 32 runs · 32 made now · drowned.runs.jsonl\nsignalbox trial report drowned.runs.jsonl\n",
    );
    const again = await cli(["trial", "run", "drowned.json", "--json"]);
    expect(documentIn(again)).toMatchObject({
      file: "drowned.runs.jsonl",
      ending: "finished",
      made: 0,
      done: 32,
      of: 32,
      errors: 0,
    });
    expect(again.carried).toEqual([]);
  });

  test("shows how far it is on a terminal, and nowhere else", async () => {
    written();
    const live = await cli(["trial", "run", "drowned.json"], drowns, { isTty: true, columns: 60 });
    expect(live.stdout).toContain("░ 16 of 32 · ");
    const bars = live.stdout.split("\r\u001b[K").slice(0, -1);
    expect(bars).toHaveLength(33);
    for (const bar of bars) expect(bar.length).toBeLessThan(60);
    // What is left on the line is the end and nothing of the bar.
    expect(live.stdout.split("\r\u001b[K").at(-1)).toMatch(/^finished · /);
    for (const terminal of [{ isTty: false }, { isTty: true, env: { TERM: "dumb" } }]) {
      const said = await cli(
        ["trial", "run", "drowned.json", "--out", `${JSON.stringify(terminal).length}.jsonl`],
        drowns,
        terminal,
      );
      expect(said.stdout).not.toContain("\r");
    }
  });

  test("says why it stopped, and what goes on from there", async () => {
    written();
    const control = await cli(["trial", "run", "drowned.json"], () => GOES_ON);
    expect(control.code).toBe(1);
    expect(control.stdout).toContain("no_positive_control · 16 of 32 runs");
    expect(control.stderr).toContain("the rule alone was followed in 0 of 8 runs");
    const cancel = new AbortController();
    cancel.abort();
    const given = [
      "--out",
      "the runs of it that are mine.jsonl",
      "--config",
      "trials.config.ts",
      "--for",
      "8h",
      "--retry-errors",
    ];
    const cancelled = await cli(["trial", "run", "drowned.json", ...given], drowns, { signal: cancel.signal });
    expect([cancelled.code, cancelled.carried.length]).toEqual([1, 0]);
    expect(cancelled.stderr).toBe(
      "signalbox: cancelled: stopped, and what was made is kept (signalbox trial run drowned.json " +
        "--config trials.config.ts --out 'the runs of it that are mine.jsonl' --for 8h --retry-errors)\n",
    );
    // Broken over lines it is still the same command.
    const narrow = { signal: cancel.signal, isTty: true, columns: 40 };
    const lines = (await cli(["trial", "run", "drowned.json", ...given], drowns, narrow)).stderr;
    expect(lines).toContain("  'the runs of it that are mine.jsonl' \\\n");
    const failing: Behaviour = () => ({ ending: "model_unreachable" });
    const errors = await cli(["trial", "run", "drowned.json", "--out", "c.jsonl", "--json"], failing);
    expect(documentIn(errors)).toMatchObject({ ending: "too_many_errors", errors: 11 });
    expect((await cli(["trial", "run", "drowned.json", "--out", "c.jsonl"], failing)).stderr).toContain(
      "(mend what fails, then signalbox trial run drowned.json --out c.jsonl --retry-errors)",
    );
    const mended = await cli(["trial", "run", "drowned.json", "--out", "c.jsonl", "--retry-errors"]);
    expect([mended.code, mended.carried.length]).toEqual([0, 32]);
  });

  test("of a control that errors kept from working: what failed is told, and not that the rule is to be mended", async () => {
    written();
    let nth = 0;
    // Four of four are more than half for certain, but four complete pairs are too few.
    const failing: Behaviour = ({ copies }) => {
      if (copies === 0) return GOES_ON;
      nth += 1;
      return nth <= 4 ? { ending: "model_unreachable" } : STOPS;
    };
    for (const said of [
      await cli(["trial", "run", "drowned.json"], failing),
      await cli(["trial", "report", "drowned.runs.jsonl"]),
    ]) {
      expect(said.code).toBe(1);
      expect(said.stderr).toContain("no_positive_control: the rule alone was followed in 4 of 4 runs");
      expect(said.stderr).toContain(
        "; of 8 runs alone 4 came to an error, and of 8 absent 0, which say nothing of the",
      );
      expect(said.stderr).toMatch(/\(mend what fails, then signalbox trial run \S+ --retry-errors\)/);
      expect(said.stderr).not.toMatch(/mend the rule|whatever they did/);
    }
    expect((await cli(["trial", "run", "drowned.json", "--retry-errors"])).code).toBe(0);
    // Where it is not the errors it is the rule.
    const deaf: Behaviour = (_told, _run, of) => (of === 1 ? { ending: "model_unreachable" } : GOES_ON);
    const said = await cli(["trial", "run", "drowned.json", "--out", "b.jsonl"], deaf);
    expect(said.stderr).toContain("mend the rule, the task or the check");
    expect(said.stderr).not.toContain("--retry-errors");
  });

  test("of runs that all came to an error: that they did, and not that there is no control", async () => {
    written();
    const failing: Behaviour = () => ({ ending: "model_unreachable" });
    await cli(["trial", "run", "drowned.json"], failing);
    const said = await cli(["trial", "report", "drowned.runs.jsonl"]);
    expect([said.code, said.stdout]).toEqual([1, ""]);
    expect(said.stderr).toContain("too_many_errors: 11 of 11 runs came to an error, and the design allows 10");
    const cancel = new AbortController();
    let nth = 0;
    const cut: Behaviour = (...run) => {
      nth += 1;
      if (nth === 6) cancel.abort();
      return drowns(...run);
    };
    await cli(["trial", "run", "drowned.json", "--out", "b.jsonl"], cut, { signal: cancel.signal });
    expect((await cli(["trial", "report", "b.jsonl"])).stderr).toMatch(
      /the positive control is not finished: of 8 runs of alone [23] were made, and [23] of absent/,
    );
  });

  test("stops after its time", async () => {
    written();
    // The clock of this world goes on by 5 ms whenever it is looked at.
    const said = await cli(["trial", "run", "drowned.json", "--for", "1s"]);
    expect(said.code === 0 || said.stdout.startsWith("deadline")).toBe(true);
    for (const bad of ["1", "0m", "soon", "-5m", "1.5h"]) {
      expect((await cli(["trial", "run", "drowned.json", "--for", bad])).stderr).toContain(
        "--for takes a length of time",
      );
    }
  });

  test("a design that is wrong is told with its file and each place", async () => {
    written({ ...design(), seeds: 1, tasks: [] });
    const bad = await cli(["trial", "run", "drowned.json"]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('drowned.json: the document: unknown key "seeds"; did you mean "seed"?');
    expect(bad.stderr).toContain("drowned.json: tasks: must have 1 to");
    written(design({ vary: { volume: { neighbours: [0, 9] }, repeated: { times: [1, 3] } } }));
    const two = await cli(["trial", "run", "drowned.json", "--json"]);
    expect(documentIn(two)).toMatchObject({ error: { code: "varies_two" } });
    expect(existsSync(join(folder, "drowned.runs.jsonl"))).toBe(false);
  });
});

describe("trial report", () => {
  test("says what the runs show, with an interval for every arm", async () => {
    written();
    await cli(["trial", "run", "drowned.json"]);
    const said = await cli(["trial", "report", "drowned.runs.jsonl"]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("Supported: 0-neighbours over 50-neighbours.");
    expect(said.stdout).toMatch(/0-neighbours +·+┼─+● +100 % \(67 to 100 %\) +8 of 8/);
    expect(said.stdout).toMatch(/50-neighbours +●─+┼·+ +0 % \(0 to 33 %\) +0 of 8/);
    expect(said.stdout).toContain("control: alone");
    expect(said.stdout).toContain(
      "8 complete pairs · 8 only in the first, 0 only in the second · exact p 0.008, Holm 0.008",
    );
    expect(documentIn(await cli(["trial", "report", "drowned.runs.jsonl", "--json"]))).toMatchObject({
      kind: "report",
      schema: "signalbox.trial/1",
      finished: true,
      comparisons: [{ higher: "0-neighbours" }],
    });
  });

  test("of more errors than the design allows: none, and what to do", async () => {
    written(design({ errorsMax: 1 }));
    let runs = 0;
    const failing: Behaviour = (...run) => {
      runs += 1;
      return runs > 18 ? { ending: "model_unreachable" } : drowns(...run);
    };
    expect((await cli(["trial", "run", "drowned.json"], failing)).stdout).toContain("too_many_errors");
    const said = await cli(["trial", "report", "drowned.runs.jsonl"]);
    expect([said.code, said.stdout]).toEqual([1, ""]);
    expect(said.stderr).toContain("too_many_errors: 2 of 20 runs came to an error, and the design allows 1");
    expect(said.stderr).toContain("--retry-errors");
  });

  test("of an arm that abstained: with intervals of that, and that survivors were compared", async () => {
    const opportunity = [{ ended: ["answered"] }];
    written(design({ judge: { obeyed: [{ proposed: { tool: "stop" } }], opportunity }, pairs: 12 }));
    const behaviour: Behaviour = (told, run, nth) =>
      told.neighbours > 0 && nth % 5 !== 0 ? { ending: "turn_budget" } : drowns(told, run, nth);
    await cli(["trial", "run", "drowned.json"], behaviour);
    const said = await cli(["trial", "report", "drowned.runs.jsonl"]);
    expect(said.stdout).toContain("one lost more runs than the other, so only survivors were compared");
    expect(said.stdout).toMatch(/\d+ abstained \(\d+ to \d+ %\)/);
    expect(said.stdout).toContain("not supported: one arm lost more runs than the other");
    expect(said.stdout).toMatch(/ [1-4] of 12 complete pairs/);
  });

  test.each([60, 72, 80, 120])("fits a terminal of %i columns, and so does a plan", async (columns) => {
    written(design({ name: "n".repeat(50), expect: { high: 100, low: 5 }, pairs: 17, controlPairs: 17 }));
    await cli(["trial", "run", "drowned.json"]);
    for (const argv of [
      ["report", "drowned.runs.jsonl"],
      ["plan", "drowned.json"],
    ]) {
      const said = await cli(["trial", ...argv], drowns, { isTty: true, columns });
      expect(said.code).toBe(0);
      for (const line of said.stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(columns);
      expect(said.stdout).toContain(argv[0] === "report" ? "17 of 17" : "supported");
    }
  });

  test("writes a page, and none where there is no report", async () => {
    written();
    await cli(["trial", "run", "drowned.json"]);
    const said = await cli(["trial", "report", "drowned.runs.jsonl", "--html", "report.html"]);
    expect(said.stdout).toContain("report.html has it as a page");
    expect(readFileSync(join(folder, "report.html"), "utf8")).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    await cli(["trial", "run", "drowned.json", "--out", "bad.jsonl"], () => GOES_ON);
    const refused = await cli(["trial", "report", "bad.jsonl", "--html", "bad.html"]);
    expect([refused.code, refused.stdout, existsSync(join(folder, "bad.html"))]).toEqual([1, "", false]);
    expect(refused.stderr).toContain("no_positive_control: the rule alone was followed in 0 of 8 runs");
    expect(refused.stderr).toContain("nothing can be said of the arms, whatever they did");
    const json = await cli(["trial", "report", "bad.jsonl", "--json"]);
    expect(json.code).toBe(1);
    expect(documentIn(json)).toMatchObject({ kind: "refusal", code: "no_positive_control", control: { works: false } });
    const nowhere = await cli(["trial", "report", "drowned.runs.jsonl", "--html", "no/such/report.html"]);
    expect([nowhere.code, nowhere.stderr.includes("cannot be written")]).toEqual([1, true]);
  });

  test("of what is no file of runs", async () => {
    expect(await cli(["trial", "report", "none.jsonl"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no_runs"),
    });
    written();
    expect(await cli(["trial", "report", "drowned.json"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("not_trial_runs"),
    });
  });

  test("a name cannot take over the terminal", async () => {
    written(design({ name: "\u001b]0;owned\u0007\u202enrut", tasks: [{ id: "a", text: "x" }] }));
    await cli(["trial", "run", "drowned.json"]);
    for (const said of [
      await cli(["trial", "plan", "drowned.json"]),
      await cli(["trial", "report", "drowned.runs.jsonl"]),
      await cli(["trial", "report", "drowned.runs.jsonl", "--json"]),
    ]) {
      expect(said.code).toBe(0);
      for (const mark of ["\u001b", "\u0007", "\u202e"]) expect(said.stdout.includes(mark)).toBe(false);
    }
  });
});
