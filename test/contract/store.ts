import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Bytes } from "../../src/adapters/world-node/index.ts";
import type { Outcome } from "../../src/domain/effect.ts";
import type { HeadEntry } from "../../src/domain/head.ts";
import type { Json } from "../../src/domain/json.ts";
import { ChainedRow, plainRow, type Row } from "../../src/domain/row.ts";
import {
  addGuides,
  addRun,
  beginVerification,
  chainRow,
  chainStart,
  finishVerification,
  headEntry,
  headOf,
  verifyRun,
} from "../../src/ledger/index.ts";
import { type DecideWrite, type Store, StoreError } from "../../src/ports/store.ts";
import { readGuideRows } from "../../src/runtime/verify.ts";
import { seed } from "../seed.ts";
import { Carrier, fits, reservation, SHA, stateOf } from "./carrier.ts";
import { guides } from "./guides.ts";

export type OpenStore = () => Promise<{ readonly store: Store; readonly close: () => Promise<void> }>;

/**
 * The contract of every Store. An implementation is a store exactly if it passes: run it with a function that opens an
 * empty one. After each test the books must agree with the rows, and the chains must verify.
 */
export function storeContract(name: string, open: OpenStore): void {
  describe(`store contract: ${name}`, () => {
    let store: Store;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ store, close } = await open());
    });

    afterEach(async () => {
      try {
        expect(await store.checkBooks()).toEqual([]);
        expect((await verdictOf(store)).faults).toEqual([]);
      } finally {
        await close();
      }
    });

    const carrier = (run: string, thread?: string) => new Carrier(store, run, thread);

    runsAndRows(() => store, carrier);
    decisions(() => store, carrier);
    outcomes(() => store, carrier);
    caps(() => store, carrier);
    nothingHalf(() => store, carrier, open);
    guides(() => store);
  });
}

type Stores = () => Store;
type Carriers = (run: string, thread?: string) => Carrier;

async function verdictOf(store: Store) {
  const verification = beginVerification({ heads: await store.readHeads(), books: [], hash: SHA });
  for (const id of await store.listRunIds()) {
    const entry = await store.readRun(id);
    if (entry !== null) addRun(verification, { entry, rows: await store.readRows(id) });
  }
  addGuides(verification, await readGuideRows(store, sha256Bytes));
  return finishVerification(verification);
}

/** The code of the StoreError that a promise is rejected with. */
async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof StoreError ? error.code : `no StoreError: ${String(error)}`;
}

