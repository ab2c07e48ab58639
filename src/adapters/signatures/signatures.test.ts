import { spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, sign as signBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PublicKey } from "../../ports/signatures.ts";
import { nodeSignatures } from "./index.ts";

const signatures = nodeSignatures();

/** What every pinned signature is over. */
const STATEMENT = '{"statement":"pinned","why":"a vector"}';

function keyOf(text: string): PublicKey {
  const read = signatures.readKey(text);
  if (!read.ok) throw new Error(`${read.why.code}: ${read.why.detail}`);
  return read.value;
}

function lines(...all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}

/** The code that something was refused with; `ok` where it was not. */
function codeOf(read: { readonly ok: boolean; readonly why?: { readonly code: string } }): string {
  return read.why?.code ?? "ok";
}

/** Made once with throwaway keys, by ssh-keygen of OpenSSH 9.2. */
const VECTORS = [
  {
    name: "ed25519",
    key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOab2j0eHdmeQ6jbmLBd9oEPEuGwuIhsS5fPaJhYruT2",
    signature: lines(
      "-----BEGIN SSH SIGNATURE-----",
      "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg5pvaPR4d2Z5DqNuYsF32gQ8S4b",
      "C4iGxLl89omFiu5PYAAAAQc2lnbmFsYm94LWd1aWRlcwAAAAAAAAAGc2hhNTEyAAAAUwAA",
      "AAtzc2gtZWQyNTUxOQAAAECvovv/gCfe+A0QGv4Ayb52VlrdO22hi4Uo7SzLBuLaCEZ6hN",
      "Alp6vZopXnWHBzMMBSAJ1pTcvRIDmYXdabv3sJ",
      "-----END SSH SIGNATURE-----",
    ),
  },
  {
    name: "nistp256",
    key: "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBMO4UbgixZvhgG5WfcgLM1PpOXon72U+zzN0ExArKXif5RnJfanWkznnZMNpjRNr0qM1nR4boSvZZQrhNwwftOQ=",
    signature: lines(
      "-----BEGIN SSH SIGNATURE-----",
      "U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE",
      "EEw7hRuCLFm+GAblZ9yAszU+k5eifvZT7PM3QTECspeJ/lGcl9qdaTOedkw2mNE2vSozWd",
      "HhuhK9llCuE3DB+05AAAABBzaWduYWxib3gtZ3VpZGVzAAAAAAAAAAZzaGE1MTIAAABlAA",
      "AAE2VjZHNhLXNoYTItbmlzdHAyNTYAAABKAAAAIQCYUovpvk1mpzHBGFOMTPZJbohAxDSN",
      "9mniNicwio8r+gAAACEAjBvrBt2yA2pVCYPf/4ttjuCA/sWqMjRbDihJNBcyYN8=",
      "-----END SSH SIGNATURE-----",
    ),
  },
  {
    name: "nistp384",
    key: "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBKfVVGDa8JlxyyOlDIyHjTq8cEtlfqy2Ikytz4MLfIL4yE0Oi2Ny154iphCr1IMb3RB2VTX9KGCM6tJ+DfVYDz8shVNea36vVKLvoze4hJ+UPIWshugHZwqXSwrY6sBpUQ==",
    signature: lines(
      "-----BEGIN SSH SIGNATURE-----",
      "U1NIU0lHAAAAAQAAAIgAAAATZWNkc2Etc2hhMi1uaXN0cDM4NAAAAAhuaXN0cDM4NAAAAG",
      "EEp9VUYNrwmXHLI6UMjIeNOrxwS2V+rLYiTK3Pgwt8gvjITQ6LY3LXniKmEKvUgxvdEHZV",
      "Nf0oYIzq0n4N9VgPPyyFU15rfq9Uou+jN7iEn5Q8hayG6AdnCpdLCtjqwGlRAAAAEHNpZ2",
      "5hbGJveC1ndWlkZXMAAAAAAAAABnNoYTUxMgAAAIUAAAATZWNkc2Etc2hhMi1uaXN0cDM4",
      "NAAAAGoAAAAxAOJsj806qfMzViKptURaEGLeKruZ3rQpIlMWZpWnvlnjcYZIUqPs3H1hPb",
      "W0nYJLkQAAADEAzmIMdYu3Ry+QikLxlF3WKeifpIUbarzCU6eOtzeFNVeMrOhPiklw3QHh",
      "kxC1+5G8",
      "-----END SSH SIGNATURE-----",
    ),
  },
  {
    name: "nistp521",
    key: "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAGeBXEK/WCTjiFd6cavrV463sIejzhDFMQNUYWKtazSvQRevj7Bqddv+oc18Z11w1267Cd3Z3Lvq3ZqCOA1lz+PvADvCUvtcPKXo+HglcliRVHsq4S+vHPJE+Xw8E7u3gyU59JE9Eni1o7l6gVDo2sE/AfXjIl2QrgRVs/tNtwsyhnBMQ==",
    signature: lines(
      "-----BEGIN SSH SIGNATURE-----",
      "U1NIU0lHAAAAAQAAAKwAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQAAAI",
      "UEAZ4FcQr9YJOOIV3pxq+tXjrewh6POEMUxA1RhYq1rNK9BF6+PsGp12/6hzXxnXXDXbrs",
      "J3dncu+rdmoI4DWXP4+8AO8JS+1w8pej4eCVyWJFUeyrhL68c8kT5fDwTu7eDJTn0kT0Se",
      "LWjuXqBUOjawT8B9eMiXZCuBFWz+023CzKGcExAAAAEHNpZ25hbGJveC1ndWlkZXMAAAAA",
      "AAAABnNoYTUxMgAAAKYAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAIsAAABCAJVraJNEIq",
      "YQeeaPtSk24/rieaGTpJPP+Regm6dOSk9mzzFA3B5JkCfNkyzkammiqwiJCjWkBqKUt1ia",
      "khTzRGLAAAAAQRR48QdKgO0iJI4laWVbkMEXIH9VgKc7BoRBmZfBjuaJhrQ+43rVN97/Nz",
      "dMKq2uKdPTcn/pPED1pWtqfZQx+jlK",
      "-----END SSH SIGNATURE-----",
    ),
  },
  {
    name: "rsa",
    key: "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC9zt7+MRCaihkrYQu7d8qmcbl4/G42gpys18KpscrPZzMgPitnQEizXKTJ2CRMltI4kSLb0rSzPoMOEyuwsttbTrEMKV8MsnYbgRkxHEO9hKI6vRladUoqnnc/s54qp6yjYiIIR3k6A9o/Hf3g7F0PpkOBcnliPPXc/bYOnDAJs8BsgQ77CCvimYRFbqioZauMfSI4XlqyrUpDuTPvURUUvi21aFKrlATo21LgSOuczxpci2Udm9T1rH2TRxacOGsSreZwPA96LTuuzwixepDnq3lrcXDyEJczVtihYt4mfh4sZWY9Kf+VZ4aCheAR2hR/6wvl7xrGKYK8kf4WKifL",
    signature: lines(
      "-----BEGIN SSH SIGNATURE-----",
      "U1NIU0lHAAAAAQAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAL3O3v4xEJqKGSthC7t3yq",
      "ZxuXj8bjaCnKzXwqmxys9nMyA+K2dASLNcpMnYJEyW0jiRItvStLM+gw4TK7Cy21tOsQwp",
      "XwyydhuBGTEcQ72Eojq9GVp1Siqedz+zniqnrKNiIghHeToD2j8d/eDsXQ+mQ4FyeWI89d",
      "z9tg6cMAmzwGyBDvsIK+KZhEVuqKhlq4x9IjheWrKtSkO5M+9RFRS+LbVoUquUBOjbUuBI",
      "65zPGlyLZR2b1PWsfZNHFpw4axKt5nA8D3otO67PCLF6kOereWtxcPIQlzNW2KFi3iZ+Hi",
      "xlZj0p/5VnhoKF4BHaFH/rC+XvGsYpgryR/hYqJ8sAAAAQc2lnbmFsYm94LWd1aWRlcwAA",
      "AAAAAAAGc2hhNTEyAAABFAAAAAxyc2Etc2hhMi01MTIAAAEAWMbWgVzl+3WMMBdq6fSNl5",
      "4eNh3k+PHWQYSsQP8vGRxrHl5vrU9Jyyxa77683QePINd8aY/V5DcGNbVH0mjHsiQiA15Y",
      "Wrh6/1FKmhBvOFYlVt8YR72crBUDlaxwB/Lsk8XiyK7RBc2nSigIWnlwfpKekS3tdO4DXk",
      "FQzWsvaZUj7paikfTBVY/wrgQhCU3IU3w1AF96aOCabqhho8AMPr2Gz0zKGZM9eigbaoRf",
      "hBp/XcS9kamqsdDPsOufr40V+MPkMKiDCJOn/ORR2d5BUSJXI7bFNnVYrqVsX2xbJv8wHA",
      "ZVgp0lbwSSnzPwe92sXHfC91vUm7eAmtBWy6GZ7A==",
      "-----END SSH SIGNATURE-----",
    ),
  },
] as const;

