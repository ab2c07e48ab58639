import { utf8Length } from "../domain/utf8.ts";

/** UTF-8 bytes that a header may have, between its two `---` lines. */
export const HEADER_BYTES_MAX = 16_384;

export type SplitFile =
  | {
      readonly ok: true;
      /** The header is the text from `headerFrom` to `headerTo`; what follows `bodyFrom` is the rest of the file. In UTF-16 units. */
      readonly headerFrom: number;
      readonly headerTo: number;
      readonly bodyFrom: number;
    }
  | { readonly ok: false; readonly at: number; readonly message: string };

/**
 * Where a file's header and body are. A header stands between a first and a second line of three dashes; blanks after the
 * dashes and both kinds of line break are taken as they are.
 */
export function splitFile(text: string): SplitFile {
  // A byte order mark is an error of its own: looking past it finds what else there is.
  const from = text.startsWith("\ufeff") ? 1 : 0;
  const first = lineAt(text, from);
  if (!isFence(first.line)) {
    return { ok: false, at: from, message: "a rule begins with a line `---`, its YAML header, and another line `---`" };
  }
  const headerFrom = first.next;
  // A UTF-16 unit takes at least a byte, so what begins later is beyond the bound in any case.
  for (let at = headerFrom; at < text.length && at - headerFrom <= HEADER_BYTES_MAX; ) {
    const { line, next } = lineAt(text, at);
    if (isFence(line) && utf8Length(text.slice(headerFrom, at)) > HEADER_BYTES_MAX) return noEnd(from);
    if (isFence(line)) return { ok: true, headerFrom, headerTo: at, bodyFrom: next };
    at = next;
  }
  if (text.length - headerFrom > HEADER_BYTES_MAX) return noEnd(from);
  return { ok: false, at: from, message: "the header does not end: a line `---` is missing" };
}

function noEnd(at: number): SplitFile {
  return { ok: false, at, message: `the header does not end with a line \`---\` within ${HEADER_BYTES_MAX} bytes` };
}

/** The untouched range of the rule's text: from the first line that is not blank to the last character that is not. */
export function bodyRange(text: string, bodyFrom: number): { readonly start: number; readonly end: number } | null {
  const rest = text.slice(bodyFrom);
  const seen = rest.search(/\S/);
  if (seen === -1) return null;
  return { start: bodyFrom + rest.lastIndexOf("\n", seen) + 1, end: bodyFrom + rest.trimEnd().length };
}

/** The line that begins at an offset. Of a long one only as much as tells whether it is a fence. */
function lineAt(text: string, at: number): { readonly line: string; readonly next: number } {
  const end = text.indexOf("\n", at);
  const stop = end === -1 ? text.length : end;
  return { line: text.slice(at, stop), next: end === -1 ? text.length : end + 1 };
}

function isFence(line: string): boolean {
  return line.startsWith("---") && /^---[ \t]*\r?$/.test(line);
}
