import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  GUIDES,
  type GuideApproved,
  type GuidePublished,
  type GuideRecord,
  type GuideRevoked,
  type GuideVerified,
} from "../domain/guide-record.ts";
import type { Json } from "../domain/json.ts";
import type { Row } from "../domain/row.ts";
import { chainRow, chainStart } from "../ledger/index.ts";
import { type BrokenChain, foldGuides, type GuideState, isBroken, judgeRecord, NO_GUIDES } from "./chain.ts";
import { bodyOfRecord, parseRecord } from "./parse-record.ts";
import {
  newestPassing,
  publishedAt,
  publishedNow,
  revisionsOf,
  standingApprovals,
  stateOfRevision,
  isToPublish as toPublish,
} from "./standing.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const A = sha("bytes a");
const B = sha("bytes b");

/** A chain in the making: each `add` hangs a row on the one before. */
class Chain {
  readonly rows: Row[] = [];

  raw(kind: string, body: Json): Row {
    const last = this.rows.at(-1) ?? chainStart(GUIDES);
    const row = chainRow(last, 1_000 + this.rows.length, kind, body, sha);
    this.rows.push(row);
    return row;
  }

  add(record: Omit<GuideRecord, "at">): Row {
    const { kind, ...body } = record;
    return this.raw(kind, body as unknown as Json);
  }

  get folded(): GuideState | BrokenChain {
    return foldGuides(this.rows);
  }

  get state(): GuideState {
    const { folded } = this;
    if (isBroken(folded)) throw new Error(`${folded.code}: ${folded.detail}`);
    return folded;
  }
}

const verified = (rule: string, revision: string, more: Partial<GuideVerified> = {}): Omit<GuideVerified, "at"> => ({
  kind: "guide_verified",
  rule,
  revision,
  file: `${rule}.md`,
  checks: ["parse"],
  findings: [],
  passed: true,
  profiles: {},
  map: null,
  tool: "signalbox 0.1.0",
  ...more,
});
const FAILED = { passed: false, findings: [{ rule: "x", severity: "error", where: "a.md", message: "bad" }] } as const;
const cite = ({ hash, seq }: Row) => ({ seq, hash });
const approved = (rule: string, revision: string, verification: Row, by = "user:sue"): Omit<GuideApproved, "at"> => ({
  kind: "guide_approved",
  rule,
  revision,
  verification: cite(verification),
  by,
  role: "guides",
  why: "read it",
  signature: null,
});
const published = (rule: string, revision: string, approval: Row): Omit<GuidePublished, "at"> => ({
  kind: "guide_published",
  rule,
  revision,
  approval: cite(approval),
  by: "user:sue",
});
const revoked = (rule: string, revision: string, approval: Row): Omit<GuideRevoked, "at"> => ({
  kind: "guide_revoked",
  rule,
  revision,
  approval: cite(approval),
  by: "user:sue",
  why: "wrong",
});
const withdrawn = (rule: string, revision: string) =>
  ({ kind: "guide_withdrawn", rule, revision, by: "user:sue", why: "no longer" }) as const;
const pinned = (name: string, reason: string | null) =>
  ({
    kind: "guide_pinned",
    name,
    task: { text: "t", app: null, paths: [] },
    profile: "default",
    plan: A,
    lines: ["one"],
    by: "user:sue",
    reason,
  }) as const;

/** A rule all the way to its publication. */
function upToPublished(chain: Chain, rule = "r", revision = A) {
  const verification = chain.add(verified(rule, revision));
  const approval = chain.add(approved(rule, revision, verification));
  const publication = chain.add(published(rule, revision, approval));
  return { verification, approval, publication };
}

