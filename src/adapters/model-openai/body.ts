import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type Clean, excerpt } from "./clean.ts";
import { type Answer, reasonOf } from "./exchange.ts";

/** Bytes of one document that are read; a server that sends more is cut off. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** UTF-16 units of a header that a message shows. */
const HEADER_UNITS_MAX = 40;

/** What takes the text of a body, piece by piece. */
export type TextReader = {
  /** Bytes that are read, after unpacking. */
  readonly bytesMax: number;
  /** Answers whether it wants more. */
  take(text: string): boolean;
};

/**
 * Why there is no whole body. `cut`: it broke off. `unreadable`: it is no text. `detail` makes the message, and is given what
 * takes secrets out of the headers: they are cut only after that.
 */
export type BodyFault = { readonly why: "cut" | "too_large" | "unreadable"; detail(clean: Clean): string };

/**
 * Reads a body as UTF-8 into `reader` until it has enough; null where all went well. Bytes are counted as they come out of
 * the unpacking, which runs no further ahead than a few kilobytes, so that a bomb costs no more than its bound. What the
 * content type says about the charset is not looked at: JSON is UTF-8 (RFC 8259, 8.1). A byte order mark is taken off.
 */
export async function readInto(answer: Answer, reader: TextReader): Promise<BodyFault | null> {
  const coding = (answer.headers["content-encoding"] ?? "").trim();
  const body = unpacked(answer.body, coding.toLowerCase());
  if (body === null) {
    const detail = (clean: Clean): string =>
      `the answer is packed as ${excerpt(coding, HEADER_UNITS_MAX, clean)}, which was not asked for`;
    return { why: "unreadable", detail };
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const chunks: AsyncIterator<unknown> = body[Symbol.asyncIterator]();
  let bytes = 0;
  for (;;) {
    let next: IteratorResult<unknown>;
    try {
      next = await chunks.next();
    } catch (error) {
      return fault("cut", `the answer broke off after ${bytes} bytes (${reasonOf(error)})`);
    }
    const chunk = next.done !== true && next.value instanceof Uint8Array ? next.value : null;
    bytes += chunk?.byteLength ?? 0;
    if (bytes > reader.bytesMax) return fault("too_large", `the answer is longer than ${reader.bytesMax} bytes`);
    const text = decoded(decoder, chunk);
    if (text === null) return { why: "unreadable", detail: (clean) => notUtf8(answer, clean) };
    if (text !== "" && !reader.take(text)) return null;
    if (chunk === null) return null;
  }
}

/**
 * The text of a body, or its start where it is longer than `bytesMax` bytes. Not what a connection left of it when it broke,
 * and not the last of a start: a secret that is cut in half there would be found by nobody.
 */
export async function readStart(answer: Answer, bytesMax: number): Promise<string> {
  let text = "";
  const take = (piece: string): boolean => {
    text += piece;
    return true;
  };
  const broken = await readInto(answer, { bytesMax, take });
  if (broken === null) return text;
  return broken.why === "too_large" ? text.slice(0, Math.max(0, text.length - SECRET_UNITS_MAX)) : "";
}

/** No key that fits into a header is longer. */
const SECRET_UNITS_MAX = 16 * 1024;

/** The whole text of a body, or null where there is no such thing. */
export async function readWhole(answer: Answer): Promise<string | null> {
  let text = "";
  const take = (piece: string): boolean => {
    text += piece;
    return true;
  };
  return (await readInto(answer, { bytesMax: BODY_BYTES_MAX, take })) === null ? text : null;
}

/** Null for a coding that nobody knows. None is asked for, but some servers and proxies pack what they like. */
function unpacked(body: Readable, coding: string): Readable | null {
  if (coding === "" || coding === "identity") return body;
  const unpack =
    coding === "gzip" || coding === "x-gzip"
      ? createGunzip()
      : coding === "deflate"
        ? createInflate()
        : coding === "br"
          ? createBrotliDecompress()
          : null;
  // An error shows at the end that is read.
  return unpack === null ? null : pipeline(body, unpack, () => {});
}

/** Null where the bytes are not UTF-8. */
function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array | null): string | null {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    return null;
  }
}

function notUtf8({ headers }: Answer, clean: Clean): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(clean(headers["content-type"] ?? ""))?.[1];
  const said = charset === undefined ? "" : `; its content type says ${excerpt(charset, HEADER_UNITS_MAX, clean)}`;
  return `the answer is not UTF-8${said}`;
}

function fault(why: BodyFault["why"], detail: string): BodyFault {
  return { why, detail: (clean) => clean(detail) };
}
