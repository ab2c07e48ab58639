import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SIGNATURE_NAMESPACE } from "../../ports/signatures.ts";
import { ED25519, refuse } from "./public-key.ts";
import { readArmour, Unreadable, WireReader, wireString } from "./wire.ts";

/** An Ed25519 key to sign with, and its public half in SSH's wire format. */
export type SigningKey = { readonly object: KeyObject; readonly blob: Buffer };

const MAGIC = "openssh-key-v1\0";
const ELSEWHERE = `sign with \`ssh-keygen -Y sign -n ${SIGNATURE_NAMESPACE} -f KEY STATEMENT\` and give the signature`;

/** Reads a private key. What is thrown says nothing of the key but its kind. */
export function openPrivateKey(text: string): SigningKey {
  const trimmed = text.trim();
  if (trimmed.startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----")) encrypted();
  if (/^-----BEGIN (?:RSA|EC|DSA) PRIVATE KEY-----/.test(trimmed)) another("in an old PEM");
  const bytes = readArmour(trimmed, "OPENSSH PRIVATE KEY");
  return bytes === null ? fromPem(trimmed) : fromOpenSsh(bytes);
}

function encrypted(): never {
  refuse("key_encrypted", `the key has a passphrase, which is not asked for here: ${ELSEWHERE}`);
}

function another(kind: string): never {
  refuse("key_unsupported", `only an Ed25519 key signs here, and this one is ${kind}: ${ELSEWHERE}`);
}

function fromPem(text: string): SigningKey {
  let object: KeyObject;
  try {
    object = createPrivateKey(text);
  } catch {
    throw new Unreadable("it is no private key in a PEM or in OpenSSH's format");
  }
  if (object.asymmetricKeyType !== "ed25519") another(String(object.asymmetricKeyType));
  return { object, blob: blobOf(publicHalf(object)) };
}

/** openssh/PROTOCOL.key: the public key, and then the private one with its own copy of it, padded with 1, 2, 3 … */
function fromOpenSsh(bytes: Buffer): SigningKey {
  const reader = new WireReader(bytes);
  if (reader.take(MAGIC.length).toString("latin1") !== MAGIC)
    throw new Unreadable("it does not begin as a key of OpenSSH's");
  const [cipher, kdf, options] = [reader.name(), reader.name(), reader.string()];
  if (cipher !== "none" || kdf !== "none" || options.length > 0) encrypted();
  if (reader.uint32() !== 1) throw new Unreadable("it holds more than one key");
  const blob = reader.string();
  const inner = new WireReader(reader.string());
  reader.end();
  const [check, again] = [inner.uint32(), inner.uint32()];
  if (check !== again) throw new Unreadable("its check does not come out");
  const type = inner.name();
  if (type !== ED25519) another(`of the type ${type}`);
  const [half, pair] = [inner.string(), inner.string()];
  inner.string();
  const padding = inner.rest();
  if (padding.length >= 8 || padding.some((byte, i) => byte !== i + 1)) throw new Unreadable("its padding is none");
  if (half.length !== 32 || pair.length !== 64) throw new Unreadable("an Ed25519 key has 32 bytes and 64");
  const jwk = {
    kty: "OKP",
    crv: "Ed25519",
    d: pair.subarray(0, 32).toString("base64url"),
    x: half.toString("base64url"),
  };
  const object = createPrivateKey({ key: jwk, format: "jwk" });
  const own = publicHalf(object);
  if (!own.equals(half) || !own.equals(pair.subarray(32)) || !blob.equals(blobOf(own))) {
    throw new Unreadable("its two halves do not belong together");
  }
  return { object, blob };
}

/** Worked out anew: a key that says that it has another public half gives its secret away with two signatures. */
function publicHalf(object: KeyObject): Buffer {
  const pem = object.export({ type: "pkcs8", format: "pem" });
  const { x } = createPublicKey(createPrivateKey(pem)).export({ format: "jwk" });
  return Buffer.from(String(x), "base64url");
}

function blobOf(half: Buffer): Buffer {
  return Buffer.concat([wireString(ED25519), wireString(half)]);
}
