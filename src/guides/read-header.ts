import { daysBetween } from "../domain/dates.ts";
import { quoted } from "../domain/json-limits.ts";
import { nearest } from "../domain/nearest.ts";
import { parsed, unparsed } from "../domain/parsed.ts";
import type { Escalation, Rule } from "../domain/rule.ts";
import { RULE_ID } from "../domain/rule.ts";
import { parseGlob, parsePathGlob } from "./glob.ts";
import type { HeaderEntry, HeaderMap, HeaderNode } from "./header-node.ts";
import { behindSign } from "./normal-path.ts";
import type { Note } from "./places.ts";
import { readCondition } from "./read-condition.ts";
import { readGuide } from "./read-guide.ts";
import { inQuotes, readStrings } from "./read-strings.ts";
import { readTask } from "./read-task.ts";

/** The keys of a header, in the order in which they are documented. */
export const RULE_KEYS = [
  "id",
  "app",
  "task",
  "paths",
  "profile",
  "when",
  "breach",
  "escalate",
  "safety",
  "order",
  "expires",
  "guide",
] as const;
export type RuleKey = (typeof RULE_KEYS)[number];

/** What a header says. */
export type RuleHeader = Pick<Rule, RuleKey>;

/** Keys of the rule files of other tools, which are imported and not served as they are. */
const FOREIGN = [
  "globs",
  "applyTo",
  "alwaysApply",
  "description",
  "name",
  "version",
  "tags",
  "license",
  "allowed-tools",
];

/** Reads the mapping of a header; everything that is wrong with it is noted, at its place. */
export function readHeader(map: HeaderMap, note: Note): RuleHeader {
  const entries = new Map(map.entries.map((entry) => [entry.key, entry]));
  for (const { key, at } of map.entries) if (!isRuleKey(key)) note("unknown_key", at, unknown(key));
  const read = <T>(key: RuleKey, form: (node: HeaderNode) => T | undefined, otherwise: T): T => {
    const entry = entries.get(key);
    if (entry === undefined) return otherwise;
    if (entry.value.kind === "scalar" && entry.value.value === null) {
      note("bad_value", entry.at, `\`${key}\` says nothing: give it a value, or leave it out`);
      return otherwise;
    }
    return form(entry.value) ?? otherwise;
  };
  const globs = (key: "app" | "paths" | "profile") => read(key, (node) => readGlobs(key, node, note), []);
  if (!entries.has("id")) note("missing_id", map.at, "the header has no `id`, such as `id: lock-screen`");
  checkPair(entries, note);
  return {
    id: read("id", (node) => readId(node, note), ""),
    app: globs("app"),
    task: read("task", (node) => readTask(node, note), null),
    paths: globs("paths"),
    profile: globs("profile"),
    when: read("when", (node) => readCondition("when", node, note), null),
    breach: read("breach", (node) => readCondition("breach", node, note), null),
    escalate: read("escalate", (node) => readEscalation(node, note), null),
    safety: read("safety", (node) => readSafety(node, note), false),
    order: read("order", (node) => readOrder(node, note), 0),
    expires: read("expires", (node) => readDay(node, note), null),
    guide: read("guide", (node) => readGuide(node, note), null),
  };
}

function isRuleKey(key: string): key is RuleKey {
  return RULE_KEYS.some((known) => known === key);
}

function unknown(key: string): string {
  const near = nearest(key, RULE_KEYS);
  const says = `${quoted(key)} is not a key of a rule`;
  if (FOREIGN.includes(key)) return `${says}: a file of another tool becomes one by \`signalbox guides import\``;
  return near === null ? `${says}: ${RULE_KEYS.join(", ")} are` : `${says}: did you mean \`${near}\`?`;
}

/** A watchdog needs both: what it looks for, and what it does. */
function checkPair(entries: ReadonlyMap<string, HeaderEntry>, note: Note): void {
  const breach = entries.get("breach");
  const escalate = entries.get("escalate");
  if (breach !== undefined && escalate === undefined) {
    note("breach_without_escalate", breach.at, "`breach` without `escalate`: say `escalate: warn` or `escalate: end`");
  }
  if (breach === undefined && escalate !== undefined) {
    note("escalate_without_breach", escalate.at, "`escalate` without `breach`: say what counts as breaking the rule");
  }
}

function readId(node: HeaderNode, note: Note): string | undefined {
  if (node.kind === "scalar" && typeof node.value === "string" && RULE_ID.test(node.value)) return node.value;
  const shown = node.kind === "scalar" ? `, not ${quoted(String(node.value))}` : "";
  const hint = node.kind === "scalar" && typeof node.value !== "string" ? inQuotes(node) : "";
  const form = "1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`, the first a letter or digit";
  note("bad_id", node.at, `\`id\` has to be ${form}${shown}${hint}`);
  return undefined;
}

function readGlobs(key: "app" | "paths" | "profile", node: HeaderNode, note: Note): readonly string[] | undefined {
  return readStrings(key, node, note, (glob) => {
    // To us an ordinary character, so that it would be for what nobody has.
    if (glob.startsWith("!")) {
      return unparsed(
        "glob_negated",
        "begins with !, which would take files or names away: a rule says only what it is for; for a name that does begin with !, write ? in its place",
      );
    }
    if (glob.trim() !== glob || /[\n\t]/.test(glob))
      return unparsed("glob_blanks", "has blanks around it, or a line break");
    const read = key === "paths" ? parsePathGlob(glob) : parseGlob(glob);
    if (!read.ok) return read;
    if (hasLooseComma(glob)) {
      return unparsed(
        "glob_comma",
        'is one pattern with a comma: write a list, such as ["a", "b"]; a comma itself is [,]',
      );
    }
    return parsed(glob);
  });
}

/**
 * Whether a pattern that can be read has a comma outside braces and sets: a list that was written as one text, which would
 * match nothing.
 */
export function hasLooseComma(glob: string): boolean {
  let depth = 0;
  for (let at = 0; at < glob.length; at = behindSign(glob, at)) {
    const sign = glob.charAt(at);
    if (sign === "{") depth += 1;
    else if (sign === "}") depth -= 1;
    else if (sign === "," && depth <= 0) return true;
  }
  return false;
}

function readEscalation(node: HeaderNode, note: Note): Escalation | undefined {
  const value = node.kind === "scalar" ? node.value : null;
  if (value === "warn" || value === "end") return value;
  note("bad_value", node.at, "`escalate` has to be `warn` or `end`");
  return undefined;
}

function readSafety(node: HeaderNode, note: Note): boolean | undefined {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  note("bad_value", node.at, "`safety` has to be `true` or `false`");
  return undefined;
}

function readOrder(node: HeaderNode, note: Note): number | undefined {
  if (node.kind === "scalar" && typeof node.value === "number" && Number.isSafeInteger(node.value)) return node.value;
  note("bad_value", node.at, "`order` has to be a whole number");
  return undefined;
}

function readDay(node: HeaderNode, note: Note): string | undefined {
  const value = node.kind === "scalar" ? node.value : null;
  if (typeof value === "string" && isDay(value)) return value;
  note("bad_date", node.at, "`expires` has to be a day of the calendar, YYYY-MM-DD");
  return undefined;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    return daysBetween(text, text) === 0;
  } catch {
    // A RangeError is how dates.ts says that the calendar has no such day.
    return false;
  }
}
