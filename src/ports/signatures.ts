import type { GuideSignature } from "../domain/guide-record.ts";
import type { Parsed } from "../domain/parsed.ts";

/** A public key that an approver's signatures are checked against. */
export type PublicKey = {
  /** As SSH calls it: `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa`. */
  readonly type: string;
  /** `SHA256:…`, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string;
  /** The key in SSH's wire format, in base64: the middle word of a line of `id_ed25519.pub`. */
  readonly blob: string;
};

/** What a signature is for: SSH signatures name it, so that one that was made for git or for a login is none of ours. */
export const SIGNATURE_NAMESPACE = "signalbox-guides";

/** What can be wrong with keys and signatures. */
export const SIGNATURE_CODES = [
  "key_malformed",
  "key_unsupported",
  "key_too_short",
  "key_encrypted",
  "signature_malformed",
  "signature_of_another_namespace",
  "signature_of_another_hash",
  "signature_of_another_key",
  "signature_does_not_fit",
] as const;
export type SignatureCode = (typeof SIGNATURE_CODES)[number];

/** Signatures over the statements of approvals. Each `why.code` is one of SIGNATURE_CODES; no detail quotes a private key. */
export type Signatures = {
  /** Reads a public key as a config declares it: a line of OpenSSH's, a PEM, or `ed25519` and 32 bytes in base64. */
  readKey(text: string): Parsed<PublicKey>;
  /** Checks an armoured SSH signature, or 64 bytes of Ed25519 in base64, against these keys; it must be of one of them. */
  verify(statement: string, signature: string, keys: readonly PublicKey[]): Parsed<GuideSignature>;
  /** Signs with an Ed25519 key, in a PEM or in OpenSSH's format without a passphrase, as `ssh-keygen -Y sign` does. */
  sign(statement: string, privateKey: string): Parsed<string>;
};
