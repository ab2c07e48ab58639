import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { columnsOf } from "../../src/apps/cli/text.ts";
import { bin, cli, type DeskSetting, desk, type Said, say } from "./stage.ts";

const run = ["run", "please"];

/** Honest work and every fault that a row can show. */
const EVERYTHING: DeskSetting = {
  replies: [
    "Of course, let me look.",
    say.look("order 1042"),
    say.pay("ada", 7),
    say.pay("ada", 500, ["inv_nobody"]),
    say.plan(["pay", { account: "ada", amountMinor: 500 }, "inv_ada"]),
    say.pay("ada", 500),
    say.plan(["seer", { id: "a" }], ["nobody", {}], ["seer", { id: "b" }]),
    say.pay("bob", 401),
    say.act("look", { id: 4, also: 5 }),
    say.answer("It is paid.\n\n  - five francs to Ada\nAnything else?"),
  ],
};

/** Ids and times differ from run to run; they keep their width. */
function still(text: string): string {
  const ids = new Map<string, string>();
  const still = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `id${String(ids.size + 1).padStart(24, "0")}`);
    return ids.get(id) ?? "";
  };
  return text
    .replace(/\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, still)
    .replace(/\d+\.\d s/g, "0.0 s")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, "2026-11-30 03:44:01Z");
}

/** Back to the start of the line, and erase it: the one sequence of ours that is no colour. */
const BACK = "\r\u001b[K";

/** What stays on a terminal that knows carriage return and erase-to-end, and no other sequence. */
function screenOf(text: string): string {
  const lines: string[] = [];
  for (const line of text.split("\n")) lines.push(line.split(BACK).at(-1) ?? "");
  return lines.join("\n");
}