function runsAndRows(stores: Stores, carrier: Carriers): void {
  test("an empty store is empty", async () => {
    const store = stores();
    expect(await store.listRunIds()).toEqual([]);
    expect(await store.listRuns({ limit: 10 })).toEqual([]);
    expect(await store.readHeads()).toEqual([]);
    expect(await store.readRun("r1")).toBeNull();
    expect(await store.readRows("r1")).toEqual([]);
    expect(await store.capUse([reservation(0)], null)).toEqual([
      { cap: "refunds", key: "all", window: "day:2026-11-30@UTC", used: 0 },
    ]);
  });

  test("[ledger-chain] rows come back as they were written, and chain", async () => {
    const store = stores();
    const run = carrier("r1");
    const written = await run.begin("please refund");
    written.push(...(await run.append(["replied", { turn: 1, raw: "x" }], ["replied", { turn: 1, call: 2 }])));
    written.push(...(await run.close("answered", "here you are")));
    expect(await store.readRows("r1")).toEqual(written);
    expect(verifyRun(await store.readRows("r1"), SHA)).toEqual({
      ok: true,
      head: { seq: 4, hash: written.at(-1)?.hash },
    });
    expect(await store.readRun("r1")).toEqual({
      run: "r1",
      thread: "thread-1",
      principal: "agent:desk",
      startedAt: 1_000,
      request: "please refund",
      headSeq: 4,
      headHash: written.at(-1)?.hash,
      updatedAt: 1_002,
      ending: "answered",
      text: "here you are",
    });
  });

  test("a scan gives the rows of the kinds that are asked for, run by run", async () => {
    const [first, second] = [carrier("r1"), carrier("r2")];
    await first.begin();
    await second.begin();
    await second.append(["note", { n: 1 }], ["other", {}]);
    await first.append(["note", { n: 2 }], ["note", { n: 3 }]);
    await first.close();
    const seen: Json[] = [];
    await stores().scan(["note", "ended"], (row) => seen.push({ ...row }));
    expect(seen).toEqual([
      { run: "r1", seq: 2, at: 1_001, kind: "note", body: { n: 2 } },
      { run: "r1", seq: 3, at: 1_001, kind: "note", body: { n: 3 } },
      { run: "r1", seq: 4, at: 1_002, kind: "ended", body: { ending: "answered", text: "done", detail: "" } },
      { run: "r2", seq: 2, at: 1_001, kind: "note", body: { n: 1 } },
    ]);
    await stores().scan([], () => expect.fail("no kind, no row"));
    await stores().scan(["nothing_of_this_kind"], () => expect.fail("no row of this kind"));
    const thrown = new Error("the visitor's own");
    const throwing = stores().scan(["note"], () => {
      throw thrown;
    });
    await expect(throwing).rejects.toBe(thrown);
    // A visitor that threw leaves the store as it was.
    await second.append(["note", { n: 4 }]);
  });

  test.each<[string, Json]>([
    ["empty", {}],
    [
      "text of every kind",
      { "": "", nul: "a\u0000b", quote: '"\\\n\t\u2028', pair: "😀", nfd: "e\u0301", long: "x".repeat(100_000) },
    ],
    ["numbers", [0, -1, 0.1, 1e21, -1e-7, Number.MAX_SAFE_INTEGER, 5e-324]],
    ["a key that JavaScript treats as special", JSON.parse('{"__proto__": {"a": 1}, "constructor": null}')],
    ["deep", JSON.parse("[".repeat(200) + "]".repeat(200))],
    ["not an object", "text"],
  ])("a body comes back as it was: %s", async (_, body) => {
    const run = carrier("r1");
    await run.begin();
    const [row] = await run.append(["note", body]);
    expect((await stores().readRows("r1"))[1]).toEqual(row);
  });

  test("run ids, threads and requests of any text", async () => {
    for (const text of ["a'b", 'a"b', "a b\u0000c", "%_", "../../x", "{}", "日本"]) {
      const run = new Carrier(stores(), text, text);
      await run.begin(text);
      expect((await stores().listRuns({ thread: text, limit: 5 })).map((entry) => [entry.run, entry.request])).toEqual([
        [text, text],
      ]);
    }
  });

  test("a run begins once", async () => {
    const run = carrier("r1");
    await run.begin();
    expect(await codeOf(carrier("r1").begin())).toBe("conflict");
    expect(await stores().listRunIds()).toEqual(["r1"]);
  });

  test("a write that does not continue the run is a conflict: somebody else carries it", async () => {
    const run = carrier("r1");
    const other = carrier("r1");
    await run.begin();
    other.moved(await stores().readRows("r1"));
    await run.append(["replied", { turn: 1 }]);
    const before = await stateOf(stores());
    expect(await codeOf(other.append(["replied", { turn: 1 }]))).toBe("conflict");
    expect(await codeOf(other.start({ step: 1 }))).toBe("conflict");
    expect(await codeOf(other.close())).toBe("conflict");
    expect(await stateOf(stores())).toEqual(before);
    await run.start({ step: 1 });
    other.end = { ...run.end, hash: "f".repeat(64) };
    expect(await codeOf(other.settle(1, "done"))).toBe("conflict");
    other.end = { ...run.end, seq: run.end.seq + 1 };
    expect(await codeOf(other.settle(1, "done"))).toBe("conflict");
  });

  test("a run that is not there is a conflict", async () => {
    const run = carrier("nobody");
    expect(await codeOf(run.append(["note", {}]))).toBe("conflict");
    expect(await codeOf(run.start({ step: 1 }))).toBe("conflict");
    expect(await codeOf(run.settle(1, "done"))).toBe("conflict");
    expect(await stores().listRunIds()).toEqual([]);
  });

  test("runs are listed newest first, by thread and up to a limit; ids in the order of beginning", async () => {
    const store = stores();
    for (const [run, thread] of [
      ["r3", "a"],
      ["r1", "b"],
      ["r2", "a"],
      ["r0", "a"],
    ] as const)
      await carrier(run, thread).begin();
    const names = async (filter: { thread?: string; limit: number }) =>
      (await store.listRuns(filter)).map((entry) => entry.run);
    expect(await names({ limit: 10 })).toEqual(["r0", "r2", "r1", "r3"]);
    expect(await names({ limit: 2 })).toEqual(["r0", "r2"]);
    expect(await names({ thread: "a", limit: 2 })).toEqual(["r0", "r2"]);
    expect(await names({ thread: "a", limit: 3 })).toEqual(["r0", "r2", "r3"]);
    expect(await names({ thread: "none", limit: 3 })).toEqual([]);
    expect(await store.listRunIds()).toEqual(["r3", "r1", "r2", "r0"]);
  });

  test("a run that ended and goes on is open again, and may end again", async () => {
    const store = stores();
    const run = carrier("r1");
    await run.begin();
    await run.close("turn_budget", "so far");
    expect(await store.readRun("r1")).toMatchObject({ ending: "turn_budget", text: "so far" });
    await run.append(["continued", { budgets: {} }]);
    expect(await store.readRun("r1")).toMatchObject({ ending: null, text: null, headSeq: 3 });
    await run.close("answered", "all of it");
    expect(await store.readRun("r1")).toMatchObject({ ending: "answered", text: "all of it" });
    expect((await store.readHeads()).map(({ n, run: id, seq }) => [n, id, seq])).toEqual([
      [1, "r1", 2],
      [2, "r1", 4],
    ]);
  });

  test("[ledger-chain] the index of heads chains the runs in the order in which they closed", async () => {
    const store = stores();
    const [a, b, c] = [carrier("a"), carrier("b"), carrier("c")];
    for (const run of [a, b, c]) await run.begin();
    for (const run of [b, c, a]) await run.close();
    const heads = await store.readHeads();
    expect(heads.map((head) => head.run)).toEqual(["b", "c", "a"]);
    let previous: HeadEntry | null = null;
    for (const head of heads) {
      expect(head).toEqual(headEntry(previous, head.at, head.run, head.seq, head.head, SHA));
      previous = head;
    }
    expect(heads[2]).toMatchObject({ seq: a.end.seq, head: a.end.hash });
  });

  test("what is handed out or in is a copy", async () => {
    const store = stores();
    const run = carrier("r1");
    const body = { list: [1, { deep: "x" }] };
    await run.begin();
    await run.append(["note", body]);
    const before = structuredClone(await store.readRows("r1"));
    body.list.push(2);
    for (const row of await store.readRows("r1")) {
      try {
        Object.assign(row, { kind: "forged", hash: "0" });
        Object.assign(Object(row.body), { list: null });
      } catch {
        // Frozen is as good as copied.
      }
    }
    expect(await store.readRows("r1")).toEqual(before);
  });
}

