import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ENDINGS } from "signalbox";
import { describe, expect, test } from "vitest";
import {
  bin,
  COMMAND,
  cli,
  type DeskSetting,
  desk,
  documentIn,
  effects,
  folder,
  heard,
  type Said,
  say,
  start,
} from "./stage.ts";

/** A command line, on which desk, and what it has to come to. */
type Case = {
  readonly name: string;
  readonly code: number;
  readonly argv: readonly string[];
  readonly setting?: DeskSetting;
  /** What is done with the desk before. */
  readonly before?: (cwd: string) => Promise<unknown>;
  /** The ending of the run, or the code of the error. */
  readonly is?: string;
};

const run = ["run", "please"];
/** Stands for the run that was carried before. */
const THE_RUN = "THE_RUN";
const looks = (...ids: readonly string[]) => ids.map(say.look);
const fresh = (n: number) => looks(...Array.from({ length: n }, (_, i) => `n${i}`));

async function aRun(cwd: string): Promise<string> {
  const said = await cli(cwd, [...run, "--json"]);
  return (documentIn(said) as { run: string }).run;
}

/** A port on which nobody listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Edits a recorded row as somebody with the file would: the triggers are taken off and put back. */
function tamper(cwd: string): void {
  const db = new DatabaseSync(join(cwd, "signalbox.db"));
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const trigger of triggers) db.exec(`DROP TRIGGER ${String(trigger.name)}`);
  const { changes } = db.prepare("UPDATE rows SET body = replace(body, 'done', 'gone') WHERE kind = 'replied'").run();
  for (const trigger of triggers) db.exec(String(trigger.sql));
  db.close();
  if (Number(changes) === 0) throw new Error("nothing was edited");
}

