import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { isJsonObject } from "../../src/domain/json.ts";
import { EffectFailed, type RunEvent, type Store } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { act, openBox, pay, payTool, plainTool, say } from "./box.ts";

/** What is left out of a row because it goes without saying comes back when the row is read. */
describe("rows are sparse, events are whole", () => {
  const tools = [
    plainTool("look", () => ({ found: true })),
    plainTool("break", () => {
      throw new EffectFailed("no");
    }),
    payTool(() => ({ receipt: 1 })),
  ];
  const plan = {
    kind: "plan",
    steps: [
      { actor: "look", description: "a", params: { n: 1 } },
      { actor: "nobody", description: "b", params: {} },
    ],
  };

  async function heardAndRead(store: Store, scripts: readonly Parameters<typeof openBox>[1][]) {
    const runs: { readonly run: string; readonly heard: RunEvent[] }[] = [];
    for (const replies of scripts) {
      const box = openBox(tools, replies, { store, ids: { next: () => `run${runs.length}`.padEnd(26, "x") } });
      const heard: RunEvent[] = [];
      const { run } = await box.run("do it", { customer: "customer:ada", onEvent: (event) => heard.push(event) });
      runs.push({ run, heard });
      expect(await box.events(run)).toEqual(heard);
    }
    return runs;
  }

  test("every kind of event is read back as it was heard", async () => {
    const runs = await heardAndRead(openMemoryStore(), [
      [act("look"), act("look"), act("break"), act("nothing"), say("done")],
      [plan, "no json", '{"kind":"action","tool":"look","params":{"n":"x"}}', say("done")],
      [pay("1", 5), pay("1", 5), pay("2", 2_000, ["e9"]), { kind: "retrieve", query: "q" }],
    ]);
    const kinds = new Set(runs.flatMap(({ heard }) => heard.map((event) => event.kind)));
    expect([...kinds].sort()).toEqual([
      "began",
      "decided",
      "ended",
      "finished",
      "replied",
      "retrieved",
      "settled_before",
      "started",
    ]);
  });

  test("the row of an ordinary step says only what is its own", async () => {
    const store = openMemoryStore();
    const [first] = await heardAndRead(store, [[act("look", { n: 1 }), say("done")]]);
    const rows = await store.readRows(first?.run ?? "");
    const keys = rows.map(({ kind, body }) => [kind, ...Object.keys(isJsonObject(body) ? body : {})].join(" "));
    expect(keys.slice(1, 5)).toEqual([
      "replied prompt raw reply turn usage",
      "decided params rule step today tool",
      "started effect step",
      "finished line result step tool",
    ]);
  });

  test("what differs from the run's beginning is said: a run that goes on under another model", async () => {
    const store = openMemoryStore();
    const ids = { next: () => "run".padEnd(26, "x") };
    const box = openBox(tools, [act("look"), act("look", { n: 2 })], { store, ids, budgets: { turns: 1 } });
    const { run } = await box.run("do it");
    const heard: RunEvent[] = [];
    const other = openBox(tools, [], {
      store,
      ids,
      model: scriptedModel({ name: "other", replies: [act("look", { n: 3 }), say("done")] }),
      policyVersion: "2",
    });
    await other.continue(run, { onEvent: (event) => heard.push(event) });
    const read = await other.events(run);
    expect(read.slice(-heard.length)).toEqual(heard);
    const decided = read.filter((event) => event.kind === "decided");
    expect(decided.map((event) => event.model)).toEqual(["scripted", "other"]);
    expect(new Set(decided.map((event) => event.policyVersion)).size).toBe(2);
  });
});
