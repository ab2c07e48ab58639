/** Where the header of a foreign rule file begins and ends, and its keys with the lines that belong to each. */

/** A key, what stands behind it, and the lines below that belong to it. */
export type HeaderEntry = {
  readonly key: string;
  readonly value: string;
  readonly inner: readonly string[];
  /** Line of the file, from 1. */
  readonly line: number;
};

export type HeaderLines = {
  readonly entries: readonly HeaderEntry[];
  /** Numbers of the lines that are neither a key nor part of one. */
  readonly strays: readonly number[];
  readonly openedAt: number;
  readonly closed: boolean;
  /** Where the body begins, in UTF-16 units. */
  readonly bodyFrom: number;
};

/** null: the text has no header, and all of it is body. `isKnown` tells the keys that make a header of doubtful lines. */
export function headerLines(text: string, isKnown: (key: string) => boolean): HeaderLines | null {
  const opening = firstLine(text);
  if (opening === null || opening.text.trimEnd() !== "---") return null;
  const { lines, closing } = linesBelow(text, opening);
  const kept = closing === null ? firstRun(lines) : lines;
  const { entries, strays } = gathered(kept);
  if (entries.length === 0 && closing === null) return null;
  // Two rules across a page with prose between them, which may have a colon in it.
  if (strays.length > 0 && !entries.some(({ key }) => isKnown(key))) return null;
  const bodyFrom = closing?.next ?? kept.at(-1)?.next ?? opening.next;
  return { entries, strays, openedAt: opening.line, closed: closing !== null, bodyFrom };
}

/** A line without its break, where the next one begins, and its number. */
type Line = { readonly text: string; readonly next: number; readonly line: number };

function lineAt(text: string, from: number, line: number): Line | null {
  if (from >= text.length) return null;
  const at = text.indexOf("\n", from);
  const end = at === -1 ? text.length : at;
  const cut = end > from && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
  return { text: text.slice(from, cut), next: at === -1 ? end : at + 1, line };
}

/** The first line that is not empty, behind a byte order mark. */
function firstLine(text: string): Line | null {
  let line = lineAt(text, text.startsWith("\ufeff") ? 1 : 0, 1);
  while (line !== null && line.text.trim() === "") line = lineAt(text, line.next, line.line + 1);
  return line;
}

/**
 * The lines below the mark that opens, and the mark that closes. Prose after an empty line is no header, whatever mark comes
 * later: there the header was never closed, and the mark is a rule across the page.
 */
function linesBelow(text: string, opening: Line): { readonly lines: readonly Line[]; readonly closing: Line | null } {
  const lines: Line[] = [];
  let indent: string | null = null;
  let [blank, open] = [false, "" as string | null];
  for (let line = lineAt(text, opening.next, opening.line + 1); line !== null; ) {
    const bare = line.text.trimEnd();
    if (bare === "---" || bare === "...") return { lines, closing: line };
    // Where every key is indented, the first one says by how much.
    if (bare !== "") indent ??= /^[ \t]*/.exec(bare)?.[0] ?? "";
    const inset = indent !== null && indent !== "" && bare.startsWith(indent) ? bare.slice(indent.length) : bare;
    const key = keyOf(inset);
    if (key !== null) [blank, open] = [false, key.value];
    else if (inset === "") blank = true;
    else if (blank && !inset.startsWith("#") && !(isInner(inset) && mayGoOn(open))) break;
    lines.push({ ...line, text: inset });
    line = lineAt(text, line.next, line.line + 1);
  }
  return { lines, closing: null };
}

/** Whether a value can go on behind an empty line: it is not there yet, a block, or in quotes or brackets. */
function mayGoOn(value: string | null): boolean {
  return value !== null && (value === "" || /^[|>[{"']/.test(value));
}

/** Of a header without an end: its lines up to the first that is empty, a heading, or no line of a header. */
function firstRun(lines: readonly Line[]): readonly Line[] {
  const end = lines.findIndex(({ text }) => text === "" || (keyOf(text) === null && !isInner(text)));
  return end === -1 ? lines : lines.slice(0, end);
}

function gathered(lines: readonly Line[]): { readonly entries: readonly HeaderEntry[]; readonly strays: number[] } {
  const entries: HeaderEntry[] = [];
  const strays: number[] = [];
  let inner: string[] | null = null;
  for (const { text, line } of lines) {
    const key = keyOf(text);
    if (key !== null) {
      inner = [];
      entries.push({ ...key, inner, line });
    } else if (inner !== null && (isInner(text) || goesOnAtMargin(entries.at(-1), text))) inner.push(text.trim());
    else if (text !== "" && !text.startsWith("#")) strays.push(line);
  }
  return { entries, strays };
}

/** A list in brackets that is not closed yet, or a text in several lines: no YAML at the margin, and what people write. */
function goesOnAtMargin(entry: HeaderEntry | undefined, text: string): boolean {
  if (entry === undefined || text === "") return false;
  const { key, value, inner } = entry;
  if (value.startsWith("[")) return !(inner.at(-1) ?? value).endsWith("]");
  return value !== "" && !text.startsWith("#") && key.toLowerCase() === "description";
}

/** A line that belongs to the key above it. */
function isInner(text: string): boolean {
  return /^\s/.test(text) || /^-(?:\s|$)/.test(text);
}

const KEY = /^(?:"([\w.-]+)"|'([\w.-]+)'|([A-Za-z_][\w.-]*))[ \t]*:(?=\s|$)/;
/** Without a space behind the colon only keys that are expected here: `http://` is none. */
const TIGHT = /^()()(globs|applyTo|alwaysApply|description|name|paths):/i;

function keyOf(text: string): { readonly key: string; readonly value: string } | null {
  const found = KEY.exec(text) ?? TIGHT.exec(text);
  if (found === null) return null;
  return { key: found[1] || found[2] || found[3] || "", value: text.slice(found[0].length).trim() };
}
