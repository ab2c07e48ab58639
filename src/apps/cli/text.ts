import { HIDDEN as ALSO_HIDDEN } from "../../domain/hidden.ts";

/** Text for a terminal that nobody may attack: what is hidden is shown, and everything is measured in columns. */

/** One line as a person can trust it: control, bidi, zero-width and tag characters are shown as escapes, line breaks as `⏎`. */
export function visible(text: string): string {
  return escaped(text.replace(BREAK, "⏎"));
}

/** Several lines, each as `visible` has it; only real line breaks stay line breaks. */
export function visibleLines(text: string): readonly string[] {
  return text.split(BREAK).map(escaped);
}

/** Lines of which every character counts: carriage returns and tabs are written out as well, and nothing is left out. */
export function exactLines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.replace(HIDDEN, shownCharacter));
}

const BREAK = /\r\n|\n/g;

function escaped(text: string): string {
  return text.replaceAll("\t", "  ").replace(HIDDEN, shownCharacter);
}

function shownCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** What a terminal obeys instead of showing it, what turns text round, and what nobody sees. */
const HIDDEN = new RegExp(`[\\u0000-\\u001f]|${ALSO_HIDDEN.source}`, "gu");

/** One JSON document on one line. What a terminal would obey is escaped in it: it stays the same JSON. */
export function jsonDocument(value: unknown): string {
  const text = JSON.stringify(value).replace(HIDDEN, (character) =>
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
      .join(""),
  );
  return `${text}\n`;
}

/** Columns that a terminal gives to the text: two for wide characters, none for marks that stand on another. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += MARK.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

const PLAIN = /^[ -~]*$/;
const MARK = /^[\p{Mn}\p{Me}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

/** At most `columns` wide, with `…` where something was cut. */
export function clip(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${head(text, Math.max(0, columns - 1))}…`;
}

/** The same, cut in the middle: names that begin alike often end apart. */
export function clipMiddle(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const room = Math.max(0, columns - 1);
  const end = head([...text].reverse().join(""), Math.floor(room / 2));
  return `${head(text, room - columnsOf(end))}…${[...end].reverse().join("")}`;
}

export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Lines of at most `columns`, broken at spaces; a word that is longer than a line is broken where it must be, or left to the terminal
 * where it is there to be copied.
 */
export function wrap(text: string, columns: number, breaksWords = true): readonly string[] {
  const room = Math.max(1, columns);
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of text.split(" ")) {
    const longer: string = line === null ? word : `${line} ${word}`;
    if (columnsOf(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== null && line !== "") lines.push(line);
    const pieces = breaksWords ? broken(word, room) : [word];
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  lines.push(line ?? "");
  return lines;
}

/** A word in pieces of at most `room` columns, in one pass. A character that is wider than a line still goes somewhere. */
function broken(word: string, room: number): readonly string[] {
  if (columnsOf(word) <= room) return [word];
  const pieces: string[] = [];
  let piece = "";
  let left = room;
  for (const character of word) {
    const width = columnsOf(character);
    if (width > left && piece !== "") {
      pieces.push(piece);
      piece = "";
      left = room;
    }
    piece += character;
    left -= width;
  }
  return [...pieces, piece];
}

/** Joins parts with ` · ` and breaks between parts where they do not fit one line; a part that is too long wraps. */
export function wrapParts(parts: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last} · ${part}`;
    if (columnsOf(joined) <= columns && last !== undefined) lines[lines.length - 1] = joined;
    else lines.push(...wrap(part, columns));
  }
  return lines;
}

/** A command below what it is about, over several lines as a shell takes them back: words stay whole, lines end in `\\`. */
export function wrapCommand(command: string, columns: number): readonly string[] {
  if (command === "") return [];
  if (columnsOf(command) + 2 <= columns) return [`  ${command}`];
  const lines: string[] = [];
  // A word that is longer than the line is left to the terminal: broken by us it would be another word.
  for (const word of command.match(SHELL_WORDS) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(`${last} ${word} \\`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? `  ${word}` : `    ${word}`);
  }
  return lines.map((line, i) => (i === lines.length - 1 ? line : `${line} \\`));
}

/** Words with the spaces that stand in quotes. */
const SHELL_WORDS = /(?:'[^']*'|"[^"]*"|[^ ])+/g;

/** One argument as a shell takes it back: in quotes where it is more than plain characters. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** 1234567 as `1,234,567`. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

function head(text: string, columns: number): string {
  let taken = "";
  let left = columns;
  for (const character of text) {
    left -= columnsOf(character);
    if (left < 0) break;
    taken += character;
  }
  return taken;
}
