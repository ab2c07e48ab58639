import { type GuideState, isToPublish, publishedOf, stateOfRevision } from "../../guides/index.ts";
import type { Parts } from "../parts.ts";
import type { RuleStatus } from "./api.ts";
import { loadRule } from "./load-served.ts";
import { soundChain } from "./read-chain.ts";
import { type FolderFile, isSafety, readFolder, ruleIdOf, whyUnreadable } from "./read-folder.ts";
import { withheldNow } from "./withheld-now.ts";

/** Where each rule stands: those of the folder by their files' names, then those that are published and have no file. */
export async function statusOf(parts: Parts): Promise<readonly RuleStatus[]> {
  const [folder, state] = [await readFolder(parts), await soundChain(parts)];
  const entries: Omit<RuleStatus, "withheld">[] = folder.files.map((file) => statusOfFile(state, file));
  const known = new Set(entries.map(({ rule }) => rule));
  for (const rule of [...state.published.keys()].sort()) {
    if (known.has(rule)) continue;
    entries.push(await statusWithoutFile(parts, state, rule));
  }
  const withheld: RuleStatus[] = [];
  for (const one of entries) withheld.push({ ...one, withheld: await withheldNow(parts, state, one.rule) });
  return withheld;
}

/** Where the rule of a file stands. */
export function statusOfFile(state: GuideState, file: FolderFile): Omit<RuleStatus, "withheld"> {
  const { bytes, digest: revision, name, parsed } = file;
  const rule = ruleIdOf(file);
  return {
    rule,
    file: name,
    revision,
    state: rule === null ? "unreadable" : stateOfRevision(state, { rule, revision }),
    published: rule === null ? null : (state.published.get(rule)?.record.revision ?? null),
    toPublish: rule !== null && isToPublish(state, { rule, revision }),
    safety: isSafety(file),
    bytes: textBytes(parsed) ?? bytes.length,
    unreadable: whyUnreadable(parsed),
  };
}

/** Where a rule stands that has no file. */
export async function statusWithoutFile(
  parts: Parts,
  state: GuideState,
  rule: string,
): Promise<Omit<RuleStatus, "withheld">> {
  const published = publishedOf(state, rule);
  const revision = published?.publication.record.revision ?? null;
  const loaded = published === null ? null : await loadRule(parts, published);
  const own = loaded === null || "kind" in loaded ? null : loaded.rule;
  return {
    rule,
    file: null,
    revision: null,
    state: revision === null ? "draft" : stateOfRevision(state, { rule, revision }),
    published: revision,
    toPublish: false,
    safety: own?.safety ?? false,
    bytes: own === null ? 0 : own.to - own.from,
    unreadable: null,
  };
}

function textBytes(parsed: FolderFile["parsed"]): number | null {
  if (parsed.ok) return parsed.rule.to - parsed.rule.from;
  return parsed.headerUnreadable ? null : parsed.bytes;
}