const OF_SHA256 = lines(
  "-----BEGIN SSH SIGNATURE-----",
  "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg5pvaPR4d2Z5DqNuYsF32gQ8S4b",
  "C4iGxLl89omFiu5PYAAAAQc2lnbmFsYm94LWd1aWRlcwAAAAAAAAAGc2hhMjU2AAAAUwAA",
  "AAtzc2gtZWQyNTUxOQAAAEAo+kDKbXFmp2M753t7IeWC27HwdUNh4wZgCcdjNFQABS9f5Q",
  "9GpEJuWd2aCHHK/xIJChPiF3p7q5PXusZAIWUO",
  "-----END SSH SIGNATURE-----",
);

const FOR_GIT = lines(
  "-----BEGIN SSH SIGNATURE-----",
  "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg5pvaPR4d2Z5DqNuYsF32gQ8S4b",
  "C4iGxLl89omFiu5PYAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5",
  "AAAAQJTCjAVP+06oFx5KT1k1b3ZVjBIImGwIpg6lB2s+qVIzhArDLqWbnC9AbutVcbOH8P",
  "wd47oJWqa/etkBx/0QDA8=",
  "-----END SSH SIGNATURE-----",
);

/** A throwaway key, of which ED25519 above is the public half. */
const OPENSSH_KEY = lines(
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
  "QyNTUxOQAAACDmm9o9Hh3ZnkOo25iwXfaBDxLhsLiIbEuXz2iYWK7k9gAAAJCWGuw+lhrs",
  "PgAAAAtzc2gtZWQyNTUxOQAAACDmm9o9Hh3ZnkOo25iwXfaBDxLhsLiIbEuXz2iYWK7k9g",
  "AAAEA+1rtFttKkjVkmSI6cE8dBLV3jbTghVcXxGO8KgiCR5uab2j0eHdmeQ6jbmLBd9oEP",
  "EuGwuIhsS5fPaJhYruT2AAAACXRocm93YXdheQECAwQ=",
  "-----END OPENSSH PRIVATE KEY-----",
);