function decisions(stores: Stores, carrier: Carriers): void {
  test("a denial writes its rows and nothing else", async () => {
    const run = carrier("r1");
    await run.begin();
    await run.decide({ step: 1, settleKey: "k", reservations: [reservation(5)] }, () => false);
    expect((await stores().readRows("r1")).map((row) => row.kind)).toEqual(["began", "decided"]);
    expect(await stores().capUse([reservation(0)], null)).toMatchObject([{ used: 0 }]);
    expect((await carrierAfter(run, "r2")).settled).toBeNull();
  });

  // Decides with the key "k" in another run of the thread and shows what the judge saw.
  async function carrierAfter(run: Carrier, id: string) {
    const other = carrier(id, run.thread);
    await other.begin();
    return other.decide({ step: 1, settleKey: "k" }, () => false);
  }

  test("[rails-once-settles] the effect of the thread under the same key is seen: open, done, unknown, and not when it failed", async () => {
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1, settleKey: "k" });
    expect((await carrierAfter(run, "r2")).settled).toEqual({ run: "r1", step: 1, state: "started", result: null });
    await run.settle(1, "outcome_unknown", { why: "timeout" });
    expect((await carrierAfter(run, "r3")).settled).toEqual({
      run: "r1",
      step: 1,
      state: "outcome_unknown",
      result: { why: "timeout" },
    });
    await run.settle(1, "done", { receipt: "x-1" });
    expect((await carrierAfter(run, "r4")).settled).toEqual({
      run: "r1",
      step: 1,
      state: "done",
      result: { receipt: "x-1" },
    });
    const failing = carrier("f1", "thread-f");
    await failing.begin();
    await failing.start({ step: 1, settleKey: "k" });
    await failing.settle(1, "failed", "no");
    expect((await carrierAfter(failing, "f2")).settled).toBeNull();
  });

  test("[rails-once-settles] another thread, another key and this very step settle nothing", async () => {
    const run = carrier("r1");
    await run.begin();
    expect((await run.start({ step: 1, settleKey: "k" })).settled).toBeNull();
    expect((await run.start({ step: 1, settleKey: "k" })).settled).toBeNull();
    expect((await run.decide({ step: 2, settleKey: "K" }, () => false)).settled).toBeNull();
    expect((await run.decide({ step: 2, settleKey: null }, () => false)).settled).toBeNull();
    expect((await run.decide({ step: 2, settleKey: "k" }, () => false)).settled).toMatchObject({ step: 1 });
    const stranger = carrier("r2", "thread-2");
    await stranger.begin();
    expect((await stranger.decide({ step: 1, settleKey: "k" }, () => false)).settled).toBeNull();
  });

  test("[rails-once-settles] a nested run settles in the thread of the outermost run, and not in its own", async () => {
    const [nested, outer, inner] = [carrier("n1", "thread-n"), carrier("o1", "thread-o"), carrier("n2", "thread-n")];
    nested.settlesIn = "thread-o";
    for (const run of [nested, outer, inner]) await run.begin();
    await nested.start({ step: 1, settleKey: "k" });
    await nested.settle(1, "failed");
    await nested.start({ step: 1, settleKey: "k" });
    expect((await outer.decide({ step: 1, settleKey: "k" }, () => false)).settled).toMatchObject({ run: "n1" });
    expect((await inner.decide({ step: 1, settleKey: "k" }, () => false)).settled).toBeNull();
    await nested.start({ step: 1, settleKey: "other" });
    expect((await outer.decide({ step: 2, settleKey: "k" }, () => false)).settled).toBeNull();
    expect((await outer.decide({ step: 3, settleKey: "other" }, () => false)).settled).toMatchObject({ run: "n1" });
  });

  test("the newest of several is shown: the highest step of the run that began last", async () => {
    const [a, b] = [carrier("b-first"), carrier("a-second")];
    await a.begin();
    await b.begin();
    await b.start({ step: 3, settleKey: "k" });
    await b.start({ step: 4, settleKey: "k" });
    await a.start({ step: 9, settleKey: "k" });
    const seen = await a.decide({ step: 10, settleKey: "k" }, () => false);
    expect(seen.settled).toMatchObject({ run: "a-second", step: 4 });
    await b.settle(4, "failed");
    expect((await a.decide({ step: 11, settleKey: "k" }, () => false)).settled).toMatchObject({ step: 3 });
  });

  test("judge runs at once, and once", async () => {
    const run = carrier("r1");
    await run.begin();
    let calls = 0;
    await run.decide({ step: 1 }, () => {
      calls += 1;
      return true;
    });
    expect(calls).toBe(1);
  });
}

function outcomes(stores: Stores, carrier: Carriers): void {
  test.each<[Outcome, number]>([
    ["done", 5],
    ["failed", 0],
    ["outcome_unknown", 5],
  ])("when it settles as %s, the cap counts %i", async (outcome, used) => {
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1, reservations: [reservation(5)] });
    expect(await stores().capUse([reservation(0)], null)).toMatchObject([{ used: 5 }]);
    await run.settle(1, outcome, { any: 1 });
    expect(await stores().capUse([reservation(0)], null)).toMatchObject([{ used }]);
  });

  test.each<[Outcome, number]>([
    ["done", 5],
    ["failed", 0],
  ])("an unknown outcome may become %s, and the cap %i", async (outcome, used) => {
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1, reservations: [reservation(5)] });
    await run.settle(1, "outcome_unknown");
    await expect(run.settle(1, "outcome_unknown")).rejects.toThrow(TypeError);
    await run.settle(1, outcome);
    expect(await stores().capUse([reservation(0)], null)).toMatchObject([{ used }]);
  });

  test.each<[Outcome, boolean]>([
    ["done", false],
    ["failed", true],
    ["outcome_unknown", false],
  ])("a step that is %s may start again: %s", async (outcome, may) => {
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1, reservations: [reservation(5)] });
    await run.settle(1, outcome);
    const before = await stateOf(stores());
    const again = run.start({ step: 1, reservations: [reservation(6)] });
    if (may) {
      await again;
      expect(await stores().capUse([reservation(0)], null)).toMatchObject([{ used: 6 }]);
    } else {
      await expect(again).rejects.toThrow(TypeError);
      expect(await stateOf(stores())).toEqual(before);
    }
  });

  test("done and failed are final, and what never started cannot settle", async () => {
    const run = carrier("r1");
    await run.begin();
    await expect(run.settle(1, "done")).rejects.toThrow(TypeError);
    for (const [step, outcome] of [
      [1, "done"],
      [2, "failed"],
    ] as const) {
      await run.start({ step });
      await run.settle(step, outcome);
      for (const next of ["done", "failed", "outcome_unknown"] as const) {
        await expect(run.settle(step, next)).rejects.toThrow(TypeError);
      }
    }
  });
}

