/** A Revision: the exact bytes of a rule file, named by their SHA-256. One changed byte is another revision, which nobody has seen. */
export type Revision = {
  /** 64 lower-case hex digits. Never keyed: anybody can tell the name of bytes that they hold. */
  readonly digest: string;
  readonly bytes: Uint8Array;
};

/** Whether a value is written as a SHA-256 is here: 64 lower-case hex digits. */
export function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/**
 * An approval names bytes by at least so many digits of their digest. Whoever writes the file can make two files that begin alike,
 * and have the one read while the other is approved: 8 digits take 2^16 tries and 12 take 2^24, which is a moment; 32 take 2^64.
 * What only takes something back, or serves what was approved, is named by fewer (DIGEST_DIGITS_MIN).
 */
export const APPROVED_DIGITS_MIN = 32;

/** The two parts of `RULE@DIGEST`; null where there is no `@` in it. Of the digest any beginning may stand there. */
export function readRevisionName(name: string): { readonly rule: string; readonly digest: string } | null {
  const cut = name.lastIndexOf("@");
  return cut < 1 ? null : { rule: name.slice(0, cut), digest: name.slice(cut + 1) };
}