const ENCRYPTED_KEY = lines(
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABBT8khiXx",
  "jRnzHLV9UbsSLlAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIMFmMswq/kmsZR6Y",
  "Xffx7MDSsxcPTxALXIhjiArPcWzoAAAAkPtSf2gRJQ4iacRJ3Jaf/7N70iRr/vPEE1jDEX",
  "LW9b5ihOvg+RehGokMd8z12SQh+waZrF6cr6OmPtWtYzpUWy1mIzor3mAhYeNDvpoy/nHg",
  "LoJDqpCeGBnQM1NQgVBDmN/pJA/hZBO9kTXUDEqsIDOH27JCv+pMnAk+A8z+/t7De5Al44",
  "Gz8J4scR7wKJXu7Q==",
  "-----END OPENSSH PRIVATE KEY-----",
);

const RSA_KEY_HEAD = "-----BEGIN RSA PRIVATE KEY-----";

/** By OpenSSL: a key, its public half, and `openssl pkeyutl -sign -rawin`. */
const PEM = {
  privateKey: lines(
    "-----BEGIN PRIVATE KEY-----",
    "MC4CAQAwBQYDK2VwBCIEINo99nUiMDeB9uP7jtMPkpBpUgAS2JaTuCvBNTmMPNk0",
    "-----END PRIVATE KEY-----",
  ),
  encrypted: lines(
    "-----BEGIN ENCRYPTED PRIVATE KEY-----",
    "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhW9fMM9JixMAICCAAw",
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEG6e2qUYw3uioOiMKdg/2iAEQM4Q",
    "wDFl3BBvEr/462/BDVmxAykedoiJ+fGY7IZD5iugZdf9daaSGJY2FhAXRptVu7+m",
    "aVHTsCVHtN016iRjpvA=",
    "-----END ENCRYPTED PRIVATE KEY-----",
  ),
  publicKey: lines(
    "-----BEGIN PUBLIC KEY-----",
    "MCowBQYDK2VwAyEAytoRZQ8ZFpScHp2+sLHeoHv+QKqkS9aCUi92WrmZxmE=",
    "-----END PUBLIC KEY-----",
  ),
  signature: "/ggRxN5oOttU9EEvDOey5MFLtT2xDX9n255cM8+QJYYGtBQnqnruOVwCqMcmCqgmshU3f8ck6FXk6YmgMJXnDQ==",
};

