import { nameOf, stateOfRevision } from "../../guides/index.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { KeptRevision, ShownRule } from "./api.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { type NamedRevision, newestNamed } from "./named-revision.ts";
import { soundChain } from "./read-chain.ts";
import { readFolder, ruleIdOf } from "./read-folder.ts";
import { statusOfFile, statusWithoutFile } from "./status.ts";
import { withheldNow } from "./withheld-now.ts";

/**
 * The bytes that are kept under a digest, named anew: exactly those that an approval under this digest is about. The file of the
 * rule is not looked at, since it can be another one at the next moment.
 *
 * @throws SignalboxError `unknown_revision`, `bad_digest`, `ambiguous_digest`, `revision_damaged`, `chain_broken`.
 */
export async function keptRevision(parts: Parts, id: string): Promise<KeptRevision> {
  const state = await soundChain(parts);
  const of = newestNamed(state, id);
  return { ...of, state: stateOfRevision(state, of), text: await keptText(parts, of) };
}

/** The file of a rule and its digest, from one reading; where there is no file, the bytes that are published. */
export async function shownRule(parts: Parts, id: string): Promise<ShownRule> {
  const [{ files }, state] = [await readFolder(parts), await soundChain(parts)];
  const file = files.find((one) => ruleIdOf(one) === id);
  if (file !== undefined) {
    const text = decodeUtf8(file.bytes);
    // A header was read in it, so it is text.
    const withheld = await withheldNow(parts, state, id);
    return { ...statusOfFile(state, file), withheld, digest: file.digest, text: text.ok ? text.value : "" };
  }
  const revision = state.published.get(id)?.record.revision;
  if (revision === undefined) {
    throw unknownRule(
      id,
      files.flatMap((one) => ruleIdOf(one) ?? []),
    );
  }
  const status = { ...(await statusWithoutFile(parts, state, id)), withheld: await withheldNow(parts, state, id) };
  return { ...status, digest: revision, text: await keptText(parts, { rule: id, revision }) };
}

/** The text of a revision, from the store. @throws SignalboxError `revision_damaged`. */
export async function keptText(parts: Parts, of: NamedRevision): Promise<string> {
  const bytes = await parts.store.readRevision(of.revision);
  const text = bytes === null || parts.hashBytes(bytes) !== of.revision ? null : decodeUtf8(bytes);
  if (text?.ok === true) return text.value;
  throw new SignalboxError("revision_damaged", `the bytes of ${nameOf(of)} are gone, or are others`, {
    exitCode: 7,
    hint: `signalbox guides verify ${of.rule} puts the bytes of its file back, where they are these`,
  });
}

/** `known`: the ids of the rules that there are. */
export function unknownRule(id: string, known: readonly string[]): SignalboxError {
  const some = known.slice(0, KNOWN_MAX).join(", ");
  return new SignalboxError(
    "unknown_rule",
    `no file has the rule "${textOf(id).slice(0, 80)}", and none is published`,
    {
      hint: known.length === 0 ? "there are no rules yet" : `there are ${some}${known.length > KNOWN_MAX ? ", …" : ""}`,
    },
  );
}

const KNOWN_MAX = 8;
