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

/** The two parts of `RULE@DIGEST`; null where there is no `@` in it. Of the digest any beginning may stand there. */
export function readRevisionName(name: string): { readonly rule: string; readonly digest: string } | null {
  const cut = name.lastIndexOf("@");
  return cut < 1 ? null : { rule: name.slice(0, cut), digest: name.slice(cut + 1) };
}
