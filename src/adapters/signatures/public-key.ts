import { createPublicKey, hash, type KeyObject } from "node:crypto";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";
import type { PublicKey, SignatureCode } from "../../ports/signatures.ts";
import { strictBase64, Unreadable, WireReader, wireString } from "./wire.ts";

/** A key that signatures can be checked with. */
export type OpenKey = PublicKey & { readonly object: KeyObject };

export const ED25519 = "ssh-ed25519";
const RSA = "ssh-rsa";
const RSA_BITS_MIN = 2_048;
const RSA_BITS_MAX = 16_384;

/** Elliptic curves by their names in a key: NIST's in JSON Web Keys, the bytes of a coordinate, and the hash that goes with each. */
export const CURVES = {
  "ecdsa-sha2-nistp256": { name: "nistp256", crv: "P-256", bytes: 32, hash: "sha256" },
  "ecdsa-sha2-nistp384": { name: "nistp384", crv: "P-384", bytes: 48, hash: "sha384" },
  "ecdsa-sha2-nistp521": { name: "nistp521", crv: "P-521", bytes: 66, hash: "sha512" },
} as const;
export type Curve = (typeof CURVES)[keyof typeof CURVES];

export function curveOf(type: string): Curve | null {
  return Object.hasOwn(CURVES, type) ? CURVES[type as keyof typeof CURVES] : null;
}

const SUPPORTED = [ED25519, ...Object.keys(CURVES), RSA].join(", ");

/** What a key was refused for; see SIGNATURE_CODES. */
class Refused extends Error {
  readonly code: SignatureCode;

  constructor(code: SignatureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads a public key as a config declares it. */
export function readKey(text: string): Parsed<OpenKey> {
  return reading("key_malformed", () => {
    const trimmed = text.trim();
    if (trimmed.length > RSA_BITS_MAX) throw new Unreadable("it is too long");
    if (trimmed.startsWith("-----BEGIN")) return fromPem(trimmed);
    const [type = "", base64 = ""] = trimmed.split(/[ \t]+/);
    if (/[\r\n]/.test(trimmed)) throw new Unreadable("a key is one line, or a PEM");
    if (type === "ed25519") return fromRaw(strictBase64(base64));
    const key = openBlob(strictBase64(base64));
    if (key.type !== type) throw new Unreadable(`it says ${type} and is a key of the type ${key.type}`);
    return key;
  });
}

/** Runs something that reads hostile bytes; what it throws as Unreadable or Refused is a refusal. */
export function reading<T>(code: SignatureCode, read: () => T): Parsed<T> {
  try {
    return parsed(read());
  } catch (error) {
    if (error instanceof Refused) return unparsed(error.code, error.message);
    if (error instanceof Unreadable) return unparsed(code, error.message);
    throw error;
  }
}

export function refuse(code: SignatureCode, message: string): never {
  throw new Refused(code, message);
}

function fromPem(text: string): OpenKey {
  if (text.startsWith("-----BEGIN SSH2 ")) refuse("key_unsupported", "give the key as OpenSSH's one line has it");
  let object: KeyObject;
  try {
    // A private key would do as well, and has nothing to look for in a config.
    if (!text.startsWith("-----BEGIN PUBLIC KEY-----")) throw new Unreadable("it is no PEM of a public key");
    object = createPublicKey(text);
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable("it is no PEM of a public key");
  }
  if (object.asymmetricKeyType !== "ed25519") {
    refuse("key_unsupported", `a PEM is taken of Ed25519 only: give another key as OpenSSH's one line (${SUPPORTED})`);
  }
  return fromRaw(Buffer.from(String(object.export({ format: "jwk" }).x), "base64url"));
}

function fromRaw(bytes: Buffer): OpenKey {
  if (bytes.length !== 32) throw new Unreadable(`an Ed25519 key has 32 bytes, and this one has ${bytes.length}`);
  return openBlob(Buffer.concat([wireString(ED25519), wireString(bytes)]));
}

/** The key that is in bytes of SSH's wire format. Throws Unreadable or Refused. */
export function openBlob(bytes: Buffer): OpenKey {
  const reader = new WireReader(bytes);
  const type = reader.name();
  const jwk = jwkOf(type, reader);
  reader.end();
  let object: KeyObject;
  try {
    object = createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    // A point that is not on its curve, for example.
    throw new Unreadable(`it is no ${type} key`);
  }
  const fingerprint = `SHA256:${hash("sha256", bytes, "base64").replace(/=+$/, "")}`;
  return { type, fingerprint, blob: bytes.toString("base64"), object };
}

function jwkOf(type: string, reader: WireReader) {
  if (type === ED25519) {
    const x = reader.string();
    if (x.length !== 32) throw new Unreadable("an Ed25519 key has 32 bytes");
    return { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") };
  }
  const curve = curveOf(type);
  if (curve !== null) {
    if (reader.name() !== curve.name) throw new Unreadable("its curve is not that of its type");
    const point = reader.string();
    if (point.length !== 1 + 2 * curve.bytes || point[0] !== 4)
      throw new Unreadable("its point is not two coordinates");
    const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)];
    return { kty: "EC", crv: curve.crv, x: x.toString("base64url"), y: y.toString("base64url") };
  }
  if (type !== RSA) refuse("key_unsupported", `keys of the type ${type} are not taken: ${SUPPORTED}`);
  const [e, n] = [reader.positive(), reader.positive()];
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24;
  if (bits < RSA_BITS_MIN) refuse("key_too_short", `an RSA key needs ${RSA_BITS_MIN} bits, and this one has ${bits}`);
  if (bits > RSA_BITS_MAX) throw new Unreadable(`an RSA key has at most ${RSA_BITS_MAX} bits`);
  // With an exponent of 1 everybody could sign.
  const odd = ((e.at(-1) ?? 0) & 1) === 1;
  if (!odd || e.length > 8 || (e.length === 1 && e[0] === 1)) throw new Unreadable("its exponent is none of RSA");
  return { kty: "RSA", n: n.toString("base64url"), e: e.toString("base64url") };
}
