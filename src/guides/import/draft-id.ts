/**
 * Ids of imported rules: `folder-file` and `folder-file--section`, in ASCII, at most 64 characters. They come from the file's
 * own name and headings alone, so that importing it again gives the same ids, whatever else is imported beside it.
 */
import { type ForeignFormat, foreignBase } from "../../domain/foreign-rule.ts";

const ID_MAX = 64;
/** Of the part that names the file; the rest is for the section. */
const FILE_MAX = 40;

/**
 * The part that names the file: its own name, and as many of its folders before it as there is room for, the nearest first.
 * `title`: what a skill calls itself, for one that stands in no folder.
 */
export function fileSlug(name: string, format: ForeignFormat, title: string | null): string {
  const parts = name.split("/").flatMap((part) => part.split("__"));
  const base = foreignBase(name);
  const folders = withoutToolFolders(parts.slice(0, -1))
    .map(slug)
    .filter((part) => part !== "");
  // A skill is called like its folder, and so are the rules that Cursor keeps in one.
  const isFolder = format === "skill" || parts.at(-1) === "RULE.md";
  const own = isFolder ? (folders.pop() ?? slug(title ?? "")) : "";
  let words = cutBehind(own || slug(stem(base, format)) || "rule", FILE_MAX);
  for (
    let next = folders.pop();
    next !== undefined && next.length + 1 + words.length <= FILE_MAX;
    next = folders.pop()
  ) {
    words = `${next}-${words}`;
  }
  return words;
}

/** The id of a section of that file, or of all of it where `title` is null. `place` names a section without words. */
export function draftId(file: string, title: string | null, place: number): string {
  if (title === null) return file;
  const words = slug(title) || (place === 1 ? "intro" : `part-${place}`);
  return `${file}--${cutBehind(words, ID_MAX - file.length - 2)}`;
}

/** Gives each id once: one that is taken gets a number. */
export class Ids {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  take(wanted: string): string {
    let id = wanted;
    for (let n = this.#next.get(wanted) ?? 2; this.#taken.has(id); n++) {
      id = `${cutBehind(wanted, ID_MAX - 1 - String(n).length)}-${n}`;
      this.#next.set(wanted, n + 1);
    }
    this.#taken.add(id);
    return id;
  }
}

/** What is left of a text in small ASCII letters and digits, with a dash for everything between. */
function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

function stem(base: string, format: ForeignFormat): string {
  return format === "instructions" ? base.slice(0, -".instructions.md".length) : base.replace(/\.mdc?$/, "");
}

/** Without `.cursor/rules` and its like, and without a folder of that name at the top: they tell no file from another. */
function withoutToolFolders(folders: readonly string[]): readonly string[] {
  return folders.filter((folder, i) => {
    if (/^\.[a-z]/.test(folder)) return false;
    const before = folders[i - 1];
    return !(TOOL_FOLDERS.has(folder) && (before === undefined || /^\.[a-z]/.test(before)));
  });
}

const TOOL_FOLDERS: ReadonlySet<string> = new Set(["rules", "skills", "instructions"]);

/** The beginning says most. */
function cutBehind(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, max);
  const dash = start.lastIndexOf("-");
  return (dash < max / 2 ? start : start.slice(0, dash)).replace(/-+$/, "");
}
