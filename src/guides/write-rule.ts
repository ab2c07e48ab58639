/**
 * Writes a rule file: the one place that puts a header together, so that the same header is the same bytes wherever it comes
 * from. The body is not touched.
 */
import type { Guide, RuleGuide } from "../domain/guide.ts";
import { HIDDEN } from "../domain/hidden.ts";
import type { Escalation, Scalar } from "../domain/rule.ts";
import { isPrintable } from "../domain/text.ts";

/** What an event or a proposal has to be: `event`, `tool`, or the name of a fact, with its value or one of several. */
export type WrittenCondition = { readonly [name: string]: Scalar | readonly Scalar[] };

/** A header as people write it (design 7.1). */
export type WrittenHeader = {
  readonly id: string;
  readonly app?: readonly string[];
  /** Phrases, or phrases and words of which at least `least` must occur. */
  readonly task?:
    | readonly string[]
    | { readonly any?: readonly string[]; readonly words?: readonly string[]; readonly least?: number };
  readonly paths?: readonly string[];
  readonly profile?: readonly string[];
  readonly when?: WrittenCondition;
  readonly breach?: WrittenCondition;
  readonly escalate?: Escalation;
  readonly safety?: boolean;
  readonly order?: number;
  /** `YYYY-MM-DD`. */
  readonly expires?: string;
  readonly guide?: RuleGuide;
};

/**
 * The text of a rule file. `notes` become comments of the header, a line each: for whoever reads the file, never served.
 * Keys are in the order of the design, lists that are empty are left out, and a line break ends the file.
 */
export function writeRule(header: WrittenHeader, body: string, notes: readonly string[] = []): string {
  const { id, app, task, paths, profile, when, breach, escalate, safety, order, expires, guide } = header;
  const lines = [
    "---",
    ...notes.map((note) => `# ${oneLine(note)}`),
    `id: ${scalar(id)}`,
    ...list("app", app),
    ...taskLines(task),
    ...list("paths", paths),
    ...list("profile", profile),
    ...condition("when", when),
    ...condition("breach", breach),
    ...(escalate === undefined ? [] : [`escalate: ${escalate}`]),
    ...(safety === undefined ? [] : [`safety: ${safety}`]),
    ...(order === undefined ? [] : [`order: ${order}`]),
    ...(expires === undefined ? [] : [`expires: ${quoted(expires)}`]),
    ...guideLines(guide),
    "---",
    "",
  ];
  return `${lines.join("\n")}\n${body}${body.endsWith("\n") ? "" : "\n"}`;
}

/** A field a line, each as JSON, which YAML reads as it stands. */
function guideLines(of: RuleGuide | undefined): readonly string[] {
  if (of === undefined) return [];
  const { map, digest, guide } = of;
  const { task, preconditions, entry, milestones, fallback, scope } = guide;
  const fields = { map, digest, task, preconditions, entry, milestones, fallback, scope };
  const steps = (list: Guide["entry"]): readonly string[] =>
    list.map(({ screen, intent, control }) => `    - ${JSON.stringify({ screen, intent, control })}`);
  return [
    "guide:",
    ...Object.entries(fields).flatMap(([key, value]) =>
      (key === "entry" || key === "milestones") && value.length > 0
        ? [`  ${key}:`, ...steps(value as Guide["entry"])]
        : [`  ${key}: ${JSON.stringify(value)}`],
    ),
  ];
}

function taskLines(task: WrittenHeader["task"]): readonly string[] {
  if (task === undefined) return [];
  if (isListed(task)) return list("task", task);
  const { any, words, least } = task;
  const inner = [...list("any", any), ...list("words", words), ...(least === undefined ? [] : [`least: ${least}`])];
  return inner.length === 0 ? [] : ["task:", ...inner.map((line) => `  ${line}`)];
}

function condition(key: string, facts: WrittenCondition | undefined): readonly string[] {
  if (facts === undefined) return [];
  const inner = Object.entries(facts).flatMap(([name, value]) =>
    list(scalar(name), typeof value === "object" ? value : [value]),
  );
  return inner.length === 0 ? [] : [`${key}:`, ...inner.map((line) => `  ${line}`)];
}

/** One item stands alone, several in brackets. */
function list(key: string, items: readonly Scalar[] | undefined): readonly string[] {
  if (items === undefined || items.length === 0) return [];
  const written = items.map(scalar);
  return [`${key}: ${written.length === 1 ? written[0] : `[${written.join(", ")}]`}`];
}

function isListed(task: NonNullable<WrittenHeader["task"]>): task is readonly string[] {
  return Array.isArray(task);
}

/** Plain where no reader of YAML could take it for anything but this text; else in double quotes, as JSON writes it. */
function scalar(value: Scalar): string {
  if (typeof value !== "string") return String(value);
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(value) && !OTHERWISE.test(value) ? value : quoted(value);
}

/** Words that one YAML or another takes for something else. */
const OTHERWISE = /^(?:true|false|yes|no|on|off|y|n|null|inf|nan)$/i;

function quoted(text: string): string {
  return shown(JSON.stringify(text.toWellFormed()));
}

/** A comment ends with its line, and shows everything that is in it. */
function oneLine(note: string): string {
  return shown(
    note
      .toWellFormed()
      .replace(/[\t\n\r ]+/g, " ")
      .trim(),
  );
}

const UNSEEN = new RegExp(`${HIDDEN.source}|[\\p{Cc}\\p{Default_Ignorable_Code_Point}]`, "gu");

function shown(text: string): string {
  return isPrintable(text) ? text : text.replace(UNSEEN, (character) => character.replace(/[\s\S]/g, asEscape));
}

function asEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