const [ED25519] = VECTORS;
const OTHERS = VECTORS.slice(1);

describe("keys", () => {
  test.each(VECTORS)("$name: a line of OpenSSH's, with or without a comment", ({ key }) => {
    const read = keyOf(key);
    expect(`${read.type} ${read.blob}`).toBe(key);
    expect(keyOf(`  ${key} sue@desk of the house \n`)).toEqual(read);
    expect(read.fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
  });

  test("one Ed25519 key is the same key in each of its spellings", () => {
    const fromPem = keyOf(PEM.publicKey);
    const raw = Buffer.from(fromPem.blob, "base64").subarray(-32);
    expect(keyOf(`ed25519 ${raw.toString("base64")}`)).toEqual(fromPem);
    expect(keyOf(`ssh-ed25519 ${fromPem.blob}`)).toEqual(fromPem);
  });

  const blob = Buffer.from(ED25519.key.split(" ")[1] ?? "", "base64");
  const line = (bytes: Buffer, type = "ssh-ed25519") => `${type} ${bytes.toString("base64")}`;
  const wire = (...parts: readonly (string | Buffer)[]) =>
    Buffer.concat(
      parts.map((part) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(part.length);
        return Buffer.concat([length, Buffer.from(part)]);
      }),
    );
  const rsa = (bits: number, exponent: string | null = null) => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
    const { n = "", e = "" } = publicKey.export({ format: "jwk" });
    const number = Buffer.from(n, "base64url");
    return line(
      wire(
        "ssh-rsa",
        exponent === null ? Buffer.from(e, "base64url") : Buffer.from(exponent, "hex"),
        Buffer.concat([Buffer.of(0), number]),
      ),
      "ssh-rsa",
    );
  };
  const point = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]);
  test.each<[string, string, string]>([
    ["nothing", "", "key_malformed"],
    ["no base64", "ssh-ed25519 AAAA*", "key_malformed"],
    ["base64 without its padding", `ssh-ed25519 ${blob.toString("base64").slice(0, -1)}`, "key_malformed"],
    ["another type in the line than in the key", line(blob, "ssh-rsa"), "key_malformed"],
    ["a byte behind it", line(Buffer.concat([blob, Buffer.of(0)])), "key_malformed"],
    ["a byte less", line(blob.subarray(0, -1)), "key_malformed"],
    [
      "a length that goes beyond it",
      line(Buffer.concat([Buffer.of(255, 255, 255, 255), blob.subarray(4)])),
      "key_malformed",
    ],
    ["an Ed25519 key of 31 bytes", line(wire("ssh-ed25519", Buffer.alloc(31, 1))), "key_malformed"],
    ["a raw key of 33 bytes", `ed25519 ${Buffer.alloc(33, 1).toString("base64")}`, "key_malformed"],
    ["two lines", `${ED25519.key}\n${ED25519.key}`, "key_malformed"],
    [
      "another curve in it than its type says",
      line(wire("ecdsa-sha2-nistp256", "nistp384", point), "ecdsa-sha2-nistp256"),
      "key_malformed",
    ],
    [
      "a point that is not on its curve",
      line(wire("ecdsa-sha2-nistp256", "nistp256", point), "ecdsa-sha2-nistp256"),
      "key_malformed",
    ],
    [
      "a compressed point",
      line(wire("ecdsa-sha2-nistp256", "nistp256", Buffer.alloc(33, 2)), "ecdsa-sha2-nistp256"),
      "key_malformed",
    ],
    ["an exponent of 1", rsa(2_048, "01"), "key_malformed"],
    ["an even exponent", rsa(2_048, "010000"), "key_malformed"],
    ["an exponent with a needless zero", rsa(2_048, "0003"), "key_malformed"],
    ["a negative exponent", rsa(2_048, "83"), "key_malformed"],
    ["RSA of 1,024 bits", rsa(1_024), "key_too_short"],
    ["RSA of 2,040 bits", rsa(2_040), "key_too_short"],
    ["DSA", line(wire("ssh-dss", "x"), "ssh-dss"), "key_unsupported"],
    [
      "a hardware key",
      line(wire("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 1), "ssh:"), "sk-ssh-ed25519@openssh.com"),
      "key_unsupported",
    ],
    [
      "a certificate",
      line(wire("ssh-ed25519-cert-v01@openssh.com", "x"), "ssh-ed25519-cert-v01@openssh.com"),
      "key_unsupported",
    ],
    [
      "a PEM of another kind",
      String(generateKeyPairSync("x25519").publicKey.export({ type: "spki", format: "pem" })),
      "key_unsupported",
    ],
    ["a PEM that is none", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "key_malformed"],
    ["a private key", PEM.privateKey, "key_malformed"],
    ["more than a key can be", `ssh-rsa ${"A".repeat(20_000)}`, "key_malformed"],
  ])("refused: %s", (_, text, code) => {
    const read = signatures.readKey(text);
    expect(codeOf(read)).toBe(code);
  });

  test("RSA of exactly 2,048 bits is taken", () => {
    expect(codeOf(signatures.readKey(rsa(2_048)))).toBe("ok");
  });
});

