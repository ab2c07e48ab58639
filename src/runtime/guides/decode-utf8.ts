import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";

/**
 * Bytes as text, or at which byte they are none: nothing is replaced and nothing is taken off, a byte order mark neither, so
 * that the text stands for exactly these bytes.
 */
export function decodeUtf8(bytes: Uint8Array): Parsed<string> {
  const text = decoded(bytes);
  if (text !== null) return parsed(text);
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const what = isUtf16 ? "it looks like UTF-16" : `byte ${soundBytes(bytes)}, counted from 0, is none of it`;
  return unparsed("not_utf8", `the file is not UTF-8 (${what}): save it as UTF-8`);
}

/** `stream`: what looks like the beginning of a character may stand at the end. */
function decoded(bytes: Uint8Array, stream = false): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream });
  } catch {
    // A TypeError is how the platform says that bytes are no UTF-8; it does not say where.
    return null;
  }
}

/** How many bytes stand before the first that is part of no character. */
function soundBytes(bytes: Uint8Array): number {
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (decoded(bytes.subarray(0, middle), true) !== null) low = middle;
    else high = middle - 1;
  }
  // A character that begins there and does not go on.
  while (decoded(bytes.subarray(0, low)) === null) low -= 1;
  return low;
}
