import { readRevisionName } from "../../domain/revision.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { GuideWord } from "./api.ts";
import { namedRevision } from "./named-revision.ts";
import { guideApprover, neededWhy } from "./person.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { say } from "./say.ts";

/** Serves nothing under a rule's id any more. With a digest only where these bytes are what is published. */
export function withdrawRule(parts: Parts, id: string, word: GuideWord): Promise<void> {
  const by = guideApprover(parts, word.as);
  const why = neededWhy(parts, word.why);
  return say(parts, async () => {
    const state = await soundChain(parts);
    const rule = readRevisionName(textOf(id))?.rule ?? textOf(id);
    const current = state.published.get(rule)?.record.revision;
    const revision = textOf(id).includes("@") ? namedRevision(state, id).revision : current;
    if (revision === undefined || revision !== current) {
      throw new SignalboxError("not_published", `${textOf(id).slice(0, 90)} is not what is published`, { exitCode: 3 });
    }
    await appendRecords(parts, state, [
      { kind: "guide_withdrawn", at: parts.clock.now(), rule, revision, by: by.id, why },
    ]);
  });
}