describe("pinned signatures of ssh-keygen", () => {
  test.each(VECTORS)("$name: it fits its statement and its key", ({ key, signature }) => {
    const own = keyOf(key);
    expect(signatures.verify(STATEMENT, signature, [keyOf(PEM.publicKey), own])).toEqual({
      ok: true,
      value: { format: "ssh", value: signature, key: own.fingerprint },
    });
  });

  test.each(VECTORS)("$name: not another statement, and not another key", ({ key, signature }) => {
    const own = keyOf(key);
    const declared = VECTORS.filter((other) => other.key !== key).map((other) => keyOf(other.key));
    expect(codeOf(signatures.verify(`${STATEMENT} `, signature, [own]))).toBe("signature_does_not_fit");
    expect(codeOf(signatures.verify("", signature, [own]))).toBe("signature_does_not_fit");
    expect(codeOf(signatures.verify(STATEMENT, signature, declared))).toBe("signature_of_another_key");
    expect(codeOf(signatures.verify(STATEMENT, signature, []))).toBe("signature_of_another_key");
  });

  test("over SHA-256 as well, and only for us", () => {
    const keys = [keyOf(ED25519.key)];
    expect(codeOf(signatures.verify(STATEMENT, OF_SHA256, keys))).toBe("ok");
    const forGit = signatures.verify(STATEMENT, FOR_GIT, keys);
    expect(forGit).toMatchObject({
      ok: false,
      why: { code: "signature_of_another_namespace", detail: 'it was made for "git": sign with -n signalbox-guides' },
    });
  });

  test("the armour may come with other line ends and blank lines behind it; what is kept is the one spelling", () => {
    const keys = [keyOf(ED25519.key)];
    const said = `\n${ED25519.signature.replace(/\n/g, "\r\n")}\r\n\r\n`;
    expect(signatures.verify(STATEMENT, said, keys)).toMatchObject({ ok: true, value: { value: ED25519.signature } });
  });

  test("[guide-signature] every byte of a signature counts", () => {
    for (const { key, signature } of [ED25519, ...OTHERS.slice(0, 1)]) {
      const keys = [keyOf(key)];
      const bytes = bytesOf(signature);
      for (let at = 0; at < bytes.length; at++) {
        for (const bit of [1, 0x80]) {
          const flipped = Buffer.from(bytes);
          flipped[at] = (flipped[at] ?? 0) ^ bit;
          const read = signatures.verify(STATEMENT, armour(flipped), keys);
          expect(read.ok, `byte ${at}`).toBe(false);
        }
      }
      for (let length = 0; length < bytes.length; length++) {
        expect(codeOf(signatures.verify(STATEMENT, armour(bytes.subarray(0, length)), keys))).toBe(
          "signature_malformed",
        );
      }
      const longer = armour(Buffer.concat([bytes, Buffer.of(0)]));
      expect(codeOf(signatures.verify(STATEMENT, longer, keys))).toBe("signature_malformed");
    }
  });

  function bytesOf(signature: string): Buffer {
    return Buffer.from(signature.replace(/-----.*-----/g, ""), "base64");
  }

  function armour(bytes: Buffer): string {
    return `-----BEGIN SSH SIGNATURE-----\n${bytes.toString("base64")}\n-----END SSH SIGNATURE-----`;
  }

  /** The same signature with one part written over: each is as long as the one that it stands for, unless it says so. */
  function rewritten(from: string, to: string): string {
    const bytes = bytesOf(ED25519.signature);
    const at = bytes.lastIndexOf(from);
    if (at < 0) throw new Error(`${from} is not in it`);
    bytes.write(to, at, "latin1");
    return armour(bytes);
  }

  test.each<[string, string, string]>([
    ["nothing", "", "signature_malformed"],
    ["some text", "signed, sue", "signature_malformed"],
    ["no end", ED25519.signature.replace(/-----END.*\n/, ""), "signature_malformed"],
    ["two of them", ED25519.signature + ED25519.signature, "signature_malformed"],
    ["text before it", `hello\n${ED25519.signature}`, "signature_malformed"],
    ["blanks in its base64", ED25519.signature.replace("U1NI", "U1 NI"), "signature_malformed"],
    ["another armour", ED25519.signature.replace(/SSH SIGNATURE/g, "PGP SIGNATURE"), "signature_malformed"],
    ["another hash", rewritten("sha512", "sha384"), "signature_of_another_hash"],
    ["another algorithm of the key's", rewritten("ssh-ed25519", "ssh-ed25518"), "signature_malformed"],
    ["another namespace", rewritten("signalbox-guides", "signalbox-guidez"), "signature_of_another_namespace"],
    ["64 bytes that are no signature", Buffer.alloc(64, 1).toString("base64"), "signature_does_not_fit"],
    ["63 bytes", Buffer.alloc(63, 1).toString("base64"), "signature_malformed"],
    ["more than a signature can be", "A".repeat(100_000), "signature_malformed"],
  ])("refused: %s", (_, signature, code) => {
    expect(codeOf(signatures.verify(STATEMENT, signature, [keyOf(ED25519.key)]))).toBe(code);
  });
});