const CASES: readonly Case[] = [
  // 0: all is well
  { name: "help", code: 0, argv: ["--help"] },
  { name: "help of a command", code: 0, argv: ["ledger", "verify", "--help"] },
  { name: "version", code: 0, argv: ["--version"] },
  { name: "answered", code: 0, argv: run, setting: { replies: [say.answer()] }, is: "answered" },
  { name: "retrieved", code: 0, argv: run, setting: { replies: [say.retrieve("hours")] }, is: "retrieved" },
  { name: "no runs yet", code: 0, argv: ["runs"] },
  { name: "runs", code: 0, argv: ["runs"], before: aRun },
  { name: "denials", code: 0, argv: ["denials"], before: aRun },
  { name: "denials over time", code: 0, argv: ["denials", "--since", "all", "--chart"], before: aRun },
  { name: "doctor", code: 0, argv: ["doctor"] },
  { name: "show", code: 0, argv: ["show", THE_RUN], before: aRun },
  { name: "show of a turn", code: 0, argv: ["show", THE_RUN, "1", "--full"], before: aRun },
  { name: "verified", code: 0, argv: ["ledger", "verify"], before: aRun },
  { name: "checkpoint", code: 0, argv: ["ledger", "checkpoint"], before: aRun },
  { name: "init", code: 0, argv: ["init", "new"] },
  // 1: failure
  {
    name: "an effect that broke off",
    code: 1,
    argv: run,
    setting: { replies: [say.pay("ada", 13)] },
    is: "outcome_unknown",
  },
  // 2: wrong usage
  { name: "no command", code: 2, argv: [] },
  { name: "unknown command", code: 2, argv: ["rnu"], is: "usage" },
  { name: "unknown option", code: 2, argv: [...run, "--jsn"], is: "usage" },
  { name: "missing argument", code: 2, argv: ["run"], is: "usage" },
  { name: "unquoted request", code: 2, argv: ["run", "two", "words"], is: "usage" },
  { name: "option without its value", code: 2, argv: [...run, "--as"], is: "usage" },
  { name: "a limit that is none", code: 2, argv: ["runs", "--limit", "1e3"], is: "usage" },
  { name: "unknown principal", code: 2, argv: [...run, "--as", "agent:nobody"], is: "unknown_principal" },
  { name: "a principal that cannot be one", code: 2, argv: [...run, "--as", "not an id"], is: "bad_id" },
  { name: "an empty request", code: 2, argv: ["run", "  \n"], is: "empty_request" },
  { name: "a request of 1 MB", code: 2, argv: ["run", "x".repeat(1_048_576)], is: "request_too_large" },
  { name: "replay of an unknown run", code: 2, argv: ["replay", "01none"], before: aRun, is: "unknown_run" },
  { name: "show of an unknown run", code: 2, argv: ["show", "01none"], before: aRun, is: "unknown_run" },
  { name: "show of an unknown turn", code: 2, argv: ["show", THE_RUN, "2"], before: aRun, is: "unknown_turn" },
  { name: "show of a turn that is none", code: 2, argv: ["show", THE_RUN, "one"], before: aRun, is: "usage" },
  { name: "show without a ledger", code: 2, argv: ["show", "01none"], is: "no_ledger" },
  { name: "resume of an unknown run", code: 2, argv: ["resume", "01none"], before: aRun, is: "unknown_run" },
  { name: "continue of an unknown run", code: 2, argv: ["continue", "01none"], before: aRun, is: "unknown_run" },
  { name: "replay without a ledger", code: 2, argv: ["replay", "01none"], is: "no_ledger" },
  { name: "verification without a ledger", code: 2, argv: ["ledger", "verify"], is: "no_ledger" },
  { name: "init over a project", code: 2, argv: ["init"], is: "in_the_way" },
  // 3: stopped by a guardrail
  { name: "repetition", code: 3, argv: run, setting: { replies: looks("a", "a", "a") }, is: "repetition" },
  { name: "cycle", code: 3, argv: run, setting: { replies: looks("a", "b", "a", "b", "a", "b") }, is: "cycle" },
  { name: "turn budget", code: 3, argv: run, setting: { replies: fresh(11) }, is: "turn_budget" },
  {
    name: "call budget",
    code: 3,
    argv: run,
    setting: { replies: fresh(3), config: { budgets: { modelCalls: 2 } } },
    is: "call_budget",
  },
  {
    name: "step budget",
    code: 3,
    argv: run,
    setting: { replies: fresh(3), config: { budgets: { steps: 2 } } },
    is: "step_budget",
  },
  {
    name: "token budget",
    code: 3,
    argv: run,
    setting: { replies: fresh(3), config: { budgets: { tokens: 10 } } },
    is: "budget_exhausted",
  },
  { name: "malformed", code: 3, argv: run, setting: { replies: ["1", "2", "3", "4", "5", "6"] }, is: "malformed" },
  {
    name: "short circuit",
    code: 3,
    argv: run,
    setting: { replies: Array.from({ length: 4 }, () => say.pay("ada", 5)) },
    is: "short_circuit",
  },
  // 4: waiting for approval
  { name: "staged", code: 4, argv: run, setting: { replies: [say.pay("ada", 1_001)] }, is: "awaiting_approval" },
  // 5: unreachable
  { name: "a script that has ended", code: 5, argv: run, is: "model_unreachable" },
  // 7: verification failed
  {
    name: "tampered ledger",
    code: 7,
    argv: ["ledger", "verify"],
    before: async (cwd) => [await aRun(cwd), tamper(cwd)],
  },
  {
    name: "checkpoint of a tampered ledger",
    code: 7,
    argv: ["ledger", "checkpoint"],
    before: async (cwd) => [await aRun(cwd), tamper(cwd)],
    is: "ledger_damaged",
  },
  {
    name: "show of a tampered run",
    code: 7,
    argv: ["show", THE_RUN],
    before: async (cwd) => {
      const run = await aRun(cwd);
      tamper(cwd);
      return run;
    },
    is: "ledger_damaged",
  },
];

/** The ending of a run or the code of an error, in a document of ours. */
function nameIn(document: unknown): string | undefined {
  const { ending, error } = document as { ending?: string; error?: { code?: string } };
  return error?.code ?? ending;
}

