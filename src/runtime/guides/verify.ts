import { canonicalJson } from "../../domain/canonical.ts";
import type { Finding } from "../../domain/finding.ts";
import type { GuideVerified } from "../../domain/guide-record.ts";
import { nearest } from "../../domain/nearest.ts";
import { redactText } from "../../domain/redact.ts";
import {
  type GuideState,
  revisionsOf,
  SCORE_1,
  shownName,
  standingApprovals,
  standingReceipt,
  verificationOf,
  withholdingOfApproval,
} from "../../guides/index.ts";
import { WHOLE_FOLDER } from "../../ports/guide-files.ts";
import { StoreError } from "../../ports/store.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import type { Verified } from "./api.ts";
import { circumstancesOf } from "./circumstances.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { groundedFindings } from "./grounded-findings.ts";
import { guidesIn } from "./guide-parts.ts";
import { profileDigests } from "./load-served.ts";
import { appendRecords, soundChain } from "./read-chain.ts";
import { type Folder, type FolderFile, isSafety, readFolder, ruleIdOf } from "./read-folder.ts";
import { say } from "./say.ts";

/** What a verification looks at, as its receipt says it. */
const CHECKS = ["format", "hidden_code_points", "duplicates", "profiles", "expiry", "secrets"] as const;

/**
 * Runs the checks on the files of these rules, or of all, keeps their bytes, and writes a receipt of each: also of those that
 * did not pass. A file gets none whose header does not say for certain which rule it is, or whose bytes may not be kept. Nothing
 * is written of a file whose newest receipt says the same and can still be approved on.
 *
 * @throws SignalboxError `unknown_rule`, `chain_broken`.
 */
export async function verifyRules(parts: Parts, ids?: readonly string[]): Promise<readonly Verified[]> {
  const folder = await readFolder(parts);
  const files = ids === undefined ? folder.files : wantedFiles(folder, ids);
  const found: (Checked & { readonly file: FolderFile })[] = [];
  for (const file of files) found.push({ file, ...(await checked(parts, folder, file)) });
  const receipts = found.flatMap(({ file, secret, ...of }): readonly Receipt[] => {
    const rule = ruleIdOf(file);
    return rule === null || secret ? [] : [{ file, record: receipt(parts, rule, file, of) }];
  });
  const noted: ReadonlyMap<FolderFile, Noted> =
    receipts.length === 0 ? new Map() : await say(parts, () => written(parts, receipts));
  return found.map(({ file, checks, findings, passed }) => {
    const { digest: revision, name } = file;
    const of = noted.get(file) ?? NOTHING_NOTED;
    return { rule: ruleIdOf(file), revision, file: name, passed, checks, findings, ...of };
  });
}

type Receipt = { readonly file: FolderFile; readonly record: GuideVerified };
type Noted = Pick<Verified, "cited" | "approved" | "restored">;

const NOTHING_NOTED: Noted = { cited: null, approved: false, restored: false };

/** The rows that say these receipts: those that are there, and new ones for the others. */
async function written(parts: Parts, receipts: readonly Receipt[]): Promise<ReadonlyMap<FolderFile, Noted>> {
  const state = await soundChain(parts);
  const onHand = new Set(receipts.map(({ record }) => `${record.rule} ${record.revision}`));
  const noted = new Map<FolderFile, Noted>();
  const fresh: Receipt[] = [];
  for (const one of receipts) {
    const { file, record } = one;
    const said = standingReceipt(state, record, (revision) => onHand.has(`${record.rule} ${revision}`));
    // What was verified before is kept: where it is not, it is put back.
    const isKnown = revisionsOf(state, record.rule).includes(record.revision);
    const restored = isKnown && !(await isKept(parts, file));
    const cited = said === null || restored ? null : { seq: said.seq, hash: said.hash };
    noted.set(file, { cited, approved: isApproved(parts, state, record), restored });
    if (cited === null) fresh.push(one);
  }
  if (fresh.length === 0) return noted;
  const revisions = fresh.map(({ file: { bytes, digest } }) => ({ bytes, digest }));
  const records = fresh.map(({ record }) => record);
  const placed = await appendRecords(parts, state, records, revisions);
  for (const [i, { hash, seq }] of placed.entries()) {
    const file = fresh[i]?.file;
    if (file !== undefined) noted.set(file, { ...(noted.get(file) ?? NOTHING_NOTED), cited: { seq, hash } });
  }
  return noted;
}