describe("[guide-chain] a chain in order", () => {
  test("says what is published, on which approval, on which verification", () => {
    const chain = new Chain();
    const { approval, publication, verification } = upToPublished(chain);
    expect(chain.state).toMatchObject({ seq: 3, hash: publication.hash });
    expect(publishedNow(chain.state)).toMatchObject([
      { publication: cite(publication), approval: cite(approval), verification: cite(verification) },
    ]);
  });

  test("the state of a revision is what its records come to", () => {
    const chain = new Chain();
    const states: string[] = [];
    const look = () => states.push(stateOfRevision(chain.state, { rule: "r", revision: A }));
    look();
    const failed = chain.add(verified("r", A, FAILED));
    look();
    const verification = chain.add(verified("r", A));
    look();
    const approval = chain.add(approved("r", A, verification));
    look();
    chain.add(published("r", A, approval));
    look();
    // A receipt that comes later takes nothing away.
    chain.add(verified("r", A, FAILED));
    look();
    chain.add(withdrawn("r", A));
    look();
    const again = chain.add(verified("r", A));
    const second = chain.add(approved("r", A, again));
    look();
    chain.add(published("r", A, second));
    chain.add(revoked("r", A, second));
    look();
    chain.add(withdrawn("r", A));
    chain.add(revoked("r", A, approval));
    look();
    expect(states).toEqual(
      ["draft", "failed", "verified", "approved", "published", "published", "withdrawn"].concat([
        "approved",
        "revoked",
        "withdrawn",
      ]),
    );
    expect(failed.seq).toBe(1);
  });

  test("revoked, it can be verified and approved anew", () => {
    const chain = new Chain();
    const first = chain.add(approved("r", A, chain.add(verified("r", A))));
    chain.add(revoked("r", A, first));
    expect(stateOfRevision(chain.state, { rule: "r", revision: A })).toBe("revoked");
    const again = chain.add(verified("r", A));
    expect(stateOfRevision(chain.state, { rule: "r", revision: A })).toBe("verified");
    chain.add(approved("r", A, again));
    expect(stateOfRevision(chain.state, { rule: "r", revision: A })).toBe("approved");
  });

  test("published, revoked and approved anew, it is to be published again", () => {
    const chain = new Chain();
    const of = { rule: "r", revision: A };
    const isToPublish = (is: boolean) => expect(toPublish(chain.state, of)).toBe(is);
    const first = chain.add(approved("r", A, chain.add(verified("r", A))));
    isToPublish(true);
    chain.add(published("r", A, first));
    isToPublish(false);
    chain.add(revoked("r", A, first));
    isToPublish(false);
    expect(stateOfRevision(chain.state, of)).toBe("revoked");
    const again = chain.add(approved("r", A, chain.add(verified("r", A))));
    isToPublish(true);
    expect(stateOfRevision(chain.state, of)).toBe("approved");
    chain.add(published("r", A, again));
    isToPublish(false);
    expect(stateOfRevision(chain.state, of)).toBe("published");
  });

  test("two people approve on one verification, and what one takes back the other has said", () => {
    const chain = new Chain();
    const verification = chain.add(verified("r", A));
    const sue = chain.add(approved("r", A, verification, "user:sue"));
    chain.add(approved("r", A, verification, "user:tom"));
    chain.add(revoked("r", A, sue));
    expect(standingApprovals(chain.state, { rule: "r", revision: A }).map(({ record }) => record.by)).toEqual([
      "user:tom",
    ]);
    expect(stateOfRevision(chain.state, { rule: "r", revision: A })).toBe("approved");
  });

  test("another revision that is published takes the place of the one before, which stays approved", () => {
    const chain = new Chain();
    const first = upToPublished(chain, "r", A);
    upToPublished(chain, "r", B);
    const of = (revision: string) => stateOfRevision(chain.state, { rule: "r", revision });
    expect([of(A), of(B)]).toEqual(["approved", "published"]);
    chain.add(published("r", A, first.approval));
    expect([of(A), of(B)]).toEqual(["published", "approved"]);
    expect(publishedNow(chain.state).map(({ publication }) => publication.record.revision)).toEqual([A]);
  });

  test("withdrawn, it is published on a new word only; what another revision had taken the place of was not withdrawn", () => {
    const chain = new Chain();
    const first = upToPublished(chain, "r", A);
    const second = upToPublished(chain, "r", B);
    chain.add(withdrawn("r", B));
    const of = (revision: string) => stateOfRevision(chain.state, { rule: "r", revision });
    expect([of(A), of(B)]).toEqual(["approved", "withdrawn"]);
    expect(standingApprovals(chain.state, { rule: "r", revision: B })).toEqual([]);
    chain.add(published("r", A, first.approval));
    expect([of(A), of(B)]).toEqual(["published", "withdrawn"]);
    const again = chain.add(verified("r", B));
    expect(of(B)).toBe("verified");
    const approval = chain.add(approved("r", B, again));
    expect(of(B)).toBe("approved");
    expect(approval.seq).toBeGreaterThan(second.approval.seq);
    chain.add(published("r", B, approval));
    expect([of(A), of(B)]).toEqual(["approved", "published"]);
  });

  test("rules with names that are names of JavaScript's", () => {
    const chain = new Chain();
    for (const rule of ["__proto__", "constructor", "toString"]) upToPublished(chain, rule);
    expect(publishedNow(chain.state).map(({ publication }) => publication.record.rule)).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
  });

  test("folding on from any row is folding from the beginning", () => {
    const chain = new Chain();
    const { approval } = upToPublished(chain);
    upToPublished(chain, "s", B);
    chain.add(pinned("p", null));
    chain.add(revoked("r", A, approval));
    chain.add(withdrawn("s", B));
    for (let cut = 0; cut <= chain.rows.length; cut++) {
      const early = foldGuides(chain.rows.slice(0, cut));
      if (isBroken(early)) throw new Error(early.detail);
      const before = structuredClone(early);
      expect(foldGuides(chain.rows.slice(cut), early)).toEqual(chain.state);
      expect(early).toEqual(before);
    }
  });

  test("the newest verification that passed is the one that an approval cites", () => {
    const chain = new Chain();
    expect(newestPassing(NO_GUIDES, { rule: "r", revision: A })).toBeNull();
    chain.add(verified("r", A));
    const second = chain.add(verified("r", A));
    chain.add(verified("r", A, FAILED));
    expect(newestPassing(chain.state, { rule: "r", revision: A })).toMatchObject({ seq: second.seq });
  });
});

