/** The triggers that make the chain of the guides structural: any connection, ours or not, is held to them. */
import { hash } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import { canonicalJson } from "../../src/domain/canonical.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Row } from "../../src/domain/row.ts";
import { type Checkpoint, chainRow, checkpointDigest } from "../../src/ledger/index.ts";
import type { Store } from "../../src/ports/store.ts";
import {
  approved,
  GuideWriter,
  pinned,
  published,
  revisionOf,
  revoked,
  verified,
  withdrawn,
} from "../guides/sayings.ts";
import { SHA } from "./carrier.ts";
import { guidesOf } from "./guides.ts";
import { checkpointOf, verifyFile } from "./verify-store.ts";

let directory: string;
let path: string;
let store: Store;
let guides: GuideWriter;

const A = revisionOf("bytes a");
const B = revisionOf("bytes b");
const C = revisionOf("bytes c");
const [ofA, ofB] = [
  { rule: "r", revision: A.digest },
  { rule: "s", revision: B.digest },
];

/**
 * 1 verified a, 2 approved a, 3 published a, 4 verified b, 5 approved b, 6 revoked b, 7 verified b (failed), 8 pinned.
 */
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "signalbox-guides-"));
  path = join(directory, "signalbox.db");
  store = openSqliteStore({ path });
  guides = new GuideWriter(store);
  await guides.publish("r", "bytes a");
  const approval = await guides.say(approved(ofB, "user:sue", await guides.say(verified(ofB), B)));
  await guides.say(revoked(ofB, approval));
  await guides.say(
    verified(ofB, { passed: false, findings: [{ rule: "x", severity: "error", where: "", message: "" }] }),
  );
  await guides.say(pinned("p"));
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});

function sqlOf(body: Json): string {
  return `'${JSON.stringify(body).replaceAll("'", "''")}'`;
}

/** An insert of the next row as a stranger would write it. */
function insert({ kind, ...body }: { readonly kind: string }, seq = 9): string {
  return `INSERT INTO guide_rows VALUES (${seq}, 1, '${kind}', ${sqlOf(body as Json)}, zeroblob(32))`;
}

const copied = (seq: number, from: number) =>
  `INSERT INTO guide_rows SELECT ${seq}, at, kind, body, hash FROM guide_rows WHERE seq = ${from}`;

const cited = async (seq: number): Promise<Row> => {
  const row = (await store.readGuides(0))[seq - 1];
  if (row === undefined) throw new Error(`row ${seq}`);
  return row;
};

