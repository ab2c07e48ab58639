/**
 * A GuideRecord: one thing that was said about a revision of a rule, in the chain of the guides (design 7.4). Verification,
 * approval and publication are separate records, each citing the one that it rests on, and a revision's state is the fold of
 * them. Each is one row of one chain of its own in the ledger: `run` is GUIDES, `seq` counts, `kind` is the record's.
 */
import type { Finding } from "./finding.ts";
import type { GuideTask } from "./rule.ts";

/** The `run` of the rows of this chain. No run has such an id. */
export const GUIDES = "guides";

export const GUIDE_RECORD_KINDS = [
  "guide_verified",
  "guide_approved",
  "guide_revoked",
  "guide_published",
  "guide_withdrawn",
  "guide_pinned",
] as const;
export type GuideRecordKind = (typeof GUIDE_RECORD_KINDS)[number];

/** A row of the chain by its number and its hash, so that nothing else can stand in its place. */
export type Cited = { readonly seq: number; readonly hash: string };

/** Checks were run on exactly these bytes. A receipt, also where they did not pass. */
export type GuideVerified = {
  readonly kind: "guide_verified";
  readonly at: number;
  readonly rule: string;
  readonly revision: string;
  readonly file: string;
  readonly checks: readonly string[];
  readonly findings: readonly Finding[];
  /** No finding is an error. */
  readonly passed: boolean;
  /** The digests of the profiles that it was checked for, by name. */
  readonly profiles: { readonly [name: string]: string };
  /** The digest of the control map that its steps were grounded in, or null where it has none. */
  readonly map: string | null;
  /** Name and version of what checked. */
  readonly tool: string;
};

/** A signature over the statement of an approval (guides/statement.ts). */
export type GuideSignature = {
  readonly format: "ssh" | "ed25519";
  /** The armoured SSH signature, or the 64 bytes in base64. */
  readonly value: string;
  /** The public key that it was checked against, as the config names it: SHA256 fingerprint. */
  readonly key: string;
};

/** A person takes responsibility for exactly these bytes reaching a model. */
export type GuideApproved = {
  readonly kind: "guide_approved";
  readonly at: number;
  readonly rule: string;
  readonly revision: string;
  readonly verification: Cited;
  readonly by: string;
  readonly role: string;
  readonly why: string;
  readonly signature: GuideSignature | null;
};

export type GuideRevoked = {
  readonly kind: "guide_revoked";
  readonly at: number;
  readonly rule: string;
  readonly revision: string;
  readonly approval: Cited;
  readonly by: string;
  readonly why: string;
};

/** These bytes are what is served under this rule's id from now on. */
export type GuidePublished = {
  readonly kind: "guide_published";
  readonly at: number;
  readonly rule: string;
  readonly revision: string;
  readonly approval: Cited;
  readonly by: string;
};

/** Nothing is served under this rule's id any more. */
export type GuideWithdrawn = {
  readonly kind: "guide_withdrawn";
  readonly at: number;
  readonly rule: string;
  readonly revision: string;
  readonly by: string;
  readonly why: string;
};

/** The plan of a named fixture, kept to be compared with. */
export type GuidePinned = {
  readonly kind: "guide_pinned";
  readonly at: number;
  readonly name: string;
  readonly task: GuideTask;
  readonly profile: string;
  /** The digest of the plan, or of the refusal. */
  readonly plan: string;
  /** The plan as readable lines, for the difference. */
  readonly lines: readonly string[];
  readonly by: string;
  /** Why it was pinned anew; null for the first. */
  readonly reason: string | null;
};

export type GuideRecord = GuideVerified | GuideApproved | GuideRevoked | GuidePublished | GuideWithdrawn | GuidePinned;

export const RULE_STATES = [
  "unreadable",
  "draft",
  "failed",
  "verified",
  "approved",
  "published",
  "revoked",
  "withdrawn",
] as const;
/** Of one revision of a rule: what its records come to. `unreadable`: a file that is none; `draft`: nothing was said of it. */
export type RuleState = (typeof RULE_STATES)[number];