function caps(stores: Stores, carrier: Carriers): void {
  test("[rails-cap-exact] the judge sees what others hold, and not its own", async () => {
    const [a, b] = [carrier("a"), carrier("b")];
    await a.begin();
    await b.begin();
    const turn = { step: 1, reservations: [reservation(3), reservation(4, 100, "mails")] };
    expect((await a.start(turn)).capUse.map((use) => use.used)).toEqual([0, 0]);
    expect((await a.start(turn)).capUse.map((use) => use.used)).toEqual([0, 0]);
    expect((await b.start(turn)).capUse.map((use) => use.used)).toEqual([3, 4]);
    expect((await a.start({ ...turn, step: 2 })).capUse.map((use) => use.used)).toEqual([6, 8]);
    const slots = [reservation(0, 0, "mails"), reservation(0)];
    expect((await stores().capUse(slots, null)).map((use) => use.used)).toEqual([12, 9]);
    expect((await stores().capUse(slots, { run: "a", step: 2 })).map((use) => use.used)).toEqual([8, 6]);
    expect((await stores().capUse(slots, { run: "a", step: 99 })).map((use) => use.used)).toEqual([12, 9]);
    await a.settle(2, "failed");
    expect((await stores().capUse(slots, { run: "a", step: 2 })).map((use) => use.used)).toEqual([8, 6]);
  });

  test("[rails-cap-exact] slots are told apart by cap, key and window", async () => {
    const run = carrier("a");
    await run.begin();
    const slots = [
      { cap: "a", key: "b", window: "c" },
      { cap: "a b", key: "", window: "c" },
      { cap: "a", key: "b c", window: "" },
      { cap: "A", key: "b", window: "c" },
      { cap: "a", key: "b", window: "d" },
    ];
    await run.start({
      step: 1,
      reservations: slots.map((slot, index) => ({ ...slot, amount: 2 ** index, limit: 100 })),
    });
    expect((await stores().capUse(slots, null)).map((use) => use.used)).toEqual([1, 2, 4, 8, 16]);
  });

  test("[rails-cap-sliding] a slot with a range counts every window in it, and no other's", async () => {
    const [a, b] = [carrier("a"), carrier("b")];
    await a.begin();
    await b.begin();
    const part = (name: string, amount: number) => reservation(amount, 100, "refunds", `sliding:9@${name}`);
    const range = { from: "sliding:9@03", below: "sliding:9A" };
    const slot = { cap: "refunds", key: "all", window: "sliding:9@05", range };
    const used = async (except: { run: string; step: number } | null = null) =>
      (await stores().capUse([slot], except)).map((use) => use.used);
    expect(await used()).toEqual([0]);
    // Not in the order of their names: a clock may go back.
    for (const [step, [name, amount]] of (
      [
        ["05", 1],
        ["02", 2],
        ["03", 4],
        ["99", 8],
      ] as const
    ).entries()) {
      await a.start({ step: step + 1, reservations: [part(name, amount)] });
    }
    await a.start({
      step: 5,
      reservations: [
        { ...part("04", 16), cap: "mails" },
        { ...part("04", 32), key: "ada" },
        reservation(64, 100, "refunds", "sliding:99@04"),
        reservation(1, 100, "refunds", "sliding:9"),
        reservation(1, 100, "refunds", "sliding:9A"),
      ],
    });
    expect(await used()).toEqual([1 + 4 + 8]);
    expect(await used({ run: "a", step: 3 })).toEqual([1 + 8]);
    await a.settle(4, "failed");
    expect(await used()).toEqual([1 + 4]);
    expect(await stores().capUse([slot], null)).toEqual([
      { cap: "refunds", key: "all", window: "sliding:9@05", used: 5 },
    ]);
  });

  test("[rails-cap-sliding] what is reserved has to fit beside the whole range, also what lies ahead", async () => {
    const [a, b] = [carrier("a"), carrier("b")];
    await a.begin();
    await b.begin();
    const part = (name: string, amount: number) => reservation(amount, 10, "refunds", `sliding:9@${name}`);
    const slots = [
      { cap: "refunds", key: "all", window: "sliding:9@05", range: { from: "sliding:9@03", below: "sliding:9A" } },
    ];
    for (const [step, name] of ["02", "03", "07"].entries()) {
      await a.start({ step: step + 1, reservations: [part(name, 3)] });
    }
    const reserve = (amount: number) => b.start({ step: 1, reservations: [part("05", amount)] }, slots);
    await expect(reserve(5)).rejects.toThrow("cap refunds would hold 11 of 10");
    expect((await reserve(4)).capUse).toMatchObject([{ used: 6 }]);
    // Decided again, its own does not stand in its way, whichever part that is in.
    expect((await reserve(4)).capUse).toMatchObject([{ used: 6 }]);
    expect(await stores().checkBooks()).toEqual([]);
  });

  test("[caps-shown] what is held, by whom, and what of it is settled, reserved and kept", async () => {
    const [a, b] = [carrier("a"), carrier("b")];
    await a.begin();
    await b.begin();
    a.at = 2_000;
    await a.start({ step: 1, reservations: [reservation(1), reservation(1, 9, "mails")] });
    await a.settle(1, "done");
    a.at = 3_000;
    await a.start({ step: 2, tool: "refund", reservations: [reservation(2)] });
    await a.settle(2, "outcome_unknown");
    a.at = 4_000;
    await a.start({ step: 3, reservations: [reservation(4)] });
    await a.settle(3, "failed");
    b.at = 5_000;
    await b.start({ step: 1, tool: "transfer", reservations: [reservation(8, 50), reservation(0, 9, "nothing")] });
    await stores().claim("b");
    const all = await stores().readCaps({ limit: 10 });
    expect(all).toEqual([
      {
        ...{ cap: "refunds", key: "all", window: "day:2026-11-30@UTC" },
        ...{ limit: 50, settled: 1, reserved: 8, kept: 2, movedAt: 5_000, open: 2 },
        holders: [
          {
            ...{ run: "b", step: 1, tool: "transfer", state: "reserved", amount: 8, since: 5_000 },
            ...{ carried: true, outside: false },
          },
          {
            ...{ run: "a", step: 2, tool: "refund", state: "kept", amount: 2, since: 3_000 },
            ...{ carried: false, outside: false },
          },
        ],
      },
      {
        ...{ cap: "mails", key: "all", window: "day:2026-11-30@UTC" },
        ...{ limit: 9, settled: 1, reserved: 0, kept: 0, movedAt: 2_000, open: 0, holders: [] },
      },
    ]);
    const [used] = await stores().capUse([reservation(0)], null);
    expect(used?.used).toBe(1 + 8 + 2);
    // At most so many slots, and holders of each; but all of them count.
    expect(await stores().readCaps({ limit: 1 })).toEqual([{ ...all[0], holders: all[0]?.holders.slice(0, 1) }]);
    expect(await stores().readCaps({ cap: "mails", limit: 9 })).toEqual([all[1]]);
    expect(await stores().readCaps({ cap: "mail", limit: 9 })).toEqual([]);
    expect(await stores().readCaps({ key: "all", limit: 9 })).toEqual(all);
    expect(await stores().readCaps({ key: "ada", limit: 9 })).toEqual([]);
    const days = (from: string, below: string) => stores().readCaps({ range: { from, below }, limit: 9 });
    expect(await days("day:2026-11-30@UTC", "day:2026-11-30@UTC!")).toEqual(all);
    expect(await days("day:2026-11-29@UTC", "day:2026-11-30@UTC")).toEqual([]);
    await stores().release("b");
    expect((await stores().readCaps({ limit: 1 }))[0]?.holders[0]?.carried).toBe(false);
  });

  test("[caps-shown] a step decided again holds once, and since then", async () => {
    const run = carrier("a");
    await run.begin();
    await run.start({ step: 1, reservations: [reservation(5)] });
    run.at = 7_000;
    await run.start({ step: 1, reservations: [reservation(5)] });
    const [slot] = await stores().readCaps({ limit: 9 });
    expect(slot).toMatchObject({ reserved: 5, open: 1, holders: [{ amount: 5, since: 7_000 }] });
    await run.start({ step: 1 });
    expect(await stores().readCaps({ limit: 9 })).toEqual([]);
  });

  test("[rails-cap-exact] a step decided again replaces its reservations, also in another amount and window", async () => {
    const run = carrier("a");
    await run.begin();
    const used = async (...windows: string[]) =>
      (
        await stores().capUse(
          windows.map((window) => reservation(0, 0, "refunds", window)),
          null,
        )
      ).map((use) => use.used);
    const at = (amount: number, window: string) => ({
      step: 1,
      reservations: [reservation(amount, 100, "refunds", window)],
    });
    await run.start(at(5, "mon"));
    await run.start(at(5, "mon"));
    expect(await used("mon", "tue")).toEqual([5, 0]);
    await run.start(at(7, "mon"));
    expect(await used("mon", "tue")).toEqual([7, 0]);
    await run.start(at(4, "tue"));
    expect(await used("mon", "tue")).toEqual([0, 4]);
    await run.start(at(2, "mon"));
    expect(await used("mon", "tue")).toEqual([2, 0]);
    await run.start({ step: 1 });
    expect(await used("mon", "tue")).toEqual([0, 0]);
    await run.start(at(0, "mon"));
    await run.settle(1, "done");
    expect(await used("mon", "tue")).toEqual([0, 0]);
  });

  test.each([
    [99, true],
    [100, true],
    [101, false],
  ])("[rails-cap-exact] at the border: %i of 100 fits: %s", async (amount, ok) => {
    const run = carrier("a");
    await run.begin();
    const turn = { step: 1, reservations: [reservation(amount)] };
    await run.decide(turn, (seen) => fits(turn.reservations, seen.capUse));
    expect(await stores().capUse([reservation(0)], null)).toMatchObject([{ used: ok ? amount : 0 }]);
  });

  test.each([
    ["beyond its limit", [reservation(101)]],
    ["a fraction", [reservation(0.5)]],
    ["less than nothing", [reservation(-1)]],
    ["not a number", [reservation(Number.NaN)]],
    ["a limit that is none", [reservation(1, Number.POSITIVE_INFINITY)]],
    ["one slot twice", [reservation(1), reservation(2)]],
  ])("[rails-cap-exact] what a judge must not reserve is not written: %s", async (_, reservations) => {
    const store = stores();
    const run = carrier("a");
    await run.begin();
    const before = await stateOf(store);
    // The row says the same wherever there is a word for it, so that it is the reservation that is refused.
    const listed = reservations.filter(({ amount, limit }) => Number.isFinite(amount) && Number.isFinite(limit));
    const rows = run.rows(
      ["decided", { step: 1, reservations: listed.map((wanted) => ({ ...wanted })) }],
      ["started", { step: 1 }],
    );
    const query = { run: "a", step: 1, thread: run.thread, settleKey: null, slots: reservations };
    const write = { rows, start: { tool: "refund", effect: "once", reservations } };
    await expect(store.decide(query, () => write)).rejects.toThrow(TypeError);
    // Nor what was not asked for.
    const one = reservation(1);
    const saying = run.rows(["decided", { step: 1, reservations: [{ ...one }] }], ["started", { step: 1 }]);
    const unseen = { rows: saying, start: { tool: "refund", effect: "once", reservations: [one] } };
    await expect(store.decide({ ...query, slots: [] }, () => unseen)).rejects.toThrow(/its use was not asked for/);
    expect(await stateOf(store)).toEqual(before);
  });

  test("[rails-cap-exact] 50 interleaved decides and outcomes keep a cap, and use it", async () => {
    const outcome = fc.constantFrom<Outcome | "open">("done", "failed", "outcome_unknown", "open");
    const turns = fc.array(fc.record({ who: fc.nat(4), amount: fc.integer({ min: 1, max: 9 }), outcome }), {
      minLength: 50,
      maxLength: 50,
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 20, max: 100 }), async (list, limit) => {
        round += 1;
        const window = `round:${round}`;
        const runs = [0, 1, 2, 3, 4].map((who) => carrier(`r${round}-${who}`, `t${round}`));
        for (const run of runs) await run.begin();
        // All at once, as far as a store lets them: each proposer waits for its own turn only.
        const held: number[] = [];
        await Promise.all(
          runs.map(async (run, me) => {
            for (const [step, turn] of list.entries()) {
              if (turn.who !== me) continue;
              const reservations = [reservation(turn.amount, limit, "refunds", window)];
              let permitted = false;
              await run.decide({ step, reservations }, (seen) => {
                permitted = fits(reservations, seen.capUse);
                return permitted;
              });
              if (permitted && turn.outcome !== "open") await run.settle(step, turn.outcome);
              if (permitted && turn.outcome !== "failed") held.push(turn.amount);
            }
          }),
        );
        const sum = held.reduce((total, amount) => total + amount, 0);
        const [use] = await stores().capUse([reservation(0, 0, "refunds", window)], null);
        expect(use?.used).toBe(sum);
        expect(sum).toBeLessThanOrEqual(limit);
      }),
      { seed, numRuns: 15 },
    );
  });
}