/** What a stranger tries; each is refused by one trigger. */
async function attempts(): Promise<readonly (readonly [string, RegExp, string])[]> {
  const [verifiedA, approvedA, verifiedB, approvedB, failedB] = await Promise.all([1, 2, 4, 5, 7].map(cited));
  if (!verifiedA || !approvedA || !verifiedB || !approvedB || !failedB) throw new Error("five rows");
  const [changed, deleted] = [/nothing is ever changed/, /nothing is ever deleted/];
  const [order, approval, publication] = [/hangs on the one before/, /an approval cites/, /a publication cites/];
  const { verification: _, ...citesNothing } = approved(ofA, "user:tom", verifiedA);
  return [
    ["a row changed", changed, "UPDATE guide_rows SET body = '{}' WHERE seq = 2"],
    ["a hash changed", changed, "UPDATE guide_rows SET hash = zeroblob(32) WHERE seq = 2"],
    ["a row moved", changed, "UPDATE guide_rows SET seq = 99 WHERE seq = 8"],
    ["the newest row deleted", deleted, "DELETE FROM guide_rows WHERE seq = 8"],
    ["the revocation deleted", deleted, "DELETE FROM guide_rows WHERE seq = 6"],
    ["a revision changed", changed, "UPDATE revisions SET bytes = x'00'"],
    ["a revision renamed", changed, `UPDATE revisions SET digest = '${C.digest}' WHERE digest = '${A.digest}'`],
    ["a revision deleted", deleted, `DELETE FROM revisions WHERE digest = '${A.digest}'`],
    ["a revision written over", /kept once/, `INSERT OR REPLACE INTO revisions VALUES ('${A.digest}', x'00')`],
    [
      "a row written over",
      order,
      "INSERT OR REPLACE INTO guide_rows SELECT seq, at, kind, '{}', hash FROM guide_rows WHERE seq = 8",
    ],
    ["a row after a gap", order, copied(10, 8)],
    ["a row in the place of another", order, copied(8, 8)],
    ["a row before the first", order, copied(0, 8)],
    [
      "a row without a number",
      order,
      "INSERT INTO guide_rows (at, kind, body, hash) VALUES (1, 'guide_pinned', '{}', zeroblob(32))",
    ],
    ["a row of no kind", /one of their kinds/, insert({ kind: "guide_blessed" })],
    [
      "a verification of bytes that are not there",
      /bytes that are kept/,
      insert(verified({ rule: "r", revision: C.digest })),
    ],
    ["a verification of nothing", /bytes that are kept/, insert({ kind: "guide_verified" })],
    ["an approval of nothing", approval, insert({ kind: "guide_approved" })],
    ["an approval that cites nothing", approval, insert(citesNothing)],
    ["an approval of itself", approval, insert(approved(ofA, "user:tom", { seq: 9, hash: "0".repeat(64) }))],
    [
      "an approval on another hash",
      approval,
      insert(approved(ofA, "user:tom", { ...verifiedA, hash: approvedA.hash })),
    ],
    ["an approval on an approval", approval, insert(approved(ofA, "user:tom", approvedA))],
    [
      "an approval on another rule's verification",
      approval,
      insert(approved({ ...ofA, rule: "s" }, "user:tom", verifiedA)),
    ],
    ["an approval of other bytes", approval, insert(approved({ ...ofA, revision: B.digest }, "user:tom", verifiedA))],
    ["an approval on what did not pass", approval, insert(approved(ofB, "user:tom", failedB))],
    ["an approval said twice", approval, insert(approved(ofA, "user:sue", verifiedA))],
    ["an approval said again after it was revoked", approval, insert(approved(ofB, "user:sue", verifiedB))],
    ["an approval on what was verified before the revocation", approval, insert(approved(ofB, "user:tom", verifiedB))],
    ["a publication without an approval", publication, insert({ kind: "guide_published", ...ofA })],
    ["a publication on a verification", publication, insert(published(ofA, verifiedA))],
    ["a publication of other bytes", publication, insert(published({ ...ofA, revision: B.digest }, approvedA))],
    ["a publication on another rule's approval", publication, insert(published({ ...ofA, rule: "s" }, approvedA))],
    ["a publication on a revoked approval", publication, insert(published(ofB, approvedB))],
    ["a publication said twice", publication, insert(published(ofA, approvedA))],
    ["a publication on a later row", publication, insert(published(ofA, { ...approvedA, seq: 10 }))],
    ["a revocation of nothing", /a revocation cites/, insert({ kind: "guide_revoked", ...ofA })],
    ["a revocation said twice", /a revocation cites/, insert(revoked(ofB, approvedB))],
    [
      "a revocation of another rule's approval",
      /a revocation cites/,
      insert(revoked({ ...ofA, rule: "s" }, approvedA)),
    ],
    ["a withdrawal of what is not published", /a withdrawal is/, insert(withdrawn(ofB))],
    ["a withdrawal of other bytes", /a withdrawal is/, insert(withdrawn({ ...ofA, revision: B.digest }))],
  ];
}

test("[guide-chain] no connection changes the guides against their laws", async () => {
  const before = await guidesOf(store);
  const raw = new DatabaseSync(path);
  for (const [what, law, sql] of await attempts()) expect(() => raw.exec(sql), what).toThrow(law);
  // What the columns themselves refuse.
  expect(() => raw.exec("INSERT INTO revisions VALUES ('ABC', x'00')")).toThrow(/CHECK/);
  expect(() => raw.exec(`INSERT INTO revisions VALUES ('${"g".repeat(64)}', x'00')`)).toThrow(/CHECK/);
  raw.close();
  expect(await guidesOf(store)).toEqual(before);
});

test("[guide-chain] the same changes pass once the triggers are gone: it is they that refuse", async () => {
  const all = await attempts();
  const raw = new DatabaseSync(path);
  const triggers = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) raw.exec(`DROP TRIGGER ${name}`);
  const refused = all.filter(([, , sql]) => {
    raw.exec("SAVEPOINT attempt");
    try {
      raw.exec(sql);
      return false;
    } catch {
      return true;
    } finally {
      raw.exec("ROLLBACK TO attempt; RELEASE attempt");
    }
  });
  raw.close();
  // A primary key refuses one of them by itself.
  expect(refused.map(([what]) => what)).toEqual(["a row in the place of another"]);
});

