import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bin, cli, contents, desk, documentIn, effects, ROOT, type Said, say } from "./stage.ts";

const RECORD = { account: "ada", invoices: [{ id: "inv_ada" }] };

/** A scenario about the desk: Ada is paid this much, and that is expected. */
function paying(amountMinor: number, expected: object | null, more: object = {}): object {
  const params = { account: "ada", amountMinor };
  return {
    schema: "signalbox.scenario/1",
    name: `pays ${amountMinor}`,
    principal: "agent:desk",
    now: "2026-11-30T10:00:00Z",
    requests: ["pay ada"],
    records: [{ tool: "pay", record: RECORD }],
    steps: [
      { proposal: { tool: "pay", params, evidence: ["inv_ada"], ...(expected === null ? {} : { expect: expected }) } },
    ],
    ...more,
  };
}

/** The desk with these files beside its config. */
function deskWith(files: Readonly<Record<string, object | string>>, setting: Parameters<typeof desk>[0] = {}): string {
  const cwd = desk(setting);
  mkdirSync(join(cwd, "corpus/deep"), { recursive: true });
  for (const [name, what] of Object.entries(files)) {
    writeFileSync(join(cwd, name), typeof what === "string" ? what : JSON.stringify(what));
  }
  return cwd;
}

const NARROW = { isTty: true, columns: 90, env: { NO_COLOR: "1" } };

function widest(said: Said): number {
  return Math.max(...said.stdout.split("\n").map((line) => line.length));
}

