import { canonicalJson } from "../domain/canonical.ts";
import { isJsonObject, type Json, own } from "../domain/json.ts";
import type { JsonLimits } from "../domain/json-limits.ts";
import { type Parsed, parsed, unparsed } from "../domain/parsed.ts";
import { isDigest } from "../domain/revision.ts";
import { parseJson } from "../domain/scan.ts";
import type { EntryFacts } from "./heads.ts";
import type { HashText } from "./rows.ts";

/**
 * A Checkpoint: what a ledger held at one moment, small enough to be kept elsewhere (in an issue, a commit, a mail to
 * oneself). A ledger that is checked against it later must still hold all of that, so an older copy of the file, a cut
 * tail and a run that is gone are found, which the chains alone cannot do (design 8).
 *
 * Closed runs are covered by the newest entry of the index of heads, which chains them all; open runs are listed. The chain
 * of the guides has no index above it and is covered by its newest row: a checkpoint is all that finds a revocation which
 * was cut off. Version 1 knew no guides.
 */
export type Checkpoint = {
  readonly version: 1 | 2;
  /** When it was made, in milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  readonly rows: number;
  readonly runs: number;
  /** The newest entry of the index of heads, or null where no run had closed. */
  readonly heads: { readonly n: number; readonly hash: string } | null;
  /** The runs that were open, each with its newest row. */
  readonly open: readonly { readonly run: string; readonly seq: number; readonly hash: string }[];
  /** The newest row of the guides' chain, or null where nothing was said there yet, and in version 1. */
  readonly guides: { readonly seq: number; readonly hash: string } | null;
  /** Whether the hash was keyed: then nobody without the key can make or edit a checkpoint. */
  readonly keyed: boolean;
  /** The hash of the canonical JSON of all of the other fields. */
  readonly digest: string;
};

/** Makes a checkpoint of a ledger. Verify the ledger first: a checkpoint of a broken one vouches for the break. */
export function makeCheckpoint(ledger: {
  readonly at: number;
  readonly entries: readonly EntryFacts[];
  readonly heads: readonly { readonly n: number; readonly hash: string }[];
  /** The newest row of the guides' chain. */
  readonly guides: { readonly seq: number; readonly hash: string } | null;
  readonly keyed: boolean;
  readonly hash: HashText;
}): Checkpoint {
  const { at, entries, guides, heads, keyed, hash } = ledger;
  const newest = heads.at(-1);
  const rest = {
    version: 2 as const,
    at,
    rows: entries.reduce((sum, entry) => sum + entry.headSeq, 0),
    runs: entries.length,
    heads: newest === undefined ? null : { n: newest.n, hash: newest.hash },
    open: entries
      .filter((entry) => entry.ending === null)
      .map((entry) => ({ run: entry.run, seq: entry.headSeq, hash: entry.headHash })),
    guides: guides === null ? null : { seq: guides.seq, hash: guides.hash },
    keyed,
  };
  return { ...rest, digest: checkpointDigest(rest, hash) };
}

/** The digest of a checkpoint's other fields: what its own must be, or it was edited or made under another key. */
export function checkpointDigest(checkpoint: Omit<Checkpoint, "digest">, hash: HashText): string {
  const { at, guides, heads, keyed, open, rows, runs, version } = checkpoint;
  return hash(
    canonicalJson({
      ...(version === 1 ? {} : { guides: guides === null ? null : { seq: guides.seq, hash: guides.hash } }),
      at,
      heads: heads === null ? null : { n: heads.n, hash: heads.hash },
      keyed,
      open: open.map((entry) => ({ run: entry.run, seq: entry.seq, hash: entry.hash })),
      rows,
      runs,
      version,
    }),
  );
}

/** About 300,000 open runs: far more than anyone leaves open, and still a bound. */
const LIMITS: JsonLimits = { bytesMax: 64 * 1024 * 1024, depthMax: 4, keysMax: 1_200_000, digitsMax: 64 };

const KEYS_OF_1 = ["at", "digest", "heads", "keyed", "open", "rows", "runs", "version"];
const KEYS_OF_2 = [...KEYS_OF_1, "guides"].sort();

/** Reads a checkpoint that was kept elsewhere. Its digest is not looked at here: verification does that, with the hash. */
export function parseCheckpoint(text: string): Parsed<Checkpoint> {
  const json = parseJson(text, LIMITS);
  if (!json.ok) return json;
  const value = json.value;
  if (!isJsonObject(value)) return refuse("a checkpoint is a JSON object");
  const version = own(value, "version");
  if (isCount(version) && version > 2) {
    return unparsed(
      "newer_version",
      `the checkpoint has version ${version}, this release reads up to version 2: upgrade it`,
    );
  }
  if (version !== 1 && version !== 2) return refuse("version must be 1 or 2");
  const keys = version === 1 ? KEYS_OF_1 : KEYS_OF_2;
  if (!hasExactly(value, keys)) return refuse(`the fields must be ${keys.join(", ")}, and no others`);
  const at = own(value, "at");
  const rows = own(value, "rows");
  const runs = own(value, "runs");
  const keyed = own(value, "keyed");
  const digest = own(value, "digest");
  const heads = parseHeads(own(value, "heads"));
  const open = parseOpen(own(value, "open"));
  const guides = version === 1 ? null : parseGuides(own(value, "guides"));
  if (!isCount(at) || !isCount(rows) || !isCount(runs)) return refuse("at, rows and runs must be whole numbers from 0");
  if (typeof keyed !== "boolean") return refuse("keyed must be true or false");
  if (!isDigest(digest)) return refuse("digest must be 64 lower-case hexadecimal digits");
  if (heads === undefined) return refuse("heads must be null or {n, hash}");
  if (open === undefined) return refuse("open must be a list of {run, seq, hash}");
  if (guides === undefined) return refuse("guides must be null or {seq, hash}");
  return parsed({ version, at, rows, runs, heads, open, guides, keyed, digest });
}

function parseGuides(value: Json | undefined): Checkpoint["guides"] | undefined {
  if (value === null) return null;
  if (!isJsonObject(value) || !hasExactly(value, ["seq", "hash"])) return undefined;
  const seq = own(value, "seq");
  const hash = own(value, "hash");
  return isCount(seq) && seq >= 1 && isDigest(hash) ? { seq, hash } : undefined;
}

function parseHeads(value: Json | undefined): Checkpoint["heads"] | undefined {
  if (value === null) return null;
  if (!isJsonObject(value) || !hasExactly(value, ["n", "hash"])) return undefined;
  const n = own(value, "n");
  const hash = own(value, "hash");
  return isCount(n) && n >= 1 && isDigest(hash) ? { n, hash } : undefined;
}

function parseOpen(value: Json | undefined): Checkpoint["open"] | undefined {
  if (!Array.isArray(value)) return undefined;
  const open: { run: string; seq: number; hash: string }[] = [];
  for (const item of value) {
    if (!isJsonObject(item) || !hasExactly(item, ["run", "seq", "hash"])) return undefined;
    const run = own(item, "run");
    const seq = own(item, "seq");
    const hash = own(item, "hash");
    if (typeof run !== "string" || run === "" || !isCount(seq) || seq < 1 || !isDigest(hash)) return undefined;
    open.push({ run, seq, hash });
  }
  return open;
}

function hasExactly(value: object, keys: readonly string[]): boolean {
  return Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key));
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function refuse(detail: string) {
  return unparsed("not_a_checkpoint", detail);
}
