import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENDINGS, type Memory, type Model, type RunOutcome, type Signalbox } from "signalbox";
import { countedIds, faultyStore, type ScriptedReply, scriptedModel, simulatedClock } from "signalbox/testing";
import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { cli, type DeskSetting, desk, documentIn, openDesk, say } from "./stage.ts";

const DAY_MS = 86_400_000;

/** A memory that knows opening hours and nothing else. */
const memory: Memory = {
  search: async (query) => (query.includes("hours") ? [{ source: "faq", text: "Open from nine to five." }] : []),
};

type Opened = { readonly box: Signalbox; readonly clock: ReturnType<typeof simulatedClock> };

async function opened(replies: Iterable<ScriptedReply>, instead: Parameters<typeof openDesk>[1] = {}): Promise<Opened> {
  const clock = simulatedClock(Date.UTC(2026, 10, 30, 12));
  const box = await openDesk(desk({}), {
    model: scriptedModel({ replies }),
    clock,
    ids: countedIds(),
    memory,
    ...instead,
  });
  return { box, clock };
}

/** For each ending, a run that has it. */
const RUNS: { readonly [Name in keyof typeof ENDINGS]?: () => Promise<readonly [Signalbox, RunOutcome]> } = {
  answered: () => ran([say.look("a"), say.pay("ada", 5), say.answer()]),
  retrieved: () => ran([say.retrieve("the hours"), say.answer("From nine to five.")]),
  turn_budget: () => ran(manyLooks(11)),
  call_budget: () => ran(["prose", ...manyLooks(5)], { budgets: { modelCalls: 3 } }),
  step_budget: () =>
    ran([say.plan(["seer", { id: "a" }], ["seer", { id: "b" }], ["seer", { id: "c" }])], { budgets: { steps: 2 } }),
  repetition: () => ran([say.pay("ada", 7), say.pay("ada", 7), say.pay("ada", 7)]),
  cycle: () => ran(["a", "b", "c", "a", "b", "c"].map(say.look)),
  short_circuit: () => ran(Array.from({ length: 4 }, () => say.pay("ada", 5))),
  malformed: () => ran(["1", "{}", '{"kind":"x"}', "", "[", "2"]),
  awaiting_approval: () => ran([say.look("a"), say.pay("ada", 1_001)]),
  cancelled: async () => {
    const controller = new AbortController();
    const { box } = await opened([say.look("a"), say.answer()]);
    const onEvent = (event: { readonly kind: string }): void => {
      if (event.kind === "finished") controller.abort();
    };
    return [box, await box.run("please", { signal: controller.signal, onEvent })];
  },
  deadline: async () => {
    const { box, clock } = await opened([say.look("a"), say.look("b"), say.answer()]);
    return [box, await box.run("please", { onEvent: () => clock.set(clock.now() + 400_000) })];
  },
  budget_exhausted: () => ran(manyLooks(5), { budgets: { tokens: 1_500 } }),
  outcome_unknown: () => ran([say.pay("ada", 13)]),
  guide_refused: () => ran([say.answer()], { window: { tokens: 2_500, outputTokens: 100 } }, "x".repeat(6_000)),
  model_unreachable: () => ran([say.look("a")]),
  ledger_unavailable: () =>
    ran([say.look("a"), say.answer()], { store: faultyStore(openMemoryStore(), { failAt: 4 }) }),
  failed: () => {
    const onCall = (_: string, n: number): void => {
      if (n === 4) throw new TypeError("a bug of the store");
    };
    return ran([say.look("a"), say.look("b"), say.answer()], { store: faultyStore(openMemoryStore(), { onCall }) });
  },
};

function manyLooks(n: number): readonly ScriptedReply[] {
  return Array.from({ length: n }, (_, i) => say.look(`n${i}`));
}

async function ran(
  replies: Iterable<ScriptedReply>,
  instead: Parameters<typeof openDesk>[1] = {},
  request = "please",
): Promise<readonly [Signalbox, RunOutcome]> {
  const { box } = await opened(replies, instead);
  return [box, await box.run(request)];
}

describe("a run of every ending", () => {
  test("[run-replay] there is one for each ending but the watchdog's, which nothing gives yet", () => {
    expect(Object.keys(ENDINGS).filter((name) => !Object.hasOwn(RUNS, name))).toEqual(["watchdog"]);
  });

  test.each(Object.entries(RUNS))(
    "[run-replay] %s is derived again from its rows, without a model or a tool",
    async (name, make) => {
      const [box, outcome] = await make();
      expect(outcome.ending).toBe(name);
      const before = await box.events(outcome.run);
      const replay = await box.replay(outcome.run);
      expect(replay).toMatchObject({ same: true, differences: [], changed: [] });
      // What could not be written has no ending in the ledger.
      expect(replay.ending).toBe(name === "ledger_unavailable" ? null : name);
      expect(replay.rows).toBe(before.length);
      expect(await box.events(outcome.run)).toEqual(before);
    },
  );
});

