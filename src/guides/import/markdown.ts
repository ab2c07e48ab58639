/**
 * The little of Markdown that an import has to know (CommonMark 0.31, sections 4.2, 4.3, 4.5 and 4.6): where the headings
 * are, and which lines are code or a comment, where a `#` is no heading and a path no reference. Line by line, and linear.
 */

export type Heading = {
  /** Where its first line begins, and where the line behind it does, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly title: string;
};

/** `code`: fenced, with its fences. `comment`: HTML. Without an end it goes on to the end of the text. */
export type Block = { readonly kind: "code" | "comment"; readonly from: number; readonly to: number };

export type Markdown = { readonly headings: readonly Heading[]; readonly blocks: readonly Block[] };

/** What stands in `text` from `start` on. */
export function scanMarkdown(text: string, start: number): Markdown {
  const scan: Scan = { text, headings: [], blocks: [], open: null, paragraph: NONE };
  for (let from = start; from < text.length; ) {
    const at = text.indexOf("\n", from);
    const to = at === -1 ? text.length : at + 1;
    const line = text.slice(from, to).trimEnd();
    if (scan.open === null) takeLine(scan, line, from, to);
    else if (isEnd(line, scan.open.end)) {
      scan.blocks.push({ kind: scan.open.kind, from: scan.open.from, to });
      scan.open = null;
    }
    from = to;
  }
  if (scan.open !== null) scan.blocks.push({ kind: scan.open.kind, from: scan.open.from, to: text.length });
  return scan;
}

type Scan = {
  readonly text: string;
  readonly headings: Heading[];
  readonly blocks: Block[];
  /** The code or comment that is open, and what ends it. */
  open: { readonly kind: Block["kind"]; readonly from: number; readonly end: string } | null;
  /** Where the paragraph that is open begins, or one of the two below. */
  paragraph: number;
};

const NONE = -1;
/** In a list, a quote, a table or HTML: up to the next empty line, `---` is a rule across the page. */
const OTHER = -2;

const FENCE = /^[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/;
const COMMENT = /^ {0,3}<!--/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const SETEXT = /^ {0,3}(?:=+|-+)$/;
const ACROSS = /^ {0,3}([-*_])(?:[ \t]*\1){2,}$/;
const NO_PROSE = /^ {0,3}(?:[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|[>|<])/;

function takeLine(scan: Scan, line: string, from: number, to: number): void {
  const fence = FENCE.exec(line)?.[1];
  const atx = ATX.exec(line);
  const inParagraph = scan.paragraph >= 0;
  if (fence !== undefined) scan.open = { kind: "code", from, end: fence };
  else if (COMMENT.test(line)) {
    if (line.includes("-->")) scan.blocks.push({ kind: "comment", from, to });
    else scan.open = { kind: "comment", from, end: "-->" };
  } else if (atx !== null) scan.headings.push({ from, to, level: (atx[1] ?? "").length, title: title(atx[2] ?? "") });
  else if (inParagraph && SETEXT.test(line)) {
    const level = line.includes("=") ? 1 : 2;
    scan.headings.push({ from: scan.paragraph, to, level, title: title(scan.text.slice(scan.paragraph, from)) });
  } else if (line !== "" && !ACROSS.test(line)) {
    if (NO_PROSE.test(line) || (!inParagraph && /^(?: {4}|\t)/.test(line))) scan.paragraph = OTHER;
    else if (scan.paragraph === NONE) scan.paragraph = from;
    return;
  }
  scan.paragraph = NONE;
}

function isEnd(line: string, end: string): boolean {
  if (end === "-->") return line.includes(end);
  const bare = line.trim();
  return bare.startsWith(end) && bare.replaceAll(end.charAt(0), "") === "";
}

/** A heading's words, without the `#` that may close it and the marks of emphasis and code. */
function title(text: string): string {
  return text
    .replace(/[ \t]#+[ \t]*$/, "")
    .replace(/[`*_]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
