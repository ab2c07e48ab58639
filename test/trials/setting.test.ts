/** The world of a trial as the command line opens it: what it holds constant, and what it does not reach. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, createSignalbox, defineTool, type Model, z } from "signalbox";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import type { TrialSetting } from "../../src/domain/trial-run.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { enactTools, readTrial, readTrialFile, runTrial, type TrialWorld } from "../../src/runtime/index.ts";
import { openTrialWorld } from "../../src/runtime/trials/open-world.ts";
import { design, digest } from "../checks/trial-world.ts";
import { completion, serve } from "../loopback.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trial-setting-"));
  mkdirSync(join(folder, "guides"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(id: string): { readonly id: string; readonly revision: string } {
  const text = `---\nid: ${id}\n---\n\nSay ${id}.\n`;
  writeFileSync(join(folder, "guides", `${id}.md`), text);
  return { id, revision: digest(text) };
}

const probed: string[] = [];

const look = (description: string) =>
  defineTool({
    name: "look",
    description,
    placement: "internal",
    effect: "once",
    params: z.strictObject({}),
    execute: () => "home",
    probe: () => {
      probed.push("looked again");
      return null;
    },
    summarise: () => "home",
  });

const SERVER = { baseUrl: "http://127.0.0.1:9/v1", name: "m" };

function configOf(over: Partial<Config>): Config {
  return {
    model: SERVER,
    store: "memory",
    tools: [look("looks")],
    guides: { folder: join(folder, "guides") },
    profiles: { p: { budgetBytes: 16_000 } },
    ...over,
  };
}

async function inWorld<T>(
  over: Partial<Config>,
  work: (world: TrialWorld, document: object) => Promise<T>,
): Promise<T> {
  const document = design({
    rule: file("rule"),
    fillers: [file("filler")],
    profile: "p",
    tasks: [{ id: "a", text: "Open the settings" }],
    vary: { volume: { neighbours: [0, 1] } },
    judge: { obeyed: [{ answer_contains: "rule" }] },
    pairs: 1,
    controlPairs: 6,
  });
  const read = readTrial(document);
  if (!read.ok) throw new Error(read.why.detail);
  const box = createSignalbox(configOf(over));
  try {
    return await work(await openTrialWorld(box.parts, read.value, openMemoryStore), document);
  } finally {
    await box.close();
  }
}

const settingIn = (over: Partial<Config>): Promise<TrialSetting> => inWorld(over, async ({ setting }) => setting);

describe("what a trial holds constant", () => {
  const says = (text: string): Model => ({
    name: "m",
    kind: "scripted",
    where: text,
    complete: async () => ({ ok: false, code: "unreachable", detail: text }),
  });

  test.each<[string, Partial<Config>, readonly string[]]>([
    ["the temperature", { model: { ...SERVER, temperature: 1.5 } }, ["model.temperature"]],
    ["where the model is", { model: { ...SERVER, baseUrl: "http://127.0.0.1:10/v1" } }, ["model.where"]],
    ["the query of its URL", { model: { ...SERVER, baseUrl: `${SERVER.baseUrl}?version=2` } }, ["model.query"]],
    ["the mode, and with it the system text", { model: { ...SERVER, mode: "tools" } }, ["model.mode", "prompt"]],
    ["whether it streams", { model: { ...SERVER, stream: true } }, ["model.stream"]],
    [
      "the price, which spends a budget",
      { model: { ...SERVER, price: { promptMicro: 1, completionMicro: 2 } } },
      ["model.price"],
    ],
    ["a budget", { budgets: { turns: 3 } }, ["budgets.turns"]],
    ["the window", { window: { tokens: 8_192 } }, ["window.tokens"]],
    ["the zone, which the prompt's date is of", { zone: "Asia/Tokyo" }, ["zone"]],
    ["what a tool is said to do", { tools: [look("looks well")] }, ["prompt"]],
    ["the policies", { policyVersion: "2" }, ["policies"]],
    ["who acts", { principals: { operator: { tools: "all", attributes: { desk: 2 } } } }, ["principal"]],
  ])("%s", async (_, over, parts) => {
    const [before, now] = [await settingIn({}), await settingIn(over)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    expect(names.filter((name) => before[name] !== now[name]).sort()).toEqual(parts);
  });

  test("of a model that says nothing of itself: what there is", async () => {
    expect(await settingIn({ model: says("here") })).toMatchObject({ "model.where": "here", "model.kind": "scripted" });
    expect(await settingIn({ model: says("here") })).not.toHaveProperty("model.temperature");
  });

  test("no key and no declared secret stands in it", async () => {
    const model = {
      ...SERVER,
      apiKey: "key-of-the-server",
      baseUrl: "http://127.0.0.1:9/secret-path/v1?key=in-the-query",
    };
    const said = JSON.stringify(await settingIn({ model, redact: { values: ["secret-path"] } }));
    for (const secret of ["key-of-the-server", "secret-path", "in-the-query"]) expect(said).not.toContain(secret);
    // A key may be another one tomorrow, and a retry changes no reply.
    const other = await settingIn({ model: { ...SERVER, apiKey: "another-key", retries: 9 } });
    expect(other).toEqual(await settingIn({}));
  });
});

describe("a server that takes no temperature but its own", () => {
  test("is asked before the first run, so that each of its replies counts", async () => {
    let said = 0;
    const { heard, url } = await serve((response, { json }) => {
      if ("temperature" in json) {
        response.writeHead(400).end('{"error": {"message": "Unsupported value: temperature is not supported"}}');
      } else response.end(completion({ content: JSON.stringify({ kind: "conversation", text: `no ${said++}` }) }));
    });
    const out = join(folder, "runs.jsonl");
    const once = () =>
      inWorld({ model: { ...SERVER, baseUrl: url } }, (world, document) =>
        runTrial(world, document as Parameters<typeof runTrial>[1], { file: out }),
      );
    await once();
    const { conditions, runs } = readTrialFile(out, digest);
    expect(conditions.setting["model.temperature"]).toBeNull();
    expect(runs).toHaveLength(12);
    expect(heard.filter(({ json }) => "temperature" in json)).toHaveLength(1);
    // Another process goes on under the same setting.
    expect((await once()).made).toBe(0);
  });
});

describe("what a trial reaches", () => {
  /** A model of somebody's own, with fields that only it can reach. */
  class Own {
    readonly name = "own";
    readonly kind = "live";
    readonly where = "here";
    readonly settings = { temperature: 0.7, seeded: true };
    readonly #heard: (number | undefined)[];
    readonly #text: string;
    constructor(heard: (number | undefined)[], text: string) {
      this.#heard = heard;
      this.#text = text;
    }
    async complete({ seed }: ModelRequest) {
      this.#heard.push(seed);
      return { ok: true as const, text: this.#text, finish: "stop", promptTokens: null, completionTokens: null };
    }
  }

  test("the model, with the seed of its pair in each request", async () => {
    const heard: (number | undefined)[] = [];
    const out = join(folder, "runs.jsonl");
    const text = JSON.stringify({ kind: "conversation", text: "no" });
    await inWorld({ model: new Own(heard, text) }, (world, document) =>
      runTrial(world, document as Parameters<typeof runTrial>[1], { file: out }),
    );
    const { runs } = readTrialFile(out, digest);
    expect(runs).toHaveLength(12);
    expect(heard).toEqual(runs.map(({ seed }) => seed));
    expect(new Set(heard).size).toBe(6);
  });

  test("[trial-nothing-performed] not the memory, whatever the model asks of it", async () => {
    const asked: string[] = [];
    const memory = {
      search: async (query: string) => {
        asked.push(query);
        return [{ source: "memory", text: "rule" }];
      },
    };
    const text = JSON.stringify({ kind: "retrieve", query: "what was said of rules" });
    await inWorld({ model: new Own([], text), memory }, (world, document) =>
      runTrial(world, document as Parameters<typeof runTrial>[1], { file: join(folder, "runs.jsonl") }),
    );
    expect(asked).toEqual([]);
  });

  test("[trial-nothing-performed] nor a tool's probe, which would look at the world", () => {
    const tool = look("looks");
    expect(tool.probe).not.toBe(null);
    const enacted = enactTools(new Map([["look", tool]]), { results: [], records: [] }).get("look");
    expect(enacted?.probe).toBe(null);
    expect(probed).toEqual([]);
  });
});