describe("signalbox simulate", () => {
  test("[cli-json-one-document] [simulate-rails] one scenario is one document; nothing is performed and no store is made", async () => {
    const cwd = deskWith({ "one.json": paying(50, null) });
    const said = await bin(cwd, ["simulate", "one.json", "--json"]);
    expect(said.code).toBe(0);
    expect(documentIn(said)).toMatchObject({
      schema: "signalbox.verdicts/1",
      scenario: "pays 50",
      ok: true,
      verdicts: [{ outcome: "allow" }],
    });
    expect(effects(cwd)).toEqual([]);
    expect(existsSync(join(cwd, "signalbox.db"))).toBe(false);
  });

  test("[simulate-expect] a folder is a test: 0 where all is as expected, 100 where something is not, 2 where something cannot be read", async () => {
    const good = {
      "corpus/a.json": paying(50, { outcome: "allow" }),
      "corpus/deep/b.json": paying(7, { outcome: "deny", code: "unlucky" }),
      "corpus/c.txt": "no scenario",
    };
    const lines = [paying(1_001, { outcome: "stage", role: "supervisor" }), paying(901, { outcome: "deny" })]
      .map((one) => JSON.stringify(one))
      .join("\n");
    const cwd = deskWith({ ...good, "corpus/more.jsonl": `${lines}\n\n` });
    const said = await cli(cwd, ["simulate", "corpus", "--json"]);
    expect(said.code).toBe(0);
    expect(documentIn(said)).toMatchObject({
      schema: "signalbox.simulation/1",
      ok: true,
      scenarios: 4,
      proposals: 4,
      outcomes: { allow: 1, deny: 2, stage: 1, settled: 0 },
      codes: { cap_exceeded: 1, unlucky: 1 },
      expected: 4,
      asExpected: 4,
      failures: [],
      bad: [],
    });
    writeFileSync(join(cwd, "corpus/wrong.json"), JSON.stringify(paying(51, { outcome: "deny", code: "unlucky" })));
    const wrong = await cli(cwd, ["simulate", "corpus"], NARROW);
    expect(wrong.code).toBe(100);
    expect(wrong.stdout).toContain(
      "corpus/wrong.json: proposal 1, pay: expected deny unlucky, got allow by pay.authorise\n",
    );
    expect(wrong.stdout).toMatch(/4 of 5 as expected/);
    expect(wrong.stdout).toContain("denied with\n  cap_exceeded  1\n  unlucky       1\n");
    expect(widest(wrong)).toBeLessThanOrEqual(90);
    writeFileSync(join(cwd, "corpus/bad.json"), JSON.stringify({ ...paying(1, null), stpes: [] }));
    const bad = await cli(cwd, ["simulate", "corpus", "--json"]);
    expect(bad.code).toBe(2);
    expect(documentIn(bad)).toMatchObject({
      ok: false,
      scenarios: 5,
      bad: [
        {
          file: "corpus/bad.json",
          code: "bad_scenario",
          message: 'corpus/bad.json: the document: unknown key "stpes"; did you mean "steps"?',
        },
      ],
    });
  });

  test("[simulate-expect] links are followed and read once, and what cannot be read is told with its name and stops nothing", async () => {
    const cwd = deskWith({
      "elsewhere.json": paying(50, { outcome: "allow" }),
      "corpus/a.JSON": paying(50, { outcome: "allow" }),
      "corpus/b.json": paying(50, { outcome: "allow" }, { now: Number.MAX_SAFE_INTEGER }),
      "corpus/c.json": " ".repeat(5_000_000),
      "corpus/e.json": "",
    });
    writeFileSync(join(cwd, "corpus/d.json"), Buffer.from(JSON.stringify(paying(50, null, { name: "é" })), "latin1"));
    symlinkSync(join(cwd, "corpus"), join(cwd, "corpus/deep/up"));
    symlinkSync(join(cwd, "elsewhere.json"), join(cwd, "corpus/linked.json"));
    symlinkSync(join(cwd, "elsewhere.json"), join(cwd, "corpus/linked-again.json"));
    symlinkSync(join(cwd, "nowhere.json"), join(cwd, "corpus/lost.json"));
    const said = await cli(cwd, ["simulate", "corpus", "--json"]);
    expect(said.code).toBe(2);
    const { scenarios, bad } = documentIn(said) as { scenarios: number; bad: { file: string; message: string }[] };
    expect(scenarios).toBe(2);
    expect(bad.map(({ message }) => message)).toEqual([
      expect.stringContaining("corpus/b.json: now: must be a whole number from 0 to"),
      expect.stringContaining("corpus/c.json takes 5,000,000 bytes, at most 4,194,304 are read"),
      "corpus/d.json is not UTF-8",
      expect.stringContaining("corpus/e.json: "),
      "corpus/lost.json cannot be read (ENOENT)",
    ]);
    expect(bad.map(({ file }) => file)).toEqual(["b", "c", "d", "e", "lost"].map((name) => `corpus/${name}.json`));
    const one = await cli(cwd, ["simulate", "corpus/c.json"]);
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("bad_scenario: corpus/c.json takes 5,000,000")]);
  });

  test("--stream prints one document a scenario, and the summary last", async () => {
    const cwd = deskWith({ "corpus/a.json": paying(50, null), "corpus/b.json": "{", "corpus/c.json": paying(7, null) });
    const said = await cli(cwd, ["simulate", "corpus", "--stream"]);
    const documents = said.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(documents.map(({ file, schema, error }) => [file, schema ?? error.code])).toEqual([
      ["corpus/a.json", "signalbox.verdicts/1"],
      ["corpus/b.json", "bad_scenario"],
      ["corpus/c.json", "signalbox.verdicts/1"],
      [undefined, "signalbox.simulation/1"],
    ]);
    expect(said.code).toBe(2);
  });

  test.each([
    [
      "a scenario that is no JSON",
      ["simulate", "broken.json"],
      /bad_scenario: broken\.json: line 1, column 2: expected a key/,
    ],
    [
      "two faults",
      ["simulate", "faults.json"],
      /bad_scenario: 2 faults .*\n {2}faults\.json: principal: is missing\n {2}faults\.json: now: must be/,
    ],
    [
      "a principal that there is not",
      ["simulate", "nobody.json"],
      /bad_scenario: nobody\.json: principal: the config has no principal "agent:dekk"; did you mean "agent:desk"\?/,
    ],
    ["a file that there is not", ["simulate", "none.json"], /no_scenario: there is no file or folder none\.json/],
    ["an empty folder", ["simulate", "corpus"], /no_scenario: there is no scenario in corpus/],
    ["a stream of one", ["simulate", "one.json", "--stream"], /usage: --stream is for a folder/],
  ])("[cli-exit-codes] 2: %s", async (_, argv, says) => {
    const { principal: _who, ...rest } = paying(1, null, { now: "today" }) as { principal: string };
    const cwd = deskWith({
      "one.json": paying(1, null),
      "broken.json": "{broken",
      "faults.json": rest,
      "nobody.json": paying(1, null, { principal: "agent:dekk" }),
    });
    const said = await cli(cwd, argv);
    expect(said.code).toBe(2);
    expect(said.stderr).toMatch(says);
  });

  test("the examples of the refund desk are as they expect", async () => {
    const said = await cli(ROOT, [
      "simulate",
      "examples/refund-desk/scenarios",
      "--config",
      "examples/refund-desk/signalbox.config.ts",
      "--json",
    ]);
    expect(said.code).toBe(0);
    expect(documentIn(said)).toMatchObject({ scenarios: 2, expected: 9, asExpected: 9 });
  });

  test("a corpus of thousands is carried out whole", async () => {
    const line = JSON.stringify(paying(50, { outcome: "allow" }));
    const cwd = deskWith({ "corpus/many.jsonl": `${line}\n`.repeat(3_000) });
    const said = documentIn(await cli(cwd, ["simulate", "corpus", "--json"])) as { scenarios: number };
    expect(said.scenarios).toBe(3_000);
  });
});

