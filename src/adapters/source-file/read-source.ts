import { open } from "node:fs/promises";
import { type Parsed, parsed, unparsed } from "../../domain/parsed.ts";

/**
 * The text of a file within a bound. It is decoded strictly: a byte that is no UTF-8 refuses it. A pipe is read to its end, a
 * folder is refused.
 */
export async function readSource(path: string, bytesMax: number): Promise<Parsed<string>> {
  try {
    await using file = await open(path, "r");
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      length += chunk.length;
      if (length > bytesMax) return unparsed("too_large", `${path} has more than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
    return decoded(Buffer.concat(chunks), path);
  } catch (error) {
    return unparsed("unreadable_source", `${path} cannot be read (${codeOf(error)})`);
  }
}

function decoded(bytes: Uint8Array, path: string): Parsed<string> {
  try {
    return parsed(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return unparsed("not_utf8", `${path} is no UTF-8${wide ? ", but UTF-16: write it again as UTF-8" : ""}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
