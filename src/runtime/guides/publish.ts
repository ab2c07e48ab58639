import type { GuideApproved, GuidePublished } from "../../domain/guide-record.ts";
import { APPROVED_DIGITS_MIN } from "../../domain/revision.ts";
import {
  type GuideState,
  nameOf,
  newestPassing,
  type Placed,
  revisionsOf,
  standingApprovals,
  stateOfRevision,
  verificationOf,
  type Withholding,
} from "../../guides/index.ts";
import { SignalboxError, textOf } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { PublishedRule } from "./api.ts";
import { circumstancesOf } from "./circumstances.ts";
import { guidesIn } from "./guide-parts.ts";
import { heldBack } from "./load-served.ts";
import { type NamedRevision, namedRevision } from "./named-revision.ts";
import { guideApprover } from "./person.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { type Folder, readFolder, refuseUnreadable, ruleIdOf } from "./read-folder.ts";
import { say } from "./say.ts";

/**
 * Makes approved bytes what is served: all of these rules or none. `RULE@DIGEST` names the bytes; `RULE` alone means those of
 * its file now, so a file that was edited after its approval is refused. The approval is read in the transaction that writes
 * the publication: a chain that has gone on since refuses the write, and the store itself looks for what each row cites.
 *
 * @throws SignalboxError `unreadable_header`, `not_approved`, `approval_revoked`, `approval_withdrawn`, the codes of withheld rules
 *   where the approval would not cover serving (`expired` too), `already_published`, `revision_damaged`, `chain_broken`.
 */
export async function publishRules(
  parts: Parts,
  ids: readonly string[],
  { as }: { readonly as: string },
): Promise<readonly PublishedRule[]> {
  const by = guideApprover(parts, as);
  if (ids.length === 0) throw new SignalboxError("usage", "name the rules to be published");
  const folder = await readFolder(parts);
  refuseUnreadable(parts, folder);
  return say(parts, async () => {
    const state = await soundChain(parts);
    const wanted = ids.map((id) => (textOf(id).includes("@") ? namedRevision(state, id) : ofFile(folder, id)));
    refuseTwice(wanted);
    const records: GuidePublished[] = [];
    for (const of of wanted) {
      const { hash, seq } = await approvalToCite(parts, state, of);
      records.push({ kind: "guide_published", at: parts.clock.now(), ...of, approval: { seq, hash }, by: by.id });
    }
    const placed = await appendRecords(parts, state, records);
    return wanted.map(({ revision, rule }, i) => {
      const before = state.published.get(rule)?.record.revision ?? null;
      return { rule, revision, before, cited: { seq: placed[i]?.seq ?? 0, hash: placed[i]?.hash ?? "" } };
    });
  });
}

function ofFile({ files }: Folder, id: string): NamedRevision {
  const own = files.filter((file) => ruleIdOf(file) === id);
  const [file] = own;
  if (file === undefined || own.length > 1) {
    const why = file === undefined ? "no file has" : `${own.map(({ name }) => name).join(" and ")} have`;
    throw new SignalboxError(
      file === undefined ? "unknown_rule" : "duplicate_id",
      `${why} the rule "${textOf(id).slice(0, 60)}"`,
      {
        hint: "name the bytes: RULE@DIGEST",
      },
    );
  }
  return { rule: id, revision: file.digest };
}

function refuseTwice(wanted: readonly NamedRevision[]): void {
  const rules = wanted.map(({ rule }) => rule);
  const twice = rules.find((rule, i) => rules.indexOf(rule) !== i);
  if (twice !== undefined) throw new SignalboxError("usage", `${twice} is named twice`);
}

/** The newest approval of these bytes that covers serving them under every profile of the config. */
async function approvalToCite(parts: Parts, state: GuideState, of: NamedRevision): Promise<Placed<GuideApproved>> {
  const standing = standingApprovals(state, of);
  if (standing.length === 0) throw unapproved(state, of);
  const all = [...guidesIn(parts).profiles.values()].map((profile) => circumstancesOf(parts, profile));
  const why: Withholding[] = [];
  for (const approval of standing) {
    const on = { approval, verification: verificationOf(state, approval) };
    const before = why.length;
    for (const circumstances of all) {
      const loaded = await heldBack(parts, state, on, circumstances);
      if ("kind" in loaded) throw new SignalboxError(loaded.code, loaded.detail, { exitCode: 7 });
      if (loaded.held !== null) why.push(loaded.held);
    }
    if (why.length === before) return approval;
  }
  const [first] = why;
  throw new SignalboxError(first?.code ?? "not_approved", `${nameOf(of)}: ${first?.detail}`, { exitCode: 3 });
}

function unapproved(state: GuideState, of: NamedRevision): SignalboxError {
  const name = nameOf(of);
  const said = stateOfRevision(state, of);
  if (said === "revoked" || said === "withdrawn") {
    const [code, what] =
      said === "revoked"
        ? ["approval_revoked", `the approval of ${name} was taken back`]
        : ["approval_withdrawn", `${name} was withdrawn, and what was approved before is not published again`];
    const hint = `signalbox guides verify ${of.rule}: then it can be approved anew`;
    return new SignalboxError(code, what, { exitCode: 3, hint });
  }
  const isApproved = (revision: string) => standingApprovals(state, { rule: of.rule, revision }).length > 0;
  const edited = revisionsOf(state, of.rule).some(isApproved)
    ? "; other bytes of this rule were: a file that was edited after its approval is approved anew"
    : "";
  const next =
    newestPassing(state, of) === null
      ? `verify ${of.rule}`
      : `approve ${of.rule}@${of.revision.slice(0, APPROVED_DIGITS_MIN)}`;
  return new SignalboxError("not_approved", `nobody approved ${name}${edited}`, {
    exitCode: 3,
    hint: `signalbox guides ${next}`,
  });
}
