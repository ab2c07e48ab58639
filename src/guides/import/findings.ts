import type { Finding } from "../../domain/finding.ts";
import type { ForeignFormat } from "../../domain/foreign-rule.ts";
import { type DraftRule, type ImportFinding, importFinding } from "../../domain/imported.ts";
import { hiddenRuns } from "../hidden-points.ts";
import { shownName } from "../places.ts";
import { prohibitionIn } from "./prohibitions.ts";
import type { ForeignHeader } from "./read-header.ts";
import { referencesIn } from "./references.ts";
import type { Source } from "./source.ts";

/** What a person has to look at before the rules of a file can be verified: what is about the file first, then its rules. */
export function findingsOf(source: Source, rules: readonly DraftRule[]): readonly Finding[] {
  const { text, format, header, matchers } = source;
  const name = shownName(source.name);
  const found: Finding[] = [];
  const note = (code: ImportFinding, message: string, where = name): void => {
    found.push(importFinding(code, where, message));
  };
  if (text.startsWith("\ufeff")) note("byte_order_mark", "the byte order mark at its start is left out");
  for (const { code, line, detail } of header.faults) note(code, detail, `${name}:${line}`);
  const lost = [...header.unknown, ...unused(format, header)].map((key) => `\`${key}\``);
  if (lost.length > 0) note("key_not_kept", `${lost.join(", ")}: a rule has nothing that would stand for it`);
  const unseen = unseenIn(text.slice(text.startsWith("\ufeff") ? 1 : 0, header.bodyFrom));
  if (unseen !== null) note("hidden_code_point", `in its header, and not kept: ${unseen}`);
  for (const { code, message } of matchers.findings) note(code, message);
  const references = referencesIn(text, header.bodyFrom, format);
  if (references.length > 0) {
    note("refers_to_file", `the text of these files is not part of the rule: ${references.join(", ")}`);
  }
  const signs = rules.flatMap(({ id, body }) => {
    const sign = prohibitionIn(body);
    return sign === null ? [] : [`${id} (${sign})`];
  });
  if (signs.length > 0)
    note("maybe_safety", `must one of these never be dropped? Then it needs safety: ${signs.join(", ")}`);
  for (const rule of rules) noteRule(source, rule, note);
  return found;
}

function noteRule(
  { budgetBytes }: Source,
  { file, bytes, body, title }: DraftRule,
  note: (code: ImportFinding, message: string, where: string) => void,
): void {
  if (bytes > budgetBytes) {
    const named = title === "" ? "the text" : `the section ${JSON.stringify(title)}`;
    const message = `${named} has ${bytes} bytes, the budget ${budgetBytes}, and no heading divides it: shorten or divide it, or it is only served where a profile has room`;
    note("larger_than_budget", message, file);
  }
  const unseen = unseenIn(body);
  if (unseen !== null) note("hidden_code_point", `kept as it is, and no verification passes it: ${unseen}`, file);
}

/** Places that one finding tells of; a verification tells of each. */
const PLACES_MAX = 3;

function unseenIn(text: string): string | null {
  const { runs, more } = hiddenRuns(text, PLACES_MAX);
  if (runs.length === 0) return null;
  return `${runs.map(({ message }) => message).join("; ")}${more === 0 ? "" : `; and in ${more} more places`}`;
}

/** Keys that other formats have a meaning for, and this one has none. */
function unused(format: ForeignFormat, header: ForeignHeader): readonly string[] {
  const used = USED[format];
  return SCOPING.filter((key) => header[key] !== null && !used.includes(key));
}

const SCOPING = ["globs", "applyTo", "paths", "alwaysApply"] as const;
const USED: Readonly<Record<ForeignFormat, readonly (typeof SCOPING)[number][]>> = {
  cursor_rule: ["globs", "alwaysApply"],
  instructions: ["applyTo"],
  skill: ["paths"],
  claude_rule: ["paths"],
  cursorrules: [],
  copilot_instructions: [],
  agents: [],
  claude: [],
};
