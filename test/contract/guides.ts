import { expect, test } from "vitest";
import type { Json } from "../../src/domain/json.ts";
import type { Row } from "../../src/domain/row.ts";
import { type Store, StoreError } from "../../src/ports/store.ts";
import {
  approved,
  FAILED,
  GuideWriter,
  pinned,
  published,
  revisionOf,
  revoked,
  type Saying,
  verified,
  withdrawn,
} from "../guides/sayings.ts";

/** What a store shows of its guides. */
export async function guidesOf(store: Store) {
  const revisions = [];
  for (const digest of await store.listRevisions()) revisions.push([digest, await store.readRevision(digest)]);
  return { rows: await store.readGuides(0), revisions };
}

/** The guides' part of the contract of every store. */
export function guides(stores: () => Store): void {
  const writer = () => new GuideWriter(stores());
  const [a, b] = [revisionOf("bytes a\r\n"), revisionOf("bytes b")];
  const [ofA, ofB] = [
    { rule: "r", revision: a.digest },
    { rule: "r", revision: b.digest },
  ];

  test("guides that nobody spoke of", async () => {
    expect(await guidesOf(stores())).toEqual({ rows: [], revisions: [] });
    expect(await stores().readGuides(7)).toEqual([]);
    expect(await stores().readRevision(a.digest)).toBeNull();
  });

  test("[guide-chain] what was said comes back as it was written, from any row on, and the bytes with it", async () => {
    const guides = writer();
    const { approval, publication, verification } = await guides.publish("r", "bytes a\r\n");
    const pin = await guides.say(pinned("p"));
    const rows = [verification, approval, publication, pin];
    for (let after = 0; after <= 5; after++) expect(await stores().readGuides(after)).toEqual(rows.slice(after));
    expect(await stores().listRevisions()).toEqual([a.digest]);
    expect(await stores().readRevision(a.digest)).toEqual(Uint8Array.from(a.bytes));
  });

  test("bytes of every kind, and names in order", async () => {
    const texts = ["", "\ufeff", "a\u0000b", "x".repeat(100_000)];
    const all = [...texts.map(revisionOf), { ...revisionOf(""), ...bytesOf([0xff, 0xfe, 0x00]) }];
    const guides = writer();
    for (const revision of all) await guides.say(verified({ rule: "r", revision: revision.digest }), revision);
    expect(await stores().listRevisions()).toEqual(all.map(({ digest }) => digest).sort());
    for (const { bytes, digest } of all) expect(await stores().readRevision(digest)).toEqual(Uint8Array.from(bytes));
  });

  test("a revision that is there already stays, and several may be written at once", async () => {
    const guides = writer();
    await guides.say(verified(ofA), a, b, a);
    await guides.say(verified(ofB));
    await guides.say(verified(ofA), a);
    expect(await stores().listRevisions()).toEqual([a.digest, b.digest].sort());
  });

  test("what is handed out or in is a copy", async () => {
    const bytes = Uint8Array.from(a.bytes);
    const body = { ...verified(ofA), checks: ["parse"] };
    await writer().say(body, { digest: a.digest, bytes });
    const before = structuredClone(await guidesOf(stores()));
    bytes.fill(0);
    body.checks.push("forged");
    (await stores().readRevision(a.digest))?.fill(0);
    for (const row of await stores().readGuides(0)) Object.assign(row, { kind: "forged", hash: "0" });
    expect(await guidesOf(stores())).toEqual(before);
  });

  test("a write that does not continue the chain is a conflict: somebody else wrote to it", async () => {
    const [here, there] = [writer(), writer()];
    await here.say(verified(ofA), a);
    const before = await guidesOf(stores());
    const late = there.say(verified(ofB), b);
    await expect(late).rejects.toMatchObject({ code: "conflict", message: expect.stringContaining("row 1") });
    await expect(late).rejects.toBeInstanceOf(StoreError);
    expect(await guidesOf(stores())).toEqual(before);
    await there.catchUp();
    there.end = { ...there.end, hash: "f".repeat(64) };
    await expect(there.say(verified(ofB), b)).rejects.toMatchObject({ code: "conflict" });
    there.end = { ...here.end, seq: 7 };
    await expect(there.say(verified(ofB), b)).rejects.toMatchObject({ code: "conflict" });
  });

  test("several rows are one write, and hang on each other", async () => {
    const guides = writer();
    const first = guides.row("guide_verified", bodyOf(verified(ofA)));
    guides.end = first;
    const second = guides.row("guide_approved", bodyOf(approved(ofA, "user:sue", first)));
    const bad: readonly (readonly [readonly Row[], RegExp])[] = [
      [[], /^a write has at least one row$/],
      [[second], /^the guides have gone on to row 0: somebody else wrote to them$/],
      [[first, first], /^row 1 of the guides hangs on no row before it$/],
      [[second, first], /^the guides have gone on to row 0: somebody else wrote to them$/],
      [[first, { ...second, seq: 3 }], /^row 3 of the guides hangs on no row before it$/],
    ];
    for (const [rows, message] of bad) {
      await expect(stores().appendGuides(rows, [a]), `${rows.length}`).rejects.toThrow(message);
      expect(await guidesOf(stores())).toEqual({ rows: [], revisions: [] });
    }
    await stores().appendGuides([first, second], [a]);
    expect(await stores().readGuides(0)).toEqual([first, second]);
  });

  /** Each says the row that is refused, after what it needs. */
  const refused: readonly (readonly [string, RegExp, (guides: GuideWriter) => Promise<unknown>])[] = [
    ["a verification of bytes that are not there", /bytes that are kept/, (guides) => guides.say(verified(ofA), b)],
    ["a revision under another name", /are others/, (guides) => guides.say(verified(ofA), { ...a, bytes: b.bytes })],
    ["a row of another kind", /one of their kinds/, (guides) => guides.raw("note", {})],
    [
      "an approval of nothing",
      /an approval cites/,
      (guides) => guides.say(approved(ofA, "user:sue", { seq: 1, hash: "0".repeat(64) })),
    ],
    [
      "an approval of itself",
      /an approval cites/,
      async (guides) => {
        await guides.say(verified(ofA), a);
        await guides.say(approved(ofA, "user:sue", { ...guides.end, seq: 2 }));
      },
    ],
    [
      "an approval on another hash",
      /an approval cites/,
      async (guides) => {
        await guides.say(verified(ofA), a);
        await guides.say(approved(ofA, "user:sue", { seq: 1, hash: "0".repeat(64) }));
      },
    ],
    [
      "an approval of other bytes",
      /an approval cites/,
      async (guides) => guides.say(approved(ofB, "user:sue", await guides.say(verified(ofA), a, b))),
    ],
    [
      "an approval on another rule's verification",
      /an approval cites/,
      async (guides) => {
        const other = await guides.say(verified({ ...ofA, rule: "other" }), a);
        await guides.say(approved(ofA, "user:sue", other));
      },
    ],
    [
      "an approval on a verification that did not pass",
      /an approval cites/,
      async (guides) => guides.say(approved(ofA, "user:sue", await guides.say(verified(ofA, FAILED), a))),
    ],
    [
      "an approval that was said before",
      /an approval cites/,
      async (guides) => {
        const verification = await guides.say(verified(ofA), a);
        await guides.say(revoked(ofA, await guides.say(approved(ofA, "user:sue", verification))));
        await guides.say(approved(ofA, "user:sue", verification));
      },
    ],
    [
      "a publication without an approval",
      /a publication cites/,
      async (guides) => guides.say(published(ofA, await guides.say(verified(ofA), a))),
    ],
    [
      "a publication of other bytes than were approved",
      /a publication cites/,
      async (guides) => {
        const verification = await guides.say(verified(ofA), a, b);
        await guides.say(published(ofB, await guides.say(approved(ofA, "user:sue", verification))));
      },
    ],
    [
      "a publication on an approval that was taken back",
      /a publication cites/,
      async (guides) => {
        const approval = await guides.say(approved(ofA, "user:sue", await guides.say(verified(ofA), a)));
        await guides.say(revoked(ofA, approval));
        await guides.say(published(ofA, approval));
      },
    ],
    [
      "an approval on a verification from before the approval of another person was taken back",
      /an approval cites/,
      async (guides) => {
        const verification = await guides.say(verified(ofA), a);
        await guides.say(revoked(ofA, await guides.say(approved(ofA, "user:sue", verification))));
        await guides.say(approved(ofA, "user:tom", verification));
      },
    ],
    [
      "an approval on a verification from before the withdrawal",
      /an approval cites/,
      async (guides) => {
        const { verification } = await guides.publish("r", "bytes a\r\n");
        await guides.say(withdrawn(ofA));
        await guides.say(approved(ofA, "user:tom", verification));
      },
    ],
    [
      "a publication on an approval from before the withdrawal",
      /a publication cites/,
      async (guides) => {
        const { approval } = await guides.publish("r", "bytes a\r\n");
        await guides.say(withdrawn(ofA));
        await guides.say(published(ofA, approval));
      },
    ],
    [
      "a publication said twice",
      /a publication cites/,
      async (guides) => {
        const { approval } = await guides.publish("r", "bytes a\r\n");
        await guides.say(published(ofA, approval));
      },
    ],
    [
      "a revocation of what is no approval",
      /a revocation cites/,
      async (guides) => guides.say(revoked(ofA, await guides.say(verified(ofA), a))),
    ],
    [
      "a revocation said twice",
      /a revocation cites/,
      async (guides) => {
        const approval = await guides.say(approved(ofA, "user:sue", await guides.say(verified(ofA), a)));
        await guides.say(revoked(ofA, approval));
        await guides.say(revoked(ofA, approval));
      },
    ],
    [
      "a withdrawal of what is not published",
      /a withdrawal is/,
      async (guides) => {
        await guides.say(verified(ofA), a);
        await guides.say(withdrawn(ofA));
      },
    ],
    [
      "a withdrawal said twice",
      /a withdrawal is/,
      async (guides) => {
        await guides.publish("r", "bytes a\r\n");
        await guides.say(withdrawn(ofA));
        await guides.say(withdrawn(ofA));
      },
    ],
    ["a body that is no JSON", /not JSON|pair/, (guides) => guides.raw("guide_verified", { x: "\ud800" })],
  ];

  test.each(refused)("[guide-chain] refused, and nothing written: %s", async (_, law, work) => {
    const guides = writer();
    await expect(work(guides)).rejects.toSatisfy((error) => error instanceof TypeError && law.test(error.message));
    // What came before it stands, and the chain goes on from there as if nothing had been tried.
    const before = await stores().readGuides(0);
    expect(before.length).toBe(guides.end.seq);
    await guides.say(verified(ofB), b);
    expect(await stores().readGuides(0)).toHaveLength(before.length + 1);
  });

  test("[guide-chain] a row that is refused takes those of its write with it", async () => {
    const guides = writer();
    await guides.say(verified(ofB), b);
    const before = await guidesOf(stores());
    const good = guides.row("guide_verified", bodyOf(verified(ofA)));
    const start = guides.end;
    guides.end = good;
    const bad = guides.row("guide_published", bodyOf(published(ofA, good)));
    await expect(stores().appendGuides([good, bad], [a])).rejects.toThrow(TypeError);
    expect(await guidesOf(stores())).toEqual(before);
    // An approval that was refused with its write has used nothing up.
    guides.end = start;
    await stores().appendGuides([good], [a]);
    guides.end = good;
    await guides.say(approved(ofA, "user:sue", good));
  });

  test("[guide-chain] a withdrawn rule is published again on a new word, and another revision takes the place of the first", async () => {
    const guides = writer();
    const { approval } = await guides.publish("r", "bytes a\r\n");
    await guides.say(withdrawn(ofA));
    const again = await guides.publish("r", "bytes a\r\n");
    expect(again.approval.seq).toBeGreaterThan(approval.seq);
    await guides.publish("r", "bytes b");
    // What another revision has taken the place of was not withdrawn: it is published again on the approval that it has.
    await guides.say(published(ofA, again.approval));
    await guides.publish("r", "bytes b");
    await expect(guides.say(withdrawn(ofA))).rejects.toThrow(TypeError);
    await guides.say(withdrawn(ofB));
  });
}

function bytesOf(bytes: readonly number[]) {
  return revisionOf(Buffer.from(bytes).toString("latin1"));
}

function bodyOf({ kind: _, ...body }: Saying): Json {
  return body as unknown as Json;
}
