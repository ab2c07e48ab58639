import type { JsonObject } from "signalbox";
import { scriptedModel, simulatedClock } from "signalbox/testing";
import { describe, expect, test } from "vitest";
import { cli, desk, documentIn, openDesk, say } from "./stage.ts";

const WINDOW = ["--since", "2026-11-23", "--until", "2026-11-30"];
const noon = (day: number) => Date.UTC(2026, 10, day, 12);

/** A desk with so many runs of `replies` on each of these days of November 2026. */
async function deskWith(
  days: readonly (readonly [day: number, runs: number, replies: readonly JsonObject[]])[],
): Promise<string> {
  const cwd = desk({ replies: [] });
  for (const [day, runs, replies] of days) {
    const all = Array.from({ length: runs }, () => replies).flat();
    const box = await openDesk(cwd, { model: scriptedModel({ replies: all }), clock: simulatedClock(noon(day)) });
    for (let i = 0; i < runs; i++) await box.run("please", { as: "agent:desk", customer: "ada" });
    await box.close();
  }
  return cwd;
}

const unlucky = [say.pay("ada", 7), say.answer()];
const looked = [say.look("n1"), say.answer()];
const staged = [say.pay("ada", 5_000)];

/** Twelve payments before of which one is denied; then twelve of which ten are, and two that wait. */
const shifted = () =>
  deskWith([
    [17, 1, unlucky],
    [18, 11, staged],
    [24, 10, unlucky],
    [26, 2, staged],
    [26, 4, looked],
  ]);

