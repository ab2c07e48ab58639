import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { type Config, createSignalbox, type Signalbox, type Store, type Tool } from "../../src/index.ts";
import { countedIds, faultyStore, type ScriptedReply, scriptedModel, simulatedClock } from "../../src/testing/index.ts";
import { act, openBox, pay, payTool, plainTool, say } from "./box.ts";

const forAda = { customer: "customer:ada" };

function boxOver(
  store: Store,
  tools: readonly Tool[],
  replies: readonly ScriptedReply[],
  more: Partial<Config> = {},
): Signalbox {
  return createSignalbox({
    model: scriptedModel({ replies }),
    tools,
    store,
    clock: simulatedClock(1_000_000),
    ...more,
  });
}

/** A store with a run in it whose step 1 is started and has no outcome, as a kill just before the effect leaves it. */
async function openStep(tool: Tool, replies: readonly ScriptedReply[]): Promise<{ store: Store; run: string }> {
  const store = openMemoryStore();
  const never = { ...tool, execute: () => null };
  // begin, decide, settle: the third writing call is the one that would record the outcome.
  const box = boxOver(faultyStore(store, { failAt: 3 }), [never], replies, { ids: countedIds() });
  const outcome = await box.run("pay", forAda);
  expect(outcome.ending).toBe("ledger_unavailable");
  return { store, run: outcome.run };
}

