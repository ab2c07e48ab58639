/**
 * A ForeignRule: a rule file that was written for another tool. Its name says which tool, and so what its header means.
 */
export const FOREIGN_FORMATS = [
  "cursor_rule",
  "cursorrules",
  "skill",
  "instructions",
  "copilot_instructions",
  "agents",
  "claude",
  "claude_rule",
] as const;
export type ForeignFormat = (typeof FOREIGN_FORMATS)[number];

/** What a file is by its name; null where no tool would read it as a rule. */
export function foreignFormat(name: string): ForeignFormat | null {
  const base = foreignBase(name);
  if (base.endsWith(".mdc")) return "cursor_rule";
  if (base === ".cursorrules") return "cursorrules";
  if (base === "SKILL.md") return "skill";
  if (base === "copilot-instructions.md") return "copilot_instructions";
  if (base.endsWith(".instructions.md")) return "instructions";
  if (base === "AGENTS.md" || base === "AGENTS.override.md") return "agents";
  if (base === "CLAUDE.md" || base === "CLAUDE.local.md") return "claude";
  if (base.endsWith(".md") && isWithin(name, ".cursor/rules")) return "cursor_rule";
  if (base.endsWith(".md") && isWithin(name, ".claude/rules")) return "claude_rule";
  return null;
}

/** The last part of a name. Collections keep files with their paths flattened: `skills__pdf__SKILL.md`. */
export function foreignBase(name: string): string {
  return (
    name
      .slice(name.lastIndexOf("/") + 1)
      .split("__")
      .at(-1) ?? ""
  );
}

/**
 * Whether a file that is met in a folder is to be named in the report: what a tool reads as a rule, and Markdown in a folder
 * of rules that no tool reads, since somebody may believe that one does.
 */
export function looksForeign(name: string): boolean {
  return foreignFormat(name) !== null || (name.endsWith(".md") && isWithin(name, ".github/instructions"));
}

/** Whether it stands in a folder that some tool reads all rules of. */
export function isInRules(name: string): boolean {
  return RULE_FOLDERS.some((folder) => isWithin(name, folder));
}

const RULE_FOLDERS = [".cursor/rules", ".claude/rules", ".claude/skills", ".github/instructions"] as const;

function isWithin(name: string, folder: string): boolean {
  return name.startsWith(`${folder}/`) || name.includes(`/${folder}/`);
}
