import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Checkpoint, checkpointDigest, makeCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { headEntry } from "./heads.ts";

const SHA = (text: string) => hash("sha256", text);
const H = "ab".repeat(32);

const entries = [
  { run: "a", headSeq: 4, headHash: H, ending: "answered" as const },
  { run: "b", headSeq: 2, headHash: H, ending: null },
];
const head = headEntry(null, 1, "a", 4, H, SHA);
const guides = { seq: 3, hash: H };
const checkpoint = makeCheckpoint({ at: 7, entries, heads: [head], guides, keyed: false, hash: SHA });
/** As releases made it that knew no guides. */
const FIRST = {
  version: 1,
  at: 7,
  rows: 6,
  runs: 2,
  heads: { n: 1, hash: head.hash },
  open: [{ run: "b", seq: 2, hash: H }],
  keyed: false,
  digest: "dc10e01746eb2e148557779825f11b41094810b1d20d20fb3bb4f5afd8627ae3",
};

describe("a checkpoint", () => {
  test("[ledger-checkpoint] counts everything, names the newest head entry, and lists the open runs only", () => {
    expect(checkpoint).toEqual({
      version: 2,
      at: 7,
      rows: 6,
      runs: 2,
      heads: { n: 1, hash: head.hash },
      open: [{ run: "b", seq: 2, hash: H }],
      guides: { seq: 3, hash: H },
      keyed: false,
      digest: "0c3098ffa053056836e60c7df5e7c79be71ceae3b944229a35506683d25115c4",
    });
  });

  test("[ledger-checkpoint] of version 1 is still read, and its digest is what it was", () => {
    const read = parseCheckpoint(JSON.stringify(FIRST));
    expect(read).toEqual({ ok: true, value: { ...FIRST, guides: null } });
    if (read.ok) expect(checkpointDigest(read.value, SHA)).toBe(FIRST.digest);
    expect(parseCheckpoint(JSON.stringify({ ...FIRST, guides: null }))).toMatchObject({ ok: false });
    const { guides: _, ...rest } = checkpoint;
    expect(parseCheckpoint(JSON.stringify(rest))).toMatchObject({ ok: false });
  });

  test("[ledger-checkpoint] of an empty ledger", () => {
    const empty = makeCheckpoint({ at: 0, entries: [], heads: [], guides: null, keyed: true, hash: SHA });
    expect(empty).toMatchObject({ rows: 0, runs: 0, heads: null, open: [], keyed: true });
    expect(parseCheckpoint(JSON.stringify(empty))).toEqual({ ok: true, value: empty });
  });

  test("[ledger-checkpoint] every field is under the digest", () => {
    const edits: Partial<Checkpoint>[] = [
      { at: 8 },
      { rows: 5 },
      { runs: 1 },
      { heads: null },
      { heads: { n: 2, hash: head.hash } },
      { heads: { n: 1, hash: H } },
      { open: [] },
      { open: [{ run: "b", seq: 1, hash: H }] },
      { open: [{ run: "c", seq: 2, hash: H }] },
      { guides: null },
      { guides: { seq: 2, hash: H } },
      { guides: { seq: 3, hash: head.hash } },
      { keyed: true },
    ];
    expect(checkpointDigest(checkpoint, SHA)).toBe(checkpoint.digest);
    for (const edit of edits) expect(checkpointDigest({ ...checkpoint, ...edit }, SHA)).not.toBe(checkpoint.digest);
  });

  const text = (edit: object) => JSON.stringify({ ...checkpoint, ...edit });
  test.each<[string, string, string]>([
    ["not JSON", "{", "not_json"],
    ["a key twice", '{"version":1,"version":1}', "duplicate_key"],
    ["not an object", "[1]", "not_a_checkpoint"],
    ["a newer version", text({ version: 3, new: true }), "newer_version"],
    ["no version", text({ version: undefined }), "not_a_checkpoint"],
    ["version as text", text({ version: "1" }), "not_a_checkpoint"],
    ["an unknown field", text({ extra: 1 }), "not_a_checkpoint"],
    ["a missing field", text({ keyed: undefined }), "not_a_checkpoint"],
    ["a negative count", text({ rows: -1 }), "not_a_checkpoint"],
    ["a fraction", text({ runs: 1.5 }), "not_a_checkpoint"],
    ["text for a time", text({ at: "7" }), "not_a_checkpoint"],
    ["a digest in capitals", text({ digest: H.toUpperCase() }), "not_a_checkpoint"],
    ["a short digest", text({ digest: "ab" }), "not_a_checkpoint"],
    ["keyed as text", text({ keyed: "no" }), "not_a_checkpoint"],
    ["heads without a hash", text({ heads: { n: 1 } }), "not_a_checkpoint"],
    ["heads with more", text({ heads: { n: 1, hash: H, x: 1 } }), "not_a_checkpoint"],
    ["head 0", text({ heads: { n: 0, hash: H } }), "not_a_checkpoint"],
    ["open as an object", text({ open: {} }), "not_a_checkpoint"],
    ["an open run without a name", text({ open: [{ run: "", seq: 1, hash: H }] }), "not_a_checkpoint"],
    ["guides without a hash", text({ guides: { seq: 1 } }), "not_a_checkpoint"],
    ["guides of no row", text({ guides: { seq: 0, hash: H } }), "not_a_checkpoint"],
    ["guides as a list", text({ guides: [] }), "not_a_checkpoint"],
    ["an open run without rows", text({ open: [{ run: "b", seq: 0, hash: H }] }), "not_a_checkpoint"],
  ])("[ledger-checkpoint] is not read from %s", (_, given, code) => {
    expect(parseCheckpoint(given)).toMatchObject({ ok: false, why: { code } });
  });

  test("[ledger-checkpoint] is read from its text, with 5,000 open runs too", () => {
    expect(parseCheckpoint(text({}))).toEqual({ ok: true, value: checkpoint });
    const open = Array.from({ length: 5_000 }, (_, n) => ({ run: `run-${n}`, seq: 1, hash: H }));
    expect(parseCheckpoint(text({ open }))).toMatchObject({ ok: true, value: { open } });
  });
});