describe("[guide-chain] a chain that is broken", () => {
  /** Breaks begin with a chain that is sound: each adds the row that is refused. */
  const BREAKS: readonly (readonly [string, string, (chain: Chain) => void])[] = [
    [
      "an approval without a verification",
      "cites_ahead",
      (chain) => {
        const nothing = { ...chainRow(chainStart(GUIDES), 1, "x", {}, sha), seq: 1 };
        chain.add(approved("r", A, nothing));
      },
    ],
    [
      "an approval that cites itself",
      "cites_ahead",
      (chain) => {
        chain.add(verified("r", A));
        chain.add(approved("r", A, { ...chain.rows[0], seq: 2 } as Row));
      },
    ],
    [
      "two approvals in a circle",
      "cites_ahead",
      (chain) => {
        chain.add(verified("r", A));
        const first = { ...chain.rows[0], seq: 3, hash: sha("three") } as Row;
        chain.add(approved("r", A, first));
        chain.add(approved("r", A, chain.rows[1] as Row));
      },
    ],
    [
      "an approval that cites a row that has another hash",
      "cites_other_row",
      (chain) => {
        const verification = chain.add(verified("r", A));
        chain.add(approved("r", A, { ...verification, hash: sha("other") }));
      },
    ],
    [
      "an approval on an approval",
      "cites_wrong_kind",
      (chain) => {
        const approval = chain.add(approved("r", A, chain.add(verified("r", A))));
        chain.add(approved("r", A, approval, "user:tom"));
      },
    ],
    [
      "an approval on another rule's verification",
      "receipt_of_another_rule",
      (chain) => {
        chain.add(approved("r", A, chain.add(verified("other", A))));
      },
    ],
    [
      "an approval on the verification of other bytes",
      "receipt_of_other_bytes",
      (chain) => {
        chain.add(approved("r", B, chain.add(verified("r", A))));
      },
    ],
    [
      "an approval on a verification that did not pass",
      "verification_failed",
      (chain) => {
        chain.add(approved("r", A, chain.add(verified("r", A, FAILED))));
      },
    ],
    [
      "an approval said again",
      "approval_replayed",
      (chain) => {
        const verification = chain.add(verified("r", A));
        chain.add(approved("r", A, verification));
        chain.add(approved("r", A, verification));
      },
    ],
    [
      "an approval said again after it was taken back",
      "approval_replayed",
      (chain) => {
        const verification = chain.add(verified("r", A));
        chain.add(revoked("r", A, chain.add(approved("r", A, verification))));
        chain.add(approved("r", A, verification));
      },
    ],
    [
      "another person's approval on a verification from before one was taken back",
      "verification_outdated",
      (chain) => {
        const verification = chain.add(verified("r", A));
        chain.add(revoked("r", A, chain.add(approved("r", A, verification))));
        chain.add(approved("r", A, verification, "user:tom"));
      },
    ],
    [
      "an approval on a verification from before the withdrawal",
      "verification_outdated",
      (chain) => {
        const { verification } = upToPublished(chain);
        chain.add(withdrawn("r", A));
        chain.add(approved("r", A, verification, "user:tom"));
      },
    ],
    [
      "a publication on an approval from before the withdrawal",
      "approval_withdrawn",
      (chain) => {
        const { approval } = upToPublished(chain);
        chain.add(withdrawn("r", A));
        chain.add(published("r", A, approval));
      },
    ],
    [
      "a publication without an approval",
      "cites_wrong_kind",
      (chain) => {
        chain.add(published("r", A, chain.add(verified("r", A))));
      },
    ],
    [
      "a publication that cites what is not there",
      "cites_ahead",
      (chain) => {
        const approval = chain.add(approved("r", A, chain.add(verified("r", A))));
        chain.add(published("r", A, { ...approval, seq: 9 }));
      },
    ],
    [
      "a publication on another rule's approval",
      "receipt_of_another_rule",
      (chain) => {
        chain.add(published("r", A, chain.add(approved("other", A, chain.add(verified("other", A))))));
      },
    ],
    [
      "a publication on the approval of other bytes",
      "receipt_of_other_bytes",
      (chain) => {
        chain.add(published("r", B, chain.add(approved("r", A, chain.add(verified("r", A))))));
      },
    ],
    [
      "a publication on an approval that was taken back",
      "approval_revoked",
      (chain) => {
        const approval = chain.add(approved("r", A, chain.add(verified("r", A))));
        chain.add(revoked("r", A, approval));
        chain.add(published("r", A, approval));
      },
    ],
    [
      "a publication said again",
      "already_published",
      (chain) => {
        const { approval } = upToPublished(chain);
        chain.add(published("r", A, approval));
      },
    ],
    [
      "a revocation of what is no approval",
      "cites_wrong_kind",
      (chain) => {
        chain.add(revoked("r", A, chain.add(verified("r", A))));
      },
    ],
    [
      "a revocation of another rule's approval",
      "receipt_of_another_rule",
      (chain) => {
        chain.add(revoked("r", A, chain.add(approved("other", A, chain.add(verified("other", A))))));
      },
    ],
    [
      "a revocation said again",
      "approval_revoked",
      (chain) => {
        const approval = chain.add(approved("r", A, chain.add(verified("r", A))));
        chain.add(revoked("r", A, approval));
        chain.add(revoked("r", A, approval));
      },
    ],
    [
      "a withdrawal of what is not published",
      "not_published",
      (chain) => {
        chain.add(approved("r", A, chain.add(verified("r", A))));
        chain.add(withdrawn("r", A));
      },
    ],
    [
      "a withdrawal of other bytes than are published",
      "not_published",
      (chain) => {
        upToPublished(chain);
        chain.add(withdrawn("r", B));
      },
    ],
    [
      "a pin put anew without a reason",
      "pin_without_reason",
      (chain) => {
        chain.add(pinned("p", null));
        chain.add(pinned("p", null));
      },
    ],
    [
      "a row of another kind",
      "unknown_kind",
      (chain) => {
        chain.raw("guide_blessed", {});
      },
    ],
    [
      "a kind that is a name of JavaScript's",
      "unknown_kind",
      (chain) => {
        chain.raw("constructor", {});
      },
    ],
    [
      "a row of a run",
      "unknown_kind",
      (chain) => {
        chain.raw("began", { run: "guides" });
      },
    ],
  ];

  test.each(BREAKS)("%s", (_, code, breaks) => {
    const chain = new Chain();
    upToPublished(chain, "sound", B);
    const before = chain.rows.length;
    // The rows that a break cites are counted from the beginning of its own chain, so it is tried on an empty one as well.
    const alone = new Chain();
    breaks(alone);
    expect(alone.folded).toMatchObject({ kind: "broken", code });
    breaks(chain);
    expect(isBroken(chain.folded)).toBe(true);
    expect(isBroken(foldGuides(chain.rows.slice(0, before)))).toBe(false);
  });

  test.each(BREAKS)("the gate in front of the chain says the same as the one behind it: %s", (_, code, breaks) => {
    const chain = new Chain();
    breaks(chain);
    const { folded } = chain;
    if (!isBroken(folded)) throw new Error("it is broken");
    const state = foldGuides(chain.rows.slice(0, folded.seq - 1));
    const read = parseRecord(chain.rows[folded.seq - 1] as Row);
    if (isBroken(state)) throw new Error(state.detail);
    if (!read.ok) expect(read.why.code).toBe(code);
    else expect(judgeRecord(state, read.value)).toMatchObject({ ok: false, code });
  });
});