async function play({ argv, setting, before }: Case, json: boolean): Promise<Said> {
  const cwd = desk({ replies: [say.answer()], ...(argv[0] === "run" ? { replies: [] } : {}), ...setting });
  const made = await before?.(cwd);
  const line = argv.map((word) => (word === THE_RUN ? String(made) : word));
  const [command, ...rest] = line;
  if (!json) return cli(cwd, line);
  return cli(cwd, command === "run" ? [command, "--json", ...rest] : [...line, "--json"]);
}

describe("exit codes", () => {
  test.each(CASES)("[cli-exit-codes] $code: $name", async (one) => {
    const said = await play(one, false);
    expect(said).toMatchObject({ code: one.code });
    if (one.is !== undefined) expect(said.stdout + said.stderr).toContain(one.is);
    // A failure and a misuse say why on stderr; help that was asked for, and results, do not.
    if ([1, 2, 5].includes(one.code)) expect(said.stderr).not.toBe("");
    else if (one.is !== "ledger_damaged") expect(said.stderr).toBe("");
  });

  test.each(CASES)("[cli-json-one-document] $code: $name", async (one) => {
    // `signalbox --json` alone has no command to print a document of.
    const said = await play(one, true);
    expect(said.code).toBe(one.code);
    const document = documentIn(said);
    if (one.is !== undefined) expect(nameIn(document)).toBe(one.is);
    const { ending, exitCode } = document as { ending?: keyof typeof ENDINGS; exitCode?: number };
    if (argvIsRun(one) && ending !== undefined) expect(exitCode).toBe(ENDINGS[ending].exitCode);
  });

  function argvIsRun(one: Case): boolean {
    return one.argv[0] === "run";
  }

  test("[cli-exit-codes] every ending that a run can have here is in the table, and only two of them exit 0", () => {
    const tried = CASES.filter(argvIsRun).map((one) => one.is);
    const elsewhere = ["cancelled", "deadline", "ledger_unavailable", "guide_refused", "watchdog", "failed"];
    expect(Object.keys(ENDINGS).filter((name) => !tried.includes(name) && !elsewhere.includes(name))).toEqual([]);
    const good = CASES.filter((one) => argvIsRun(one) && one.code === 0).map((one) => one.is);
    expect(good).toEqual(["answered", "retrieved"]);
  });

  test("[cli-exit-codes] 5: a server that is not there, named, and the run goes on when it is", async () => {
    const port = await closedPort();
    const cwd = desk({ model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: "m" } });
    const said = await cli(cwd, run);
    expect(said.code).toBe(5);
    expect(said.stderr).toMatch(
      /^signalbox: model_unreachable: unreachable: http:\/\/127\.0\.0\.1:\d+\/v1.*ECONNREFUSED/,
    );
    expect(said.stderr).toContain("signalbox continue ");
    expect((await cli(cwd, ["doctor"])).code).toBe(5);
  });

  test("[cli-exit-codes] continue of an answered run is refused, and resume of it answers again without doing anything", async () => {
    const cwd = desk({ replies: [say.pay("ada", 5), say.answer("paid")] });
    const id = await aRun(cwd);
    const continued = await cli(cwd, ["continue", id]);
    expect(continued).toMatchObject({ code: 2, stdout: "" });
    expect(continued.stderr).toContain("not_continuable");
    const resumed = await cli(cwd, ["resume", id]);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("paid");
    expect(effects(cwd)).toEqual(["pay ada 5"]);
  });

  test("[cli-exit-codes] a run that loops ends differently from success, in its exit code and its document", async () => {
    const looping = await bin(desk({ replies: looks("a", "a", "a") }), [...run, "--json"]);
    const working = await bin(desk({ replies: [...looks("a", "b"), say.answer()] }), [...run, "--json"]);
    expect([looping.code, working.code]).toEqual([3, 0]);
    expect(documentIn(looping)).toMatchObject({ ending: "repetition", exitCode: 3 });
    expect(documentIn(working)).toMatchObject({ ending: "answered", exitCode: 0 });
  });
});

