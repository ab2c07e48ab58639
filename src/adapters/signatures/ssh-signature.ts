/**
 * SSH signatures (openssh/PROTOCOL.sshsig): what `ssh-keygen -Y sign` writes. The signature is over a hash of the text
 * together with the namespace, so one that was made for something else is not one of ours.
 */
import { hash, verify } from "node:crypto";
import { SIGNATURE_NAMESPACE } from "../../ports/signatures.ts";
import { curveOf, ED25519, type OpenKey, openBlob, refuse } from "./public-key.ts";
import { Unreadable, WireReader, wireString, wireUint32 } from "./wire.ts";

const MAGIC = "SSHSIG";
const VERSION = 1;
export const SSH_SIGNATURE = "SSH SIGNATURE";

const HASHES = ["sha256", "sha512"] as const;
export type SshHash = (typeof HASHES)[number];

export type SshSignature = {
  readonly key: OpenKey;
  readonly hash: SshHash;
  /** Which algorithm it was made with: of a key of RSA there are several. */
  readonly algorithm: string;
  readonly value: Buffer;
};

/** Reads the bytes of an SSH signature. Throws Unreadable, or refuses. */
export function readSshSignature(bytes: Uint8Array): SshSignature {
  const reader = new WireReader(bytes);
  if (reader.take(MAGIC.length).toString("latin1") !== MAGIC)
    throw new Unreadable("it does not begin as an SSH signature");
  const version = reader.uint32();
  if (version !== VERSION) throw new Unreadable(`it has version ${version}`);
  const key = openBlob(reader.string());
  const namespace = reader.string().toString("utf8");
  if (namespace !== SIGNATURE_NAMESPACE) {
    refuse(
      "signature_of_another_namespace",
      `it was made for ${JSON.stringify(namespace.slice(0, 40))}: sign with -n ${SIGNATURE_NAMESPACE}`,
    );
  }
  if (reader.string().length > 0) throw new Unreadable("its reserved field is not empty");
  const named = reader.name();
  const hashName = HASHES.find((known) => known === named);
  if (hashName === undefined)
    refuse("signature_of_another_hash", `it is over the hash ${named}, and not over sha512 or sha256`);
  const inner = new WireReader(reader.string());
  reader.end();
  const algorithm = inner.name();
  const value = inner.string();
  inner.end();
  return { key, hash: hashName, algorithm, value };
}

/** What an SSH signature over a text is over. */
export function signedBytes(text: string, hashName: SshHash): Buffer {
  const digest = hash(hashName, Buffer.from(text, "utf8"), "buffer");
  return Buffer.concat([
    Buffer.from(MAGIC, "latin1"),
    ...[SIGNATURE_NAMESPACE, "", hashName].map((part) => wireString(part)),
    wireString(digest),
  ]);
}

/** The bytes of an SSH signature. */
export function writeSshSignature(key: Uint8Array, hashName: SshHash, algorithm: string, value: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(MAGIC, "latin1"),
    wireUint32(VERSION),
    wireString(key),
    ...[SIGNATURE_NAMESPACE, "", hashName].map((part) => wireString(part)),
    wireString(Buffer.concat([wireString(algorithm), wireString(value)])),
  ]);
}

/** Whether the signature is over these bytes. Throws Unreadable where it is of no form that its key's type has. */
export function fits({ algorithm, key, value }: SshSignature, bytes: Buffer): boolean {
  const curve = curveOf(key.type);
  if (curve !== null) {
    if (algorithm !== key.type) throw new Unreadable(`its algorithm ${algorithm} is not that of its key`);
    const reader = new WireReader(value);
    const numbers = [reader.positive(), reader.positive()];
    reader.end();
    if (numbers.some((number) => number.length > curve.bytes)) throw new Unreadable("a number in it is too large");
    const padded = numbers.map((number) => Buffer.concat([Buffer.alloc(curve.bytes - number.length), number]));
    return verify(curve.hash, bytes, { key: key.object, dsaEncoding: "ieee-p1363" }, Buffer.concat(padded));
  }
  switch (algorithm) {
    case ED25519:
      if (key.type !== ED25519) break;
      if (value.length !== 64) throw new Unreadable("an Ed25519 signature has 64 bytes");
      return verify(null, bytes, key.object, value);
    case "rsa-sha2-256":
    case "rsa-sha2-512": {
      if (key.type !== "ssh-rsa") break;
      const { modulusLength = 0 } = key.object.asymmetricKeyDetails ?? {};
      if (value.length !== Math.ceil(modulusLength / 8)) throw new Unreadable("it is not as long as its key");
      return verify(algorithm === "rsa-sha2-256" ? "sha256" : "sha512", bytes, key.object, value);
    }
    default:
      break;
  }
  // `ssh-rsa` as an algorithm is SHA-1, which nobody should trust any more.
  throw new Unreadable(`its algorithm ${algorithm} is none for a key of the type ${key.type}`);
}