describe("[guide-chain] a record is read strictly", () => {
  const chain = new Chain();
  const verification = chain.add(verified("r", A, { ...FAILED, profiles: { default: B }, map: A }));
  const samples: readonly Omit<GuideRecord, "at">[] = [
    verified("r", A, { profiles: { default: B } }),
    { ...approved("r", A, verification), signature: { format: "ssh", value: "x", key: "SHA256:x" } } as never,
    revoked("r", A, verification),
    published("r", A, verification),
    withdrawn("r", A),
    pinned("p", "because"),
  ];

  test.each(samples.map((sample) => [sample.kind, sample] as const))(
    "%s comes back as it was written",
    (kind, sample) => {
      const record = { at: 7, ...sample } as GuideRecord;
      expect(parseRecord({ at: 7, kind, body: bodyOfRecord(record) })).toEqual({ ok: true, value: record });
    },
  );

  test.each(samples.map((sample) => [sample.kind, sample] as const))(
    "%s without a field, with one more, or with one of another type",
    (kind, sample) => {
      const { kind: _, ...body } = sample as { readonly [name: string]: unknown } & { readonly kind: string };
      const code = (changed: object) => {
        const read = parseRecord({ at: 7, kind, body: changed as Json });
        return read.ok ? "ok" : read.why.code;
      };
      expect(code(body)).toBe("ok");
      expect(code({ ...body, also: 1 })).toBe("unreadable_record");
      expect(code({ ...body, kind })).toBe("unreadable_record");
      expect(code(JSON.parse(`{"__proto__": 1, ${JSON.stringify(body).slice(1)}`))).toBe("unreadable_record");
      for (const name of Object.keys(body)) {
        const { [name]: value, ...rest } = body;
        expect(code(rest), name).toBe("unreadable_record");
        for (const other of [7, "", [7], { x: 7 }, true]) {
          const isFree = (name === "passed" && other === true) || JSON.stringify(other) === JSON.stringify(value);
          if (!isFree)
            expect(code({ ...body, [name]: other }), `${name}: ${JSON.stringify(other)}`).toBe("unreadable_record");
        }
      }
      for (const body of [null, [], "text", 7]) expect(code(body as never)).toBe("unreadable_record");
    },
  );

  test("whether a verification passed is what its findings say", () => {
    for (const [passed, severity] of [
      [true, "error"],
      [false, "warning"],
    ] as const) {
      const body = verified("r", A, { passed, findings: [{ rule: "x", severity, where: "a.md", message: "m" }] });
      const { kind, ...rest } = body;
      expect(parseRecord({ at: 7, kind, body: rest as unknown as Json })).toMatchObject({
        why: { code: "unreadable_record" },
      });
    }
  });
});