describe("[metric-denials] signalbox denials", () => {
  test("on a terminal of 90 columns: what was denied, what waits, and what has moved", async () => {
    const said = await cli(await shifted(), ["denials", ...WINDOW, "--chart"], {
      isTty: true,
      columns: 90,
      env: { NO_COLOR: "1", LANG: "en_GB.UTF-8" },
    });
    expect(said.stderr).toBe("");
    expect(said.stdout).toMatchInlineSnapshot(`
      "denials · 2026-11-23 00:00 to 2026-11-29 23:59 UTC · against the 7 days before
        tool  code      rule            n   share  change, points [95 %]
      ! pay   unlucky   pay.authorise  10  83.3 %  +75.0 [+36.0, +88.8]
      ! pay   (staged)  pay.authorise   2  16.7 %  -75.0 [-88.8, -36.0]

      ! denied 10 of 16 proposals (62.5 %) · +54.2 [+18.1, +74.4] points, moved
      ! staged 2 of 16 proposals (12.5 %) · -79.2 [-90.5, -43.3] points, moved
      ! moved: the interval excludes 0, as it does by chance in about 1 row of 20; 2 compared

      denied █ and staged ░ by day in UTC, of the proposals; the scale ends at 100 %
        2026-11-23  ·                                                         -      none
        2026-11-24  ██████████████████████████████████████████████████  100.0 %  10 of 10
        2026-11-25  ·                                                         -      none
        2026-11-26  ░░░░░░░░░░░░░░░░░                                     0.0 %    0 of 6
        2026-11-27  ·                                                         -      none
        2026-11-28  ·                                                         -      none
        2026-11-29  ·                                                         -      none
      "
    `);
    expect(said.stdout.split("\n").every((line) => line.length <= 90)).toBe(true);
    expect(said.code).toBe(0);
  });

  test("plain characters where the terminal has no others, and no colour where none is wanted", async () => {
    const cwd = await shifted();
    const argv = ["denials", ...WINDOW, "--bucket", "week"];
    const plain = await cli(cwd, argv, { isTty: true, columns: 90, env: { NO_COLOR: "1", LC_ALL: "C" } });
    expect(plain.stdout).toContain("#:");
    expect(plain.stdout).not.toMatch(/[█▌░]/);
    expect(plain.stdout).not.toContain("\u001b");
    const colour = await cli(cwd, argv, { isTty: false, env: { FORCE_COLOR: "1" } });
    expect(colour.stdout).toContain("\u001b[31m!\u001b[39m");
    expect((await cli(cwd, argv, { isTty: false, env: {} })).stdout).not.toContain("\u001b");
  });

  test.each([40, 60, 90, 120])("no line is longer than a terminal of %i columns", async (columns) => {
    const cwd = await shifted();
    for (const more of [[], ["--by", "tool", "--by", "model"], ["--chart"]]) {
      const { stdout } = await cli(cwd, ["denials", ...WINDOW, ...more], {
        isTty: true,
        columns,
        env: { NO_COLOR: "1" },
      });
      expect(Math.max(...stdout.split("\n").map((line) => [...line].length)), stdout).toBeLessThanOrEqual(columns);
    }
  });

  test("--json prints one document with everything, also what the table leaves out", async () => {
    const said = await cli(await shifted(), ["denials", ...WINDOW, "--by", "code,model", "--bucket", "day", "--json"]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    const document = documentIn(said);
    expect(document).toMatchObject({
      schema: "signalbox.denials/1",
      since: Date.UTC(2026, 10, 23),
      until: Date.UTC(2026, 10, 30),
      sinceBefore: Date.UTC(2026, 10, 16),
      by: ["code", "model"],
      bucket: "day",
      totals: { proposals: 16, permits: 4, staged: 2, denials: 10 },
      totalsBefore: { proposals: 12, permits: 0, staged: 11, denials: 1 },
      denialShift: { moved: true },
      groups: [
        { outcome: "deny", key: { code: "unlucky", model: "scripted" }, n: 10, of: 16, before: { n: 1, of: 12 } },
        { outcome: "stage", key: { code: null, model: "scripted" }, n: 2, of: 16, before: { n: 11, of: 12 } },
      ],
    });
  });

  test("of all time, a chart begins with the first decision", async () => {
    const said = await cli(await shifted(), [
      "denials",
      "--since",
      "all",
      "--until",
      "2026-11-30",
      "--chart",
      "--json",
    ]);
    expect(documentIn(said)).toMatchObject({ since: noon(17), bucket: "day", totals: { proposals: 28 } });
  });

  test("an empty ledger says so kindly, and so does an empty window", async () => {
    const cwd = await deskWith([[24, 1, [say.answer()]]]);
    expect(await cli(cwd, ["denials", "--chart"])).toEqual({
      code: 0,
      stdout: 'no decisions yet: signalbox run "what is to be done"\n',
      stderr: "",
    });
    const window = ["--since", "2026-09-01", "--until", "2026-10-01T09:30Z"];
    expect((await cli(await shifted(), ["denials", ...window])).stdout).toBe(
      "no decisions from 2026-09-01 00:00 to 2026-10-01 09:29 UTC; the newest is of 2026-11-26 12:00 UTC (--since all)\n",
    );
    const allowed = await deskWith([[24, 1, looked]]);
    expect((await cli(allowed, ["denials", ...WINDOW])).stdout).toMatch(
      /nothing was denied.*\n\n {2}denied 0 of 1 proposal \(0\.0 %\)/,
    );
  });

  test.each([
    ["--since", "yesterday"],
    ["--since", "2026-02-30"],
    ["--since", "0d"],
    ["--until", "7d"],
    ["--by", "colour"],
    ["--bucket", "year"],
    ["--bucket", "0m"],
  ])("%s %s is wrong usage", async (option, value) => {
    const said = await cli(await deskWith([[24, 1, looked]]), ["denials", option, value, "--json"]);
    expect(said).toMatchObject({ code: 2 });
    expect(documentIn(said)).toMatchObject({ error: { code: "usage" } });
  });
});

test("[metric-export] --prometheus prints the counter and nothing else, and stands alone", async () => {
  const cwd = await shifted();
  const said = await cli(cwd, ["denials", "--prometheus"]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout.replace(/prompt="[0-9a-f]{12}"/g, 'prompt="P"')).toBe(
    `# HELP signalbox_decisions_total Proposals that were decided, by what became of them.
# TYPE signalbox_decisions_total counter
signalbox_decisions_total{outcome="deny",tool="pay",rail="action",code="unlucky",rule="pay.authorise",model="scripted",prompt="P"} 11
signalbox_decisions_total{outcome="permit",tool="look",rail="",code="",rule="placement:internal",model="scripted",prompt="P"} 4
signalbox_decisions_total{outcome="stage",tool="pay",rail="",code="",rule="pay.authorise",model="scripted",prompt="P"} 13
`,
  );
  for (const other of [["--json"], ["--since", "7d"], ["--chart"], ["--by", "tool"]]) {
    expect(await cli(cwd, ["denials", "--prometheus", ...other]), other.join(" ")).toMatchObject({ code: 2 });
  }
});
