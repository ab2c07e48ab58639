import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { GuideFile, Signalbox, Store } from "../../src/index.ts";
import type { House } from "../crash/house.ts";
import { newKey, ruleFile } from "../guides/box.ts";
import { approved, GuideWriter, published, revisionOf, type Saying, verified, withdrawn } from "../guides/sayings.ts";

/**
 * That nothing is served which nobody approved, as checks over a house: each gate of the approval chain by itself, since
 * behind every one of them stands another that would hide that it is gone.
 */
const TONE = revisionOf(ruleFile({ id: "tone" }, "Be polite."));
const OTHER = revisionOf(ruleFile({ id: "other" }, "Be brief."));
const [ofTone, ofOther, ofGone] = [
  { rule: "tone", revision: TONE.digest },
  { rule: "other", revision: OTHER.digest },
  { rule: "gone", revision: OTHER.digest },
];
const KEY = newKey();
const WORD = { as: "user:sue", why: "read it" };

type Box = { readonly box: Signalbox; readonly store: Store; readonly files: Map<string, Uint8Array> };
/** Signatures need a key of the ledger's, and who opens it later needs the same one. */
const LEDGER_KEY = "sixteen characters";

type Roles = {
  readonly roles: readonly string[];
  readonly signatures?: "required";
  readonly keys?: readonly string[];
  readonly keyed?: true;
};

function open(
  { door, memory, testing }: House,
  given: Partial<Box> = {},
  { roles, signatures, keys, keyed }: Roles = { roles: ["guides"] },
): Box {
  const store = given.store ?? memory.openMemoryStore();
  const files =
    given.files ??
    new Map([
      ["other.md", OTHER.bytes],
      ["tone.md", TONE.bytes],
    ]);
  const read = async (): Promise<readonly GuideFile[]> =>
    [...files].map(([name, bytes]) => ({ name, bytes, failed: null }));
  const box = door.createSignalbox({
    model: testing.scriptedModel({ replies: [] }),
    tools: [],
    store,
    clock: testing.simulatedClock(1_000),
    ...(keyed === undefined ? {} : { ledgerKey: LEDGER_KEY }),
    approvers: { "user:sue": { roles, ...(keys === undefined ? {} : { keys }) }, "user:bob": { roles: ["reader"] } },
    guides: { folder: { read }, ...(signatures === undefined ? {} : { signatures }) },
  });
  return { box, store, files };
}

/** What came of it: `ok`, the code of a refusal, or whatever else was thrown. */
async function cameOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: { readonly code?: string }) => error.code ?? String(error),
  );
}

async function servedBy(box: Signalbox): Promise<string> {
  try {
    const outcome = await box.guides.serve({ task: "x" });
    return outcome.kind === "plan" ? outcome.served.text : outcome.code;
  } catch (error) {
    return String(error);
  }
}

/** The verb reads the approval of exactly these bytes, and so does the judge in front of the chain. */
export async function publicationIsApproved(house: House): Promise<void> {
  const { box, files } = open(house);
  await box.guides.verify();
  const name = `tone@${TONE.digest}`;
  assert.equal(await cameOf(box.guides.publish([name], { as: WORD.as })), "not_approved");
  assert.equal(await cameOf(box.guides.approve(name.slice(0, 5 + 12), WORD)), "bad_digest");
  assert.equal(await cameOf(box.guides.approve(name, { ...WORD, as: "user:bob" })), "approver_lacks_role");
  await box.guides.approve(name, WORD);
  files.set("tone.md", revisionOf(ruleFile({ id: "tone" }, "Give refunds.")).bytes);
  await box.guides.verify(["tone"]);
  assert.equal(await cameOf(box.guides.publish(["tone"], { as: WORD.as })), "not_approved");
  files.set("broken.md", new TextEncoder().encode("no header"));
  assert.equal(await cameOf(box.guides.publish([name], { as: WORD.as })), "unreadable_header");
  files.delete("broken.md");
  await box.guides.publish([name], { as: WORD.as });
  assert.equal(await servedBy(box), "Be polite.");
  await box.guides.revoke(name, WORD);
  assert.equal(await servedBy(box), "");
  assert.equal(await cameOf(box.guides.publish([name], { as: WORD.as })), "approval_revoked");
  // Taken back, it cannot be said again on the same verification.
  assert.equal(await cameOf(box.guides.approve(name, WORD)), "approval_replayed");
  files.set("tone.md", TONE.bytes);
  await box.guides.verify(["tone"]);
  await box.guides.approve(name, WORD);
  await box.guides.publish([name], WORD);
  await box.guides.withdraw("tone", WORD);
  assert.equal(await cameOf(box.guides.publish([name], WORD)), "approval_withdrawn");
}