function nothingHalf(stores: Stores, carrier: Carriers, open: OpenStore): void {
  test("[ledger-same-transaction] a judge that throws writes nothing, and its error arrives as it was thrown", async () => {
    const store = stores();
    const run = carrier("r1");
    await run.begin();
    const before = await stateOf(store);
    const query = { run: "r1", step: 1, thread: run.thread, settleKey: "k", slots: [reservation(0)] };
    // The last two look like what a store itself would throw.
    for (const thrown of [
      new Error("no"),
      "text",
      null,
      new StoreError("damaged", "x"),
      Object.assign(new Error("x"), { errcode: 13 }),
    ]) {
      const caught = await store
        .decide(query, () => {
          throw thrown;
        })
        .then(
          () => "nothing",
          (error: unknown) => error,
        );
      expect(caught).toBe(thrown);
    }
    expect(await stateOf(store)).toEqual(before);
    await run.start({ step: 1 });
  });

  test("[ledger-same-transaction] a head function that throws, or makes another entry, closes nothing", async () => {
    const store = stores();
    const run = carrier("r1");
    await run.begin();
    const before = await stateOf(store);
    const rows = run.rows(["ended", { ending: "answered", text: "t" }]);
    const boom = new Error("boom");
    const closing = (head: (previous: HeadEntry | null) => HeadEntry) =>
      store.append(rows, { ending: "answered", text: "t", head });
    await expect(
      closing(() => {
        throw boom;
      }),
    ).rejects.toBe(boom);
    const good = (previous: HeadEntry | null) =>
      headEntry(previous, 1, "r1", rows[0]?.seq ?? 0, rows[0]?.hash ?? "", SHA);
    for (const wrong of [{ run: "r2" }, { seq: 1 }, { head: "0".repeat(64) }, { n: 2 }, { prev: "1".repeat(64) }]) {
      await expect(closing((previous) => ({ ...good(previous), ...wrong }))).rejects.toThrow(TypeError);
    }
    expect(await stateOf(store)).toEqual(before);
    await closing(good);
    expect(await store.readHeads()).toHaveLength(1);
  });

  test("[ledger-same-transaction] no write without a row, and no rows that do not chain", async () => {
    const store = stores();
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1 });
    const before = await stateOf(store);
    const good = run.rows(["note", {}], ["note", {}], ["note", {}]);
    const [first, second, third] = good;
    if (first === undefined || second === undefined || third === undefined) throw new Error("three rows");
    const wrongs = [
      [],
      [first, third],
      [first, first],
      [first, { ...second, run: "r2" }],
      [first, { ...second, prev: "0".repeat(64) }],
    ];
    for (const rows of wrongs) {
      await expect(store.append(rows, null)).rejects.toThrow(TypeError);
      await expect(store.settle({ run: "r1", step: 1, outcome: "done", result: null, rows })).rejects.toThrow(
        TypeError,
      );
      const query = { run: "r1", step: 2, thread: run.thread, settleKey: null, slots: [] };
      await expect(store.decide(query, () => ({ rows, start: null }))).rejects.toThrow(TypeError);
    }
    const header = { run: "r9", thread: "t", principal: "p", startedAt: 1, request: "" };
    await expect(store.begin(header, [])).rejects.toThrow(TypeError);
    await expect(store.begin(header, good)).rejects.toThrow(TypeError);
    // A judge that promises has judged nothing.
    const query = { run: "r1", step: 2, thread: run.thread, settleKey: null, slots: [] };
    const promising = (async () => ({ rows: good, start: null })) as unknown as () => DecideWrite;
    await expect(store.decide(query, promising)).rejects.toThrow(TypeError);
    expect(await stateOf(store)).toEqual(before);
  });

  test("[ledger-same-transaction] a write whose rows do not say what it says is a mistake of the caller", async () => {
    const store = stores();
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1, settleKey: "k" });
    await run.start({ step: 2, reservations: [reservation(5)] });
    const before = await stateOf(store);
    const ended = run.rows(["ended", { ending: "answered", text: "t", detail: "" }]);
    const [note, two] = [run.rows(["note", {}]), run.rows(["note", {}], ["note", {}])];
    const head = (rows: readonly Row[]) => (previous: HeadEntry | null) =>
      headEntry(previous, 1, "r1", rows.at(-1)?.seq ?? 0, rows.at(-1)?.hash ?? "", SHA);
    const closing = { ending: "answered", text: "t", head: head(ended) } as const;
    const query = { run: "r1", step: 3, thread: run.thread, settleKey: null, slots: [reservation(0)] };
    const decide = (bodies: readonly (readonly [string, Json])[], settleKey: string | null = null, amount = 0) =>
      store.decide({ ...query, settleKey }, () => {
        const reservations = amount === 0 ? [] : [reservation(amount)];
        return { rows: run.rows(...bodies), start: { tool: "refund", effect: "once", reservations } };
      });
    const settle = (kind: string, body: Json, outcome: Outcome = "done") =>
      store.settle({ run: "r1", step: 1, outcome, result: null, rows: run.rows([kind, body]) });
    const listed = (amount: number) => [{ ...reservation(amount) }];
    const decided = { step: 3, reservations: [] };
    const mistakes: readonly (() => Promise<unknown>)[] = [
      () => store.append(ended, null),
      () => store.append(note, { ...closing, head: head(note) }),
      () => store.append(two, { ...closing, head: head(two) }),
      () => store.append(ended, { ...closing, text: "u" }),
      () => store.append(ended, { ...closing, ending: "failed" }),
      () => decide([["note", {}]]),
      () => decide([["decided", decided]]),
      () =>
        decide([
          ["decided", decided],
          ["started", { step: 4 }],
        ]),
      () =>
        decide([
          ["decided", decided],
          ["started", { step: 3, settleKey: "k" }],
        ]),
      () =>
        decide(
          [
            ["decided", decided],
            ["started", { step: 3 }],
          ],
          "k",
        ),
      () => decide([["started", { step: 3 }]], null, 1),
      ...[[], listed(2), [...listed(1), ...listed(1)], [null], null].map(
        (reservations) => () =>
          decide(
            [
              ["decided", { step: 3, reservations }],
              ["started", { step: 3 }],
            ],
            null,
            1,
          ),
      ),
      () => settle("note", {}),
      () => settle("finished", { step: 2, outcome: "done" }),
      () => settle("finished", { step: 1, outcome: "failed" }),
      () => settle("finished", { step: 1, outcome: "done" }, "failed"),
      () => settle("finished", { step: 1 }, "outcome_unknown"),
      () => settle("finished", "done"),
    ];
    for (const [index, mistake] of mistakes.entries()) {
      await expect(mistake(), `mistake ${index}`).rejects.toThrow(TypeError);
    }
    expect(await stateOf(store)).toEqual(before);
    // That it is done goes without saying.
    await settle("finished", { step: 1 });
  });

  test("[ledger-same-transaction] a run begins with its beginning, and as its first row says", async () => {
    const store = stores();
    const body = { thread: "t", principal: { id: "p" }, request: "q" };
    const header = { run: "r1", thread: "t", principal: "p", startedAt: 1_000, request: "q" };
    const run = carrier("r1");
    const before = await stateOf(store);
    const rows = run.rows(["began", body]);
    for (const wrong of [{ thread: "T" }, { principal: "P" }, { request: "" }, { startedAt: 1_001 }]) {
      await expect(store.begin({ ...header, ...wrong }, rows)).rejects.toThrow(TypeError);
    }
    for (const said of [{}, null, { ...body, principal: null }, { ...body, principal: {} }, { ...body, thread: 1 }]) {
      await expect(store.begin(header, run.rows(["began", said]))).rejects.toThrow(TypeError);
    }
    await expect(store.begin(header, run.rows(["note", body], ["began", body]))).rejects.toThrow(TypeError);
    expect(await stateOf(store)).toEqual(before);
    await store.begin(header, run.rows(["began", body], ["note", {}]));
    expect(await store.readRun("r1")).toMatchObject({ ...header, headSeq: 2 });
  });

  test("[ledger-same-transaction] rows that are worked out later are not spared either", async () => {
    const store = stores();
    if (store.lazyRows !== true) return;
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1 });
    const before = await stateOf(store);
    const lazy = (kind: string, body: Json) => [new ChainedRow(run.end, { at: run.at, kind }, () => body, SHA)];
    const ended = lazy("ended", { ending: "answered", text: "t" });
    const query = { run: "r1", step: 2, thread: run.thread, settleKey: null, slots: [] };
    const start = { tool: "refund", effect: "once", reservations: [] };
    const settled = { run: "r1", step: 1, outcome: "done", result: null } as const;
    const head = (previous: HeadEntry | null) =>
      headEntry(previous, 1, "r1", run.end.seq + 1, ended[0]?.hash ?? "", SHA);
    const header = { run: "r2", thread: "t", principal: "p", startedAt: 1_000, request: "q" };
    const first = (kind: string, body: Json) => [
      new ChainedRow(chainStart("r2"), { at: 1_000, kind }, () => body, SHA),
    ];
    const said = { thread: "t", principal: { id: "p" }, request: "q" };
    const mistakes: readonly (() => Promise<unknown>)[] = [
      () => store.append(ended, null),
      () => store.append(ended, { ending: "answered", text: "u", head }),
      () => store.append(ended, { ending: "failed", text: "t", head }),
      () => store.append(lazy("note", {}), { ending: "answered", text: "t", head }),
      () => store.decide(query, () => ({ rows: lazy("decided", { step: 2 }), start })),
      () => store.settle({ ...settled, rows: lazy("note", {}) }),
      () => store.begin(header, first("note", said)),
      () => store.begin(header, first("began", { ...said, request: "Q" })),
    ];
    for (const [index, mistake] of mistakes.entries()) {
      await expect(mistake(), `mistake ${index}`).rejects.toThrow(TypeError);
    }
    expect(await stateOf(store)).toEqual(before);
  });

  test("rows and head entries that are worked out later are written as plain ones are, by a store that takes them", async () => {
    const store = stores();
    if (store.lazyRows !== true) return;
    let previous: HeadEntry | null = null;
    for (const [n, copied] of [false, true, true, false, false].entries()) {
      const run = `r${n}`;
      const body = { thread: "t", principal: { id: "p" }, request: "q" };
      const began = new ChainedRow(chainStart(run), { at: 1, kind: "began" }, () => body, SHA);
      await store.begin({ run, thread: "t", principal: "p", startedAt: 1, request: "q" }, [began]);
      const said = { ending: "answered", text: "t" } as const;
      const ended = new ChainedRow(began, { at: 2, kind: "ended" }, () => said, SHA);
      const rows = [copied ? plainRow(ended) : ended];
      await store.append(rows, { ...said, head: (newest) => headOf(newest, 3, ended, SHA) });
      const first = chainRow(chainStart(run), 1, "began", body, SHA);
      const second = chainRow(first, 2, "ended", said, SHA);
      expect(await store.readRows(run)).toStrictEqual([first, second]);
      const entry: HeadEntry = headEntry(previous, 3, run, 2, second.hash, SHA);
      if (n % 2 === 1) expect((await store.readHeads())[n]).toStrictEqual(entry);
      previous = entry;
    }
  });

  test("[ledger-same-transaction] what is not JSON is not written, not even in part", async () => {
    const store = stores();
    const run = carrier("r1");
    await run.begin();
    await run.start({ step: 1 });
    const before = await stateOf(store);
    const [first, second] = run.rows(["note", {}], ["note", {}]);
    if (first === undefined || second === undefined) throw new Error("two rows");
    const notJson = [{ x: "\ud800" }, { x: Number.NaN }, { x: undefined }, new Date(0), 1n] as unknown as Json[];
    for (const body of notJson) {
      await expect(store.append([first, { ...second, body }], null)).rejects.toThrow(TypeError);
      const settled = { run: "r1", step: 1, outcome: "done" as const, rows: [first] };
      await expect(store.settle({ ...settled, result: body })).rejects.toThrow(TypeError);
      await expect(store.settle({ ...settled, result: null, rows: [first, { ...second, body }] })).rejects.toThrow(
        TypeError,
      );
    }
    const odd = carrier("r2");
    const rows = odd.rows(["began", { thread: "t", principal: { id: "p" }, request: "" }]);
    const header = { run: "r2", thread: "t", principal: "p", startedAt: 1_000, request: "" };
    for (const wrong of [{ request: "\ud800" }, { thread: "\udc00x" }, { principal: "\ud800" }]) {
      await expect(store.begin({ ...header, ...wrong }, rows)).rejects.toThrow(TypeError);
    }
    const head = (previous: HeadEntry | null) => headEntry(previous, 1, "r1", first.seq, first.hash, SHA);
    await expect(store.append([first], { ending: "answered", text: "\ud800", head })).rejects.toThrow(TypeError);
    expect(await stateOf(store)).toEqual(before);
  });

  test("[ledger-unwritable-denies] a closed store denies everything, and closing twice is fine", async () => {
    const { store, close } = await open();
    const run = new Carrier(store, "r1");
    await run.begin();
    await store.close();
    await store.close();
    expect(await codeOf(run.append(["note", {}]))).toBe("unavailable");
    expect(await codeOf(run.start({ step: 1 }))).toBe("unavailable");
    expect(await codeOf(run.settle(1, "done"))).toBe("unavailable");
    expect(await codeOf(new Carrier(store, "r2").begin())).toBe("unavailable");
    for (const read of [store.readRows("r1"), store.readRun("r1"), store.listRuns({ limit: 1 }), store.listRunIds()]) {
      expect(await codeOf(read)).toBe("unavailable");
    }
    for (const read of [store.readHeads(), store.capUse([], null), store.checkBooks()]) {
      expect(await codeOf(read)).toBe("unavailable");
    }
    await close();
  });
}
