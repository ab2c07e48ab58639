import { dayIn } from "../../domain/dates.ts";
import { type Lint, lint, parseRule, type RuleParse, unreadableFile } from "../../guides/index.ts";
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

export type Folder = { readonly files: readonly FolderFile[]; readonly lint: Lint };

/** Every file of the folder but those that are excluded by name, checked one by one and together. */
export async function readFolder(parts: Parts): Promise<Folder> {
  const { exclude, files: source, profiles } = guidesIn(parts);
  const files: FolderFile[] = [];
  for (const { bytes, failed, name } of await source.read()) {
    if (exclude.includes(name)) continue;
    const digest = parts.hashBytes(bytes);
    files.push({ name, bytes, digest, parsed: parsedOf(name, bytes, digest, failed) });
  }
  const today = dayIn(parts.zone, parts.clock.now());
  return { files, lint: lint(files, [...profiles.values()], today, [...parts.tools.keys()]) };
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
export function refuseUnreadable({ unreadable }: Pick<Lint, "unreadable">): void {
  if (unreadable.length === 0) return;
  throw new SignalboxError("unreadable_header", unreadableText(unreadable), {
    exitCode: 3,
    hint: "signalbox guides lint says what is wrong; `guides.exclude` names files that are no rules",
  });
}

export function unreadableText(unreadable: readonly string[]): string {
  const more = unreadable.length - NAMED_MAX;
  const named = unreadable.slice(0, NAMED_MAX).join(", ");
  return `the header of ${named}${more > 0 ? ` and ${more} more` : ""} cannot be read, so it may be a safety rule`;
}

const NAMED_MAX = 5;
