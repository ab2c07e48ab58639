import type { Parts } from "../parts.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { soundChain } from "./read-chain.ts";
import { readFolder, ruleIdOf } from "./read-folder.ts";
import { keptText, unknownRule } from "./show.ts";

/** The file of a rule, and the bytes that are published, as text; either null where there is none. */
export async function diffOf(
  parts: Parts,
  id: string,
): Promise<{ readonly file: string | null; readonly published: string | null }> {
  const [{ files }, state] = [await readFolder(parts), await soundChain(parts)];
  const file = files.find((one) => ruleIdOf(one) === id);
  const revision = state.published.get(id)?.record.revision;
  if (file === undefined && revision === undefined) {
    const known = files.flatMap((one) => ruleIdOf(one) ?? []);
    throw unknownRule(id, known);
  }
  const published = revision === undefined ? null : await keptText(parts, { rule: id, revision });
  return { file: textIn(file?.bytes ?? null), published };
}

function textIn(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  // A file that is no text cannot be shown as one; its difference is that it is none.
  return text.ok ? text.value : "";
}
