/** A trial from its design to its report: a config, rule files, the command line, and a server of chat completions. */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completion, type Loopback, serve } from "../loopback.ts";
import { cli, documentIn, folder } from "./stage.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
const RULE = "---\nid: lock-screen\n---\nAt a lock screen, say that it is locked.\n";
const FILLER = "---\nid: weather\n---\nBe brief about the weather.\n";

/** A server whose model follows the rule where it stands alone. `heeds`: it says so in words that hang on the seed. */
function server(heeds: boolean): Promise<Loopback> {
  return serve((response, { json, url }) => {
    response.setHeader("content-type", "application/json");
    if (!url.endsWith("/chat/completions")) return void response.writeHead(404).end("{}");
    const prompt = JSON.stringify(json.messages);
    const follows = prompt.includes("say that it is locked") && !prompt.includes("about the weather");
    const words = heeds && json.temperature !== 0 ? ` (${json.seed})` : "";
    const reply = { kind: "conversation", text: `${follows ? "It is locked." : "Done."}${words}` };
    response.end(completion({ role: "assistant", content: JSON.stringify(reply) }));
  });
}

/** `run` runs the trial under a config of this model; each is a file of its own, since a process reads a config once. */
type Desk = {
  readonly cwd: string;
  readonly plan: (...argv: readonly string[]) => ReturnType<typeof cli>;
  readonly run: (model: object, more?: object, terminal?: Parameters<typeof cli>[2]) => ReturnType<typeof cli>;
};

function trial({ url }: Loopback, over: object = {}): Desk {
  const cwd = folder();
  mkdirSync(join(cwd, "guides"));
  writeFileSync(join(cwd, "guides/lock-screen.md"), RULE);
  writeFileSync(join(cwd, "guides/weather.md"), FILLER);
  const design = {
    schema: "signalbox.trial-design/1",
    name: "the lock screen",
    seed: 7,
    rule: { id: "lock-screen", revision: digest(RULE) },
    profile: "p",
    tasks: [{ id: "dark", text: "Switch to the dark mode" }],
    fillers: [{ id: "weather", revision: digest(FILLER) }],
    vary: { volume: { neighbours: [0, 1] } },
    judge: { obeyed: [{ answer_contains: "it is locked" }] },
    expect: { high: 100, low: 0 },
    controlPairs: 6,
    ...over,
  };
  writeFileSync(join(cwd, "design.json"), JSON.stringify(design));
  let configs = 0;
  const run: Desk["run"] = (model, more = {}, terminal = {}) => {
    const document = {
      model: { baseUrl: url, name: "m", ...model },
      store: "memory",
      tools: [],
      guides: "./guides",
      profiles: { p: {} },
      ...more,
    };
    configs += 1;
    writeFileSync(join(cwd, `config-${configs}.ts`), `export default ${JSON.stringify(document)};\n`);
    return cli(cwd, ["trial", "run", "design.json", "--config", `config-${configs}.ts`], terminal);
  };
  const plan: Desk["plan"] = (...argv) => cli(cwd, ["trial", "plan", "design.json", ...argv]);
  return { cwd, run, plan };
}

/** The requests of runs: not the canaries, which have a schema of their own. */
const asked = ({ heard }: Loopback) =>
  heard.flatMap(({ json }) => (JSON.stringify(json.messages ?? "").includes("dark mode") ? [json] : []));

describe("a trial of what the config does not have", () => {
  const tool = "tabs";
  test.each<[string, object, string, string]>([
    ["a profile", { profile: "q" }, "unknown_profile", 'the config has no profile "q"'],
    ["a rule", { rule: { id: "lock", revision: digest(RULE) } }, "unknown_revision", "no rule of this id"],
    ["a revision", { rule: { id: "lock-screen", revision: digest("x") } }, "unknown_revision", "nobody has the bytes"],
    ["a filler", { fillers: [{ id: "weather", revision: digest("x") }] }, "unknown_revision", "nobody has the bytes"],
    [
      "the judge's tool",
      { judge: { obeyed: [{ proposed: { tool } }] } },
      "bad_trial",
      'judge.obeyed[0].proposed.tool: the config has no tool "tabs"; did you mean "tap"?',
    ],
    [
      "a tool that must not be proposed",
      { judge: { obeyed: [{ answer_contains: "x" }], opportunity: [{ not_proposed: { tool } }] } },
      "bad_trial",
      "judge.opportunity[0].not_proposed.tool: ",
    ],
    [
      "a tool with consequences",
      { judge: { obeyed: [{ answer_contains: "x" }], actions: [{ tool, safety: 0 }] } },
      "bad_trial",
      "judge.actions[0].tool: ",
    ],
    ["a tool that gives something", { results: [{ tool, result: "x" }] }, "bad_trial", "results[0].tool: "],
    ["a tool with a record", { records: [{ tool, record: {} }] }, "bad_trial", "records[0].tool: "],
  ])("%s: neither planned nor run, and nothing is asked", async (_, over, code, said) => {
    const loopback = await server(true);
    const { cwd, plan } = trial(loopback, over);
    writeFileSync(join(cwd, "signalbox.config.ts"), CONFIG_WITH_TOOL.replace("URL", loopback.url));
    for (const refused of [await plan(), await cli(cwd, ["trial", "run", "design.json"])]) {
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain(`signalbox: ${code}: `);
      expect(refused.stderr).toContain(said);
    }
    expect(loopback.heard).toEqual([]);
  });

  test("where there is no config a plan is made, and says what it did not look for", async () => {
    const { plan, run } = trial(await server(true), { profile: "q" });
    const said = await plan();
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("no config here: rules, profile and tools were not looked for");
    expect(documentIn(await plan("--json"))).toMatchObject({ design: { checked: false } });
    expect((await run({})).stderr).toContain("unknown_profile");
    expect((await plan("--config", "config-1.ts")).stderr).toContain("unknown_profile");
    expect((await plan("--config", "none.ts")).stderr).toContain("no_config");
  });
});