describe("what an answer does not say", () => {
  const replies = [say.pay("ada", 7), say.pay("ada", 5), say.answer("paid")];
  const as = ["--as", "agent:desk", "--for", "customer:ada"];

  test("[cli-exit-codes] a denial alone ends nothing: it is counted under the run and in the document", async () => {
    const said = await cli(desk({ replies }), run);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toMatch(/^answered · 3 turns · 1 performed · 1 denied · [0-9]/m);
    const document = documentIn(await cli(desk({ replies }), [...run, ...as, "--json"]));
    const counts = { ending: "answered", exitCode: 0, turns: 3, steps: 2, performed: 1, denied: 1 };
    expect(document).toMatchObject({ ...counts, principal: "agent:desk", customer: "customer:ada" });
    expect((await cli(folder(), ["--help"])).stdout).toContain("A denial alone does not change the exit code");
  });

  test("[cli-exit-codes] the counts are of the whole run, resumed or continued; what failed or is unknown is not performed", async () => {
    const cwd = desk({ replies: [...replies, say.answer()], config: { budgets: { turns: 2 } } });
    const stopped = documentIn(await cli(cwd, [...run, "--json"])) as { run: string };
    expect(stopped).toMatchObject({ ending: "turn_budget", performed: 1, denied: 1 });
    const continued = documentIn(await cli(cwd, ["continue", stopped.run, "--json"]));
    expect(continued).toMatchObject({ ending: "answered", performed: 1, denied: 1 });
    expect(documentIn(await cli(cwd, ["resume", stopped.run, "--json"]))).toMatchObject({ performed: 1, denied: 1 });
    const unknown = await cli(desk({ replies: [say.look("throw"), say.pay("ada", 13)] }), [...run, "--json"]);
    expect(documentIn(unknown)).toMatchObject({ ending: "outcome_unknown", steps: 2, performed: 0, denied: 0 });
    const nothing = await cli(desk({ replies: [say.answer()] }), run);
    expect(nothing.stdout).not.toMatch(/performed|denied/);
  });

  test("the thread goes on under the same names, also after a resume that had nothing to do", async () => {
    const cwd = desk({ replies });
    const { run: id, thread } = documentIn(await cli(cwd, [...run, ...as, "--json"])) as {
      run: string;
      thread: string;
    };
    const further = `signalbox run --thread ${thread} --as agent:desk --for customer:ada "…"`;
    expect((await cli(cwd, ["resume", id])).stdout).toContain(further);
    const anew = await cli(desk({ replies }), [...run, ...as]);
    expect(anew.stdout).toMatch(/signalbox run --thread \S+ --as agent:desk --for customer:ada "…"/);
    expect((await cli(desk({ replies }), run)).stdout).toMatch(/signalbox run --thread \S+ "…"/);
  });
});