describe("Ed25519 without SSH", () => {
  test("what OpenSSL signed fits, under the key in any spelling", () => {
    const key = keyOf(PEM.publicKey);
    const expected = { ok: true, value: { format: "ed25519", value: PEM.signature, key: key.fingerprint } };
    expect(signatures.verify(STATEMENT, `${PEM.signature}\n`, [keyOf(ED25519.key), key])).toEqual(expected);
    expect(codeOf(signatures.verify(`${STATEMENT}!`, PEM.signature, [key]))).toBe("signature_does_not_fit");
    expect(codeOf(signatures.verify(STATEMENT, PEM.signature, [keyOf(ED25519.key)]))).toBe("signature_does_not_fit");
    expect(
      codeOf(
        signatures.verify(
          STATEMENT,
          PEM.signature,
          OTHERS.map((other) => keyOf(other.key)),
        ),
      ),
    ).toBe("signature_of_another_key");
  });

  test("a statement that an editor ended with a line break is told from one of other words", () => {
    const key = keyOf(PEM.publicKey);
    const over = signBytes(null, Buffer.from(`${STATEMENT}\n`), createPrivateKey(PEM.privateKey)).toString("base64");
    expect(signatures.verify(STATEMENT, over, [key])).toMatchObject({
      ok: false,
      why: { code: "signature_does_not_fit", detail: expect.stringContaining("line break") },
    });
  });
});