test("[guide-chain] what keeps the laws passes, in one transaction with what it rests on", async () => {
  const [verification, approval] = [await cited(1), await cited(2)];
  const raw = new DatabaseSync(path);
  const of = { rule: "t", revision: C.digest };
  const zero = "0".repeat(64);
  const lines = [
    `INSERT INTO revisions VALUES ('${C.digest}', x'00')`,
    insert(verified(of), 9),
    insert(approved(of, "user:sue", { seq: 9, hash: zero }), 10),
    insert(published(of, { seq: 10, hash: zero }), 11),
    insert(withdrawn(of), 12),
    insert(verified(of), 13),
    insert(approved(of, "user:sue", { seq: 13, hash: zero }), 14),
    insert(published(of, { seq: 14, hash: zero }), 15),
    insert(approved(ofA, "user:tom", await cited(1)), 16),
    insert(revoked(ofA, approval), 17),
  ];
  raw.exec(`BEGIN; ${lines.join("; ")}`);
  // Within the same transaction the revocation counts already, and the withdrawal.
  expect(() => raw.exec(insert(published(ofA, approval), 18))).toThrow(/a publication cites/);
  expect(() => raw.exec(insert(approved(ofA, "user:bob", verification), 18))).toThrow(/an approval cites/);
  expect(() => raw.exec(insert(published(of, { seq: 10, hash: zero }), 18))).toThrow(/a publication cites/);
  expect(() => raw.exec(insert(approved(of, "user:tom", { seq: 9, hash: zero }), 18))).toThrow(/an approval cites/);
  raw.exec(`${insert(published(ofA, { seq: 16, hash: zero }), 18)}; ROLLBACK`);
  raw.close();
});

test("the view of the guides shows people the chain", async () => {
  const raw = new DatabaseSync(path, { readOnly: true });
  const shown = raw.prepare("SELECT seq, kind, rule, revision, prev, hash FROM guides").all();
  raw.close();
  const rows = await store.readGuides(0);
  expect(shown.map(({ seq, hash: own, prev }) => ({ seq, hash: own, prev }))).toEqual(
    rows.map(({ seq, hash: own, prev }) => ({ seq, hash: own, prev })),
  );
  expect(shown[2]).toMatchObject({ kind: "guide_published", rule: "r", revision: A.digest });
});

