import { markBefore, withoutOuter } from "./call-marks.ts";

/**
 * Whether what follows a text is quoted there: a line that begins as quoted data does, a quotation mark or inline code that
 * is still open on the line, or a tag or a comment that is opened right before it. Somebody else's words are no reply.
 * Fences and marks of calls between the quotation and the object change nothing.
 */
export function isQuoted(before: string): boolean {
  if (before === "") return false;
  const text = withoutShell(before);
  const line = text.slice(text.lastIndexOf("\n") + 1);
  if (/^\s{0,200}>/.test(line)) return true;
  if (text.lastIndexOf("<!--") > text.lastIndexOf("-->")) return true;
  const said = text.trimEnd();
  if (TAG.test(said.slice(-TAG_MAX))) return true;
  if (line.trim() !== "") return ENDS_WITH_QUOTE.test(line.slice(-1)) || opensQuote(line);
  // The object begins on a line of its own: then a quotation mark must be the last thing before it.
  return ENDS_WITH_MARK.test(said.slice(-1)) && opensQuote(said.slice(said.lastIndexOf("\n") + 1));
}

const TAG = /<[A-Za-z][\w:.-]{0,63}(?:\s[^<>]{0,128})?>$/;
const TAG_MAX = 200;
const ENDS_WITH_QUOTE = /["'\u201c\u2018\u201e\u00ab]$/;
const ENDS_WITH_MARK = /["'`\u2018-\u201f\u00ab\u00bb]$/;

const FENCE = /```[\w+-]{0,16}$/;
const FENCE_MAX = 24;
/** A fence in a call tag in a tag for several in a fence. */
const SHELLS_MAX = 4;

/** The text without the fences and marks of calls that it ends with. */
function withoutShell(before: string): string {
  let rest = before;
  for (let i = 0; i < SHELLS_MAX; i++) {
    const end = rest.trimEnd();
    const length = FENCE.exec(end.slice(-FENCE_MAX))?.[0].length ?? markBefore(end)?.length ?? 0;
    const inner = length > 0 ? end.slice(0, -length) : withoutOuter(rest);
    if (inner.length === rest.length) break;
    rest = inner;
  }
  return rest;
}

const MARKS = /`+|["'\u2018\u2019\u201c-\u201f\u00ab\u00bb\u2039\u203a]/g;

/** Whether a line ends inside of inline code or of quotation marks. An apostrophe is none. */
function opensQuote(line: string): boolean {
  let code = 0;
  const open = { double: false, single: false, curly: false, angle: false, curlySingle: false };
  for (const { 0: mark, index } of line.matchAll(MARKS)) {
    if (mark.startsWith("`")) {
      // A fence within a line says nothing here; other code ends at as many backticks as it began with.
      if (mark.length < 3) code = code === 0 ? mark.length : code === mark.length ? 0 : code;
      continue;
    }
    if (code > 0) continue;
    const before = line.charAt(index - 1);
    const after = line.charAt(index + 1);
    if (mark === '"') open.double = !open.double;
    else if (mark === "'") open.single = open.single ? isLetter(after) || before === " " : opensSingle(before, after);
    else if (mark === "\u2018") open.curlySingle = true;
    else if (mark === "\u2019") open.curlySingle &&= isLetter(before) && isLetter(after);
    else if (mark >= "\u201c" && mark <= "\u201f") open.curly = !open.curly;
    else open.angle = !open.angle;
  }
  return code > 0 || Object.values(open).includes(true);
}

/** A single quote that opens stands before a word and not in or behind one; before a digit it stands for a century. */
function opensSingle(before: string, after: string): boolean {
  return !isLetter(before) && !/^[\s\d.,;:!?)]/.test(after);
}

function isLetter(mark: string): boolean {
  return /^[\p{L}\p{N}]/u.test(mark);
}