describe("signing", () => {
  test("with OpenSSH's own format it is the signature that ssh-keygen made: Ed25519 leaves no choice", () => {
    expect(signatures.sign(STATEMENT, OPENSSH_KEY)).toEqual({ ok: true, value: ED25519.signature });
    expect(signatures.sign(STATEMENT, OPENSSH_KEY.replace(/\n/g, "\r\n"))).toEqual({
      ok: true,
      value: ED25519.signature,
    });
  });

  test("with a PEM", () => {
    const signed = signatures.sign(STATEMENT, PEM.privateKey);
    if (!signed.ok) throw new Error(signed.why.detail);
    expect(signatures.verify(STATEMENT, signed.value, [keyOf(PEM.publicKey)])).toMatchObject({ ok: true });
  });

  const openSsh = Buffer.from(OPENSSH_KEY.replace(/-----.*-----/g, ""), "base64");
  const keyFile = (bytes: Buffer) =>
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${bytes.toString("base64")}\n-----END OPENSSH PRIVATE KEY-----`;
  const flippedKey = (fromEnd: number) => {
    const bytes = Buffer.from(openSsh);
    bytes[bytes.length - fromEnd] = (bytes.at(-fromEnd) ?? 0) ^ 1;
    return keyFile(bytes);
  };
  const other = (type: "ec" | "rsa") =>
    String(
      (type === "ec"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("rsa", { modulusLength: 2_048 })
      ).privateKey.export({ type: "pkcs8", format: "pem" }),
    );
  test.each<[string, string, string]>([
    ["a passphrase, in OpenSSH's format", ENCRYPTED_KEY, "key_encrypted"],
    ["a passphrase, in a PEM", PEM.encrypted, "key_encrypted"],
    ["RSA in an old PEM", lines(RSA_KEY_HEAD, "AAAA", "-----END RSA PRIVATE KEY-----"), "key_unsupported"],
    ["RSA", other("rsa"), "key_unsupported"],
    ["an elliptic curve of NIST's", other("ec"), "key_unsupported"],
    ["a public key", PEM.publicKey, "key_malformed"],
    ["nothing", "", "key_malformed"],
    ["a cut one", keyFile(openSsh.subarray(0, -9)), "key_malformed"],
    ["another public half in it", flippedKey(40), "key_malformed"],
    ["another padding", flippedKey(1), "key_malformed"],
    ["a byte behind it", keyFile(Buffer.concat([openSsh, Buffer.of(1)])), "key_malformed"],
  ])("refused: %s", (_, text, code) => {
    const signed = signatures.sign(STATEMENT, text);
    expect(codeOf(signed)).toBe(code);
    if (signed.ok) return;
    // What is said of a key never quotes it.
    for (const line of text.split("\n").filter((one) => one.length > 20 && !one.startsWith("-----"))) {
      expect(signed.why.detail).not.toContain(line.slice(0, 12));
    }
    if (code === "key_encrypted" || code === "key_unsupported") {
      expect(signed.why.detail).toContain("ssh-keygen -Y sign -n signalbox-guides");
    }
  });
});

const keygen = spawnSync("ssh-keygen", ["-Y", "sign"], { encoding: "utf8" });
const hasKeygen = keygen.error === undefined && /-Y|Too few|namespace/i.test(keygen.stderr);
if (!hasKeygen)
  console.log("skipped: ssh-keygen with -Y is not on this machine, so only the pinned signatures are checked");

describe.skipIf(!hasKeygen)("ssh-keygen itself", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-keys-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (args: readonly string[], input = "") => {
    const done = spawnSync("ssh-keygen", args, { cwd: folder, input, encoding: "utf8" });
    return { status: done.status, said: done.stdout + done.stderr };
  };

  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ["ed25519", ["-t", "ed25519"]],
    ["ecdsa-256", ["-t", "ecdsa", "-b", "256"]],
    ["ecdsa-384", ["-t", "ecdsa", "-b", "384"]],
    ["ecdsa-521", ["-t", "ecdsa", "-b", "521"]],
    ["rsa-3072", ["-t", "rsa", "-b", "3072"]],
  ];
  test.each(kinds)("%s: what it signs is taken, and its fingerprint is ours", (name, args) => {
    expect(run(["-q", ...args, "-N", "", "-C", "sue@desk", "-f", name])).toMatchObject({ status: 0 });
    const key = keyOf(readFileSync(join(folder, `${name}.pub`), "utf8"));
    expect(run(["-l", "-f", `${name}.pub`]).said).toContain(key.fingerprint);
    // Several: an ECDSA signature has numbers that are shorter now and then, and each of them has to be read.
    for (let round = 0; round < 8; round++) {
      const statement = `{"round":${round},"ä":"€ 😀"}`;
      writeFileSync(join(folder, "statement"), statement);
      rmSync(join(folder, "statement.sig"), { force: true });
      expect(run(["-q", "-Y", "sign", "-n", "signalbox-guides", "-f", name, "statement"])).toMatchObject({ status: 0 });
      const signature = readFileSync(join(folder, "statement.sig"), "utf8");
      expect(signatures.verify(statement, signature, [key])).toMatchObject({ ok: true });
      expect(codeOf(signatures.verify(`${statement} `, signature, [key]))).toBe("signature_does_not_fit");
    }
  });

  test("what we sign it takes", () => {
    for (const [name, key] of [
      ["openssh", OPENSSH_KEY],
      ["pem", PEM.privateKey],
    ] as const) {
      const signed = signatures.sign(STATEMENT, key);
      if (!signed.ok) throw new Error(signed.why.detail);
      const blob = name === "pem" ? `ssh-ed25519 ${keyOf(PEM.publicKey).blob}` : ED25519.key;
      writeFileSync(join(folder, "allowed"), `sue@desk ${blob}\n`);
      writeFileSync(join(folder, "ours.sig"), signed.value);
      const check = (statement: string) =>
        run(["-Y", "verify", "-f", "allowed", "-I", "sue@desk", "-n", "signalbox-guides", "-s", "ours.sig"], statement);
      expect(check(STATEMENT)).toMatchObject({ status: 0 });
      expect(check(`${STATEMENT} `).status).not.toBe(0);
    }
  });

  test("a new key in its own format signs here, and one with a passphrase says how to sign elsewhere", () => {
    expect(run(["-q", "-t", "ed25519", "-N", "", "-f", "fresh"]).status).toBe(0);
    const signed = signatures.sign(STATEMENT, readFileSync(join(folder, "fresh"), "utf8"));
    if (!signed.ok) throw new Error(signed.why.detail);
    const key = keyOf(readFileSync(join(folder, "fresh.pub"), "utf8"));
    expect(signatures.verify(STATEMENT, signed.value, [key])).toMatchObject({ ok: true });
    expect(run(["-q", "-t", "ed25519", "-N", "a passphrase", "-f", "locked"]).status).toBe(0);
    expect(codeOf(signatures.sign(STATEMENT, readFileSync(join(folder, "locked"), "utf8")))).toBe("key_encrypted");
    expect(run(["-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", "wide"]).status).toBe(0);
    expect(codeOf(signatures.sign(STATEMENT, readFileSync(join(folder, "wide"), "utf8")))).toBe("key_unsupported");
  });
});