describe("another policy", () => {
  const replies = [say.pay("ada", 50), say.pay("bob", 150), say.pay("ada", 250), say.pay("bob", 7), say.answer()];

  /** The desk's ledger, and beside its config another with a ceiling. */
  function twoDesks(next: DeskSetting): string {
    const cwd = desk({ replies });
    const config = readFileSync(join(cwd, "signalbox.config.ts"), "utf8");
    writeFileSync(join(cwd, "next.config.ts"), config.replaceAll("desk.json", "next.json"));
    writeFileSync(join(cwd, "next.json"), JSON.stringify(next));
    return cwd;
  }

  async function aRun(cwd: string): Promise<string> {
    return (documentIn(await cli(cwd, ["run", "please", "--json"])) as { run: string }).run;
  }

  test("[run-replay] exactly the decisions that flip are shown, with their rows, and the exit code is 1", async () => {
    const cwd = twoDesks({ ceilingMinor: 200 });
    const run = await aRun(cwd);
    expect(await cli(cwd, ["replay", run])).toMatchObject({ code: 0 });
    const said = await cli(cwd, ["replay", run, "--config", "next.config.ts"]);
    expect(said.stdout.split("\n")).toEqual([
      "  row 11  decision differs",
      "    recorded    permit by pay.authorise",
      "    derived     deny over_ceiling by pay.authorise",
      `differs · 17 rows · 4 decisions · answered · run ${run}`,
      "",
    ]);
    expect(said.code).toBe(1);
    const document = documentIn(await cli(cwd, ["replay", run, "--config", "next.config.ts", "--json"]));
    expect(document).toMatchObject({ same: false, differences: [{ seq: 11, what: "decision" }] });
  });

  test("[run-replay] a denial that becomes a permit is shown as well; a policy that only reads differently is named and differs in nothing", async () => {
    const strict = desk({ replies, ceilingMinor: 200 });
    const config = readFileSync(join(strict, "signalbox.config.ts"), "utf8");
    const run = await aRun(strict);
    writeFileSync(join(strict, "desk.json"), JSON.stringify({ replies }));
    // A new name, since this process has loaded the old one.
    writeFileSync(join(strict, "loose.config.ts"), config);
    const loose = await cli(strict, ["replay", run, "--config", "loose.config.ts"]);
    expect(loose.code).toBe(1);
    expect(loose.stdout).toContain("recorded    deny over_ceiling by pay.authorise");
    expect(loose.stdout).toContain("derived     permit by pay.authorise");
    const reworded = config.replace('deny("unlucky", "seven is never paid")', 'deny("unlucky", "never seven")');
    writeFileSync(join(strict, "desk.json"), JSON.stringify({ replies, ceilingMinor: 200 }));
    writeFileSync(join(strict, "reworded.config.ts"), reworded);
    const said = await cli(strict, ["replay", run, "--config", "reworded.config.ts"]);
    expect(said.stdout).toMatch(/^ {2}since the run, the policy version has changed\nreproduced · /);
    expect(said.code).toBe(0);
  });

  test("[run-replay] another description of a tool is another prompt, and no other decision", async () => {
    const cwd = twoDesks({ description: "Look, but carefully." });
    const said = await cli(cwd, ["replay", await aRun(cwd), "--config", "next.config.ts"]);
    expect(said.code).toBe(1);
    expect(said.stdout.match(/prompt differs/g)).toHaveLength(5);
    expect(said.stdout).not.toMatch(/(decision|ending|line|reply) differs/);
    expect(said.stdout).toContain("since the run, the prompt version has changed");
  });
});

