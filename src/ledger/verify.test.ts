import { createHmac, hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seed } from "../../test/seed.ts";
import type { HeadEntry } from "../domain/head.ts";
import { CHAIN_START } from "../domain/head.ts";
import type { Row } from "../domain/row.ts";
import { headEntry } from "./heads.ts";
import { chainRow, chainStart } from "./rows.ts";
import { type RunRows, verifyLedger, verifyRun } from "./verify.ts";

const SHA = (text: string) => hash("sha256", text);
const KEYED = (text: string) => createHmac("sha256", "key").update(text).digest("hex");

function chain(run: string, length: number, sha = SHA): Row[] {
  const rows: Row[] = [];
  let end = chainStart(run);
  for (let n = 1; n <= length; n++) {
    const row = chainRow(end, 1_000 + n, n === 1 ? "began" : "note", { n, text: `row ${n}` }, sha);
    rows.push(row);
    end = { run, seq: row.seq, hash: row.hash };
  }
  return rows;
}

function at(rows: readonly Row[], index: number): Row {
  const row = rows[index];
  if (row === undefined) throw new Error(`no row at ${index}`);
  return row;
}

/** Rows with the ones at these places, counted from 0, in their stead. */
function withRows(rows: readonly Row[], changes: { readonly [index: number]: Partial<Row> }): Row[] {
  return rows.map((row, index) => ({ ...row, ...changes[index] }));
}