test("[guide-chain] what was published at each row is what the rows up to it say", () => {
  const chain = new Chain();
  upToPublished(chain);
  upToPublished(chain, "q", B);
  upToPublished(chain, "r", B);
  chain.add(withdrawn("q", B));
  upToPublished(chain, "q", A);
  for (let seq = 0; seq <= chain.rows.length; seq++) {
    const then = foldGuides(chain.rows.slice(0, seq));
    if (isBroken(then)) throw new Error(then.detail);
    expect(publishedAt(chain.state, seq)).toEqual(publishedNow(then));
  }
});

describe("[guide-chain] a record costs the same however many there are of its rule", () => {
  const shared = (chain: Chain, from: GuideState) => {
    const next = foldGuides(chain.rows.slice(from.seq), from);
    if (isBroken(next)) throw new Error(next.detail);
    return next;
  };

  test("what was said of a revision is added to and not copied", () => {
    const chain = new Chain();
    const verifications = Array.from({ length: 50 }, () => chain.add(verified("r", A)));
    for (const verification of verifications) chain.add(approved("r", A, verification));
    const before = chain.state;
    chain.add(approved("r", A, chain.add(verified("r", A))));
    const [said, next] = [before, shared(chain, before)].map((state) => state.said.get(`${A} r`));
    expect(said?.verified?.newest).toBe(50);
    expect(next?.verified).toEqual({ newest: 101, older: said?.verified });
    expect(next?.verified?.older).toBe(said?.verified);
    expect(next?.approved?.older).toBe(said?.approved);
    // Verified again, a revision is not named again.
    expect(before.revisions.get("r")).toEqual({ newest: A, older: null });
  });

  test("nor are the revisions of a rule, which are read with the newest word last", () => {
    const chain = new Chain();
    for (let i = 0; i < 50; i++) chain.add(verified("r", sha(`bytes ${i}`)));
    const before = chain.state;
    chain.add(verified("r", A));
    const next = shared(chain, before);
    expect(next.revisions.get("r")?.older).toBe(before.revisions.get("r"));
    expect(revisionsOf(before, "r")).toHaveLength(50);
    for (const revision of [B, A, B]) chain.add(verified("r", revision));
    expect(revisionsOf(chain.state, "r").slice(-3)).toEqual([sha("bytes 49"), A, B]);
  });
});