/** The desk's config with another ceiling: the same tools read another setting. A module is read once, so each has a name. */
function nextConfig(cwd: string, ceilingMinor: number, name = "next"): void {
  const config = readFileSync(join(cwd, "signalbox.config.ts"), "utf8");
  const { replies: _, ...setting } = JSON.parse(readFileSync(join(cwd, "desk.json"), "utf8"));
  writeFileSync(join(cwd, `${name}.json`), JSON.stringify({ ...setting, ceilingMinor }));
  writeFileSync(join(cwd, `${name}.config.ts`), config.replaceAll("desk.json", `${name}.json`));
}

describe("signalbox backtest", () => {
  const replies = [say.pay("ada", 100), say.pay("ada", 200), say.pay("bob", 7), say.look("a"), say.answer()];

  async function recordedDesk(ceilingMinor: number): Promise<string> {
    const cwd = desk({ replies });
    expect((await cli(cwd, ["run", "please"])).code).toBe(0);
    nextConfig(cwd, ceilingMinor);
    return cwd;
  }

  test("[backtest-flips] [cli-exit-codes] 0 where nothing flips, 100 where something does, and the ledger is as it was", async () => {
    const cwd = await recordedDesk(1_000);
    const before = contents(cwd);
    const same = await cli(cwd, ["backtest", "--policy", "next.config.ts", "--json"]);
    expect(same.code).toBe(0);
    expect(documentIn(same)).toMatchObject({
      schema: "signalbox.backtest/1",
      ok: true,
      proposals: 4,
      unchanged: 4,
      runs: 1,
      unknown: 0,
    });
    nextConfig(cwd, 150, "stricter");
    const said = await cli(cwd, ["backtest", "--policy", "stricter.config.ts", "--json"]);
    expect(said.code).toBe(100);
    expect(documentIn(said)).toMatchObject({
      ok: false,
      failedOn: ["flip"],
      flipped: 1,
      flips: [
        {
          from: { outcome: "permit" },
          to: { outcome: "deny", code: "over_ceiling", rule: "pay.authorise" },
          count: 1,
          money: { paid_per_day: -200, paid_per_run: -200 },
        },
      ],
    });
    expect(effects(cwd)).toEqual(["pay ada 100", "pay ada 200"]);
    expect(contents(cwd)["signalbox.db"]).toBe(before["signalbox.db"]);
    const shown = await cli(cwd, ["backtest", "--policy", "stricter.config.ts"], NARROW);
    expect(shown.stdout).toMatch(
      /^1 {2}permit -> deny over_ceiling\n {5}by pay\.authorise: 1 pay\n {5}reserves -200 paid_per_run, -200 paid_per_day\n {5}such as run \w{26} step 2\n/,
    );
    expect(shown.stdout).toMatch(
      /4 proposals · 3 unchanged · 1 changed · 0 unknown · 1 run · [\d.]+ s \([\d,]+ a second\)/,
    );
    expect(widest(shown)).toBeLessThanOrEqual(90);
  });

  test.each([
    ["flip", 100],
    ["deny", 100],
    ["stage,deny", 100],
    ["permit", 0],
    ["stage", 0],
    ["unknown", 0],
    ["none", 0],
  ])("[cli-exit-codes] --fail-on %s exits %i where a permit becomes a denial", async (failOn, code) => {
    const cwd = await recordedDesk(150);
    expect((await cli(cwd, ["backtest", "--policy", "next.config.ts", "--fail-on", failOn])).code).toBe(code);
  });

  test("--since counts what is later", async () => {
    const cwd = await recordedDesk(150);
    const since = async (time: string) =>
      documentIn(await cli(cwd, ["backtest", "--policy", "next.config.ts", "--since", time, "--json"])) as {
        proposals: number;
      };
    expect((await since("1h")).proposals).toBe(4);
    expect((await since("2999-01-01")).proposals).toBe(0);
  });

  test.each([
    ["no policy", ["backtest"], "usage"],
    ["a file that there is not", ["backtest", "--policy", "none.ts"], "no_config"],
    ["a time that is none", ["backtest", "--policy", "next.config.ts", "--since", "soon"], "usage"],
    ["a failure that is none", ["backtest", "--policy", "next.config.ts", "--fail-on", "money"], "usage"],
    ["no ledger", ["backtest", "--policy", "signalbox.config.ts"], "no_ledger"],
  ])("[cli-exit-codes] 2: %s", async (_, argv, code) => {
    const cwd = desk({});
    nextConfig(cwd, 1);
    const said = await cli(cwd, [...argv, "--json"]);
    expect(said.code).toBe(2);
    expect(documentIn(said)).toMatchObject({ error: { code } });
  });
});

