import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guidesFolder } from "../../src/adapters/guides-folder/index.ts";
import type { DraftRule } from "../../src/domain/imported.ts";
import { parseRule } from "../../src/guides/index.ts";

export type ColdLoad = {
  readonly files: number;
  readonly bytes: number;
  /** Found and read, decoded and digested, and parsed, in milliseconds: once each, since a second time is not cold. */
  readonly readMs: number;
  readonly decodeMs: number;
  readonly parseMs: number;
  /** How many are rules; the others have a character that no rule may have. */
  readonly rules: number;
};

/** Writes so many rule files with the texts of drafts, and loads them as a start does. */
export async function coldLoad(drafts: readonly DraftRule[], files: number): Promise<ColdLoad> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-guides-"));
  try {
    for (let i = 0; i < files; i++) {
      const draft = drafts[i % drafts.length];
      if (draft === undefined) throw new RangeError("there are no drafts");
      const id = `r${i}`;
      writeFileSync(join(folder, `${id}.md`), draft.text.replace(`\nid: ${draft.id}\n`, `\nid: ${id}\n`));
    }
    return await load(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function load(folder: string): Promise<ColdLoad> {
  const start = performance.now();
  const read = await guidesFolder(folder).read();
  const decoding = performance.now();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const decoded = read.map(({ name, bytes }) => ({
    name,
    text: decoder.decode(bytes),
    digest: createHash("sha256").update(bytes).digest("hex"),
  }));
  const parsing = performance.now();
  const rules = decoded.filter((file) => parseRule(file).ok).length;
  const end = performance.now();
  return {
    files: read.length,
    bytes: read.reduce((sum, { bytes }) => sum + bytes.length, 0),
    readMs: decoding - start,
    decodeMs: parsing - decoding,
    parseMs: end - parsing,
    rules,
  };
}
