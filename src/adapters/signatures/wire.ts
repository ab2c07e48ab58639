/** SSH's wire format (RFC 4251, 5): what is length-prefixed, read strictly. A length is checked before anything is taken. */

/** What hostile bytes were found to be. Caught where reading begins, and never seen outside of this folder. */
export class Unreadable extends Error {}

/** Reads one after another from bytes that somebody else wrote. Every method throws Unreadable. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The next `length` bytes. */
  take(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new Unreadable("it ends too early");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  uint32(): number {
    return this.take(4).readUInt32BE(0);
  }

  string(): Buffer {
    return this.take(this.uint32());
  }

  /** A string that is a name: printable ASCII. */
  name(): string {
    const bytes = this.string();
    if (bytes.length > 64 || bytes.some((byte) => byte < 0x20 || byte > 0x7e))
      throw new Unreadable("a name in it is none");
    return bytes.toString("latin1");
  }

  /** A whole number above 0, without needless zeros before it (RFC 4251: no other spelling of a number is one). */
  positive(): Buffer {
    const bytes = this.string();
    const first = bytes[0] ?? 0;
    if (bytes.length === 0 || first >= 0x80) throw new Unreadable("a number in it is not above 0");
    if (first !== 0) return bytes;
    if ((bytes[1] ?? 0) < 0x80) throw new Unreadable("a number in it has needless zeros");
    return bytes.subarray(1);
  }

  rest(): Buffer {
    return this.take(this.#bytes.length - this.#at);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw new Unreadable(`${this.#bytes.length - this.#at} bytes follow its end`);
  }
}

export function wireUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function wireString(value: string | Uint8Array): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : Buffer.from(value);
  return Buffer.concat([wireUint32(bytes.length), bytes]);
}

/** Base64 in its one spelling: padded, nothing in it that is none, no stray bits at the end. */
export function strictBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 0 || bytes.toString("base64") !== text) throw new Unreadable("it is not base64");
  return bytes;
}

/** More than any key or signature takes: an RSA signature of 16,384 bits with its key has 4,300 bytes. */
const TEXT_LENGTH_MAX = 16_384;

/** The bytes between the two lines of an armour, or null where the text is in no such armour. */
export function readArmour(text: string, label: string): Buffer | null {
  if (text.length > TEXT_LENGTH_MAX) throw new Unreadable("it is too long");
  const lines = text.replace(/\r\n/g, "\n").replace(/\n+$/, "").split("\n");
  if (lines.at(0) !== `-----BEGIN ${label}-----`) return null;
  if (lines.at(-1) !== `-----END ${label}-----`) throw new Unreadable("its last line is missing");
  return strictBase64(lines.slice(1, -1).join(""));
}

/** As ssh-keygen writes it. */
export function armoured(bytes: Uint8Array, label: string): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,70}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