const CONFIG_WITH_TOOL = `import { defineTool, z } from "signalbox";
const tap = defineTool({ name: "tap", description: "taps", placement: "internal", effect: "read", params: z.strictObject({}), execute: () => "x", summarise: (x) => x });
export default { model: { baseUrl: "URL", name: "m", temperature: 1 }, store: "memory", tools: [tap], guides: "./guides", profiles: { p: {} } };
`;

describe("a trial over a server", () => {
  test("[trial-draws] each request carries the seed of its pair, and the report supports what the server did", async () => {
    const loopback = await server(true);
    const { cwd, run } = trial(loopback);
    expect(await run({ temperature: 0.7 })).toMatchObject({ code: 0, stderr: "" });
    const requests = asked(loopback);
    expect(requests).toHaveLength(24);
    expect(new Set(requests.map(({ temperature }) => temperature))).toEqual(new Set([0.7]));
    // Whatever else was asked was asked once, and not for each run.
    const others = loopback.heard.filter(({ json }) => !requests.includes(json));
    expect(others.length).toBeLessThan(10);
    expect(new Set(others.map(({ url, json }) => `${url} ${JSON.stringify(json)}`)).size).toBe(others.length);
    // Twelve pairs, each with a seed of its own, the same in both of its arms.
    const seeds = requests.map(({ seed }) => seed);
    expect(seeds.every((seed) => Number.isSafeInteger(seed))).toBe(true);
    expect(new Set(seeds).size).toBe(12);
    expect(seeds.filter((_, i) => i % 2 === 0)).toEqual(seeds.filter((_, i) => i % 2 === 1));
    expect(documentIn(await cli(cwd, ["trial", "report", "design.runs.jsonl", "--json"]))).toMatchObject({
      kind: "report",
      repeats: null,
      conditions: { setting: { "model.temperature": 0.7, "model.seeded": true, "model.where": loopback.url } },
      comparisons: [{ higher: "0-neighbours", complete: 6 }],
    });
  });

  test("[trial-draws] a model that heeds neither is found out: one task is one draw, however often it is asked", async () => {
    const loopback = await server(false);
    const { cwd, run } = trial(loopback);
    expect(await run({ temperature: 0.7 })).toMatchObject({ code: 0 });
    const said = await cli(cwd, ["trial", "report", "design.runs.jsonl"]);
    expect(said.code).toBe(1);
    expect(said.stderr).toContain("followed in 1 of 1 runs, each prompt counted once");
  });

  test("[trial-draws] at temperature 0 no run is made: one task is one draw", async () => {
    const loopback = await server(true);
    const said = await trial(loopback).run({});
    expect(said.code).toBe(2);
    expect(said.stderr).toContain("pairs_repeat");
    expect(asked(loopback)).toEqual([]);
  });

  test("[trial-constant] a trial does not go on at another temperature, nor under other policies or budgets", async () => {
    const loopback = await server(true);
    const { cwd, run } = trial(loopback);
    const cancel = new AbortController();
    const begun = await run(
      { temperature: 0.2 },
      {},
      {
        isTty: true,
        columns: 80,
        signal: cancel.signal,
        onWrite: (text) => {
          if (text.includes("2 of 24")) cancel.abort();
        },
      },
    );
    expect([begun.code, asked(loopback).length]).toEqual([1, 2]);
    const before = readFileSync(join(cwd, "design.runs.jsonl"), "utf8");
    for (const [model, more, said] of [
      [{ temperature: 1.5 }, {}, "its model.temperature was 0.2, and is 1.5 now"],
      [{ temperature: 0.2, mode: "tools" }, {}, "its model.mode was flat, and is tools now"],
      [{ temperature: 0.2 }, { policyVersion: "2" }, "its policies was"],
      [{ temperature: 0.2 }, { budgets: { turns: 3 } }, "its budgets.turns was 10, and is 3 now"],
      [{ temperature: 0.2 }, { window: { tokens: 8_192 } }, "its window.tokens was 16384, and is 8192 now"],
    ] as const) {
      const refused = await run(model, more);
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain("other_conditions");
      expect(refused.stderr.replace(/\s+/g, " ")).toContain(said);
    }
    expect(asked(loopback)).toHaveLength(2);
    expect(readFileSync(join(cwd, "design.runs.jsonl"), "utf8")).toBe(before);
    expect((await run({ temperature: 0.2 })).code).toBe(0);
    expect(asked(loopback)).toHaveLength(24);
  });
});