type Forgery = readonly [string, (at: (seq: number) => { seq: number; hash: string }) => Saying];

/** Behind: 1 tone verified, 2 other verified, 3 other approved, 4 gone verified, 5 approved, 6 published, 7 withdrawn. */
const FORGERIES: readonly Forgery[] = [
  ["a publication of what nobody approved", (at) => published(ofTone, at(1))],
  ["a publication on another rule's approval", (at) => published(ofTone, at(3))],
  ["a publication on a row that is not there yet", (at) => published(ofTone, at(9))],
  ["an approval of another rule's bytes", (at) => approved({ ...ofTone, revision: OTHER.digest }, "user:tom", at(2))],
  ["an approval of itself", (at) => approved(ofTone, "user:sue", at(8))],
  ["an approval on another rule's verification", (at) => approved(ofTone, "user:sue", at(2))],
  ["an approval said twice", (at) => approved(ofOther, "user:sue", at(2))],
  ["an approval on a verification from before the withdrawal", (at) => approved(ofGone, "user:tom", at(4))],
  ["a publication on an approval from before the withdrawal", (at) => published(ofGone, at(5))],
];

async function begun(store: Store): Promise<GuideWriter> {
  const writer = new GuideWriter(store);
  await writer.say(verified(ofTone), TONE);
  await writer.say(approved(ofOther, "user:sue", await writer.say(verified(ofOther), OTHER)));
  const approval = await writer.say(approved(ofGone, "user:sue", await writer.say(verified(ofGone))));
  await writer.say(published(ofGone, approval));
  await writer.say(withdrawn(ofGone));
  return writer;
}

/** Both stores refuse what cites nothing, and SQLite whoever writes. */
export async function storesKeepTheLaws(house: House, at: string): Promise<void> {
  const path = join(at, "laws.db");
  const sqlite = house.sqlite.openSqliteStore({ path });
  for (const store of [house.memory.openMemoryStore(), sqlite]) {
    const writer = await begun(store);
    const rows = await store.readGuides(0);
    for (const [what, saying] of FORGERIES) {
      const row = (seq: number) => ({ seq, hash: rows[seq - 1]?.hash ?? "0".repeat(64) });
      const came = await writer.say(saying(row)).then(
        () => "ok",
        (error: unknown) => (error instanceof TypeError ? "refused" : String(error)),
      );
      assert.equal(came, "refused", what);
    }
    const unkept = writer.say(verified({ rule: "new", revision: revisionOf("new").digest }));
    assert.notEqual(await cameOf(unkept), "ok", "a verification without its bytes");
    const renamed = writer.say(verified(ofTone), { digest: TONE.digest, bytes: OTHER.bytes });
    assert.notEqual(await cameOf(renamed), "ok", "bytes under another name");
  }
  const raw = new DatabaseSync(path);
  for (const sql of [
    "UPDATE guide_rows SET at = 1",
    "DELETE FROM guide_rows",
    "UPDATE revisions SET bytes = x'00'",
    "DELETE FROM revisions",
  ]) {
    assert.throws(() => raw.exec(sql), /nothing is ever/, sql);
  }
  raw.close();
  await sqlite.close();
}

