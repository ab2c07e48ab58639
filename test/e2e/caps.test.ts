import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { columnsOf } from "../../src/apps/cli/text.ts";
import type { CapState } from "../../src/index.ts";
import { cli, desk, documentIn, effects, openDesk, say, start } from "./stage.ts";

const held = async (cwd: string): Promise<readonly CapState[]> =>
  documentIn(await cli(cwd, ["caps", "--json"])) as readonly CapState[];

/** A desk whose payment of 50 never comes back, and a process that was killed in the middle of it. */
async function killedDesk(): Promise<{ readonly cwd: string; readonly run: string }> {
  const cwd = desk({ replies: [say.pay("bob", 5), say.pay("ada", 50), say.answer("at last")], unhurried: true });
  const config = join(cwd, "signalbox.config.ts");
  const hanging =
    "if (process.env.HANG && params.amountMinor === 50) return new Promise<never>(() => setTimeout(() => {}, 60_000));";
  const [before = "", after = ""] = readFileSync(config, "utf8").split("    if (params.amountMinor === 13) throw");
  writeFileSync(config, `${before}    ${hanging}\n    if (params.amountMinor === 13) throw${after}`);
  const child = start(cwd, ["run", "pay both"], { env: { HANG: "1" } });
  for (;;) {
    const box = await openDesk(cwd);
    const holders = (await box.caps()).flatMap((cap) => cap.holders);
    await box.close();
    const [holder] = holders;
    if (holder === undefined || holder.amount !== 50) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    // While it lives, it says so.
    expect(holder.carried).toBe(true);
    expect((await cli(cwd, ["caps"])).stdout).toContain("a process is at it");
    child.process.kill("SIGKILL");
    await child.said;
    return { cwd, run: holder.run };
  }
}

test("[caps-shown] what a killed process held is there, and resume settles it", async () => {
  const { cwd, run } = await killedDesk();
  const caps = await held(cwd);
  expect(caps.map(({ cap }) => cap).sort()).toEqual(["paid_per_day", "paid_per_run"]);
  for (const cap of caps) {
    expect(cap).toMatchObject({
      ...{ key: "all", used: 55, settled: 5, reserved: 50, kept: 0, open: 1 },
      holders: [{ run, step: 2, tool: "pay", state: "reserved", amount: 50, carried: false }],
    });
  }
  const said = await cli(cwd, ["caps", "--cap", "paid_per_day"]);
  expect(said.code).toBe(0);
  expect(said.stdout).not.toContain("paid_per_run");
  expect(said.stdout).toContain(`no process carries this run any more; to settle it:\n`);
  expect(said.stdout).toContain(`signalbox resume ${run}\n`);
  // A `once` effect without a probe: nobody can tell, so what it held is kept, and a person has to look.
  expect((await cli(cwd, ["resume", run])).code).toBe(1);
  expect(await held(cwd)).toMatchObject([
    { used: 55, settled: 5, reserved: 0, kept: 50, holders: [{ state: "kept" }] },
    { used: 55, settled: 5, reserved: 0, kept: 50, holders: [{ state: "kept" }] },
  ]);
  expect((await cli(cwd, ["caps"])).stdout).toContain(`signalbox outcomes resolve ${run}-2\n`);
  expect(effects(cwd)).toEqual(["pay bob 5"]);
}, 30_000);

test("[caps-shown] what is declared and not held is listed with its limit and window, and looking makes no database", async () => {
  const cwd = desk({ replies: [say.answer()] });
  const day = new Date().toISOString().slice(0, 10);
  const none = { key: "all", used: 0, settled: 0, reserved: 0, kept: 0, movedAt: null, open: 0, holders: [] };
  const unheld = [
    { ...none, cap: "paid_per_run", slot: null, window: "per_run", start: null, end: null, limit: 900 },
    {
      ...none,
      ...{ cap: "paid_per_day", slot: `day:${day}@UTC`, limit: 2_000, window: { calendar: "day", zone: "UTC" } },
      ...{ start: `${day}T00:00:00.000Z`, end: new Date(Date.parse(day) + 86_400_000).toISOString() },
    },
  ];
  expect(await cli(cwd, ["caps"])).toEqual({
    code: 0,
    stdout: `paid_per_run · each run\n  0 of 900 used · 900 left\n\npaid_per_day · day ${day} (UTC)\n  0 of 2,000 used · 2,000 left\n`,
    stderr: "",
  });
  expect(await held(cwd)).toEqual(unheld);
  await expect(() => readFileSync(join(cwd, "signalbox.db"))).toThrow();
  await cli(cwd, ["run", "please"]);
  expect(await held(cwd)).toEqual(unheld);
  const typo = await cli(cwd, ["caps", "--cap", "paid_per_dya"]);
  expect([typo.code, typo.stdout]).toEqual([2, ""]);
  expect(typo.stderr).toBe(
    'signalbox: unknown_cap: the config has no cap "paid_per_dya" (did you mean "paid_per_day"?)\n',
  );
  expect((await cli(cwd, ["caps", "--cap", "paid_per_day", "--json"])).stdout).toContain('"used":0');
  expect((await cli(cwd, ["caps", "--limit", "0"])).code).toBe(2);
});

test.each([40, 60, 90, 110])("[caps-shown] no line is wider than %i columns", async (columns) => {
  const replies = [say.pay("bob", 5), say.pay("ada", 13)];
  const cwd = desk({ replies });
  await cli(cwd, ["run", "please"]);
  const said = await cli(cwd, ["caps"], { isTty: true, columns, env: { NO_COLOR: "1" } });
  expect(said.stdout).toContain("unknown");
  for (const line of said.stdout.split("\n")) {
    const id = /[0-9a-z]{26}/.test(line);
    expect(columnsOf(line), line).toBeLessThanOrEqual(id ? Math.max(columns, 64) : columns);
  }
});
