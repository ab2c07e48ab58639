import type { Finding } from "../../domain/finding.ts";
import type { Profile } from "../../domain/profile.ts";
import type { GuideState, SignatureVerdict } from "../../guides/index.ts";
import type { GuideFiles } from "../../ports/guide-files.ts";
import type { MapFiles } from "../../ports/map-files.ts";
import type { Signatures } from "../../ports/signatures.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { LoadedGuides, LoadedRule } from "./load-served.ts";
import type { NamedMap } from "./named-map.ts";
import type { Unreadable } from "./read-folder.ts";

/** What the corridor works with where guides are configured: the operator's declarations and the ports, checked and wired. */
export type GuideParts = {
  /** The files of authors. What is served comes from the store. */
  readonly files: GuideFiles;
  /** By name; `profile` is always among them. */
  readonly profiles: ReadonlyMap<string, Profile>;
  /** What is served for where the caller names none. */
  readonly profile: string;
  readonly app: string | null;
  /** The role that approves, publishes, revokes and withdraws. */
  readonly role: string;
  readonly signaturesRequired: boolean;
  /** Names of files that are no rules. */
  readonly exclude: readonly string[];
  /** The digest of the control map that rules without a guide of their own are for; null where there is none. */
  readonly map: string | null;
  /** The maps that guides are grounded in; null where the config names no folder of them. */
  readonly maps: MapFiles | null;
  readonly signatures: Signatures;
  /** Name and version of what checks, for receipts. */
  readonly tool: string;
};

/** What one box remembers of the chain, so that a run reads only what is new. Nothing in it was not checked. */
export type GuideBook = {
  /** The chain as far as it was read; null before the first reading. */
  state: GuideState | null;
  /** Rules by the digest of their file. Content does not change under its name, so each is read and checked once. */
  readonly rules: Map<string, LoadedRule>;
  /** By the number of the approval. The keys are those of the config, which stays as it is while the box is open. */
  readonly signatures: Map<number, SignatureVerdict>;
  /** What was last loaded, by what it depends on: the chain's end, the profile and the day. */
  readonly loaded: Map<string, LoadedGuides>;
  /** Maps by their name and the digest of their file. */
  readonly maps: Map<string, NamedMap>;
  /** What is being said in the chain, and settles when it was: see say.ts. */
  turn: Promise<void>;
  /** The folder as it was found last: why its files cannot be read, null for those that can, and which those are. */
  folder: {
    readonly version: string | null;
    /** By digest and name. */
    readonly read: ReadonlyMap<string, Finding | null>;
    readonly unreadable: readonly Unreadable[];
  } | null;
};

export function newGuideBook(): GuideBook {
  return {
    state: null,
    rules: new Map(),
    signatures: new Map(),
    loaded: new Map(),
    maps: new Map(),
    turn: Promise.resolve(),
    folder: null,
  };
}

/** @throws SignalboxError `no_guides` where the config has none. */
export function guidesIn({ guides }: Pick<Parts, "guides">): GuideParts {
  if (guides !== null) return guides;
  throw new SignalboxError("no_guides", "no guides are configured", { hint: '`guides: "./guides"` in the config' });
}
