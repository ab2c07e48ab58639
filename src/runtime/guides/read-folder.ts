import { dayIn } from "../../domain/dates.ts";
import type { Finding } from "../../domain/finding.ts";
import { redactText } from "../../domain/redact.ts";
import { type Lint, lint, parseRule, type RuleParse, unreadableFile } from "../../guides/index.ts";
import { type GuideFile, WHOLE_FOLDER } from "../../ports/guide-files.ts";
import { SignalboxError } from "../error.ts";
import type { Parts } from "../parts.ts";
import { decodeUtf8 } from "./decode-utf8.ts";
import { guidesIn } from "./guide-parts.ts";

/** A file of the folder, and what is read in it. */
export type FolderFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly digest: string;
  readonly parsed: RuleParse;
};

export type Folder = {
  readonly files: readonly FolderFile[];
  readonly lint: Lint;
  readonly unreadable: readonly Unreadable[];
};

/** What may be a safety rule, since nobody can tell: a header that cannot be read, or what could not be read at all, and why. */
export type Unreadable = { readonly name: string; readonly why: Finding };

/** Every file of the folder but those that are excluded by name, checked one by one and together. */
export async function readFolder(parts: Parts): Promise<Folder> {
  const { profiles } = guidesIn(parts);
  const files: FolderFile[] = [];
  for (const { bytes, failed, name } of await includedFiles(parts)) {
    const digest = parts.hashBytes(bytes);
    files.push({ name, bytes, digest, parsed: parsedOf(name, bytes, digest, failed) });
  }
  const today = dayIn(parts.zone, parts.clock.now());
  return {
    files,
    lint: lint(files, [...profiles.values()], today, [...parts.tools.keys()]),
    unreadable: files.flatMap(({ name, parsed }) => unreadableAs(name, whyUnreadable(parsed))),
  };
}

function unreadableAs(name: string, why: Finding | null): readonly Unreadable[] {
  return why === null ? [] : [{ name, why }];
}

/** Why nobody can tell which rule a file is: the first error in it, as lint has it. null where its header is certain. */
export function whyUnreadable(parsed: RuleParse): Finding | null {
  if (parsed.ok || !parsed.headerUnreadable) return null;
  return parsed.findings.find(({ severity }) => severity === "error") ?? null;
}

/** What is wrong with the folder as a whole is left out by no name. */
async function includedFiles(parts: Parts): Promise<readonly GuideFile[]> {
  const { exclude, files } = guidesIn(parts);
  const all = await files.read();
  return all.filter(({ failed, name }) => !exclude.includes(name) || (name === WHOLE_FOLDER && failed !== null));
}

/**
 * What of the folder may be a safety rule, as it is now. It is asked before each run, so nothing is read while the folder says that
 * it is as before, and no file is parsed again that has the bytes of before.
 */
export async function unreadableNow(parts: Parts): Promise<readonly Unreadable[]> {
  const { guideBook } = parts;
  const { files } = guidesIn(parts);
  // Asked first: what is changed while it is read has another version the next time.
  const version = files.version === undefined ? null : await files.version();
  const known = guideBook.folder;
  if (known !== null && version !== null && known.version === version) return known.unreadable;
  const read = new Map<string, Finding | null>();
  const unreadable: Unreadable[] = [];
  for (const { bytes, failed, name } of await includedFiles(parts)) {
    const key = `${parts.hashBytes(bytes)} ${name}`;
    const before = failed === null ? known?.read.get(key) : undefined;
    const why = before === undefined ? whyUnreadable(parsedOf(name, bytes, "", failed)) : before;
    if (failed === null) read.set(key, why);
    unreadable.push(...unreadableAs(name, why));
  }
  guideBook.folder = { version, read, unreadable };
  return unreadable;
}

function parsedOf(name: string, bytes: Uint8Array, digest: string, failed: string | null): RuleParse {
  if (failed !== null) return unreadableFile(name, failed);
  const text = decodeUtf8(bytes);
  return text.ok ? parseRule({ name, text: text.value, digest }) : unreadableFile(name, text.why.detail);
}

/** The id of a file's rule; null where the header does not say it for certain. */
export function ruleIdOf({ parsed }: Pick<FolderFile, "parsed">): string | null {
  if (parsed.ok) return parsed.rule.id;
  return parsed.headerUnreadable ? null : parsed.id;
}

export function isSafety({ parsed }: Pick<FolderFile, "parsed">): boolean {
  if (parsed.ok) return parsed.rule.safety;
  return !parsed.headerUnreadable && parsed.safety;
}

/** While a header cannot be read, its file may be a safety rule. @throws SignalboxError `unreadable_header`. */
export function refuseUnreadable(parts: Parts, { unreadable }: Pick<Folder, "unreadable">): void {
  if (unreadable.length === 0) return;
  const hint = unreadable.some(({ name }) => name === WHOLE_FOLDER)
    ? "`guides` in the config names the folder"
    : "signalbox guides lint says what is wrong; `guides.exclude` names files that are no rules";
  throw new SignalboxError("unreadable_header", unreadableText(parts, unreadable), { exitCode: 3, hint });
}

/** What lint says of each, and what it comes to. */
export function unreadableText({ redaction }: Pick<Parts, "redaction">, unreadable: readonly Unreadable[]): string {
  const said = unreadable.map(({ name, why: { message, rule, where } }) =>
    redactText(name === WHOLE_FOLDER ? message : `${where}: ${rule}: ${message}`, redaction),
  );
  const isWhole = unreadable.every(({ name }) => name === WHOLE_FOLDER);
  const what = isWhole ? "a safety rule may be missing" : "what may be a safety rule cannot be read";
  return `${what}: ${listed(said, "; ")}`;
}

function listed(all: readonly string[], separator: string): string {
  const more = all.length - NAMED_MAX;
  return `${all.slice(0, NAMED_MAX).join(separator)}${more > 0 ? ` and ${more} more` : ""}`;
}

const NAMED_MAX = 5;
