import { hash } from "node:crypto";
import { GUIDE_RECORD_KINDS } from "../../domain/guide-record.ts";
import { isJsonObject, type Json, own } from "../../domain/json.ts";
import type { Revision } from "../../domain/revision.ts";
import { plainRow, type Row } from "../../domain/row.ts";
import { GUIDE_LAWS, lastOfGuides, NO_ROWS } from "../../ports/guide-laws.ts";
import { fieldOf } from "../../ports/written-rows.ts";
import { handedOut, type KeptRow, keep } from "./kept-rows.ts";

/** What the laws of the guides look at. */
type Facts = {
  readonly rows: Row[];
  readonly revoked: Set<Json>;
  /** By rule and revision: the newest row that took an approval back, or withdrew them. */
  readonly takenBack: Map<string, number>;
  readonly withdrawn: Map<string, number>;
  readonly used: Set<string>;
  /** By rule: the revision, and the number of its approval. */
  readonly published: Map<string, { readonly revision: Json; readonly approval: number }>;
};

function noFacts(): Facts {
  return {
    ...{ rows: [], revoked: new Set(), takenBack: new Map(), withdrawn: new Map() },
    ...{ used: new Set(), published: new Map() },
  };
}

/** The guides' chain and the bytes of their revisions. */
export class GuideShelf {
  readonly #rows: KeptRow[] = [];
  readonly #revisions = new Map<string, Uint8Array>();
  #facts = noFacts();

  read(after: number): readonly Row[] {
    return this.#rows.slice(Math.max(0, after)).map(handedOut);
  }

  append(given: readonly Row[], revisions: readonly Revision[]): void {
    const rows = given.map(plainRow);
    lastOfGuides(rows, this.#rows.at(-1) ?? NO_ROWS);
    for (const { bytes, digest } of revisions) {
      if (hash("sha256", bytes, "hex") !== digest) throw new TypeError(`the bytes of revision ${digest} are others`);
    }
    const kept = rows.map(keep);
    const known = new Set([...this.#revisions.keys(), ...revisions.map(({ digest }) => digest)]);
    try {
      for (const row of kept) lay(this.#facts, handedOut(row), known);
    } catch (error) {
      // What was laid before the row that is refused is taken away again.
      this.#facts = noFacts();
      for (const row of this.#rows) lay(this.#facts, handedOut(row), known);
      throw error;
    }
    this.#rows.push(...kept);
    for (const { bytes, digest } of revisions) {
      if (!this.#revisions.has(digest)) this.#revisions.set(digest, Uint8Array.from(bytes));
    }
  }

  revision(digest: string): Uint8Array | null {
    const bytes = this.#revisions.get(digest);
    return bytes === undefined ? null : Uint8Array.from(bytes);
  }

  revisions(): readonly string[] {
    return [...this.#revisions.keys()].sort();
  }
}

/** Adds a row to the facts, or throws the law that it breaks. */
function lay(facts: Facts, row: Row, revisions: ReadonlySet<string>): void {
  const { body, kind } = row;
  const field = (name: string): Json | undefined => fieldOf(body, name);
  const rule = String(field("rule"));
  const of = JSON.stringify([field("rule"), field("revision")]);
  switch (kind) {
    case "guide_verified":
      if (!revisions.has(String(field("revision")))) throw broken("verified");
      break;
    case "guide_approved": {
      const seq = citedBy(facts, row, "verification", "guide_verified");
      const use = JSON.stringify([seq, field("by")]);
      const passed = seq !== null && fieldOf(facts.rows[seq - 1]?.body ?? null, "passed") === true;
      if (!passed || facts.used.has(use)) throw broken("approved");
      if ((facts.takenBack.get(of) ?? 0) > seq) throw broken("approved");
      facts.used.add(use);
      break;
    }
    case "guide_revoked": {
      const seq = citedBy(facts, row, "approval", "guide_approved");
      if (seq === null || facts.revoked.has(seq)) throw broken("revoked");
      facts.revoked.add(seq);
      facts.takenBack.set(of, row.seq);
      break;
    }
    case "guide_published": {
      const seq = citedBy(facts, row, "approval", "guide_approved");
      if (seq === null || facts.revoked.has(seq)) throw broken("published");
      if ((facts.withdrawn.get(of) ?? 0) > seq) throw broken("published");
      if (facts.published.get(rule)?.approval === seq) throw broken("published");
      facts.published.set(rule, { revision: field("revision") ?? null, approval: seq });
      break;
    }
    case "guide_withdrawn":
      if (facts.published.get(rule)?.revision !== field("revision")) throw broken("withdrawn");
      facts.published.delete(rule);
      facts.withdrawn.set(of, row.seq);
      facts.takenBack.set(of, row.seq);
      break;
    default:
      if (!GUIDE_RECORD_KINDS.some((known) => known === kind)) throw broken("kind");
  }
  facts.rows.push(row);
}

/** The number of the row that is cited under this name; null where that is no row of this kind about the same bytes. */
function citedBy({ rows }: Facts, { body }: Row, name: string, kind: string): number | null {
  const cited = fieldOf(body, name);
  if (!isJsonObject(cited)) return null;
  const seq = own(cited, "seq");
  const found = typeof seq === "number" ? rows[seq - 1] : undefined;
  if (found === undefined || found.kind !== kind || found.hash !== own(cited, "hash")) return null;
  const same = ["rule", "revision"].every((of) => fieldOf(found.body, of) === fieldOf(body, of));
  return same ? found.seq : null;
}

function broken(law: keyof typeof GUIDE_LAWS): TypeError {
  return new TypeError(`guides: ${GUIDE_LAWS[law]}`);
}
