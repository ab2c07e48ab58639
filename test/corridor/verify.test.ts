import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { parseCheckpoint } from "../../src/ledger/index.ts";
import type { Store } from "../../src/ports/store.ts";
import { act, openBox, plainTool, say } from "./box.ts";

/** The store, but before each reading of this kind something happens. */
function interleaved(store: Store, method: keyof Store, before: () => Promise<unknown>): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const call = value.bind(target);
      if (name !== method) return call;
      return async (...args: unknown[]) => {
        await before();
        return call(...args);
      };
    },
  });
}

const script = function* () {
  for (;;) {
    yield act("look");
    yield say("fine");
  }
};

describe("a ledger that others write while it is verified", () => {
  test.each<[keyof Store]>([["checkBooks"], ["listRunIds"], ["readRows"]])(
    "a run that goes through before %s is no damage, and a checkpoint is given",
    async (method) => {
      const store = openMemoryStore();
      const writer = openBox([plainTool("look", () => 1)], script(), { store });
      await writer.run("first");
      // Every reading is disturbed, so that no pass ever sees the ledger at rest.
      let deep = false;
      const live = interleaved(store, method, async () => {
        if (deep) return;
        deep = true;
        await writer.run("meanwhile");
        deep = false;
      });
      const box = openBox([], [], { store: live });
      expect(await box.verifyLedger()).toMatchObject({ ok: true, faults: [] });
      const checkpoint = await box.checkpoint();
      const read = parseCheckpoint(JSON.stringify(checkpoint));
      expect(read.ok && (await box.verifyLedger(read.value)).faults).toEqual([]);
    },
  );

  test("what is really missing is reported all the same, also while others write", async () => {
    const store = openMemoryStore();
    const writer = openBox([plainTool("look", () => 1)], script(), { store });
    const { run } = await writer.run("first");
    const cut = new Proxy(store, {
      get(target, name) {
        if (name === "readHeads") return async () => (await target.readHeads()).filter((head) => head.run !== run);
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const live = interleaved(cut, "listRunIds", () => writer.run("meanwhile"));
    const box = openBox([], [], { store: live });
    const { faults } = await box.verifyLedger();
    expect(faults).toContainEqual(expect.objectContaining({ run, code: "head_missing" }));
    await expect(box.checkpoint()).rejects.toMatchObject({ code: "ledger_damaged" });
  });
});

test("[ledger-tamper] a row that cannot be read is named by its number", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-verify-")), "s.db");
  const store = openSqliteStore({ path });
  const box = openBox([plainTool("look", () => 1)], script(), { store });
  const { run } = await box.run("first");
  await box.close();
  const file = new DatabaseSync(path);
  for (const { name } of file.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()) {
    file.exec(`DROP TRIGGER "${String(name)}"`);
  }
  file.exec(`UPDATE rows SET body = 'no JSON' WHERE id = ${2 ** 24 + 3}`);
  file.close();
  const again = openBox([], [], { store: openSqliteStore({ path }) });
  const { faults } = await again.verifyLedger();
  expect(faults).toContainEqual(expect.objectContaining({ run, seq: 3, code: "unreadable" }));
  await again.close();
});

test("[ledger-tamper] the row that ends a run, when it cannot be read, is named too", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-verify-")), "s.db");
  const store = openSqliteStore({ path });
  const box = openBox([plainTool("look", () => 1)], script(), { store });
  const { run } = await box.run("first");
  const { length: seq } = await store.readRows(run);
  await box.close();
  const file = new DatabaseSync(path);
  for (const { name } of file.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all()) {
    file.exec(`DROP TRIGGER "${String(name)}"`);
  }
  file.exec("UPDATE rows SET body = 'no JSON' WHERE kind = 'ended'");
  file.close();
  const again = openBox([], [], { store: openSqliteStore({ path }) });
  const { faults } = await again.verifyLedger();
  expect(faults).toContainEqual(expect.objectContaining({ run, seq, code: "unreadable" }));
  await again.close();
});
