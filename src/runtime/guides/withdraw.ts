import { readRevisionName } from "../../domain/revision.ts";
import { revisionsOf } from "../../guides/index.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { GuideWord } from "./api.ts";
import { namedRevision } from "./named-revision.ts";
import { guideApprover, neededWhy } from "./person.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { readFolder, ruleIdOf } from "./read-folder.ts";
import { say } from "./say.ts";
import { unknownRule } from "./show.ts";

/**
 * Serves nothing under a rule's id any more. With a digest only where these bytes are what is published.
 *
 * @throws SignalboxError `unknown_rule`, `not_published`, and as `approveRule` for who and which.
 */
export function withdrawRule(parts: Parts, id: string, word: GuideWord): Promise<void> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  return say(parts, async () => {
    const state = await soundChain(parts);
    const rule = readRevisionName(textOf(id))?.rule ?? textOf(id);
    const current = state.published.get(rule)?.record.revision;
    const revision = textOf(id).includes("@") ? namedRevision(state, id).revision : current;
    if (current === undefined && revisionsOf(state, rule).length === 0) await refuseUnknown(parts, rule);
    if (revision === undefined || revision !== current) {
      throw new SignalboxError("not_published", `${textOf(id).slice(0, 90)} is not what is published`, { exitCode: 3 });
    }
    await appendRecords(parts, state, [
      { kind: "guide_withdrawn", at: parts.clock.now(), rule, revision, by: by.id, why },
    ]);
  });
}

/** A rule that the chain never heard of is at least in the folder. @throws SignalboxError `unknown_rule`. */
async function refuseUnknown(parts: Parts, rule: string): Promise<void> {
  const known = (await readFolder(parts)).files.flatMap((file) => ruleIdOf(file) ?? []);
  if (!known.includes(rule)) throw unknownRule(rule, known);
}
