import { hash } from "node:crypto";
import {
  type Cited,
  GUIDES,
  type GuideApproved,
  type GuidePinned,
  type GuidePublished,
  type GuideRecord,
  type GuideRevoked,
  type GuideVerified,
  type GuideWithdrawn,
} from "../../src/domain/guide-record.ts";
import type { Json } from "../../src/domain/json.ts";
import type { Revision } from "../../src/domain/revision.ts";
import type { Row } from "../../src/domain/row.ts";
import { type ChainEnd, chainRow, chainStart, type HashText } from "../../src/ledger/index.ts";
import type { Store } from "../../src/ports/store.ts";

/** A record without its time, which its row has. */
export type Saying<R extends GuideRecord = GuideRecord> = R extends GuideRecord ? Omit<R, "at"> : never;

type Of = { readonly rule: string; readonly revision: string };

export const PASSED = { passed: true, findings: [] } as const;
export const FAILED = {
  passed: false,
  findings: [{ rule: "x", severity: "error", where: "r.md:1:1", message: "bad" }],
} as const;

export function verified({ rule, revision }: Of, more: Partial<GuideVerified> = {}): Saying<GuideVerified> {
  const said = { kind: "guide_verified", rule, revision, file: `${rule}.md`, checks: ["parse"] } as const;
  return { ...said, ...PASSED, profiles: {}, map: null, tool: "signalbox", ...more };
}

export function approved({ rule, revision }: Of, by: string, on: Cited): Saying<GuideApproved> {
  const verification = { seq: on.seq, hash: on.hash };
  const said = { kind: "guide_approved", rule, revision, verification, by, role: "guides" } as const;
  return { ...said, why: "read it", signature: null };
}

export function revoked({ rule, revision }: Of, on: Cited): Saying<GuideRevoked> {
  const approval = { seq: on.seq, hash: on.hash };
  return { kind: "guide_revoked", rule, revision, approval, by: "user:sue", why: "it is wrong" };
}

export function published({ rule, revision }: Of, on: Cited): Saying<GuidePublished> {
  return { kind: "guide_published", rule, revision, approval: { seq: on.seq, hash: on.hash }, by: "user:sue" };
}

export function withdrawn({ rule, revision }: Of): Saying<GuideWithdrawn> {
  return { kind: "guide_withdrawn", rule, revision, by: "user:sue", why: "no longer" };
}

export function pinned(name: string, reason: string | null = null): Saying<GuidePinned> {
  const task = { text: "t", app: null, paths: [] };
  const plan = hash("sha256", name);
  return { kind: "guide_pinned", name, task, profile: "default", plan, lines: [], by: "user:sue", reason };
}

export function revisionOf(text: string): Revision {
  const bytes = Buffer.from(text, "utf8");
  return { digest: hash("sha256", bytes), bytes: Uint8Array.from(bytes) };
}

/** Writes to the guides' chain of a store as anybody can who has the store: nothing is judged here but by the store. */
export class GuideWriter {
  readonly store: Store;
  readonly hash: HashText;
  end: ChainEnd = chainStart(GUIDES);
  at = 1_000;

  constructor(store: Store, hashText: HashText = (text) => hash("sha256", text)) {
    this.store = store;
    this.hash = hashText;
  }

  /** From where the chain is now. */
  async catchUp(): Promise<this> {
    const last = (await this.store.readGuides(0)).at(-1);
    if (last !== undefined) this.end = { run: GUIDES, seq: last.seq, hash: last.hash };
    return this;
  }

  row(kind: string, body: Json): Row {
    return chainRow(this.end, this.at, kind, body, this.hash);
  }

  async raw(kind: string, body: Json, ...revisions: readonly Revision[]): Promise<Row> {
    const row = this.row(kind, body);
    await this.store.appendGuides([row], revisions);
    this.end = row;
    this.at += 1;
    return row;
  }

  say({ kind, ...body }: Saying, ...revisions: readonly Revision[]): Promise<Row> {
    return this.raw(kind, body as unknown as Json, ...revisions);
  }

  /** A rule all the way to its publication. */
  async publish(rule: string, text: string) {
    const revision = revisionOf(text);
    const of = { rule, revision: revision.digest };
    const verification = await this.say(verified(of), revision);
    const approval = await this.say(approved(of, "user:sue", verification));
    const publication = await this.say(published(of, approval));
    return { of, revision, verification, approval, publication };
  }
}