describe("signalbox policy check", () => {
  test("[policy-check] 0 with warnings, 1 with errors, and the matrix either way where there can be one", async () => {
    const cwd = desk({});
    const said = await cli(cwd, ["policy", "check"], NARROW);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('warning  tool pay: stages for "supervisor", and no approver has that role');
    expect(said.stdout).toContain("look  internal      open    2      hint only  -         -       -\n");
    expect(said.stdout).toContain("pay   irreversible  closed  2      own        1         -       2\n");
    expect(said.stdout).toMatch(/ok · 0 errors · 1 warning · 0 rules · 3 tools\n$/);
    expect(widest(said)).toBeLessThanOrEqual(90);
    expect(existsSync(join(cwd, "signalbox.db"))).toBe(false);
    const config = readFileSync(join(cwd, "signalbox.config.ts"), "utf8");
    const rule = '{ id: "r", tools: ["look", "lok"], effect: "permit", when: () => true }';
    writeFileSync(join(cwd, "wrong.config.ts"), config.replace("  tools,\n", `  tools,\n  policies: [${rule}],\n`));
    const wrong = await cli(cwd, ["policy", "check", "--json", "--config", "wrong.config.ts"]);
    expect(wrong.code).toBe(1);
    expect(documentIn(wrong)).toMatchObject({
      ok: false,
      findings: [{ rule: "rule_names_unknown", severity: "error", where: "policy rule r" }, {}],
      tools: [{ tool: "look", hintOnly: false }, {}, {}],
    });
    const doctor = await cli(cwd, ["doctor", "--config", "wrong.config.ts"]);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/failed +policy +policy rule r: names lok, and there is no such tool/);
  });

  test("[policy-check] 1: what could not start", async () => {
    const cwd = desk({ config: { principals: { a: { tools: ["nothing"] } } } });
    const said = await cli(cwd, ["policy", "check", "--json"]);
    expect(said.code).toBe(1);
    expect(documentIn(said)).toMatchObject({ ok: false, findings: [{ severity: "error" }], tools: [] });
    expect((await cli(cwd, ["policy", "check"])).stdout).toMatch(/^not ok · 1 error · .* · 3 tools$/m);
  });
});

test("[doctor-matrix] where nobody looks at a terminal no name of a tool is cut", async () => {
  const cwd = desk({});
  const config = join(cwd, "signalbox.config.ts");
  const name = "look_something_up_somewhere_else";
  writeFileSync(config, readFileSync(config, "utf8").replace('name: "look"', `name: "${name}"`));
  writeFileSync(join(cwd, "desk.json"), JSON.stringify({ config: { principals: { operator: { tools: "all" } } } }));
  for (const argv of [["doctor"], ["policy", "check"]]) {
    expect((await cli(cwd, argv)).stdout).toMatch(new RegExp(`^${name}  internal`, "m"));
    expect((await cli(cwd, argv, NARROW)).stdout).toMatch(/^look_something_up_s… {2}internal/m);
  }
});

test("[doctor-matrix] doctor prints the matrix of tools and rails, and on a narrow screen a line for each tool", async () => {
  const cwd = desk({});
  const wide = await cli(cwd, ["doctor"], NARROW);
  expect(wide.stdout).toContain("tool  placement     output  input  action     evidence  traced  caps\n");
  expect(wide.stdout).toContain("hint only");
  expect(widest(wide)).toBeLessThanOrEqual(90);
  const narrow = await cli(cwd, ["doctor"], { ...NARROW, columns: 50 });
  expect(narrow.stdout).toContain(
    "pay: placement irreversible, output closed, input\n2, action own, evidence 1, caps 2\n",
  );
  expect(widest(narrow)).toBeLessThanOrEqual(50);
  expect(documentIn(await cli(cwd, ["doctor", "--json"]))).toMatchObject({
    tools: [
      { tool: "look", hintOnly: true },
      { tool: "seer" },
      { tool: "pay", blastRadius: ["paid_per_run", "paid_per_day"] },
    ],
  });
});
