import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { soundChain } from "./read-chain.ts";
import { readFolder, ruleIdOf } from "./read-folder.ts";

/** The file of a rule, and the bytes that are published, as text; either null where there is none. */
export async function diffOf(
  parts: Parts,
  id: string,
): Promise<{ readonly file: string | null; readonly published: string | null }> {
  const [{ files }, state] = [await readFolder(parts), await soundChain(parts)];
  const file = files.find((one) => ruleIdOf(one) === id);
  const revision = state.published.get(id)?.record.revision;
  if (file === undefined && revision === undefined) {
    throw new SignalboxError(
      "unknown_rule",
      `no file has the rule "${textOf(id).slice(0, 60)}", and none is published`,
      {
        hint: "signalbox guides lint lists the files",
      },
    );
  }
  const bytes = revision === undefined ? null : await parts.store.readRevision(revision);
  if (revision !== undefined && (bytes === null || parts.hashBytes(bytes) !== revision)) {
    throw new SignalboxError(
      "revision_damaged",
      `the bytes of ${id}@${revision.slice(0, 12)} are gone, or are others`,
      {
        exitCode: 7,
        hint: "signalbox ledger verify",
      },
    );
  }
  return { file: textIn(file?.bytes ?? null), published: textIn(bytes) };
}

function textIn(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  // A file that is no text cannot be shown as one; its difference is that it is none.
  return text.ok ? text.value : "";
}
