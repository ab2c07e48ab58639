/** What a command suggests has to be right where it was given. */
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cli, desk, documentIn, heard, ROOT, say } from "./stage.ts";

const IN_MEMORY = { config: { store: "memory" } };
const GONE = "the ledger was in memory and is gone now: nothing of it can be replayed, approved or continued\n";

describe("a ledger in memory", () => {
  test("one line says after a command that it is gone", async () => {
    const cwd = desk({ replies: [say.answer(), say.answer()], ...IN_MEMORY });
    const said = await cli(cwd, ["run", "please"]);
    expect([said.code, said.stderr]).toEqual([0, GONE]);
    expect((await cli(cwd, ["run", "please", "--json"])).stderr).toBe("");
    expect((await cli(cwd, ["runs"])).stderr).toBe("");
  });

  test.each([["replay", "last"], ["resume", "last"], ["show", "last"], ["ledger", "verify"], ["denials"]])(
    "[cli-exit-codes] %s %s says that there is none of an earlier command",
    async (...argv) => {
      const said = await cli(desk(IN_MEMORY), argv);
      expect(said.code).toBe(2);
      expect(said.stderr).toBe(
        "signalbox: no_ledger: the config keeps its ledger in memory, so there is none of an earlier command (give `store` a path)\n",
      );
    },
  );

  test("doctor warns of it", async () => {
    const said = await cli(desk(IN_MEMORY), ["doctor", "--json"]);
    expect(said.code).toBe(0);
    const { checks } = documentIn(said) as { checks: readonly { name: string }[] };
    expect(checks.find(({ name }) => name === "ledger")).toMatchObject({ state: "warning", code: "ledger_in_memory" });
  });
});

test("started from a project's node_modules/.bin, its hints say npx signalbox", async () => {
  const cwd = desk({ replies: [say.answer()] });
  const script = join(cwd, "node_modules/.bin/signalbox");
  mkdirSync(join(cwd, "node_modules/.bin"));
  symlinkSync(join(ROOT, "src/apps/cli/bin.ts"), script);
  const call = (...argv: readonly string[]) =>
    heard(
      spawn(process.execPath, ["--conditions=signalbox-source", script, ...argv], {
        cwd,
        env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  expect((await call("runs")).stdout).toBe('no runs yet: npx signalbox run "what is to be done"\n');
  expect((await call("run", "please")).stdout).toMatch(/ \(npx signalbox replay [0-9a-z]{26}\)$/m);
  expect((await call("replay", "none")).stderr).toContain("(npx signalbox runs lists them)");
});

test("the default of a repeatable option is said once", async () => {
  const said = await cli(desk({}), ["denials", "--help"]);
  expect(said.stdout.match(/\(default:\s+tool,code,rule\)/g)).toHaveLength(1);
  expect(said.stdout).not.toContain("default: []");
});