describe("the run on the screen", () => {
  test("110 columns: a table, and under it the ending and what one would do next", async () => {
    const said = await cli(desk(EVERYTHING), run, { isTty: true, columns: 110, env: { NO_COLOR: "1" } });
    expect(`\n${still(screenOf(said.stdout))}`).toMatchInlineSnapshot(`
      "
        the model is scripted: it says the same every time
        1  malformed "Of course, let me look."                  re-asked   not_json: the reply must be one JSON
                                                                           object and nothing else
           action    look {id: order 1042}                      permitted  looked at order 1042
        2  action    pay {account: ada, amountMinor: 7}         denied     unlucky: seven is never paid
                     cites inv_ada
        3  action    pay {account: ada, amountMinor: 500}       denied     evidence_unknown: "inv_nobody" is not in
                     cites inv_nobody                                      the record
        4  plan      pay {account: ada, amountMinor: 500}       permitted  paid ada (receipt 1)
                     cites inv_ada                                         paid_per_run 500 of 900
                                                                           paid_per_day 500 of 2,000
        5  action    pay {account: ada, amountMinor: 500}       settled    paid ada (receipt 1)
                     cites inv_ada                                         receipt of this run, step 4
                                                                           nothing was performed
        6  plan 1/3  seer {id: a}                               permitted  saw a
           plan 2/3  nobody {}                                  denied     unroutable: nobody can perform "nobody"
        the plan stopped here: 1 step not performed
        7  action    pay {account: bob, amountMinor: 401}       denied     cap_exceeded: paid_per_run: 401 wanted,
                     cites inv_bob                                         400 of 900 left
        8  action    look {id: 4, also: 5}                      denied     wrong_type: id: Invalid input: expected
                                                                           string, received number
        9  answer    "It is paid.

                       - five francs to Ada
                     Anything else?"
      answered · 9 turns · 3 performed · 5 denied · 0.0 s · run id000000000000000000000001
        signalbox replay id000000000000000000000001
      thread id000000000000000000000002 (signalbox run --thread id000000000000000000000002 "…")
      "
    `);
  });

  test("60 columns: the verdict stands under what it is about", async () => {
    const said = await cli(desk(EVERYTHING), run, { isTty: true, columns: 60, env: { NO_COLOR: "1" } });
    expect(`\n${still(screenOf(said.stdout))}`).toMatchInlineSnapshot(`
      "
        the model is scripted: it says the same every time
        1  malformed "Of course, let me look."
                     re-asked   not_json: the reply must be one
                                JSON object and nothing else
           action    look {id: order 1042}
                     permitted  looked at order 1042
        2  action    pay {account: ada, amountMinor: 7}
                     cites inv_ada
                     denied     unlucky: seven is never paid
        3  action    pay {account: ada, amountMinor: 500}
                     cites inv_nobody
                     denied     evidence_unknown: "inv_nobody" is
                                not in the record
        4  plan      pay {account: ada, amountMinor: 500}
                     cites inv_ada
                     permitted  paid ada (receipt 1)
                                paid_per_run 500 of 900
                                paid_per_day 500 of 2,000
        5  action    pay {account: ada, amountMinor: 500}
                     cites inv_ada
                     settled    paid ada (receipt 1)
                                receipt of this run, step 4
                                nothing was performed
        6  plan 1/3  seer {id: a}
                     permitted  saw a
           plan 2/3  nobody {}
                     denied     unroutable: nobody can perform
                                "nobody"
        the plan stopped here: 1 step not performed
        7  action    pay {account: bob, amountMinor: 401}
                     cites inv_bob
                     denied     cap_exceeded: paid_per_run: 401
                                wanted, 400 of 900 left
        8  action    look {id: 4, also: 5}
                     denied     wrong_type: id: Invalid input:
                                expected string, received number
        9  answer    "It is paid.

                       - five francs to Ada
                     Anything else?"
      answered · 9 turns · 3 performed · 5 denied · 0.0 s
      run id000000000000000000000001
        signalbox replay id000000000000000000000001
      thread id000000000000000000000002
        signalbox run --thread id000000000000000000000002 "…"
      "
    `);
  });

  test("no terminal: one row a line, however long", async () => {
    const said = await cli(desk(EVERYTHING), run);
    expect(`\n${still(said.stdout)}`).toMatchInlineSnapshot(`
      "
        the model is scripted: it says the same every time
        1  malformed "Of course, let me look."                                                 re-asked   not_json: the reply must be one JSON object and nothing else
           action    look {id: order 1042}                                                     permitted  looked at order 1042
        2  action    pay {account: ada, amountMinor: 7} cites inv_ada                          denied     unlucky: seven is never paid
        3  action    pay {account: ada, amountMinor: 500} cites inv_nobody                     denied     evidence_unknown: "inv_nobody" is not in the record
        4  plan      pay {account: ada, amountMinor: 500} cites inv_ada                        permitted  paid ada (receipt 1) · paid_per_run 500 of 900 · paid_per_day 500 of 2,000
        5  action    pay {account: ada, amountMinor: 500} cites inv_ada                        settled    paid ada (receipt 1) · receipt of this run, step 4 · nothing was performed
        6  plan 1/3  seer {id: a}                                                              permitted  saw a
           plan 2/3  nobody {}                                                                 denied     unroutable: nobody can perform "nobody"
        the plan stopped here: 1 step not performed
        7  action    pay {account: bob, amountMinor: 401} cites inv_bob                        denied     cap_exceeded: paid_per_run: 401 wanted, 400 of 900 left
        8  action    look {id: 4, also: 5}                                                     denied     wrong_type: id: Invalid input: expected string, received number
        9  answer    "It is paid.

                       - five francs to Ada
                     Anything else?"
      answered · 9 turns · 3 performed · 5 denied · 0.0 s · run id000000000000000000000001 (signalbox replay id000000000000000000000001)
      thread id000000000000000000000002 (signalbox run --thread id000000000000000000000002 "…")
      "
    `);
  });

  test("the endings", async () => {
    const endings = [
      ["a", "a", "a"].map(say.look),
      Array.from({ length: 4 }, () => say.pay("ada", 5)),
      [say.pay("ada", 1_500)],
      [say.pay("ada", 13)],
      [say.retrieve("opening hours")],
      [],
    ];
    let all = "";
    for (const replies of endings) {
      const said = await cli(desk({ replies }), [...run, "--thread", "t1"]);
      const [, ...lines] = still(said.stdout).split("\n");
      all += `\n${lines.join("\n")}${still(said.stderr)}`;
    }
    expect(all).toMatchInlineSnapshot(`
      "
        1  action    look {id: a}                                                              permitted  looked at a
        2  action    look {id: a}                                                              permitted  looked at a
        3  action    look {id: a}                                                              not run    repetition
        Repetition detected: the same action was repeated 3 times.
        last result: looked at a
      repetition · 3 turns · 2 performed · 0.0 s · run id000000000000000000000001 (signalbox continue id000000000000000000000001)

        1  action    pay {account: ada, amountMinor: 5} cites inv_ada                          permitted  paid ada (receipt 1) · paid_per_run 5 of 900 · paid_per_day 5 of 2,000
        2  action    pay {account: ada, amountMinor: 5} cites inv_ada                          settled    paid ada (receipt 1) · receipt of this run, step 1 · nothing was performed
        3  action    pay {account: ada, amountMinor: 5} cites inv_ada                          settled    paid ada (receipt 1) · receipt of this run, step 1 · nothing was performed
        4  action    pay {account: ada, amountMinor: 5} cites inv_ada                          settled    paid ada (receipt 1) · receipt of this run, step 1 · nothing was performed
        Short-circuit: the same finished work was proposed 3 times.
        last result: paid ada (receipt 1)
      short_circuit · 4 turns · 1 performed · 0.0 s · run id000000000000000000000001 (signalbox continue id000000000000000000000001)

        1  action    pay {account: ada, amountMinor: 1500} cites inv_ada                       staged     waits for supervisor · pay.authorise
        A person has to approve the proposed action.
        step 1 waits for supervisor
      awaiting_approval · 1 turn · 0.0 s · run id000000000000000000000001 (signalbox approvals show id000000000000000000000001-1)

        1  action    pay {account: ada, amountMinor: 13} cites inv_ada                         unknown    the line broke · paid_per_run 13 of 900 · paid_per_day 13 of 2,000
      outcome_unknown · 1 turn · 0.0 s · run id000000000000000000000001
      signalbox: outcome_unknown: the line broke (look whether it happened; it is never retried by itself, then signalbox outcomes resolve id000000000000000000000001-1 --as WHO --outcome done|failed --why "…")

        1  retrieve  opening hours                                                             nothing    0 passages
           answer    Nothing was found for: opening hours
      retrieved · 1 turn · 0.0 s · run id000000000000000000000001 (signalbox replay id000000000000000000000001)

      model_unreachable · 1 turn · 0.0 s · run id000000000000000000000001
      signalbox: model_unreachable: script_exhausted: the script has no further reply (signalbox doctor asks the model's server, then signalbox continue id000000000000000000000001)
      "
    `);
  });

  test("the list of runs, wide and narrow", async () => {
    const cwd = desk({ replies: [say.answer(), ...["a", "a", "a"].map(say.look)] });
    await cli(cwd, ["run", "first, with a request that is longer than the line has room for it to be shown whole"]);
    await cli(cwd, ["run", "second"]);
    const wide = await cli(cwd, ["runs"], { isTty: true, columns: 110, env: { NO_COLOR: "1" } });
    const narrower = await cli(cwd, ["runs"], { isTty: true, columns: 80, env: { NO_COLOR: "1" } });
    const narrow = await cli(cwd, ["runs"], { isTty: true, columns: 70, env: { NO_COLOR: "1" } });
    expect(
      `\n${[wide, narrower, narrow].map(({ stdout }) => still(stdout).replace(/ \d\d-\d\d \d\d:\d\d {2}/g, " 11-30 03:44  ")).join("\n")}`,
    ).toMatchInlineSnapshot(`
      "
      id000000000000000000000001  2026-11-30 03:44:01Z  repetition  11 rows  second
      id000000000000000000000002  2026-11-30 03:44:01Z  answered     3 rows  first, with a request that is longer t…

      id000000000000000000000001  2026-11-30 03:44:01Z  repetition  second
      id000000000000000000000002  2026-11-30 03:44:01Z  answered    first, with a req…

      id000000000000000000000001  11-30 03:44  repetition  second
      id000000000000000000000002  11-30 03:44  answered    first, with a re…
      "
    `);
  });

  test.each([40, 60, 80, 91, 92, 110, 200])("no line is wider than %i columns", async (columns) => {
    const cwd = desk({
      replies: [
        say.look("漢字かな交じり文".repeat(12)),
        say.look("an unbreakable ".replaceAll(" ", "_").repeat(20)),
        ...(EVERYTHING.replies ?? []).slice(1),
      ],
    });
    const terminal = { isTty: true, columns, env: { NO_COLOR: "1" } };
    const said = [
      await cli(cwd, run, terminal),
      await cli(cwd, ["runs"], terminal),
      await cli(cwd, ["doctor"], terminal),
    ];
    for (const line of said.flatMap((one) => one.stdout.replaceAll(BACK, "\n").split("\n"))) {
      // Ids are never broken: they are copied.
      const id = /[0-9a-z]{26}/.test(line);
      expect(columnsOf(line), line).toBeLessThanOrEqual(id ? Math.max(columns, 64) : columns);
    }
  });

  const long = { isTty: true, columns: 80, env: { NO_COLOR: "1" } };

  test("80 columns: a command that fits no line goes on behind a backslash, its words whole", async () => {
    const argv = [...run, "--as", "agent:desk", "--for", "customer:ada"];
    const said = await cli(desk({ replies: [say.answer()] }), argv, long);
    const lines = still(screenOf(said.stdout)).split("\n");
    expect(lines.slice(lines.findIndex((line) => line.startsWith("thread ")))).toEqual([
      "thread id000000000000000000000002",
      "  signalbox run --thread id000000000000000000000002 --as agent:desk --for \\",
      '    customer:ada "…"',
      "",
    ]);
  });

  test("80 columns: an error breaks at spaces, what to do stands below it, and without a terminal all is one line", async () => {
    const cwd = desk({ replies: [] });
    const said = await cli(cwd, run, long);
    expect(still(said.stderr)).toBe(
      [
        "signalbox: model_unreachable: script_exhausted: the script has no further reply",
        "  signalbox doctor asks the model's server",
        "  signalbox continue id000000000000000000000001",
        "",
      ].join("\n"),
    );
    const named = await cli(cwd, ["run", "x", "--config", `${"no such file ".repeat(8)}.ts`], long);
    for (const line of named.stderr.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(80);
    expect(named.stderr.replaceAll(/\n {2}/g, " ")).toBe(
      `signalbox: no_config: there is no file ${"no such file ".repeat(8)}.ts signalbox init writes one, or name one with --config\n`,
    );
    expect((await cli(cwd, run)).stderr).toMatch(/^[^\n]+\n$/);
  });

  test("what is waited for is shown on a terminal and taken back, and nowhere else", async () => {
    const written: string[] = [];
    const terminal = {
      isTty: true,
      columns: 80,
      env: { NO_COLOR: "1" },
      onWrite: (text: string) => void written.push(text),
    };
    const said = await cli(desk(EVERYTHING), run, terminal);
    expect(written).toContain("  1  asking scripted …");
    expect(written).toContain("  4  running pay …");
    expect(said.stdout).toContain(`…${BACK}`);
    expect(screenOf(said.stdout)).not.toMatch(/asking|running/);
    const plain = await cli(desk(EVERYTHING), run);
    const dumb = await cli(desk(EVERYTHING), run, { isTty: true, columns: 80, env: { TERM: "dumb" } });
    for (const { stdout } of [plain, dumb]) {
      expect(stdout).not.toMatch(/asking|running|\r/);
      expect(stdout).not.toContain("\u001b");
    }
  });

  test("the line is taken back where the run fails, too", async () => {
    const cwd = desk({ model: { baseUrl: "http://127.0.0.1:9/v1", name: "m" } });
    const said = await cli(cwd, run, { isTty: true, columns: 80, env: { NO_COLOR: "1" } });
    expect(said.code).toBe(5);
    expect(screenOf(said.stdout)).toMatch(/^model_unreachable · /);
  });

  test("colour on a terminal, unless NO_COLOR or TERM=dumb; elsewhere only with FORCE_COLOR", async () => {
    const table: readonly (readonly [isTty: boolean, env: Record<string, string>, coloured: boolean])[] = [
      [true, {}, true],
      [true, { NO_COLOR: "1" }, false],
      [true, { NO_COLOR: "" }, true],
      [true, { TERM: "dumb" }, false],
      [true, { FORCE_COLOR: "0" }, false],
      [false, {}, false],
      [false, { FORCE_COLOR: "1" }, true],
      [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    ];
    for (const [isTty, env, coloured] of table) {
      const said = await cli(desk({ replies: [say.pay("ada", 7), say.answer()] }), run, { isTty, columns: 100, env });
      const error = await cli(desk({}), ["run"], { isTty, env });
      expect([env, isTty, said.stdout.includes("\u001b[31mdenied\u001b[39m")]).toEqual([env, isTty, coloured]);
      expect([env, isTty, error.stderr.includes("\u001b[31m")]).toEqual([env, isTty, coloured]);
    }
  });
});

describe("nobody attacks the terminal", () => {
  // Title, clear screen, cursor up in C1, right-to-left override and isolate, zero width, tag, return, backspace, null.
  const HIDDEN_AND_OBEYED = "\u001b]0;owned\u0007\u001b[2J\u009b1A\u202e\u2066\u200b\u{e0041}\r\b\u0000\ufeff\u2028x";
  const EVIL = HIDDEN_AND_OBEYED;
  const HARMFUL =
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

  function expectHarmless(said: Said): void {
    expect(said.stdout.replaceAll(BACK, "")).not.toMatch(HARMFUL);
    expect(said.stderr).not.toMatch(HARMFUL);
  }

  test("by what a model says: text, prose, tool, params, evidence, actor, query", async () => {
    const replies = [
      `prose ${EVIL}`,
      say.look(EVIL),
      say.act(EVIL, { [EVIL]: EVIL }, [EVIL]),
      say.act("pay", { account: EVIL, amountMinor: 5 }, [EVIL]),
      say.pay("ada", 5, [EVIL]),
      say.plan([EVIL, { id: EVIL }], ["seer", { id: EVIL }]),
      say.answer(`fine ${EVIL}\nanswered · 1 turn`),
    ];
    for (const argv of [
      ["run", EVIL],
      ["run", EVIL, "--json"],
    ]) {
      const cwd = desk({ replies: [...replies, say.retrieve(EVIL)] });
      expectHarmless(await cli(cwd, argv, { isTty: true, columns: 100, env: { NO_COLOR: "1" } }));
      // The second run says what a memory without an answer leaves: the query.
      expectHarmless(await cli(cwd, argv, { env: { NO_COLOR: "1" } }));
      for (const list of [["runs"], ["runs", "--json"]]) expectHarmless(await cli(cwd, list));
    }
  });

  test("by a line break: what a model says stands indented under its head, never at the margin", async () => {
    const cwd = desk({
      replies: [say.answer("paid\nanswered · 1 turn · 0.1 s · run forged (signalbox replay forged)")],
    });
    for (const terminal of [{}, { isTty: true, columns: 60 }]) {
      const said = await cli(cwd, run, terminal);
      const forged = said.stdout.split("\n").filter((line) => line.includes("forged"));
      for (const line of forged) expect(line).toMatch(/^ {15}/);
    }
  });

  test("by what stands on the command line", async () => {
    // No argument of a real process holds a null.
    const EVIL = HIDDEN_AND_OBEYED.replaceAll("\0", "");
    const cwd = desk({ replies: [say.answer()] });
    await cli(cwd, run);
    const lines = [
      [EVIL],
      ["run", "x", EVIL],
      ["run", "x", `--${EVIL}`],
      ["run", "x", "--as", EVIL],
      ["run", "x", "--thread", EVIL],
      ["run", "x", "--config", EVIL],
      ["replay", EVIL],
      ["ledger", "verify", "--checkpoint", EVIL],
    ];
    for (const argv of lines) {
      for (const said of [await cli(cwd, argv), await cli(cwd, [...argv, "--json"])]) {
        expect(said.code).toBe(2);
        expectHarmless(said);
      }
    }
  });

  test("by a model's server, its name and what it answers", async () => {
    const server = createServer((_, response) => void response.writeHead(500).end(EVIL));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const cwd = desk({ model: { baseUrl: `http://127.0.0.1:${port}/v1`, name: EVIL } });
    for (const argv of [run, [...run, "--json"], ["doctor"], ["doctor", "--json"]]) {
      const said = await cli(cwd, argv, { isTty: true, columns: 80, env: { NO_COLOR: "1" } });
      expect(said.code).toBe(5);
      expectHarmless(said);
    }
  });

  test("by what somebody wrote into the ledger", async () => {
    const cwd = desk({ replies: [say.look("a"), say.answer()] });
    await cli(cwd, run);
    const id = /run (\S+) \(/.exec((await cli(cwd, run)).stdout)?.[1] ?? "";
    const db = new DatabaseSync(join(cwd, "signalbox.db"));
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()) {
      db.exec(`DROP TRIGGER ${String(name)}`);
    }
    db.prepare("UPDATE rows SET kind = ?, body = ? WHERE id & 16777215 = 2").run(EVIL, JSON.stringify({ text: EVIL }));
    db.prepare("UPDATE runs SET request = ?, thread = ?").run(EVIL, EVIL);
    db.close();
    for (const argv of [["ledger", "verify"], ["ledger", "verify", "--json"], ["replay", id], ["runs"], ["doctor"]]) {
      expectHarmless(await cli(cwd, argv));
    }
  });

  test("the real executable, through a pipe", async () => {
    const said = await bin(desk({ replies: [say.answer(EVIL)] }), run);
    expect(said.code).toBe(0);
    expectHarmless(said);
    expect(said.stdout).toContain("\\u{1b}]0;owned\\u{7}");
  });
});
