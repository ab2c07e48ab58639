import { sign, verify } from "node:crypto";
import type { GuideSignature } from "../../domain/guide-record.ts";
import type { PublicKey, Signatures } from "../../ports/signatures.ts";
import { openPrivateKey } from "./private-key.ts";
import { ED25519, type OpenKey, openBlob, reading, readKey, refuse } from "./public-key.ts";
import { fits, readSshSignature, SSH_SIGNATURE, signedBytes, writeSshSignature } from "./ssh-signature.ts";
import { armoured, readArmour, strictBase64, Unreadable } from "./wire.ts";

/** Signatures by Node's own cryptography: Ed25519, and the keys and signatures of `ssh-keygen`. */
export function nodeSignatures(): Signatures {
  return {
    readKey: (text) => {
      const read = readKey(text);
      if (!read.ok) return read;
      const { blob, fingerprint, type } = read.value;
      return { ok: true, value: { type, fingerprint, blob } };
    },
    verify: (statement, signature, keys) => reading("signature_malformed", () => verified(statement, signature, keys)),
    sign: (statement, privateKey) =>
      reading("key_malformed", () => {
        const { blob, object } = openPrivateKey(privateKey);
        const value = sign(null, signedBytes(statement, "sha512"), object);
        return armoured(writeSshSignature(blob, "sha512", ED25519, value), SSH_SIGNATURE);
      }),
  };
}

function verified(statement: string, signature: string, keys: readonly PublicKey[]): GuideSignature {
  const bytes = readArmour(signature.trim(), SSH_SIGNATURE);
  return bytes === null ? verifiedRaw(statement, signature.trim(), keys) : verifiedSsh(statement, bytes, keys);
}

function verifiedSsh(statement: string, bytes: Buffer, keys: readonly PublicKey[]): GuideSignature {
  const read = readSshSignature(bytes);
  const { blob, fingerprint } = read.key;
  // The key in the signature says who signed, and only a declared one says that it may.
  if (!keys.some((key) => key.blob === blob)) refuse("signature_of_another_key", notOneOf(fingerprint, keys));
  if (!fits(read, signedBytes(statement, read.hash))) {
    notOver(fits(read, signedBytes(`${statement}\n`, read.hash)));
  }
  return { format: "ssh", value: armoured(bytes, SSH_SIGNATURE), key: fingerprint };
}

/** 64 bytes do not say whose they are, so each declared key is tried. */
function verifiedRaw(statement: string, text: string, keys: readonly PublicKey[]): GuideSignature {
  const value = strictBase64(text);
  if (value.length !== 64) throw new Unreadable("it is no armoured SSH signature, and no 64 bytes of Ed25519");
  const own = keys.filter(({ type }) => type === ED25519).map(({ blob }) => openBlob(Buffer.from(blob, "base64")));
  if (own.length === 0) refuse("signature_of_another_key", "it is one of Ed25519, and no such key is declared");
  const isBy = (key: OpenKey, said: string) => verify(null, Buffer.from(said, "utf8"), key.object, value);
  const by = own.find((key) => isBy(key, statement));
  if (by === undefined) return notOver(own.some((key) => isBy(key, `${statement}\n`)));
  return { format: "ed25519", value: text, key: by.fingerprint };
}

function notOver(withLineBreak: boolean): never {
  refuse(
    "signature_does_not_fit",
    withLineBreak
      ? "it is over the statement with a line break behind it: sign the exact bytes of the statement"
      : "it is not over this statement",
  );
}

function notOneOf(fingerprint: string, keys: readonly PublicKey[]): string {
  const declared =
    keys.length === 0 ? "none is declared" : `declared: ${keys.map((key) => key.fingerprint).join(", ")}`;
  return `it is by the key ${fingerprint}, which is not declared (${declared})`;
}
