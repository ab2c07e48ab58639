/**
 * The figures over the tau suites: how they are driven and explained on an invented airline, and their main numbers on the
 * public data, where that lies beside the repository. The rules' own tests stand with the examples.
 */
import "../bench/tau/airline/drive.test.ts";
import "../bench/tau/airline/explain.test.ts";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadAirline } from "../bench/tau/airline/data.ts";
import { airlineFigure } from "../bench/tau/airline/figure.ts";
import { TAU_DATA } from "../examples/tau/data.ts";

describe("the entry of all figures", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--conditions=signalbox-source", "bench/figures.ts", ...args], { encoding: "utf8" });

  test("lists names, and refuses what it does not know in one line", () => {
    expect(run()).toMatchObject({ status: 0, stderr: "" });
    expect(run().stdout).toContain("airline  ");
    const unknown = run("no-such-figure");
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toContain("airline  ");
    const absent = run("airline", "--data", "no/such/directory", "--json");
    expect(absent).toMatchObject({ status: 2, stdout: "" });
    expect(absent.stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("the figure on the public data", () => {
  test("its goal holds", async (ctx) => {
    if (!existsSync(TAU_DATA)) ctx.skip(`the public data is not at ${TAU_DATA}`);
    const figure = await airlineFigure(loadAirline(TAU_DATA));
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
