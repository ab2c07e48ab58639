/** The laws of the guides' chain on random records, honest and not: the fold, the spec and both stores come to the same. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mayReachModels, maySay, type Said } from "../../spec/guide-chain.ts";
import { openMemoryStore } from "../../src/adapters/store-memory/index.ts";
import { openSqliteStore } from "../../src/adapters/store-sqlite/index.ts";
import type { Cited, GuideRecord } from "../../src/domain/guide-record.ts";
import { foldGuides, type GuideState, isBroken, judgeRecord, NO_GUIDES } from "../../src/guides/chain.ts";
import { publishedNow, standingApprovals, stateOfRevision } from "../../src/guides/standing.ts";
import type { Store } from "../../src/ports/store.ts";
import {
  approved,
  FAILED,
  GuideWriter,
  PASSED,
  pinned,
  published,
  revisionOf,
  revoked,
  type Saying,
  verified,
  withdrawn,
} from "../guides/sayings.ts";
import { seed } from "../seed.ts";

const REVISIONS = [revisionOf("one"), revisionOf("two")];
const RULES = ["a", "b"];
const PEOPLE = ["user:sue", "user:tom"];

/** What somebody would say, with its citation as a place among the rows so far: most of them nonsense, many of them close. */
type Wish = {
  readonly kind: GuideRecord["kind"];
  readonly rule: number;
  readonly revision: number;
  readonly by: number;
  readonly passed: boolean;
  /** Counted from the newest row backwards; negative: ahead. */
  readonly back: number;
  readonly wrongHash: boolean;
  /** Cite the newest row of the right kind instead: what an honest person does. */
  readonly honest: boolean;
  readonly reason: boolean;
};

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom(
    "guide_verified",
    "guide_verified",
    "guide_approved",
    "guide_approved",
    "guide_published",
    "guide_published",
    "guide_revoked",
    "guide_withdrawn",
    "guide_pinned",
  ),
  rule: often(0, fc.nat(RULES.length - 1)),
  revision: often(0, fc.nat(REVISIONS.length - 1)),
  by: fc.nat(PEOPLE.length - 1),
  passed: often(true, fc.boolean()),
  back: fc.integer({ min: -1, max: 6 }),
  wrongHash: fc.nat(7).map((n) => n === 0),
  honest: often(true, fc.boolean()),
  reason: often(true, fc.boolean()),
});

/** Three times in four: chance alone seldom gets a rule to its publication. */
function often<T>(value: T, otherwise: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: fc.constant(value), weight: 3 }, { arbitrary: otherwise, weight: 1 });
}

function sayingOf(wanted: Wish, said: readonly Said[], end: Cited): Saying {
  const of = { rule: RULES[wanted.rule] ?? "", revision: REVISIONS[wanted.revision]?.digest ?? "" };
  const by = PEOPLE[wanted.by] ?? "";
  const citing = (kind: GuideRecord["kind"]): Cited => {
    const fits = said.findLast(
      ({ record }) =>
        record.kind === kind && "revision" in record && record.rule === of.rule && record.revision === of.revision,
    );
    if (wanted.honest && fits !== undefined) return { seq: fits.seq, hash: fits.hash };
    const seq = Math.max(1, end.seq - wanted.back);
    const hash = said.find((one) => one.seq === seq)?.hash ?? "0".repeat(64);
    return { seq, hash: wanted.wrongHash ? "f".repeat(64) : hash };
  };
  switch (wanted.kind) {
    case "guide_verified":
      return verified(of, wanted.passed ? PASSED : FAILED);
    case "guide_approved":
      return approved(of, by, citing("guide_verified"));
    case "guide_published":
      return published(of, citing("guide_approved"));
    case "guide_revoked":
      return revoked(of, citing("guide_approved"));
    case "guide_withdrawn":
      return withdrawn(of);
    case "guide_pinned":
      return pinned(of.rule, wanted.reason ? "because" : null);
  }
}

/** What an honest store was told in the end, and what was refused on the way. */
async function carry(wishes: readonly Wish[], store: Store, look: (state: GuideState, said: readonly Said[]) => void) {
  const writer = new GuideWriter(store);
  const said: Said[] = [];
  let state: GuideState = NO_GUIDES;
  let refusals = 0;
  for (const one of wishes) {
    const saying = sayingOf(one, said, writer.end);
    const record = { at: writer.at, ...saying } as GuideRecord;
    const judged = judgeRecord(state, record);
    // The judge and the spec agree, record by record.
    expect(judged.ok, JSON.stringify(record)).toBe(maySay(said, record));
    const written = await writer.say(saying, ...REVISIONS).then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(TypeError);
        return false;
      },
    );
    // What the judge lets through every store takes. What a store takes and the judge does not, breaks the chain.
    if (judged.ok) expect(written).toBe(true);
    else refusals += 1;
    const rows = await store.readGuides(state.seq);
    const folded = foldGuides(rows, state);
    expect(isBroken(folded)).toBe(written && !judged.ok);
    if (isBroken(folded)) return { said, refusals, broken: folded.code };
    state = folded;
    if (written) said.push({ seq: state.seq, hash: state.hash, record });
    look(state, said);
  }
  return { said, refusals, broken: null };
}

test("[guide-chain] the fold, the spec and the store agree on whatever is said, and only approved bytes are published", async () => {
  let [runs, published, refused, broken] = [0, 0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 40, size: "max" }), async (wishes) => {
      runs += 1;
      const outcome = await carry(wishes, openMemoryStore(), (state, said) => {
        const standing = publishedNow(state).filter(({ approval }) => !state.revoked.has(approval.seq));
        const now = standing.map(({ publication: { record } }) => `${record.rule} ${record.revision}`).sort();
        expect(now).toEqual(mayReachModels(said));
        published += now.length;
        for (const { approval, publication, verification } of publishedNow(state)) {
          // Three records about the very same bytes, each before the next.
          expect(
            new Set([approval, publication, verification].map(({ record }) => `${record.rule} ${record.revision}`))
              .size,
          ).toBe(1);
          expect(verification.seq < approval.seq && approval.seq < publication.seq && verification.record.passed).toBe(
            true,
          );
          const { record } = publication;
          const isRevoked = state.revoked.has(approval.seq);
          const again = standingApprovals(state, record).length > 0;
          expect(stateOfRevision(state, record)).toBe(!isRevoked ? "published" : again ? "approved" : "revoked");
        }
      });
      refused += outcome.refusals;
      broken += outcome.broken === null ? 0 : 1;
    }),
    { seed, numRuns: 600 },
  );
  // The random part was not all nonsense, and not all honest.
  expect(published).toBeGreaterThan(runs);
  expect(refused).toBeGreaterThan(runs);
  // A pin without a reason is what a store takes and the judge does not.
  expect(broken).toBeGreaterThan(0);
});

test("[guide-chain] memory and SQLite take and refuse the same", async () => {
  const directory = mkdtempSync(join(tmpdir(), "signalbox-laws-"));
  let n = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 30, size: "max" }), async (wishes) => {
      n += 1;
      const sqlite = openSqliteStore({ path: join(directory, `${n}.db`) });
      const memory = openMemoryStore();
      const outcomes = [await carry(wishes, memory, () => {}), await carry(wishes, sqlite, () => {})];
      expect(outcomes[1]).toEqual(outcomes[0]);
      expect(await sqlite.readGuides(0)).toEqual(await memory.readGuides(0));
      await sqlite.close();
    }),
    { seed, numRuns: 25 },
  );
  rmSync(directory, { recursive: true });
});