describe("verifyRun", () => {
  const rows = chain("r1", 6);

  test("[ledger-chain] a chain as it was written is sound, and so is none", () => {
    expect(verifyRun(rows, SHA)).toEqual({ ok: true, head: { seq: 6, hash: at(rows, 5).hash } });
    expect(verifyRun([], SHA)).toEqual({ ok: true, head: { seq: 0, hash: CHAIN_START } });
  });

  test("[ledger-chain] the hash is pinned: another release must compute the same", () => {
    expect(at(rows, 0).hash).toBe(
      SHA(`{"at":1001,"body":{"n":1,"text":"row 1"},"kind":"began","prev":"${CHAIN_START}","run":"r1","seq":1}`),
    );
    expect(at(rows, 0).hash).toBe("68a2224844f1be3736fa85b23e7c2d77f4e8b90d9309ce7469c76a6035d6dbb5");
  });

  const [a, b, c, d, e, f] = rows;
  if (!a || !b || !c || !d || !e || !f) throw new Error("six rows");
  test.each<[string, Row[], number, string]>([
    ["a row missing", [a, b, d, e, f], 3, "gap"],
    ["the first row missing", [b, c, d], 1, "gap"],
    ["several rows missing", [a, e, f], 2, "gap"],
    ["a row twice", [a, b, b, c], 2, "duplicate"],
    ["a row twice, later", [a, b, c, b], 2, "duplicate"],
    ["two rows swapped", [a, c, b, d], 2, "reordered"],
    ["the order turned round", [f, e, d, c, b, a], 1, "reordered"],
    ["a row of another run", [a, { ...b, run: "r2" }, c], 2, "wrong_run"],
    ["another content", withRows(rows, { 2: { body: { n: 3, text: "row 3!" } } }), 3, "wrong_hash"],
    ["another kind", withRows(rows, { 0: { kind: "note" } }), 1, "wrong_hash"],
    ["another time", withRows(rows, { 5: { at: 1_007 } }), 6, "wrong_hash"],
    ["another hash", withRows(rows, { 3: { hash: "0".repeat(64) } }), 4, "wrong_hash"],
    ["another link", withRows(rows, { 3: { prev: "0".repeat(64) } }), 4, "broken_link"],
    ["a first row with a link", withRows(rows, { 0: { prev: "1".repeat(64) } }), 1, "broken_link"],
    ["seq 0", withRows(rows, { 0: { seq: 0 } }), 1, "unreadable"],
    ["a fraction for seq", withRows(rows, { 2: { seq: 2.5 } }), 3, "unreadable"],
    ["text for at", withRows(rows, { 2: { at: "1003" as unknown as number } }), 3, "unreadable"],
    ["a number for kind", withRows(rows, { 2: { kind: 1 as unknown as string } }), 3, "unreadable"],
    ["a body that is not JSON", withRows(rows, { 2: { body: Number.NaN } }), 3, "unreadable"],
    ["the first of several", withRows(rows, { 4: { kind: "x" }, 2: { kind: "x" } }), 3, "wrong_hash"],
  ])("[ledger-tamper] %s", (_, bad, seq, code) => {
    expect(verifyRun(bad, SHA)).toMatchObject({ ok: false, seq, code });
  });

  test("[ledger-tamper] a row chained anew is found at its successor, and with a key at itself", () => {
    const forged = chainRow({ run: "r1", seq: 2, hash: b.hash }, c.at, c.kind, { n: 3, text: "forged" }, SHA);
    expect(verifyRun([a, b, forged, d, e, f], SHA)).toMatchObject({ seq: 4, code: "broken_link" });
    const keyed = chain("r1", 6, KEYED);
    const plain = chainRow({ run: "r1", seq: 2, hash: at(keyed, 1).hash }, c.at, c.kind, { n: 3, text: "forged" }, SHA);
    expect(verifyRun([...keyed.slice(0, 2), plain, ...keyed.slice(3)], KEYED)).toMatchObject({
      seq: 3,
      code: "wrong_hash",
    });
    expect(verifyRun(keyed, SHA)).toMatchObject({ seq: 1, code: "wrong_hash" });
  });

  test("[ledger-tamper] no single change of any field of any row goes unseen, and it is the one that is named", () => {
    const text = fc.string({ minLength: 1 });
    const change = fc.oneof(
      text.map((kind) => ({ kind: `!${kind}` })),
      fc.integer({ min: 0, max: 999 }).map((time) => ({ at: time })),
      fc.jsonValue().map((body) => ({ body: { other: body } as Row["body"] })),
      text.map((prev) => ({ prev })),
      text.map((digest) => ({ hash: digest })),
      text.map((run) => ({ run: `${run}!` })),
      fc.integer({ min: 100 }).map((seq) => ({ seq })),
    );
    fc.assert(
      fc.property(fc.nat(5), change, (index, changed) => {
        const verdict = verifyRun(withRows(rows, { [index]: changed }), SHA);
        // A first row of another run makes the rest strangers: then the second row is the first that does not fit.
        const named = index === 0 && "run" in changed ? [1, 2] : [index + 1];
        expect(verdict.ok).toBe(false);
        if (!verdict.ok) expect(named).toContain(verdict.seq);
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe("verifyLedger", () => {
  type Ledger = { runs: RunRows[]; heads: HeadEntry[] };

  /** Two closed runs and an open one. */
  function ledger(): Ledger {
    const heads: HeadEntry[] = [];
    const runs = (["a", "b", "c"] as const).map((run, index): RunRows => {
      const rows = chain(run, 3 + index);
      const last = at(rows, rows.length - 1);
      if (run !== "c") heads.push(headEntry(heads.at(-1) ?? null, 2_000, run, last.seq, last.hash, SHA));
      const ending = run === "c" ? null : "answered";
      return { entry: { run, headSeq: last.seq, headHash: last.hash, ending }, rows };
    });
    return { runs, heads };
  }

  const codesOf = ({ runs, heads }: Ledger, books: readonly string[] = []) =>
    verifyLedger({ runs, heads, books, hash: SHA }).faults.map(({ run, seq, code }) => [run, seq, code]);

  const change = (edit: (sound: Ledger) => void): Ledger => {
    const sound = ledger();
    edit(sound);
    return sound;
  };

  function edited(runs: RunRows[], index: number, edit: (run: RunRows) => RunRows): void {
    const run = runs[index];
    if (run !== undefined) runs[index] = edit(run);
  }

  test("a sound ledger has no faults, and is counted", () => {
    expect(verifyLedger({ ...ledger(), books: [], hash: SHA })).toEqual({
      ok: true,
      faults: [],
      runs: 3,
      rows: 12,
      heads: 2,
      guides: 0,
      revisions: 0,
    });
    expect(verifyLedger({ runs: [], heads: [], books: [], hash: SHA })).toMatchObject({ ok: true, runs: 0 });
  });

  test("[ledger-tamper] rows cut off, and rows that the index does not know", () => {
    const cut = change(({ runs }) => edited(runs, 2, (run) => ({ ...run, rows: run.rows.slice(0, 2) })));
    expect(codesOf(cut)).toEqual([["c", 3, "head_mismatch"]]);
    const more = change(({ runs }) => edited(runs, 2, (run) => ({ ...run, rows: chain("c", 7) })));
    expect(codesOf(more)).toEqual([["c", 6, "head_mismatch"]]);
    const none = change(({ runs }) => edited(runs, 2, (run) => ({ ...run, rows: [] })));
    expect(codesOf(none)).toEqual([["c", 1, "head_mismatch"]]);
    const other = change(({ runs }) =>
      edited(runs, 2, (run) => ({ ...run, entry: { ...run.entry, headHash: "f".repeat(64) } })),
    );
    expect(codesOf(other)).toEqual([["c", 5, "head_mismatch"]]);
  });

  test("[ledger-tamper] a closed run cut off together with its index entry", () => {
    const cut = change(({ runs }) =>
      edited(runs, 1, ({ entry, rows }) => ({
        rows: rows.slice(0, 2),
        entry: { ...entry, headSeq: 2, headHash: at(rows, 1).hash, ending: null },
      })),
    );
    expect(codesOf(cut)).toEqual([["b", 3, "head_not_on_chain"]]);
  });

  test("[ledger-tamper] a closed run that is gone, one that the index of heads does not know, and one there twice", () => {
    expect(codesOf(change(({ runs }) => runs.splice(0, 1)))).toEqual([["a", 1, "run_missing"]]);
    expect(codesOf(change(({ heads }) => heads.pop()))).toEqual([["b", 4, "head_missing"]]);
    const [run] = ledger().runs;
    expect(codesOf(change(({ runs }) => run !== undefined && runs.push(run)))).toEqual([["a", null, "run_twice"]]);
  });

  test("[ledger-tamper] the index of heads is a chain itself", () => {
    const [first, second] = ledger().heads;
    if (first === undefined || second === undefined) throw new Error("two heads");
    const headsOf = (...heads: HeadEntry[]) =>
      codesOf({ ...ledger(), heads }).filter(([, , code]) => code === "head_chain");
    expect(headsOf(second)).toEqual([["b", 4, "head_chain"]]);
    expect(headsOf(second, first)).toEqual([["b", 4, "head_chain"]]);
    expect(headsOf(first, first, second)).toEqual([["a", 3, "head_chain"]]);
    expect(headsOf({ ...first, at: 7 }, second)).toEqual([["a", 3, "head_chain"]]);
    expect(headsOf(first, { ...second, prev: CHAIN_START })).toEqual([["b", 4, "head_chain"]]);
    expect(headsOf(first, { ...second, at: Number.NaN })).toEqual([["b", 4, "head_chain"]]);
    expect(headsOf(first, second)).toEqual([]);
  });

  test("[ledger-tamper] what cannot be read is named after what does not fit before it", () => {
    const unreadable = { seq: 3, detail: "column body is not JSON" };
    const broken = (rows: (run: RunRows) => readonly Row[]) =>
      codesOf(change(({ runs }) => edited(runs, 1, (run) => ({ ...run, rows: rows(run), unreadable }))));
    expect(broken(({ rows }) => rows.slice(0, 2))).toEqual([["b", 3, "unreadable"]]);
    expect(broken(({ rows }) => withRows(rows.slice(0, 2), { 1: { kind: "x" } }))).toEqual([["b", 2, "wrong_hash"]]);
  });

  test("one fault a run, and those of the books as they come", () => {
    const bad = change(({ runs }) => {
      edited(runs, 0, (run) => ({ ...run, rows: withRows(run.rows, { 1: { kind: "x" }, 2: { kind: "x" } }) }));
      edited(runs, 2, (run) => ({ ...run, rows: run.rows.slice(1) }));
    });
    expect(codesOf(bad, ["run a row 2: x"])).toEqual([
      ["a", 2, "wrong_hash"],
      ["c", 1, "gap"],
      [null, null, "books_disagree"],
    ]);
  });

  test("a run that ended, went on and ended again has an entry for each end", () => {
    const rows = chain("a", 6);
    const first = headEntry(null, 1, "a", 3, at(rows, 2).hash, SHA);
    const second = headEntry(first, 2, "a", 6, at(rows, 5).hash, SHA);
    const entry = { run: "a", headSeq: 6, headHash: at(rows, 5).hash, ending: "answered" as const };
    expect(codesOf({ runs: [{ entry, rows }], heads: [first, second] })).toEqual([]);
    expect(codesOf({ runs: [{ entry, rows }], heads: [first] })).toEqual([["a", 6, "head_missing"]]);
    const open = { ...entry, ending: null };
    expect(codesOf({ runs: [{ entry: open, rows }], heads: [first] })).toEqual([]);
  });
});