describe("golden runs", () => {
  /** The same sequence on every machine: mulberry32. */
  function chance(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) % below;
    };
  }

  /** A model of moods: mostly sensible, often wrong in one of the usual ways, and now and then it comes to an end. */
  function* moods(seed: number): Generator<ScriptedReply> {
    const pick = chance(seed);
    const account = (): string => (pick(2) === 0 ? "ada" : "bob");
    const amounts = [1, 5, 7, 50, 400, 900, 901, 1_001, -4, 2.5];
    const tempers: readonly (() => ScriptedReply)[] = [
      () => say.look(`n${pick(4)}`),
      () => say.look("throw"),
      () => say.pay(account(), amounts[pick(amounts.length)] ?? 1),
      () => say.pay(account(), 3 + pick(3), [`inv_${account()}`]),
      () => say.pay(account(), 5, []),
      () => say.act("look", { id: "x", more: pick(9) }),
      () => say.act(["nobody", "toString", "__proto__"][pick(3)] ?? "", {}),
      () => say.plan(["seer", { id: `p${pick(3)}` }]),
      () =>
        say.plan(["seer", { id: "a" }], ["pay", { account: account(), amountMinor: pick(40) }], ["seer", { id: "b" }]),
      () => ["prose", "", "```json\n{}\n```", '{"kind":"action","tool":3}', '{"kind":"a","kind":"b"}'][pick(5)] ?? "",
      () => say.retrieve(pick(2) === 0 ? "hours" : "holidays"),
      () => say.answer(`That is all (${pick(100)}).`),
      () => say.look(`again${pick(2)}`),
    ];
    for (let turn = 0; ; turn += 1) {
      const temper = turn < 3 ? tempers[pick(tempers.length - 3)] : tempers[pick(tempers.length)];
      yield temper === undefined ? say.answer() : temper();
    }
  }

  /** A model of moods may repeat a mood; a stubborn one says the same until it is stopped. */
  function* stubborn(seed: number): Generator<ScriptedReply> {
    const [first = say.answer(), second = say.answer()] = [...take(moods(seed), 2)];
    for (;;) yield* seed % 2 === 0 ? [first] : [first, second];
  }

  function* take<T>(from: Iterator<T>, n: number): Generator<T> {
    for (let i = 0; i < n; i += 1) {
      const next = from.next();
      if (next.done !== true) yield next.value;
    }
  }

  /** Two messages in a thread on two days, so that caps, receipts and the thread's history take part. */
  async function goldenRun(
    seed: number,
  ): Promise<{ readonly box: Signalbox; readonly outcomes: readonly RunOutcome[] }> {
    const replies = seed % 5 === 4 ? stubborn(seed) : moods(seed);
    const { box, clock } = await opened(replies, { store: openMemoryStore() });
    const thread = box.thread({ id: "golden" });
    const outcomes = [await thread.run(`request ${seed}`)];
    clock.advance(DAY_MS);
    outcomes.push(await thread.run("and then?"));
    return { box, outcomes };
  }

  const SEEDS = Array.from({ length: 50 }, (_, i) => i + 1);

  test("[run-replay] 50 golden runs: the same verdicts, codes, one-liners, endings and prompts, and the same digests when made again", async () => {
    const endings = new Set<string>();
    const codes = new Set<string>();
    let decisions = 0;
    for (const seed of SEEDS) {
      const { box, outcomes } = await goldenRun(seed);
      for (const { run, ending } of outcomes) {
        const replay = await box.replay(run);
        expect({ seed, ...replay }).toMatchObject({ seed, same: true, differences: [], ending });
        decisions += replay.decisions;
        endings.add(ending);
        for (const event of await box.events(run)) {
          if (event.kind === "decided") codes.add(event.denial?.code ?? event.outcome);
        }
      }
      const again = await goldenRun(seed);
      const heads = async (one: Signalbox) => (await one.runs()).map((entry) => entry.headHash);
      expect(await heads(again.box)).toEqual(await heads(box));
    }
    // So that these fifty are worth something: many decisions, of many kinds, with many ends.
    expect(decisions).toBeGreaterThan(200);
    expect([...codes].sort()).toEqual(
      expect.arrayContaining(["permit", "stage", "unlucky", "evidence_missing", "unknown_tool"]),
    );
    expect(codes.size).toBeGreaterThanOrEqual(10);
    expect(endings.size).toBeGreaterThanOrEqual(7);
  });

  test("[run-replay] a planted fault in what is derived is found: another rule, another summary, another budget", async () => {
    const model: Model = scriptedModel({ replies: [say.look("a"), say.pay("ada", 50), say.answer()] });
    const cwd = desk({});
    const box = await openDesk(cwd, { model });
    const { run } = await box.run("please");
    const found = async (instead: Parameters<typeof openDesk>[1]): Promise<readonly string[]> => {
      const other = await openDesk(cwd, instead);
      return (await other.replay(run)).differences.map((difference) => `${difference.seq} ${difference.what}`);
    };
    const pay = [...box.parts.tools.values()].map((tool) => ({ ...tool }));
    const changed = (name: string, change: object) =>
      pay.map((tool) => (tool.name === name ? { ...tool, ...change } : tool));
    expect(await found({})).toEqual([]);
    expect(await found({ tools: changed("pay", { authorise: () => ({ effect: "deny", code: "unlucky" }) }) })).toEqual([
      "7 decision",
    ]);
    expect(await found({ tools: changed("look", { summarise: () => "looked" }) })).toEqual(["5 line"]);
    expect(await found({ policies: [{ id: "no-more", tools: ["*"], effect: "deny", when: () => true }] })).toEqual([
      "3 decision",
      "7 decision",
    ]);
  });
});
