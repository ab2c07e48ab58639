import type { JsonObject } from "./json.ts";

/**
 * What an approval is bound to (design 6.6): everything that the person saw, or that stood behind it. The digest of this is
 * what is approved; a proposal that differs in any of it is another proposal. Plain JSON, so its canonical text is exact.
 */
export type Binding = {
  readonly run: string;
  readonly step: number;
  readonly thread: string;
  readonly customer: string | null;
  /** On whose authority it would be done. */
  readonly principal: string;
  /** Who proposed it: the principal, or whoever edited the proposal. Never the one who approves. */
  readonly proposer: string;
  readonly tool: string;
  readonly params: JsonObject;
  readonly evidence: readonly string[];
  /** Digest of the FactRecord, or of what the tool says is its version (`recordVersion`); null where there is none. */
  readonly record: string | null;
  /** Digest of the tool's definition. */
  readonly definition: string;
  readonly policy: string;
  /** Digest of system text, tools and served plan. */
  readonly prompt: string;
  /** The role that may approve. */
  readonly role: string;
  /** Milliseconds since 1970-01-01T00:00Z after which it can no longer be approved or used. */
  readonly expiresAt: number;
};

/** The parts that can have changed between staging and commit; each names itself in an `approval_stale`. */
export const BOUND_PARTS = ["params", "evidence", "record", "definition", "policy", "prompt", "role"] as const;
export type BoundPart = (typeof BOUND_PARTS)[number];

/** Those parts as digests, and the role by its name; null for a record that there is not. */
export type Bound = { readonly [part in BoundPart]: string | null };

/** What an approval can be stale by: a bound part, or that who gave it may not give it any more. */
export type StalePart = BoundPart | "approver";

/** A person's approval of a staged proposal, as a decision is given it. */
export type Approval = {
  /** What was approved. */
  readonly approved: Bound;
  /** The same parts today; `role` is what the rules say, and is not known before they are asked. */
  readonly today: Omit<Bound, "role">;
  readonly expiresAt: number;
  /** Whether today's config still lets the person approve for the role. */
  readonly approverMay: boolean;
};

/** What is no longer as it was approved, in the order of the table. `role`: the one that is asked for now. */
export function staleParts({ approved, today, approverMay }: Approval, role: string): readonly StalePart[] {
  const parts = BOUND_PARTS.filter((part) => approved[part] !== (part === "role" ? role : today[part]));
  return approverMay ? parts : [...parts, "approver"];
}

const AND = " + ";

/** What several rules ask for together: a person who has all of these roles. In one order, whatever order the rules have. */
export function joinRoles(roles: readonly string[]): string {
  return [...new Set(roles.flatMap((role) => role.split(AND)))].sort().join(AND);
}

/** Whether somebody with these roles may approve for `role`, which may name several. */
export function hasRole(roles: readonly string[], role: string): boolean {
  return role.split(AND).every((one) => roles.includes(one));
}

/** A digest is named by at least so many of its digits. */
export const DIGEST_DIGITS_MIN = 8;

/** Whether `given` names the digest, which is in lower case: the whole of it, or enough of its beginning. */
export function isDigestOf(given: string, digest: string): boolean {
  return given.length >= DIGEST_DIGITS_MIN && digest.startsWith(given.toLowerCase());
}

/** The id under which a staged proposal is approved: its run and its step. */
export function approvalId(run: string, step: number): string {
  return `${run}-${step}`;
}

/** The run and step that an approval id names, or null where it is none. */
export function readApprovalId(id: string): { readonly run: string; readonly step: number } | null {
  const cut = id.lastIndexOf("-");
  const step = id.slice(cut + 1);
  if (cut < 1 || !/^[1-9][0-9]{0,7}$/.test(step)) return null;
  return { run: id.slice(0, cut), step: Number(step) };
}

/**
 * Where a staged proposal stands: a fold of its rows. `approved` waits for its commit. At the commit it is decided on again,
 * once: then it is `used`, `stale` or, where a rail or the caps said no, `denied`.
 */
export type ApprovalState = "waiting" | "approved" | "rejected" | "expired" | "edited" | "used" | "stale" | "denied";