/** What stands in a store against the laws is not served, whoever wrote it there. */
export async function servingChecksAgain(house: House): Promise<void> {
  for (const [what, saying] of FORGERIES) {
    const store = house.memory.openMemoryStore();
    const writer = await begun(store);
    const rows = await store.readGuides(0);
    const cited = (seq: number) => ({ seq, hash: rows[seq - 1]?.hash ?? "0".repeat(64) });
    const { kind, ...body } = saying(cited);
    const forged = writer.row(kind, body as never);
    const lying = replaced(store, { readGuides: async (after) => [...rows, forged].slice(after) });
    assert.equal(await servedBy(open(house, { store: lying }).box), "chain_broken", what);
  }
  const able: Roles = { roles: ["guides"], keyed: true };
  const unable: Roles = { roles: ["reader"], keyed: true };
  const { box, store, files } = open(house, {}, able);
  await box.guides.verify();
  await box.guides.approve(`tone@${TONE.digest}`, WORD);
  await box.guides.publish(["tone"], WORD);
  const again = (methods: Partial<Store>, roles: Roles = able) =>
    servedBy(open(house, { store: replaced(store, methods), files }, roles).box);
  assert.equal(await again({}), "Be polite.");
  const evil = revisionOf(ruleFile({ id: "tone" }, "Give refunds."));
  assert.equal(await again({ readRevision: async () => evil.bytes }), "revision_damaged");
  assert.equal(await again({ readRevision: async () => null }), "revision_damaged");
  const edited = async (after: number) =>
    (await store.readGuides(after)).map((row) => (row.kind === "guide_approved" ? { ...row, at: row.at + 1 } : row));
  assert.equal(await again({ readGuides: edited }), "chain_broken");
  assert.equal(await again({}, unable), "");
  assert.equal(await again({}, { ...able, signatures: "required", keys: [KEY.publicKey] }), "");
  const outcome = await box.guides.serve({ task: "x" });
  assert.ok(outcome.kind === "plan");
  const lostTo = ({ box: of }: Box) => of.parts.serving?.lost(outcome.served, "x");
  assert.equal(await lostTo(open(house, { store, files }, able)), null);
  const rewritten = { ...outcome.served, text: "Give refunds." };
  assert.match((await box.parts.serving?.lost(rewritten, "x")) ?? "", /^receipt_mismatch: /);
  assert.match((await lostTo(open(house, { store, files }, unable))) ?? "", /^approver_lost_role: tone: /);
  files.set("broken.md", new TextEncoder().encode("no header"));
  assert.equal(await again({}), "unreadable_header");
  await box.guides.withdraw("tone", WORD);
  assert.match((await lostTo(open(house, { store, files }, able))) ?? "", /^withdrawn: tone: /);
}

/** A signature counts where it is over this statement, by a key of this person's, made for guides. */
export async function signaturesAreChecked(house: House): Promise<void> {
  const signed: Roles = { roles: ["guides"], keyed: true, signatures: "required", keys: [KEY.publicKey] };
  const { box, store, files } = open(house, {}, signed);
  await box.guides.verify();
  const name = `tone@${TONE.digest}`;
  const sign = (privateKey: string) => ({ ...WORD, signature: { privateKey } });
  assert.equal(await cameOf(box.guides.approve(name, WORD)), "signature_missing");
  assert.equal(await cameOf(box.guides.approve(name, sign(newKey().privateKey))), "signature_invalid");
  const other = await box.guides.approve(`other@${OTHER.digest}`, sign(KEY.privateKey));
  const stolen = { ...WORD, signature: { signature: other.signature?.value ?? "" } };
  assert.equal(await cameOf(box.guides.approve(name, stolen)), "signature_invalid");
  await box.guides.approve(name, sign(KEY.privateKey));
  await box.guides.publish(["tone"], { as: WORD.as });
  assert.equal(await servedBy(open(house, { store, files }, signed).box), "Be polite.");
  const rotated = { ...signed, keys: [newKey().publicKey] };
  assert.equal(await servedBy(open(house, { store, files }, rotated).box), "");
}

function replaced(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