/**
 * Whether an approval of these bytes counts here that was given on a receipt like this one. What was found may differ, since
 * warnings come with other rules.
 */
function isApproved(parts: Parts, state: GuideState, record: GuideVerified): boolean {
  const [profile] = guidesIn(parts).profiles.values();
  if (!record.passed || profile === undefined) return false;
  const circumstances = circumstancesOf(parts, profile);
  const ground = groundOf(record);
  return standingApprovals(state, record).some(
    (approval) =>
      groundOf(verificationOf(state, approval).record) === ground &&
      withholdingOfApproval(state, approval, circumstances) === null,
  );
}

/** What a receipt rests on. */
function groundOf({ checks, map, profiles, tool }: GuideVerified): string {
  return canonicalJson({ checks: [...checks], map, profiles, tool });
}

/**
 * Whether the bytes of a file are what is kept under their name. Where they are not, a disk or somebody has changed them, and the
 * store puts them back with the next receipt.
 */
async function isKept(parts: Parts, { digest }: FolderFile): Promise<boolean> {
  try {
    const kept = await parts.store.readRevision(digest);
    return kept !== null && parts.hashBytes(kept) === digest;
  } catch (error) {
    if (error instanceof StoreError && error.code === "damaged") return false;
    throw error;
  }
}

function wantedFiles({ files, lint }: Folder, ids: readonly string[]): readonly FolderFile[] {
  const known = new Set(files.flatMap((file) => ruleIdOf(file) ?? []));
  const stranger = ids.find((id) => !known.has(id));
  if (stranger !== undefined) {
    const near = nearest(stranger, [...known]);
    const names = lint.unreadable.map((name) => (name === WHOLE_FOLDER ? "the folder" : shownName(name)));
    const unread = names.length === 0 ? "" : `; no id can be read in ${names.join(", ")}`;
    throw new SignalboxError("unknown_rule", `no file has the rule "${stranger.slice(0, 60)}"${unread}`, {
      hint: near === null ? "signalbox guides list says which there are" : `did you mean "${near}"?`,
    });
  }
  const wanted = new Set(ids);
  return files.filter((file) => wanted.has(ruleIdOf(file) ?? ""));
}

type Checked = {
  readonly checks: readonly string[];
  readonly findings: readonly Finding[];
  readonly secret: boolean;
  readonly passed: boolean;
  readonly map: string | null;
};

/** Everything that was found about one file. */
async function checked(parts: Parts, { lint }: Folder, file: FolderFile): Promise<Checked> {
  const found = [...(lint.ofFiles.get(file.name) ?? []), ...(isSafety(file) ? lint.ofProfiles : [])];
  const secret = holdsSecret(parts, file);
  if (secret) found.push(secretIn(file.name));
  const rule = file.parsed.ok ? file.parsed.rule : null;
  const isGrounded = rule !== null && rule.guide !== null;
  const grounded = isGrounded ? await groundedFindings(parts, rule) : null;
  const findings = [...found, ...(grounded?.findings ?? [])].map((one) => redacted(parts, one));
  const passed = file.parsed.ok && findings.every(({ severity }) => severity !== "error");
  const map = grounded === null ? guidesIn(parts).map : grounded.map;
  return { checks: isGrounded ? [...CHECKS, `ground ${SCORE_1.version}`] : CHECKS, findings, secret, passed, map };
}

/** Bytes that hold a declared secret are kept nowhere, so they can be neither approved nor served. */
function holdsSecret(parts: Parts, { bytes, name }: FolderFile): boolean {
  const text = decodeUtf8(bytes);
  const said = `${name}\n${text.ok ? text.value : ""}`;
  return redactText(said, parts.redaction) !== said;
}

function secretIn(name: string): Finding {
  const message = "a declared secret stands in the file: what is approved is kept and served as it is, so take it out";
  return { rule: "secret_in_guide", severity: "error", where: name, message };
}

function redacted({ redaction }: Parts, { message, where, ...rest }: Finding): Finding {
  return { ...rest, where: redactText(where, redaction), message: redactText(message, redaction) };
}

function receipt(
  parts: Parts,
  rule: string,
  { digest, name }: FolderFile,
  { checks, findings, map, passed }: Omit<Checked, "secret">,
): GuideVerified {
  const { profiles, tool } = guidesIn(parts);
  return {
    kind: "guide_verified",
    at: parts.clock.now(),
    rule,
    revision: digest,
    file: name,
    checks,
    findings,
    passed,
    profiles: profileDigests(parts, profiles.values()),
    map,
    tool,
  };
}
