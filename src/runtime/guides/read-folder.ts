import { dayIn } from "../../domain/dates.ts";
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
export type Unreadable = { readonly name: string; readonly failed: string | null };

/** Every file of the folder but those that are excluded by name, checked one by one and together. */
export async function readFolder(parts: Parts): Promise<Folder> {
  const { profiles } = guidesIn(parts);
  const files: (FolderFile & Pick<GuideFile, "failed">)[] = [];
  for (const { bytes, failed, name } of await includedFiles(parts)) {
    const digest = parts.hashBytes(bytes);
    files.push({ name, bytes, digest, failed, parsed: parsedOf(name, bytes, digest, failed) });
  }
  const today = dayIn(parts.zone, parts.clock.now());
  const unreadable = files.filter(({ parsed }) => !parsed.ok && parsed.headerUnreadable);
  return {
    files: files.map(({ failed: _, ...file }) => file),
    lint: lint(files, [...profiles.values()], today, [...parts.tools.keys()]),
    unreadable: unreadable.map(({ failed, name }) => ({ name, failed })),
  };
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
  const readable = new Map<string, boolean>();
  const unreadable: Unreadable[] = [];
  for (const { bytes, failed, name } of await includedFiles(parts)) {
    const key = `${parts.hashBytes(bytes)} ${name}`;
    const isReadable = failed === null && (known?.readable.get(key) ?? hasHeader(name, bytes));
    if (failed === null) readable.set(key, isReadable);
    if (!isReadable) unreadable.push({ name, failed });
  }
  guideBook.folder = { version, readable, unreadable };
  return unreadable;
}

function hasHeader(name: string, bytes: Uint8Array): boolean {
  const parsed = parsedOf(name, bytes, "", null);
  return parsed.ok || !parsed.headerUnreadable;
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
export function refuseUnreadable({ unreadable }: Pick<Folder, "unreadable">): void {
  if (unreadable.length === 0) return;
  const hint = unreadable.some(({ name }) => name === WHOLE_FOLDER)
    ? "`guides` in the config names the folder"
    : "signalbox guides lint says what is wrong; `guides.exclude` names files that are no rules";
  throw new SignalboxError("unreadable_header", unreadableText(unreadable), { exitCode: 3, hint });
}

export function unreadableText(unreadable: readonly Unreadable[]): string {
  const headers = unreadable.filter(({ failed }) => failed === null).map(({ name }) => name);
  const failures = unreadable.flatMap(({ failed, name }) =>
    failed === null ? [] : [name === WHOLE_FOLDER ? failed : `${name}: ${failed}`],
  );
  const said = [
    ...(headers.length === 0 ? [] : [`the header of ${listed(headers, ", ")} cannot be read`]),
    ...(failures.length === 0 ? [] : [listed(failures, "; ")]),
  ];
  return `${said.join("; ")}, so ${headers.length === 0 ? "a safety rule may be missing" : "it may be a safety rule"}`;
}

function listed(all: readonly string[], separator: string): string {
  const more = all.length - NAMED_MAX;
  return `${all.slice(0, NAMED_MAX).join(separator)}${more > 0 ? ` and ${more} more` : ""}`;
}

const NAMED_MAX = 5;
