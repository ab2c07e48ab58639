/**
 * When an imported rule is served: the matchers that stand for what the foreign header says. Where the other tool leaves the
 * choice to a model, a matcher is guessed from the name and the description, and the report says so.
 */
import { type ForeignFormat, foreignBase } from "../../domain/foreign-rule.ts";
import type { ImportFinding } from "../../domain/imported.ts";
import { quoted } from "../../domain/json-limits.ts";
import { unreachable } from "../../domain/unreachable.ts";
import { distinctiveWords, phraseWords } from "./distinctive-words.ts";
import { globFault } from "./glob-fault.ts";
import type { ForeignHeader } from "./read-header.ts";

export type GuessedTask = {
  readonly any: readonly string[];
  readonly words: readonly string[];
  readonly least: number;
};

export type Matchers = {
  /** null: whatever the task is. */
  readonly task: GuessedTask | null;
  /** Empty: whatever the files are. */
  readonly paths: readonly string[];
  readonly findings: readonly { readonly code: ImportFinding; readonly message: string }[];
};

export function matchersOf(format: ForeignFormat, name: string, header: ForeignHeader): Matchers {
  switch (format) {
    case "cursor_rule":
      return cursorMatchers(name, header);
    case "instructions":
      return ofGlobs(name, header, header.applyTo);
    case "skill":
      return ofGlobs(name, header, header.paths);
    case "claude_rule":
      return header.paths === null ? EVERY_TASK : ofGlobs(name, header, header.paths);
    case "agents":
    case "claude":
      return { ...EVERY_TASK, paths: scopeOf(name) };
    case "copilot_instructions":
    case "cursorrules":
      return EVERY_TASK;
    default:
      return unreachable(format);
  }
}

const EVERY_TASK: Matchers = { task: null, paths: [], findings: [] };

function cursorMatchers(name: string, header: ForeignHeader): Matchers {
  const { alwaysApply, globs } = header;
  const scope = name.includes("/.cursor/") ? name.slice(0, name.indexOf("/.cursor/")) : "";
  const outer =
    scope === ""
      ? []
      : [{ code: "folder_not_kept" as const, message: `it was for ${scope}/ alone: add that to its \`paths\`` }];
  if (alwaysApply === true) {
    const message = "its globs are not kept: a rule that always applies is for every file";
    const ignored = (globs ?? []).length > 0 ? [{ code: "key_not_kept" as const, message }] : [];
    return { ...EVERY_TASK, findings: [...ignored, ...outer] };
  }
  const { findings, ...matchers } = ofGlobs(name, header, globs);
  return { ...matchers, findings: [...findings, ...outer] };
}

/**
 * A glob that takes every file is no matcher at all: such a rule is for tasks without files as well. Where no glob is left, the
 * matcher is guessed: a rule must not come to be for every task because its globs were wrong.
 */
function ofGlobs(name: string, header: ForeignHeader, globs: readonly string[] | null): Matchers {
  const all = [...new Set(globs ?? [])];
  if (all.some((glob) => EVERY_FILE.has(glob))) return EVERY_TASK;
  const findings = all.flatMap((glob) => {
    const fault = globFault(glob);
    return fault === null ? [] : [{ code: "glob_not_kept" as const, message: `${quoted(glob)}: ${fault}` }];
  });
  const paths = all.filter((glob) => globFault(glob) === null);
  if (paths.length > 0) return { task: null, paths, findings };
  const guess = guessed(name, header);
  return { ...guess, findings: [...findings, ...guess.findings] };
}

const EVERY_FILE: ReadonlySet<string> = new Set(["*", "**", "**/*", "**/**", "./**", "./**/*", "/**", "/**/*"]);

/** AGENTS.md and CLAUDE.md hold below the folder that they stand in; `.claude/CLAUDE.md` holds beside that folder. */
function scopeOf(name: string): readonly string[] {
  const flat = name.slice(name.lastIndexOf("/") + 1).slice(0, -foreignBase(name).length);
  const folders = [...name.split("/").slice(0, -1), ...flat.split("__")].filter((folder) => folder !== "");
  if (folders.at(-1) === ".claude") folders.pop();
  // A character that a glob would take for more than itself becomes one that stands for any one character.
  const literal = folders.map((folder) => folder.replace(/[*?[\]{}()!\\,]/g, "?"));
  return folders.length === 0 ? [] : [`${literal.join("/")}/**`];
}

const LEAST = 2;

/**
 * A rule fires where a task has its name, a phrase that its description quotes, or two of the distinctive words of both. No word
 * is left out for being one too many: a description that is cut short is one that does not fire.
 */
function guessed(name: string, header: ForeignHeader): Matchers {
  const called = header.name ?? plainName(name);
  const said = [header.description, header.whenToUse].filter((text) => text !== null).join("\n");
  const words = distinctiveWords(`${called}\n${said}`);
  if (words.length === 0) {
    const message = "nothing says when it is for: as it stands it is for every task, so give it a `task` or `paths`";
    return { ...EVERY_TASK, findings: [{ code: "no_matcher", message }] };
  }
  const task = { any: phrases(called, said), words, least: Math.min(LEAST, words.length) };
  const source = said === "" ? "its name" : "its name and description";
  const enough = words.length === 1 ? "1 word" : `${words.length} words, ${task.least} of them enough`;
  const message = `when it fires is a guess from ${source}, since there a model chose: ${enough}`;
  return { task, paths: [], findings: [{ code: "guessed_matcher", message }] };
}

/** The folder of a skill and of a rule that has one, the file of anything else. */
function plainName(name: string): string {
  const base = foreignBase(name);
  return base === "SKILL.md" || base === "RULE.md"
    ? (name.split("/").at(-2) ?? "")
    : base.replace(/(?:\.instructions)?\.mdc?$/, "");
}

const QUOTED = /"([^"\n]{2,120})"|“([^”\n]{2,120})”|(?<![\p{L}\p{N}])'([^'\n]{2,120})'(?![\p{L}\p{N}])/gu;

/** The name, and what the description quotes as a user's words. One word alone is a phrase only as a name. */
function phrases(called: string, said: string): readonly string[] {
  const quoted = [...said.matchAll(QUOTED)].map(([, straight, curly, single]) =>
    phraseWords(straight ?? curly ?? single ?? ""),
  );
  const all = [phraseWords(called), ...quoted.filter((words) => words.length > 1)];
  return [...new Set(all.map((words) => words.join(" ")).filter((phrase) => distinctiveWords(phrase).length > 0))];
}