describe("verification", () => {
  /** What an intruder with the sqlite shell leaves: a copy whose triggers were dropped and put back. */
  function tampered(work: (db: DatabaseSync) => void): string {
    const copy = join(directory, "copy.db");
    const source = new DatabaseSync(path);
    source.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    source.close();
    copyFileSync(path, copy);
    const db = new DatabaseSync(copy, { enableForeignKeyConstraints: false });
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    db.exec("BEGIN; PRAGMA ignore_check_constraints = ON");
    work(db);
    db.exec("COMMIT");
    for (const { sql } of triggers) db.exec(String(sql));
    db.close();
    return copy;
  }

  async function faults(work: (db: DatabaseSync) => void, checkpoint: Checkpoint | null = null) {
    const copy = tampered(work);
    const { faults: found } = await verifyFile(copy, SHA, checkpoint);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${copy}${suffix}`, { force: true });
    return found.map(({ code, run, seq }) => [run, seq, code]);
  }

  const sql = (text: string) => (db: DatabaseSync) => db.exec(text);

  test("[guide-ledger] a sound chain verifies, and its rows are counted", async () => {
    expect(await verifyFile(path, SHA)).toMatchObject({ ok: true, guides: 8 });
    expect(await faults(() => {})).toEqual([]);
  });

  test.each<[string, string, number, string]>([
    ["a row edited", "UPDATE guide_rows SET body = replace(body, 'read it', 'read me') WHERE seq = 2", 2, "wrong_hash"],
    ["a time edited", "UPDATE guide_rows SET at = at + 1 WHERE seq = 3", 3, "wrong_hash"],
    ["a kind edited", "UPDATE guide_rows SET kind = 'guide_pinned' WHERE seq = 6", 6, "wrong_hash"],
    ["a hash edited", "UPDATE guide_rows SET hash = zeroblob(32) WHERE seq = 3", 3, "wrong_hash"],
    ["a row deleted", "DELETE FROM guide_rows WHERE seq = 6", 6, "gap"],
    [
      "a row deleted and the later ones moved up",
      "DELETE FROM guide_rows WHERE seq = 6; UPDATE guide_rows SET seq = 6 WHERE seq = 7; UPDATE guide_rows SET seq = 7 WHERE seq = 8",
      6,
      "wrong_hash",
    ],
    ["the first row deleted", "DELETE FROM guide_rows WHERE seq = 1", 1, "gap"],
    ["a row that is no JSON", "UPDATE guide_rows SET body = '{' WHERE seq = 4", 4, "unreadable"],
    ["a row with blanks in it", "UPDATE guide_rows SET body = ' ' || body WHERE seq = 4", 4, "unreadable"],
  ])("[guide-ledger] %s", async (_, text, seq, code) => {
    expect((await faults(sql(text)))[0]).toEqual(["guides", seq, code]);
  });

  test("[guide-ledger] a byte of a revision edited, its bytes gone, and bytes that nobody spoke of", async () => {
    const named = `WHERE digest = '${A.digest}'`;
    expect(await faults(sql(`UPDATE revisions SET bytes = x'00' ${named}`))).toEqual([
      ["guides", 1, "revision_damaged"],
    ]);
    expect(await faults(sql(`DELETE FROM revisions ${named}`))).toEqual([["guides", 1, "revision_missing"]]);
    const bytes = Buffer.from(C.bytes).toString("hex");
    expect(await faults(sql(`INSERT INTO revisions VALUES ('${C.digest}', x'${bytes}')`))).toEqual([
      ["guides", null, "revision_unexplained"],
    ]);
    expect(await faults(sql(`UPDATE revisions SET digest = '${C.digest}' ${named}`))).toEqual([
      ["guides", 1, "revision_missing"],
      ["guides", null, "revision_damaged"],
      ["guides", null, "revision_unexplained"],
    ]);
  });

  test("[guide-ledger] triggers of the guides that were dropped or changed", async () => {
    const db = new DatabaseSync(path);
    db.exec("DROP TRIGGER guide_published");
    db.close();
    expect((await verifyFile(path, SHA)).faults).toEqual([
      { run: null, seq: null, code: "books_disagree", detail: "schema: the trigger guide_published is missing" },
    ]);
  });

  /** Chains a record as the next row, as anybody can who knows that there is no key. */
  const forge =
    ({ kind, ...body }: { readonly kind: string }) =>
    (db: DatabaseSync) => {
      const last = db.prepare("SELECT seq, lower(hex(hash)) AS hash FROM guide_rows ORDER BY seq DESC LIMIT 1").get();
      const end = { run: "guides", seq: Number(last?.seq), hash: String(last?.hash) };
      const row = chainRow(end, 1, kind, body as Json, SHA);
      db.prepare("INSERT INTO guide_rows VALUES (?, ?, ?, ?, ?)").run(
        row.seq,
        row.at,
        kind,
        canonicalJson(row.body),
        Buffer.from(row.hash, "hex"),
      );
    };

  test("[guide-ledger] a forged publication that hangs well on the chain and rests on nothing", async () => {
    const revokedApproval = await cited(5);
    const verification = await cited(4);
    for (const record of [
      published(ofB, revokedApproval),
      published(ofB, verification),
      approved(ofB, "user:sue", verification),
      { kind: "guide_blessed", rule: "r" },
    ]) {
      expect(await faults(forge(record)), record.kind).toEqual([["guides", 9, "guide_refused"]]);
    }
  });

  test("[guide-ledger] [ledger-checkpoint] a revocation cut off the end is found with a checkpoint, and only with one", async () => {
    const { approval } = await guides.publish("t", "bytes c");
    await guides.say(revoked({ rule: "t", revision: C.digest }, approval));
    const checkpoint = await checkpointOf(store, SHA, false);
    expect(checkpoint).toMatchObject({ version: 2, guides: { seq: 12, hash: guides.end.hash } });
    const cut = sql("DELETE FROM guide_rows WHERE seq = 12");
    // What is left is a chain in order, in which the rule is still approved.
    expect(await faults(cut)).toEqual([]);
    expect(await faults(cut, checkpoint)).toEqual([["guides", 12, "checkpoint_missing"]]);
    expect(await faults(() => {}, checkpoint)).toEqual([]);
    // A checkpoint of before says nothing of it, and neither does one of a release that knew no guides.
    const { guides: _, ...first } = checkpoint;
    const old = { ...first, version: 1 as const, guides: null };
    const { digest: __, ...rest } = old;
    expect(await faults(cut, { ...old, digest: checkpointDigest(rest, SHA) })).toEqual([]);
  });

  test("[guide-ledger] [ledger-checkpoint] a chain made anew is found with a checkpoint, or where it was keyed", async () => {
    const checkpoint = await checkpointOf(store, SHA, false);
    const anew = (db: DatabaseSync) => {
      db.exec("DELETE FROM guide_rows WHERE seq >= 6");
      forge(
        revoked(ofA, {
          seq: 2,
          hash: String(db.prepare("SELECT lower(hex(hash)) AS h FROM guide_rows WHERE seq = 2").get()?.h),
        }),
      )(db);
      forge(pinned("other"))(db);
      forge(pinned("another"))(db);
    };
    expect(await faults(anew)).toEqual([]);
    expect(await faults(anew, checkpoint)).toEqual([["guides", 8, "checkpoint_missing"]]);
    const copy = tampered(anew);
    const keyed = (text: string) => hash("sha256", `key${text}`);
    expect((await verifyFile(copy, keyed)).faults[0]).toMatchObject({ run: "guides", seq: 1, code: "wrong_hash" });
  });
});