describe("a run has one carrier", () => {
  test("[run-effect-once] a resume beside a living carrier is refused, and so is a second resume", async () => {
    const effects: string[] = [];
    let [begin, go] = [(): void => undefined, (): void => undefined];
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = payTool(
      async () => {
        begin();
        await gate;
        effects.push("paid");
        return {};
      },
      { probe: () => (effects.length > 0 ? {} : null) },
    );
    const store = openMemoryStore();
    const first = boxOver(store, [slow], [pay("1", 5), say("done")]);
    let id = "";
    const running = first.run("pay", {
      ...forAda,
      onEvent: (event) => {
        if (event.kind === "began") id = event.run;
      },
    });
    await begun;
    const second = boxOver(store, [slow], [say("done")]);
    await expect(second.resume(id)).rejects.toMatchObject({ code: "run_is_carried", exitCode: 1 });
    go();
    expect((await running).ending).toBe("answered");
    expect(effects).toEqual(["paid"]);
  });

  test("[run-effect-once] of two resumers of one open step one carries it", async () => {
    const effects: string[] = [];
    const tool = payTool(
      async () => {
        effects.push("paid");
        return {};
      },
      { probe: () => null },
    );
    const { store, run } = await openStep(tool, [pay("1", 5)]);
    const resumers = [0, 1].map(() => boxOver(store, [tool], [say("done")]).resume(run));
    const came = await Promise.allSettled(resumers);
    expect(came.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(effects).toEqual(["paid"]);
  });
});

describe("a claim on disk dies with its process", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  test("[run-effect-once] another process that lives holds it, one that was killed does not", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-owners-"));
    folders.push(folder);
    const path = join(folder, "box.db");
    const script = `import { openSqliteStore } from ${JSON.stringify(new URL("../../src/adapters/store-sqlite/index.ts", import.meta.url).href)};
await openSqliteStore({ path: ${JSON.stringify(path)} }).claim("run1");
setTimeout(() => {
  // Nothing refers to the store any more; the claim is the process's all the same.
  globalThis.gc();
  setTimeout(() => process.stdout.write("claimed"), 50);
}, 10);
setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--expose-gc", "--no-warnings", "--input-type=module", "-e", script]);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const store = openSqliteStore({ path });
    const other = openSqliteStore({ path });
    await expect(store.claim("run1")).rejects.toMatchObject({ code: "conflict" });
    await store.claim("run2");
    await expect(store.claim("run2")).rejects.toMatchObject({ code: "conflict" });
    await expect(other.claim("run2")).rejects.toMatchObject({ code: "conflict" });
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    await store.claim("run1");
    await store.release("run2");
    await other.claim("run2");
    await store.close();
    await other.close();
    expect(readdirSync(folder).filter((name) => name.includes("-owner-"))).toEqual([]);
  });
});

describe("what a probe saw is kept, whatever it says of the step", () => {
  const said: readonly (readonly [string, unknown, readonly string[]])[] = [
    ["that it was done", {}, ["probed"]],
    ["that it was not done", null, ["probed", "paid"]],
    ["that it cannot tell", undefined, ["probed"]],
  ];

  test.each(said)("[run-resume] %s", async (_, answer, names) => {
    const tool = payTool(
      (_params, { emit }) => {
        emit({ name: "paid" });
        return {};
      },
      {
        probe: (_params, { emit }) => {
          emit({ name: "probed" });
          return answer as null;
        },
      },
    );
    const { store, run } = await openStep(tool, [pay("1", 5)]);
    const box = boxOver(store, [tool], [say("done")]);
    await box.resume(run);
    const finished = (await box.events(run)).filter((event) => event.kind === "finished");
    expect(finished).toHaveLength(1);
    expect(finished[0]?.events.map(({ name }) => name)).toEqual(names);
  });
});

describe("what cannot be settled now stays open", () => {
  test("[run-resume] a resume that is cancelled leaves the step as it is", async () => {
    let paid = 0;
    const tool = payTool(() => ++paid, { probe: () => null });
    const { store, run } = await openStep(tool, [pay("1", 5)]);
    const box = boxOver(store, [tool], [say("done")]);
    expect(await box.resume(run, { signal: AbortSignal.abort() })).toMatchObject({ ending: "cancelled", exitCode: 1 });
    expect((await box.runs())[0]?.ending).toBeNull();
    expect((await box.resume(run)).ending).toBe("answered");
    expect(paid).toBe(1);
  });

  test("[run-resume] a record that cannot be loaded this time, and a probe that throws, can be tried again", async () => {
    let broken = true;
    let done = 0;
    const record = () => {
      if (broken) throw new Error("no route");
      return { events: [{ id: "e1", owner: "customer:ada" }] };
    };
    const idempotent = payTool(() => ++done, { effect: "idempotent" });
    const first = await openStep(idempotent, [pay("1", 5)]);
    const box = boxOver(first.store, [{ ...idempotent, record }], [say("done")]);
    expect(await box.resume(first.run)).toMatchObject({
      ending: "outcome_unknown",
      detail: expect.stringContaining("resume again"),
    });
    broken = false;
    expect((await box.resume(first.run)).ending).toBe("answered");
    expect(done).toBe(1);

    let probes = 0;
    const probed = payTool(() => ++done, {
      probe: () => {
        probes += 1;
        if (probes === 1) throw new Error("no route");
        return { receipt: 7 };
      },
    });
    const second = await openStep(probed, [pay("1", 5)]);
    const again = boxOver(second.store, [probed], [say("done")]);
    expect((await again.resume(second.run)).ending).toBe("outcome_unknown");
    expect(await again.resume(second.run)).toMatchObject({
      ending: "answered",
      lastResult: { result: { receipt: 7 } },
    });
    expect(done).toBe(1);
  });

  test("a tool that is declared differently today does not close a run over its open effect", async () => {
    const poll = plainTool("poll", () => 1, { effect: "idempotent", mayRepeat: true });
    const store = openMemoryStore();
    // begin, then decide + settle twice, then the third decide: its settle is the seventh writing call.
    const box = boxOver(faultyStore(store, { failAt: 7 }), [poll], [act("poll"), act("poll"), act("poll")]);
    const { run, ending } = await box.run("poll");
    expect(ending).toBe("ledger_unavailable");
    const strict = boxOver(store, [{ ...poll, mayRepeat: false }], [say("done")]);
    await expect(strict.resume(run)).rejects.toMatchObject({ code: "declaration_changed" });
    expect((await boxOver(store, [poll], [say("done")]).resume(run)).ending).toBe("answered");
  });

  test("[rails-permission] an authority that was taken away does not survive in a resume or a continue", async () => {
    let paid = 0;
    const tool = payTool(() => ++paid);
    const store = openMemoryStore();
    const desk = { tools: ["pay"], attributes: { ceiling: 5 } };
    const box = boxOver(store, [tool], [], { principals: { desk, other: desk } });
    const stopped = await box.run("pay", { as: "desk", ...forAda });
    expect(stopped.ending).toBe("model_unreachable");
    for (const principals of [
      { other: desk },
      { desk: { ...desk, attributes: { ceiling: 1 } } },
      { desk: { tools: [], attributes: { ceiling: 5 } } },
    ]) {
      const later = boxOver(store, [tool], [pay("1", 5), say("done")], { principals });
      await expect(later.continue(stopped.run)).rejects.toMatchObject({ code: "authority_changed" });
    }
    expect(paid).toBe(0);
  });

  test("[run-outcome-unknown] a cap goes on counting what an idempotent effect may have done", async () => {
    const tool = payTool(
      () => {
        throw new Error("reset");
      },
      { effect: "idempotent" },
    );
    const { store, run } = await openStep(tool, [pay("1", 5)]);
    expect((await boxOver(store, [tool], []).resume(run)).ending).toBe("outcome_unknown");
    const slot = { cap: "paid", key: "all", window: "day:1970-01-01@UTC" };
    expect((await store.capUse([slot], null))[0]?.used).toBe(5);
  });
});

describe("outcomes at the edges", () => {
  test("an abort between the decision and the call is no unknown outcome", async () => {
    const controller = new AbortController();
    let paid = 0;
    const box = openBox([payTool(() => ++paid)], [pay("1", 5)]);
    const onEvent = (event: { kind: string }): void => {
      if (event.kind === "started") controller.abort();
    };
    const outcome = await box.run("pay", { ...forAda, signal: controller.signal, onEvent });
    expect(outcome.ending).toBe("cancelled");
    expect(paid).toBe(0);
    expect((await box.events(outcome.run)).find((event) => event.kind === "finished")).toMatchObject({
      outcome: "failed",
    });
  });

  test("a listener that throws hears no more, the outcome says so, and the books are sound", async () => {
    for (const kind of ["began", "decided", "started", "finished", "ended"]) {
      const box = openBox([payTool(() => ({ receipt: 1 }))], [pay("1", 5), say("done")]);
      const outcome = await box.run("pay", {
        ...forAda,
        onEvent: (event) => {
          if (event.kind === kind) throw new Error(`boom ${kind}`);
        },
      });
      expect(outcome).toMatchObject({ ending: "answered", detail: expect.stringContaining(`boom ${kind}`) });
      expect(await box.verifyLedger()).toMatchObject({ ok: true });
    }
  });

  test("a listener hears only what is durable", async () => {
    const heard: string[] = [];
    const store = faultyStore(openMemoryStore(), { failAt: 2 });
    const box = boxOver(store, [payTool(() => ({}))], [pay("1", 5)]);
    await box.run("pay", { ...forAda, onEvent: (event) => heard.push(event.kind) });
    expect(heard).toEqual(["began"]);
  });

  test("an idempotent effect that a cap counts is not taken for failed when it throws", async () => {
    let sent = 0;
    const send = {
      ...payTool(() => {
        sent += 1;
        throw new Error("late answer");
      }),
      effect: "idempotent" as const,
      placement: "staff-reversible" as const,
    };
    const box = openBox([send], [pay("1", 600), pay("2", 600)]);
    expect((await box.run("send", forAda)).ending).toBe("outcome_unknown");
    expect(sent).toBe(1);
  });

  test.each([
    [
      "a summary that is blank over half an emoji",
      () => ({ a: `${"x".repeat(153)}${"😀".repeat(20)}` }),
      { summarise: () => " " },
    ],
    [
      "a summary that throws",
      () => ({ a: "😀".repeat(100) }),
      {
        summarise: () => {
          throw Object.create(null);
        },
      },
    ],
  ])("%s is still recorded", async (_what, execute, more) => {
    const box = openBox([payTool(execute, more)], [pay("1", 5), say("done")]);
    expect((await box.run("pay", forAda)).ending).toBe("answered");
  });

  test("a tool that throws something without a text still gets an outcome", async () => {
    const box = openBox(
      [
        plainTool("look", () => {
          throw Object.create(null);
        }),
      ],
      [act("look"), say("done")],
    );
    expect((await box.run("look")).ending).toBe("answered");
  });

  test("[ledger-chain] nothing that a tool or a policy is handed can change what was hashed", async () => {
    const meddling = payTool(() => ({}), {
      record: (_params, _services, about) => {
        (about.evidence as string[]).sort();
        return { events: [{ id: "e1", owner: "customer:ada" }] };
      },
    });
    const box = openBox([meddling], [pay("1", 5, ["z", "e1"]), say("done")]);
    const outcome = await box.run("pay", forAda);
    expect(await box.verifyLedger()).toMatchObject({ ok: true });
    expect((await box.replay(outcome.run)).differences).toEqual([]);
  });
});

describe("a nested run ends with its step", () => {
  test("[loop-turn-budget] it is stopped at the step's deadline, and what it used counts", async () => {
    const clock = simulatedClock(0);
    let looks = 0;
    const look = plainTool("look", () => {
      looks += 1;
      if (looks === 2) clock.advance(20);
      return new Promise((resolve) => setTimeout(() => resolve(looks), 1));
    });
    const outer = plainTool("outer", async (_proposal, { nested }) => (await nested("inner")).text, {
      effect: "idempotent",
      deadlineMs: 20,
    });
    const replies = [act("outer"), act("look", { n: 1 }), act("look", { n: 2 }), say("outer done")];
    const box = openBox([outer, look], replies, { clock });
    const outcome = await box.run("x");
    const finished = (await box.events(outcome.run)).find((event) => event.kind === "finished");
    // The turn that had just been opened when the step ended counts as well.
    expect(finished).toMatchObject({ outcome: "failed", spent: { turns: 3, modelCalls: 3, steps: 2 } });
    expect(outcome).toMatchObject({ ending: "answered", text: "outer done" });
    const inner = (await box.runs()).find((run) => run.thread === `${outcome.run}.1`);
    expect(inner?.ending).toBe("cancelled");
  });

  test("it cannot begin once its step is over", async () => {
    let late: ((request: string) => Promise<unknown>) | null = null;
    const outer = plainTool("outer", (_proposal, { nested }) => {
      late = nested;
      return 1;
    });
    const box = openBox([outer], [act("outer"), say("done")]);
    await box.run("x");
    await expect((late as unknown as (request: string) => Promise<unknown>)("now")).rejects.toMatchObject({
      code: "step_over",
    });
  });

  test("[rails-cap-exact] it shares the caps of the outermost run", async () => {
    let sent = 0;
    const capped = payTool(() => ++sent, { caps: [{ name: "one", limit: 1, window: "per_run" }] });
    const outer = plainTool("outer", async (_proposal, { nested }) => (await nested("inner")).ending, {
      effect: "idempotent",
    });
    const box = openBox([outer, capped], [pay("1", 5), act("outer"), pay("2", 5), say("inner"), say("done")]);
    await box.run("x", forAda);
    expect(sent).toBe(1);
  });

  test("its thread takes no request of an operator's", async () => {
    const outer = plainTool("outer", async (_proposal, { nested }) => (await nested("the model's words")).ending, {
      effect: "idempotent",
    });
    const box = openBox([outer], [act("outer"), say("inner"), say("done")]);
    const outcome = await box.run("x");
    await expect(box.thread({ id: `${outcome.run}.1` }).run("y")).rejects.toMatchObject({ code: "nested_thread" });
  });
});