describe("the executable", () => {
  test("under an old Node it says what works in a project", async () => {
    const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` };
    expect(await bin(folder(), ["--version"], { env })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "signalbox needs Node.js 22.13 or newer, this is 20.19.0: install a newer one; in a project: npm i -D node@24, then npx signalbox …\n",
    });
  });

  test("[cli-json-one-document] what a config or a tool prints is not part of the document", async () => {
    const cwd = desk({ replies: [say.answer()] });
    const config = readFileSync(join(cwd, "signalbox.config.ts"), "utf8");
    writeFileSync(join(cwd, "signalbox.config.ts"), `console.log("chatter");\nconsole.info("more");\n${config}`);
    const said = await bin(cwd, [...run, "--json"]);
    expect(documentIn(said)).toMatchObject({ ending: "answered" });
    expect(said.stderr).toBe("chatter\nmore\n");
  });

  test("[cli-exit-codes] the first SIGINT ends the run as cancelled, and it can be continued", async () => {
    const model = `{ name: "slow", kind: "live", where: "here", complete: () => new Promise(() => setTimeout(() => {}, 60_000)) }`;
    const cwd = desk({ replies: [say.answer("at last")] });
    const config = readFileSync(join(cwd, "signalbox.config.ts"), "utf8");
    const slow = config.replace("model: setting.model ?? ", `model: process.env.SLOW ? ${model} : `);
    writeFileSync(join(cwd, "signalbox.config.ts"), slow);
    const child = start(cwd, [...run, "--json"], { env: { SLOW: "1" } });
    await untilRunBegan(cwd);
    child.process.kill("SIGINT");
    const said = await child.said;
    expect(said.code).toBe(1);
    const { ending, run: id } = documentIn(said) as { ending: string; run: string };
    expect(ending).toBe("cancelled");
    expect((await cli(cwd, ["ledger", "verify"])).code).toBe(0);
    const continued = await cli(cwd, ["continue", id]);
    expect(continued.code).toBe(0);
    expect(continued.stdout).toContain("at last");
  });

  test("[cli-exit-codes] killed in the middle of a run, it says that the run is open, and resume carries it on", async () => {
    const model = `{ name: "slow", kind: "live", where: "here", complete: () => new Promise(() => setTimeout(() => {}, 60_000)) }`;
    const cwd = desk({ replies: [say.answer("at last")] });
    const config = readFileSync(join(cwd, "signalbox.config.ts"), "utf8");
    const slow = config.replace("model: setting.model ?? ", `model: process.env.SLOW ? ${model} : `);
    writeFileSync(join(cwd, "signalbox.config.ts"), slow);
    const child = start(cwd, run, { env: { SLOW: "1" } });
    const id = await untilRunBegan(cwd);
    child.process.kill("SIGKILL");
    await child.said;
    expect((await cli(cwd, ["runs"])).stdout).toContain("open");
    expect((await cli(cwd, ["continue", id])).stderr).toContain(`signalbox resume ${id}`);
    expect(await cli(cwd, ["resume", id])).toMatchObject({ code: 0 });
  });

  test("a reader that has seen enough does not stop the run", async () => {
    const cwd = desk({ replies: [say.pay("ada", 5), say.pay("bob", 6), say.answer()], unhurried: true });
    // `true` reads nothing and is gone long before the first line is written.
    const piped = `{ ${COMMAND} run please; echo "code $?" >&2; } | true`;
    const said = await heard(spawn("sh", ["-c", piped], { cwd, stdio: ["ignore", "pipe", "pipe"] }));
    expect(said.stderr).toBe("code 0\n");
    expect(effects(cwd)).toEqual(["pay ada 5", "pay bob 6"]);
  });

  test("nothing is written where there is nothing to do", async () => {
    const cwd = desk({});
    for (const argv of [["runs"], ["replay", "x"], ["ledger", "verify"], ["--help"]]) await cli(cwd, argv);
    expect(existsSync(join(cwd, "signalbox.db"))).toBe(false);
  });

  /** The id of the run that another process has begun. */
  async function untilRunBegan(cwd: string): Promise<string> {
    for (;;) {
      if (existsSync(join(cwd, "signalbox.db"))) {
        const said = await cli(cwd, ["runs", "--json"]);
        const [newest] = said.code === 0 ? (documentIn(said) as { run: string }[]) : [];
        if (newest !== undefined) return newest.run;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

test("[cli-init-runs] init in an empty folder says what to do next, and a second one touches nothing", async () => {
  const cwd = folder();
  const said = await cli(cwd, ["init", "--json"]);
  expect(documentIn(said)).toMatchObject({
    written: ["signalbox.config.ts", "signalbox.test.ts", "package.json", ".gitignore"],
  });
  expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe("node_modules/\nsignalbox.db*\nseats.json\n");
  writeFileSync(join(cwd, "signalbox.test.ts"), "// mine");
  const again = await cli(cwd, ["init"]);
  expect(again.code).toBe(2);
  expect(readFileSync(join(cwd, "signalbox.test.ts"), "utf8")).toBe("// mine");
});
