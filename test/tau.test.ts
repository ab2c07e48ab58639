/**
 * The figures over the tau suites: how they are driven, explained and counted on invented data, and their main numbers on
 * the public data, where that lies beside the repository. The rules' own tests stand with the examples.
 */
import { FIGURES } from "../bench/figures/index.ts";
import { listed } from "../bench/figures/listed.ts";
import "../bench/tau/airline/drive.test.ts";
import "../bench/tau/airline/explain.test.ts";
import "../bench/tau/retail/figure.test.ts";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, type TestContext, test } from "vitest";
import { loadAirline } from "../bench/tau/airline/data.ts";
import { airlineDesk } from "../bench/tau/airline/desk.ts";
import { type TauFigure, tauFigure } from "../bench/tau/figure.ts";
import { driveGold } from "../bench/tau/gold.ts";
import { tauJson, tauLines } from "../bench/tau/report.ts";
import { loadRetail } from "../bench/tau/retail/data.ts";
import { loadDatabase, NOW } from "../examples/tau/airline/database.ts";
import { World } from "../examples/tau/airline/world.ts";
import { TAU_DATA } from "../examples/tau/data.ts";

function node(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { encoding: "utf8", env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, ["--conditions=signalbox-source", ...args], options);
}

function skipWithoutData(context: TestContext): void {
  if (!existsSync(TAU_DATA)) context.skip(`the public data is not at ${TAU_DATA}`);
}

describe("the entry of all figures", () => {
  const run = (...args: string[]) => node(["bench/figures.ts", ...args]);

  test("lists names, and refuses what it does not know in one line", () => {
    const listed = run();
    expect(listed).toMatchObject({ status: 0, stderr: "" });
    expect(listed.stdout).toContain("tau  ");
    expect(listed.stdout).toContain("airline  ");
    const unknown = run("no-such-figure");
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toContain("airline  ");
    const absent = run("tau", "--data", "no/such/directory", "--json");
    expect(absent).toMatchObject({ status: 2, stdout: "" });
    expect(absent.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("on a terminal no line of the list is wider than it, and elsewhere a figure is a line", () => {
    expect(listed(FIGURES, null).trimEnd().split("\n")).toHaveLength(FIGURES.length);
    for (const columns of [60, 80, 110]) {
      const text = listed(FIGURES, columns);
      expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(text.replace(/\s+/g, " ")).toBe(listed(FIGURES, null).replace(/\s+/g, " "));
    }
  });
});

describe("the examples' configs", () => {
  const runs = (suite: string, env: Readonly<Record<string, string>>) => {
    const config = `examples/tau/${suite}/signalbox.config.ts`;
    return node(["src/apps/cli/bin.ts", "runs", "--config", config], { SIGNALBOX_STORE: "memory", ...env });
  };

  test.each(["airline", "retail"])("%s: without the data it says in one line what to do", (suite) => {
    const { status, stdout, stderr } = runs(suite, { SIGNALBOX_TAU_DATA: "/no/such/folder" });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain(`cannot read /no/such/folder/${suite}-db.json: name the folder`);
  });

  for (const suite of ["airline", "retail"]) {
    test(`${suite}: with the data it opens`, (context) => {
      skipWithoutData(context);
      expect(runs(suite, {})).toMatchObject({ status: 0, stderr: "" });
    });
  }
});

describe("on the public data", () => {
  // Driven once, for both of the tests that look at it.
  let figure: Promise<TauFigure> | undefined;
  const driven = () => {
    figure ??= tauFigure({ retail: loadRetail(TAU_DATA), airline: loadAirline(TAU_DATA) });
    return figure;
  };

  test("a reservation that was flown in part is not cancelled (tau2-bench #156)", async (context) => {
    skipWithoutData(context);
    const world = new World(loadDatabase(TAU_DATA), NOW);
    const id = "NQNU5R";
    const { calls } = await driveGold(
      airlineDesk,
      { world },
      {
        id: "tau2-bench #156",
        actorUserId: world.reservation(id)?.user_id ?? "",
        scenario: { reason_for_call: "Cancel it.", task_instructions: "", known_info: null, unknown_info: null },
        calls: [{ tool: "cancel_reservation", args: { reservation_id: id } }],
        writeCalls: [0],
      },
    );
    expect(calls.map(({ authorised, code }) => [authorised, code])).toEqual([[false, "segment_flown"]]);
    expect(world.reservation(id)?.status).toBeUndefined();
  });

  test("the goal of the figure over both suites holds, and its controls do not meet it", async (context) => {
    skipWithoutData(context);
    const figure = await driven();
    const { measures, failures, ours } = figure;
    expect(failures).toEqual([]);
    expect(measures.map(({ suite, of, ours, alwaysAllow, alwaysDeny }) => [suite, of, ours, alwaysAllow, alwaysDeny]))
      // In the figure's own order: correct, wrong, another customer's, look-ups, then what else is proposed.
      .toEqual([
        ["retail", 84, 84, 84, 0],
        ["retail", 1, 1, 0, 1],
        ["retail", 85, 85, 0, 85],
        ["retail", 154, 154, 154, 0],
        ["retail", 1079, 1079, 0, 1079],
        ["airline", 21, 21, 21, 0],
        ["airline", 0, 0, 0, 0],
        ["airline", 21, 21, 0, 21],
        ["airline", 37, 37, 37, 0],
        ["airline", 61, 50, 61, 0],
        ["airline", 45, 45, 1, 45],
        ["airline", 15, 15, 0, 15],
      ]);
    expect(JSON.parse(JSON.stringify(tauJson(figure)))).toMatchObject({ measures: figure.measures, failures: [] });
    expect(tauLines(figure)).toContain("  ground truth: 84 of 84 correct writes of 50 tasks authorised and done");
    // The ground truth that the shop's own tool refuses; we say what it is refused for.
    expect(ours.retail.gold.wrong.map(({ write, audit }) => [write.code, audit])).toEqual([
      ["gift_card_balance", ["gift_card_balance"]],
    ]);
  });

  test("the goal of the airline's figure holds", async (context) => {
    skipWithoutData(context);
    const figure = (await driven()).ours.airline;
    expect(figure.failures).toEqual([]);
    expect(figure).toMatchObject({ dialogues: 96, recordedWrites: 117, judgedWrites: 117, sameFindings: 45 });
    expect(figure.replayed).toBe(figure.runs);
    expect(figure.table).toEqual({
      clean: { permit: 50, stage: 0, deny: 11, stopped: 0 },
      "needs the conversation": { permit: 1, stage: 0, deny: 10, stopped: 0 },
      violates: { permit: 0, stage: 0, deny: 45, stopped: 0 },
    });
    expect(figure.acceptedByBenchmark).toEqual({ against: 21, refusedByUs: 21 });
    expect(figure.gold.filter((write) => write.authorised && write.outcome === "done")).toHaveLength(21);
    expect(figure.gold).toHaveLength(21);
    expect(figure.disagreements.filter(({ explained }) => explained === null)).toEqual([]);
    expect(figure.unwanted.filter(({ write }) => write.verdict !== "permit")).toHaveLength(15);
    expect(figure.endings).toMatchObject({ cycle: 1 });
  });
});
